;; A memory of its own for what goes to an import, since an import is made before `$attack` is.
(core module $libc-module
  (memory (export "memory") 1)
  (data (i32.const 0) "\ff\fe\c0\80\ed\a0\00\d8")
  (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024)))
(core instance $libc (instantiate $libc-module))
(alias core export $libc "memory" (core memory $libc-memory))
(alias core export $libc "realloc" (core func $libc-realloc))
