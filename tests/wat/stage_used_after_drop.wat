;; The stage is used after it was given back.
;; Must: fault `trap`.
(component
  ;; @include head
  (core module $attack
    (import "host" "is-cancelled" (func $is-cancelled (param i32) (result i32)))
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    (func (export "run") (param i32 i32 i32 i32 i32) (result i32)
      (call $drop (local.get 0))
      (drop (call $is-cancelled (local.get 0)))
      (i32.const 0x300))
  )
  ;; @include main
)
