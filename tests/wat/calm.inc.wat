;; Part of a core module that is calm where it does not attack: at 0 the description of one tool
;; `attack`, at 0x200 "no concern", at 0x300 the outcome `text` with the content "done".
(import "host" "drop" (func $drop (param i32)))
(memory (export "memory") 2)
(data (i32.const 0) "\20\00\00\00\01\00\00\00\80\00\00\00\02\00\00\00")
(data (i32.const 0x20) "\90\00\00\00\06\00\00\00\a0\00\00\00\08\00\00\00\b0\00\00\00\11\00\00\00\80\00\00\00\02\00\00\00")
(data (i32.const 0x80) "{}")
(data (i32.const 0x90) "attack")
(data (i32.const 0xa0) "Attacks.")
(data (i32.const 0xb0) "{\22type\22:\22object\22}")
(data (i32.const 0x300) "\00\00\00\00\a0\03\00\00\04\00\00\00\b0\03\00\00\12\00\00\00")
(data (i32.const 0x3a0) "text")
(data (i32.const 0x3b0) "{\22content\22:\22done\22}")
