;; `describe`, `assess` and `run`, all of which answer a number.
;; Must: be refused when it is loaded, not at the first call, in one sentence that names `describe`.
(component
  (core module $m (func (export "f") (result i32) (i32.const 0)))
  (core instance $m (instantiate $m))
  (alias core export $m "f" (core func $core-f))
  (func $f (result u32) (canon lift (core func $core-f)))
  (instance $tools (export "describe" (func $f)) (export "assess" (func $f)) (export "run" (func $f)))
  (export "footlight:plugin/tools@0.1.0" (instance $tools))
)
