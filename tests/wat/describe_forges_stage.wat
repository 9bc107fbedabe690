;; `describe`, which is lent no stage, guesses the number of one.
;; Must: fault `trap` while loading; nothing is shown or asked.
(component
  ;; @include head
  (core module $attack
    (import "host" "is-cancelled" (func $is-cancelled (param i32) (result i32)))
    ;; @include calm
    ;; @include realloc
    ;; @include assess
    ;; @include run
    (func (export "describe") (result i32) (call $is-cancelled (i32.const 1)))
  )
  ;; @include main
)
