;; An import of a contract to come, `stage@0.9.0`.
;; Must: be refused in one sentence that names both versions.
(component
  (import "footlight:plugin/stage@0.9.0" (instance (export "stage" (type (sub resource)))))
)
