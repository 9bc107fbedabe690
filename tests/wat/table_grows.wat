;; `table.grow` by two thousand million at once, then in steps, and on when it is refused.
;; Must: fault `memory` (or `cpu`, should the host merely refuse); no panic.
(component
  ;; @include head
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    (table $t 1 funcref)
    (func (export "run") (param i32 i32 i32 i32 i32) (result i32)
      (drop (table.grow $t (ref.null func) (i32.const 0x7fffffff)))
      (loop $again (drop (table.grow $t (ref.null func) (i32.const 65536))) (br $again))
      (i32.const 0x300))
  )
  ;; @include main
)
