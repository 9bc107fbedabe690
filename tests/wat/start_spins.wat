;; A core start function that never returns, so that instantiation itself hangs.
;; Must: fault `cpu` while loading, within the budget of `describe`; other plugins load.
(component
  ;; @include head
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    ;; @include run
    (func $spin (loop $again (br $again)))
    (start $spin)
  )
  ;; @include main
)
