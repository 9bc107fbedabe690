;; A function that the host has, with another type.
;; Must: be refused before anything runs, in one sentence that names `settings`.
(component
  ;; @include head
  (import "footlight:plugin/config@0.1.0" (instance (export "settings" (func (result u64)))))
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    ;; @include run
  )
  ;; @include main
)
