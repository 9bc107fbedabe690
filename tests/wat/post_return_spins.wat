;; `run` answers, and what the host calls afterwards to free the answer never returns.
;; Must: fault `cpu`; the answer does not count.
(component
  ;; @include head
  (core module $attack
    ;; @include calm
    ;; @include describe
    ;; @include assess
    ;; @include run
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 65536))
    (func (export "post") (param i32) (loop $again (br $again)))
  )
  ;; @include main
)
