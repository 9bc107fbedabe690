;; A plugin of a contract to come, `tools@0.9.0`.
;; Must: be refused in one sentence that names both versions.
(component
  (core module $m (func (export "f") (result i32) (i32.const 0)))
  (core instance $m (instantiate $m))
  (alias core export $m "f" (core func $core-f))
  (func $f (result u32) (canon lift (core func $core-f)))
  (instance $tools (export "describe" (func $f)) (export "assess" (func $f)) (export "run" (func $f)))
  (export "footlight:plugin/tools@0.9.0" (instance $tools))
)
