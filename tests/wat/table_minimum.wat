;; Tables whose minimum is the most a module may declare, 80 MB each, four of them.
;; Must: fault `memory` while loading; no panic.
(component
  ;; @include head
  (core module $more
    (table 10000000 funcref) (table 10000000 funcref) (table 10000000 funcref) (table 10000000 funcref))
  (core instance (instantiate $more))
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    ;; @include run
  )
  ;; @include main
)
