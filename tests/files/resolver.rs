//! The tests of paths with the other resolver of cap-std.
//!
//! cap-std asks the kernel (`openat2`) where it can, and else resolves a path step by step. Here the
//! kernel denies having `openat2`: a filter of system calls is installed by a few lines of Perl,
//! which need no unsafe code of ours, and is inherited by this test binary.

#![cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]

use footlight_tests::programs::program;
use std::process::Command;

/// Set in the process without `openat2`.
const WITHOUT: &str = "FOOTLIGHT_TEST_WITHOUT_OPENAT2";

/// Installs the filter and becomes the program that is named. Number 437 is `openat2` everywhere,
/// 38 the answer "not implemented".
const FILTER: &str = r#"
my $prctl = shift @ARGV;
my $filter = pack("(S C C L)*", 0x20,0,0,0, 0x15,0,1,437, 0x06,0,0,0x50026, 0x06,0,0,0x7fff0000);
my $program = pack("S x6 P", 4, $filter);
syscall($prctl, 38, 1, 0, 0, 0) == 0 or die "no_new_privs: $!";
syscall($prctl, 22, 2, $program) == 0 or die "seccomp: $!";
exec { $ARGV[0] } @ARGV or die "exec: $!";
"#;

fn has_openat2() -> bool {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
    let opened = openat2(CWD, ".", OFlags::PATH, Mode::empty(), ResolveFlags::empty());
    !matches!(opened, Err(rustix::io::Errno::NOSYS))
}

#[test]
fn every_path_is_tried_with_both_resolvers() {
    if std::env::var_os(WITHOUT).is_some() {
        assert!(!has_openat2(), "the filter works");
        return;
    }
    if !has_openat2() {
        // An old kernel: the tests themselves use the other resolver.
        return;
    }
    let prctl = if cfg!(target_arch = "x86_64") {
        "157"
    } else {
        "167"
    };
    let binary = std::env::current_exe().expect("a path");
    let Some(perl) = program("perl", "install it to test both resolvers") else {
        return;
    };
    let ran = Command::new(perl)
        .args(["-e", FILTER, prctl])
        .arg(binary)
        .args(["files::paths::", "files::resolver::", "--test-threads=2"])
        .env(WITHOUT, "1")
        .output()
        .expect("perl runs");
    let said = String::from_utf8_lossy(&ran.stdout);
    let failed = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}\n{failed}");
    assert!(said.contains("test files::paths::"), "{said}");
}
