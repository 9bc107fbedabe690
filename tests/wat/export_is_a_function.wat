;; `tools` is a function where an instance is expected.
;; Must: be refused when it is loaded.
(component
  (core module $m (func (export "f") (result i32) (i32.const 0)))
  (core instance $m (instantiate $m))
  (alias core export $m "f" (core func $core-f))
  (func $f (result u32) (canon lift (core func $core-f)))
  (export "tools" (func $f))
)
