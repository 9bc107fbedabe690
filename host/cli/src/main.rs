//! The command `footlight`.
//!
//! So far it only says what it is: the commands come with the host.

#![forbid(unsafe_code)]

use std::process::ExitCode;

const HELP: &str = "\
footlight: a host for sandboxed tool plugins that a language model calls

The host is being built; what works today is the contract, the vocabulary and the SDK:
  cargo test --workspace                                                everything there is
  cargo build --target wasm32-wasip2 --profile plugin -p hello          a plugin by itself

Options:
  -h, --help       this text
  -V, --version    the version";

#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is the surface"
)]
fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        None | Some("-h" | "--help") => println!("{HELP}"),
        Some("-V" | "--version") => println!("footlight {}", env!("CARGO_PKG_VERSION")),
        Some(other) => {
            eprintln!(
                "there is no command `{}` yet; `footlight --help` says what works",
                other.escape_debug()
            );
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
