;; Makes `$main` of the core module `$attack` and exports it as the contract wants.
(core instance $main (instantiate $attack (with "host" (instance $host))))
;; @include tail
