;; The allocator that the host calls to pass the input never returns.
;; Must: fault `cpu`, though the call has not reached `run` yet.
(component
  ;; @include head
  (core module $attack
    ;; @include calm
    ;; @include describe
    ;; @include assess
    ;; @include run
    (func (export "post") (param i32))
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (loop $again (br $again)) (i32.const 0))
  )
  ;; @include main
)
