//! The compiler's words for an author's mistakes, and code that must not be one.
//!
//! One file in `mistakes` for each, with what the compiler says beside it. To renew those after a
//! change: `TRYBUILD=overwrite cargo test -p footlight-sdk --test mistakes`, and read what it says
//! as the author of the mistake would.

#[test]
fn a_mistake_is_one_error_that_says_what_to_do() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/mistakes/*.rs");
    cases.pass("tests/accepted/*.rs");
}
