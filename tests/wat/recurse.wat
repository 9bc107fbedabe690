;; Recursion that touches no memory, so that the machine stack ends and not the one a compiler keeps in memory.
;; Must: fault `stack`; the process lives.
(component
  ;; @include head
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    (func $down (param i64) (result i64) (i64.add (call $down (i64.add (local.get 0) (i64.const 1))) (local.get 0)))
    (func (export "run") (param i32 i32 i32 i32 i32) (result i32)
      (drop (call $down (i64.const 0)))
      (i32.const 0x300))
  )
  ;; @include main
)
