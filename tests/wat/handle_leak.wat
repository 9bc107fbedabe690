;; A resource of the component's own, made over and over and never dropped.
;; Must: fault `handles` (or `cpu`, if the cap is far off); the process does not grow by millions of entries.
(component
  ;; @include head
  (type $r (resource (rep i32)))
  (core func $new (canon resource.new $r))
  (core instance $own
    (export "drop" (func $drop-stage))
    (export "new" (func $new)))
  (core module $attack
    (import "host" "new" (func $new (param i32) (result i32)))
    ;; @include calm
    ;; @include realloc
    ;; @include describe
    ;; @include assess
    (func (export "run") (param i32 i32 i32 i32 i32) (result i32)
      (loop $again (drop (call $new (i32.const 7))) (br $again))
      (i32.const 0x300))
  )
  (core instance $main (instantiate $attack (with "host" (instance $own))))
  ;; @include tail
)
