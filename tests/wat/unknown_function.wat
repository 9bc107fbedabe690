;; An interface that the host has, and a function that it lacks.
;; Must: be refused before anything runs, in one sentence that names `shout` and `footlight:plugin/progress@0.1.0`.
(component
  ;; @include head
  (import "footlight:plugin/progress@0.1.0" (instance (export "shout" (func (param "words" string)))))
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    ;; @include run
  )
  ;; @include main
)
