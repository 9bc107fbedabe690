;; Timers by the million, each years away and none dropped.
;; Must: fault `handles`; no timer outlives the call.
(component
  ;; @include head
  (import "wasi:io/poll@0.2.6" (instance $poll (export "pollable" (type (sub resource)))))
  (alias export $poll "pollable" (type $pollable))
  (import "wasi:clocks/monotonic-clock@0.2.6" (instance $clock
    (alias outer 1 $pollable (type $p'))
    (export "pollable" (type $p (eq $p')))
    (export "subscribe-duration" (func (param "when" u64) (result (own $p))))))
  (alias export $clock "subscribe-duration" (func $clock-subscribe-duration))
  (core func $subscribe (canon lower (func $clock-subscribe-duration)))
  (core instance $own
    (export "drop" (func $drop-stage))
    (export "subscribe" (func $subscribe)))
  (core module $attack
    (import "host" "subscribe" (func $subscribe (param i64) (result i32)))
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    (func (export "run") (param i32 i32 i32 i32 i32) (result i32)
      (loop $again (drop (call $subscribe (i64.const 0x0fffffffffffffff))) (br $again))
      (i32.const 0x300))
  )
  (core instance $main (instantiate $attack (with "host" (instance $own))))
  ;; @include tail
)
