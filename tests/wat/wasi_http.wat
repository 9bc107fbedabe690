;; The network by the road that is not there: `wasi:http`.
;; Must: be refused before anything runs, in one sentence that names `wasi:http/outgoing-handler`.
(component
  ;; @include head
  (import "wasi:http/outgoing-handler@0.2.6" (instance (export "handle" (func))))
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    ;; @include run
  )
  ;; @include main
)
