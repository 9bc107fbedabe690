;; A core module, which is WebAssembly but no component.
;; Must: be refused in one sentence that says so and what to do.
(module
  (memory (export "memory") 1)
  (func (export "describe") (result i32) (i32.const 0))
)
