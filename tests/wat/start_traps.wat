;; A start function that traps.
;; Must: fault `trap` while loading.
(component
  ;; @include head
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    ;; @include run
    (func $trap unreachable)
    (start $trap)
  )
  ;; @include main
)
