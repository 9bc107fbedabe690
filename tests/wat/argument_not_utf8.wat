;; A log message that is not UTF-8.
;; Must: fault `trap`; no byte of it reaches the host's log.
(component
  ;; @include head
  ;; @include log
  (alias export $log "write" (func $log-write))
  (core func $write (canon lower (func $log-write) (memory $libc-memory) string-encoding=utf8))
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
      (call $write (i32.const 2) (i32.const 0) (i32.const 8))
      (call $drop (local.get 0))
      (i32.const 0x300))
  )
  (core instance $main (instantiate $attack (with "host" (instance $own))))
  ;; @include tail
)
