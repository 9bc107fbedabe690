;; The allocator answers an address at the very end of memory, so that the input does not fit.
;; Must: fault `trap`; nothing of the host is written to.
(component
  ;; @include head
  (core module $attack
    ;; @include calm
    ;; @include describe
    ;; @include assess
    ;; @include run
    (func (export "post") (param i32))
    (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 0x1ffff))
  )
  ;; @include main
)
