//! The program that compiles plugins for the hosts of the tests, as an embedder would write it.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    footlight::compile_child()
}
