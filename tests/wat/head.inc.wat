;; Part of every attacker: the stage, lent to `run`, and what a core module needs to give it back.
(import "footlight:plugin/stage@0.1.0" (instance $stage-api
  (export "stage" (type $s (sub resource)))
  (export "[method]stage.is-cancelled" (func (param "self" (borrow $s)) (result bool)))))
(alias export $stage-api "stage" (type $stage))
(core func $drop-stage (canon resource.drop $stage))
(alias export $stage-api "[method]stage.is-cancelled" (func $stage-is-cancelled))
(core func $is-cancelled (canon lower (func $stage-is-cancelled)))
(core instance $host
  (export "drop" (func $drop-stage))
  (export "is-cancelled" (func $is-cancelled)))
