;; A component that exports nothing.
;; Must: be refused before anything runs, in one sentence that names `footlight:plugin/tools@0.1.0`.
(component)
