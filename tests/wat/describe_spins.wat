;; `describe` never returns.
;; Must: fault `cpu` within the budget of `describe`; the plugin is listed as one that cannot describe itself.
(component
  ;; @include head
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include assess
    ;; @include run
    (func (export "describe") (result i32) (loop $again (br $again)) (i32.const 0))
  )
  ;; @include main
)
