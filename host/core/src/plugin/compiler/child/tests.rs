//! Runs this test binary again, as a compiler with tight limits that a component exceeds.

use super::*;
use crate::host::LoadError;
use crate::plugin::compiler::{CompilerError, CompilerProgram};

/// Tells a child what it is to run out of. A test binary takes it for one more filter of test names.
const LITTLE_MEMORY: &str = "child-with-little-memory";
const LITTLE_TIME: &str = "child-with-little-time";

#[test]
fn act_as_a_child() {
    let is_given = |word: &str| std::env::args().any(|argument| argument == word);
    let limits = ChildLimits {
        memory: if is_given(LITTLE_MEMORY) {
            128 << 20
        } else {
            MAX_MEMORY
        },
        cpu_time: if is_given(LITTLE_TIME) {
            Duration::from_secs(1)
        } else {
            MAX_CPU_TIME
        },
    };
    if is_given(LITTLE_MEMORY) || is_given(LITTLE_TIME) {
        std::process::exit(run(limits) as i32);
    }
}

/// Compiles in a child that has little of something.
fn compile_in_child(little: &str, component: Vec<u8>) -> Result<Vec<u8>, LoadError> {
    let (_, module) = module_path!().split_once("::").expect("a path");
    let test = format!("{module}::act_as_a_child");
    let arguments = [&test, little].map(Into::into);
    let program = std::env::current_exe().expect("this binary");
    CompilerProgram::new(program, arguments.into()).compile(component)
}

#[test]
fn a_child_without_memory_says_so_and_is_not_taken_for_a_crash() {
    // One large function, and one for each of several cores.
    for (functions, instructions) in [(1, 20_000), (4, 20_000)] {
        let ended = compile_in_child(LITTLE_MEMORY, expensive(functions, instructions));
        let is_told = matches!(ended, Err(LoadError::Compiler(CompilerError::Memory)));
        assert!(is_told, "{functions} x {instructions}: {:?}", ended.err());
    }
}

#[test]
fn a_child_without_cpu_time_says_so_and_is_not_taken_for_a_crash() {
    for (functions, instructions) in [(1, 20_000), (200, 1_000)] {
        let ended = compile_in_child(LITTLE_TIME, expensive(functions, instructions));
        let is_told = matches!(ended, Err(LoadError::Compiler(CompilerError::CpuTime)));
        assert!(is_told, "{functions} x {instructions}: {:?}", ended.err());
    }
}

#[test]
fn tight_limits_are_enough_for_a_small_component() {
    for little in [LITTLE_MEMORY, LITTLE_TIME] {
        compile_in_child(little, expensive(1, 10)).expect("compiles");
    }
}

/// Returns a component whose functions repeat an instruction that is expensive to compile.
fn expensive(functions: usize, instructions: usize) -> Vec<u8> {
    // No locals, then `(drop (memory.grow (local.get 0)))` again and again.
    let mut body = vec![0];
    body.extend([0x20, 0, 0x40, 0, 0x1a].repeat(instructions));
    body.push(0x0b);
    let bodies = vec_of(vec![sized(body); functions]);
    let mut module = b"\0asm\x01\0\0\0".to_vec();
    for (id, content) in [
        // The type `(func (param i32))`, for every function.
        (1, vec![1, 0x60, 1, 0x7f, 0]),
        (3, vec_of(vec![vec![0]; functions])),
        (5, vec![1, 0, 1]),
        (10, bodies),
    ] {
        module.push(id);
        module.extend(sized(content));
    }
    let mut component = b"\0asm\x0d\0\x01\0".to_vec();
    component.push(1);
    component.extend(sized(module));
    component
}

/// Encodes a list: its length and its elements.
fn vec_of(elements: Vec<Vec<u8>>) -> Vec<u8> {
    [leb128(elements.len()), elements.concat()].concat()
}

/// Encodes the number of bytes, and the bytes.
fn sized(bytes: Vec<u8>) -> Vec<u8> {
    [leb128(bytes.len()), bytes].concat()
}

fn leb128(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}
