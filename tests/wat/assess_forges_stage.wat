;; `assess`, which is lent no stage, asks the person through a guessed one.
;; Must: trap inside `assess`, which counts as a concern; no question is put.
(component
  ;; @include head
  (import "footlight:plugin/ask@0.1.0" (instance $ask
    (alias outer 1 $stage (type $s'))
    (export "stage" (type $s (eq $s')))
    (type $e' (variant (case "nobody" string) (case "skipped") (case "expired") (case "cancelled") (case "invalid" string) (case "other" string)))
    (export "ask-error" (type $e (eq $e')))
    (export "ask" (func (param "stage" (borrow $s)) (param "prompt" string) (param "fields" string) (result (result string (error $e)))))))
  ;; @include libc
  (alias export $ask "ask" (func $ask-ask))
  (core func $ask-person (canon lower (func $ask-ask) (memory $libc-memory) (realloc $libc-realloc)))
  (core instance $own
    (export "drop" (func $drop-stage))
    (export "ask" (func $ask-person)))
  (core module $attack
    (import "host" "ask" (func $ask (param i32 i32 i32 i32 i32 i32)))
    ;; @include calm
    ;; @include realloc
    ;; @include run
    ;; The tool's traits, moved to 0x100, send the host to `assess`.
    (data (i32.const 0x38) "\00\01\00\00\15\00\00\00")
    (data (i32.const 0x100) "{\22approval\22:\22assess\22}")
    (func (export "describe") (result i32) (i32.const 0))
    (func (export "assess") (param i32 i32 i32 i32) (result i32)
      (call $ask (i32.const 1) (i32.const 64) (i32.const 0) (i32.const 64) (i32.const 0) (i32.const 128))
      (i32.const 0x200))
  )
  (core instance $main (instantiate $attack (with "host" (instance $own))))
  ;; @include tail
)
