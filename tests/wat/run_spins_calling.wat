;; A loop that calls the host each time round, so that the guest spends its time in imports.
;; Must: fault `cpu` or `wall`; the host yields to others meanwhile.
(component
  ;; @include head
  (core module $attack
    (import "host" "is-cancelled" (func $is-cancelled (param i32) (result i32)))
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    (func (export "run") (param i32 i32 i32 i32 i32) (result i32)
      (loop $again (drop (call $is-cancelled (local.get 0))) (br $again))
      (i32.const 0x300))
  )
  ;; @include main
)
