;; A message in the mixed encoding, tagged as UTF-16 and far longer than memory.
;; Must: fault `trap`.
(component
  ;; @include head
  ;; @include log
  (alias export $log "write" (func $log-write))
  (core func $write (canon lower (func $log-write) (memory $libc-memory) string-encoding=latin1+utf16))
  (core instance $own
    (export "drop" (func $drop-stage))
    (export "write" (func $write)))
  (core module $attack
    (import "host" "write" (func $write (param i32 i32 i32)))
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    (func (export "run") (param i32 i32 i32 i32 i32) (result i32)
      (call $write (i32.const 2) (i32.const 0) (i32.const 0xffffffff))
      (call $drop (local.get 0))
      (i32.const 0x300))
  )
  (core instance $main (instantiate $attack (with "host" (instance $own))))
  ;; @include tail
)
