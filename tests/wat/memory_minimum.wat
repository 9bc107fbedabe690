;; One memory whose minimum is the whole 4 GiB.
;; Must: fault `memory` while loading, naming the limit; nothing is reserved for it.
(component
  ;; @include head
  (core module $more (memory 65536))
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
