;; `memory.grow` page by page, and on when it is refused.
;; Must: fault `memory` (or `cpu`, should the host merely refuse); the process grows by no more than the limit.
(component
  ;; @include head
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    (func (export "run") (param i32 i32 i32 i32 i32) (result i32)
      (loop $again (drop (memory.grow (i32.const 1))) (br $again))
      (i32.const 0x300))
  )
  ;; @include main
)
