;; A calm `run`: gives the stage back and answers "done".
(func (export "run") (param i32 i32 i32 i32 i32) (result i32) (call $drop (local.get 0)) (i32.const 0x300))
