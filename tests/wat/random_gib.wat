;; A gibibyte of randomness in one request.
;; Must: fault `payload`, `memory` or `trap`, before the host has made the bytes.
(component
  ;; @include head
  (import "wasi:random/random@0.2.6" (instance $random
    (export "get-random-bytes" (func (param "len" u64) (result (list u8))))))
  ;; @include libc
  (alias export $random "get-random-bytes" (func $random-get-random-bytes))
  (core func $bytes (canon lower (func $random-get-random-bytes) (memory $libc-memory) (realloc $libc-realloc)))
  (core instance $own
    (export "drop" (func $drop-stage))
    (export "bytes" (func $bytes)))
  (core module $attack
    (import "host" "bytes" (func $bytes (param i64 i32)))
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    (func (export "run") (param i32 i32 i32 i32 i32) (result i32)
      (call $bytes (i64.const 0x40000000) (i32.const 16))
      (call $drop (local.get 0))
      (i32.const 0x300))
  )
  (core instance $main (instantiate $attack (with "host" (instance $own))))
  ;; @include tail
)
