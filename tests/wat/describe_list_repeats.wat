;; A list of a million tools whose strings are all empty, 32 bytes of guest memory for each and
;; three times that in the host.
;; Must: fault `payload` while loading, or be refused as too many tools.
(component
  ;; @include head
  (core module $attack
    ;; @include calm
    ;; @include realloc
    ;; @include assess
    ;; @include run
    (data (i32.const 0) "\00\00\02\00\40\42\0f\00")
    (func (export "describe") (result i32) (drop (memory.grow (i32.const 500))) (i32.const 0))
  )
  ;; @include main
)
