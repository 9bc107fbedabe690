;; An import at every depth of a recursion that ends with the machine stack, so that the host's own
;; function starts with as little stack as a guest can leave it.
;; Must: fault `stack`; the process lives.
(component
  ;; @include head
  (core module $attack
    (import "host" "is-cancelled" (func $is-cancelled (param i32) (result i32)))
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    (func $down (param i32) (result i32)
      (i32.add (call $is-cancelled (local.get 0)) (call $down (local.get 0))))
    (func (export "run") (param i32 i32 i32 i32 i32) (result i32)
      (drop (call $down (local.get 0)))
      (i32.const 0x300))
  )
  ;; @include main
)
