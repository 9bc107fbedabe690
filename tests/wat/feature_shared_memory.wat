;; Shared memory, which no limiter sees, no plugin needs and the host compiles out.
;; Must: be refused before anything runs, as WebAssembly that this host does not run.
(component
  ;; @include head
  (core module $more (memory 1 16384 shared))
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    ;; @include run
  )
  ;; @include main
)
