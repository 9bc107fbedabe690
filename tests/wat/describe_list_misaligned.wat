;; The description's list of tools is at an odd address.
;; Must: fault `trap` while loading.
(component
  ;; @include head
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    ;; @include run
    (data (i32.const 0) "\21")
  )
  ;; @include main
)
