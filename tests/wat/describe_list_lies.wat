;; The description's list of tools is said to be four thousand million long.
;; Must: fault `trap`, or `payload` where the length is charged first, while loading.
(component
  ;; @include head
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    ;; @include run
    (data (i32.const 4) "\ff\ff\ff\ff")
  )
  ;; @include main
)
