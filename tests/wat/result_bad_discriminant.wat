;; The result is neither an outcome nor a failure but case 7.
;; Must: fault `trap`.
(component
  ;; @include head
  (core module $attack
    (import "host" "is-cancelled" (func $is-cancelled (param i32) (result i32)))
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    (data (i32.const 0x300) "\07")
    (func (export "run") (param i32 i32 i32 i32 i32) (result i32)
      (call $drop (local.get 0))
      (i32.const 0x300))
  )
  ;; @include main
)
