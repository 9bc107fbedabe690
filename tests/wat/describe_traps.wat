;; `describe` traps.
;; Must: fault `trap` while loading.
(component
  ;; @include head
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include assess
    ;; @include run
    (func (export "describe") (result i32) unreachable)
  )
  ;; @include main
)
