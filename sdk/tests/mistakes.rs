//! Checks the compiler errors for an author's mistakes, and that valid code compiles.
//!
//! Each file in `mistakes` makes one mistake; the file beside it holds the expected error. After a
//! change, run `TRYBUILD=overwrite cargo test -p footlight-sdk --test mistakes` and review the new
//! errors as the author of the mistake would read them.

#[test]
fn a_mistake_is_one_error_that_says_what_to_do() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/mistakes/*.rs");
    cases.pass("tests/accepted/*.rs");
}
