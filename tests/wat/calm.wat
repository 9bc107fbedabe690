;; Attacks nothing: it shows that the parts the attackers share bind to the host.
;; Must: load, describe one tool `attack`, and answer "done".
(component
  ;; @include head
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    ;; @include run
  )
  ;; @include main
)
