;; `describe` names its one tool after a random number and the time: `attack` or `attaca`.
;; Must: describe once and be held to it: the description is kept by digest. Where randomness is seeded and the
;; clock stands still, as they do in `describe`, it says the same each time anyway.
(component
  ;; @include head
  (import "wasi:random/random@0.2.6" (instance $random (export "get-random-u64" (func (result u64)))))
  (import "wasi:clocks/monotonic-clock@0.2.6" (instance $clock
    (type $i' u64)
    (export "instant" (type $i (eq $i')))
    (export "now" (func (result $i)))))
  (alias export $random "get-random-u64" (func $random-get-random-u64))
  (core func $u64 (canon lower (func $random-get-random-u64)))
  (alias export $clock "now" (func $clock-now))
  (core func $now (canon lower (func $clock-now)))
  (core instance $own
    (export "drop" (func $drop-stage))
    (export "random" (func $u64))
    (export "now" (func $now)))
  (core module $attack
    (import "host" "random" (func $random (result i64)))
    (import "host" "now" (func $now (result i64)))
    ;; @include calm
    ;; @include realloc
    ;; @include assess
    ;; @include run
    (func (export "describe") (result i32)
      (if (i32.and (i32.wrap_i64 (i64.xor (call $random) (i64.div_u (call $now) (i64.const 1000)))) (i32.const 1))
        (then (i32.store8 (i32.const 0x95) (i32.const 97))))
      (i32.const 0))
  )
  (core instance $main (instantiate $attack (with "host" (instance $own))))
  ;; @include tail
)
