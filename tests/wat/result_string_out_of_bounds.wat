;; The data of the outcome is longer than memory.
;; Must: fault `trap`, or `payload` where the length is charged first; no gigabyte is set aside for it.
(component
  ;; @include head
  (core module $attack
    (import "host" "is-cancelled" (func $is-cancelled (param i32) (result i32)))
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    (data (i32.const 0x310) "\ff\ff\ff\7f")
    (func (export "run") (param i32 i32 i32 i32 i32) (result i32)
      (call $drop (local.get 0))
      (i32.const 0x300))
  )
  ;; @include main
)
