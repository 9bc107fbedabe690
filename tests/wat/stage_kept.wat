;; The stage is not given back when `run` returns.
;; Must: fault `trap`: a borrowed handle outlives its call in no way.
(component
  ;; @include head
  (core module $attack
    (import "host" "is-cancelled" (func $is-cancelled (param i32) (result i32)))
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    (func (export "run") (param i32 i32 i32 i32 i32) (result i32)
      (nop)
      (i32.const 0x300))
  )
  ;; @include main
)
