;; The kind of the outcome is not UTF-8.
;; Must: fault `trap`.
(component
  ;; @include head
  (core module $attack
    (import "host" "is-cancelled" (func $is-cancelled (param i32) (result i32)))
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    (data (i32.const 0x3a0) "\ff\fe\c0\80")
    (func (export "run") (param i32 i32 i32 i32 i32) (result i32)
      (call $drop (local.get 0))
      (i32.const 0x300))
  )
  ;; @include main
)
