;; The log, the one import that takes text and no stage.
(import "footlight:plugin/log@0.1.0" (instance $log
  (type $l' (enum "trace" "debug" "info" "warn" "error"))
  (export "level" (type $l (eq $l')))
  (export "write" (func (param "level" $l) (param "message" string)))))
;; @include libc
