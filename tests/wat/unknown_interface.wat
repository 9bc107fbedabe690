;; An import of an interface that no host has.
;; Must: be refused before anything runs, in one sentence that names `footlight:plugin/teleport@0.1.0`.
(component
  ;; @include head
  (import "footlight:plugin/teleport@0.1.0" (instance (export "away" (func))))
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    ;; @include run
  )
  ;; @include main
)
