;; `tools` without `run`.
;; Must: be refused when it is loaded, not at the first call, in one sentence that names `run`.
(component
  (core module $m (func (export "f") (result i32) (i32.const 0)))
  (core instance $m (instantiate $m))
  (alias core export $m "f" (core func $core-f))
  (func $describe (result u32) (canon lift (core func $core-f)))
  (instance $tools (export "describe" (func $describe)))
  (export "footlight:plugin/tools@0.1.0" (instance $tools))
)
