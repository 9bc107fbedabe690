;; A stage that was never lent, by a guessed number.
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
      (drop (call $is-cancelled (i32.const 7777)))
      (call $drop (local.get 0))
      (i32.const 0x300))
  )
  ;; @include main
)
