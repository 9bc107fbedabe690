//! Old plugins keep working: `fixtures/` has a component of each released contract.

use footlight_tests::bare::{Guest, Person, State};

#[test]
fn plugin_built_against_0_1_0_still_loads_describes_and_runs() {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/hello-0.1.0.wasm");
    let guest = Guest::load(fixture).expect("loads");
    let description = guest.describe().expect("describes");
    assert_eq!(
        description
            .tools
            .iter()
            .map(|tool| tool.name.as_str())
            .collect::<Vec<_>>(),
        ["greet"]
    );
    let ended = guest
        .run(
            "greet",
            r#"{"name":"Ada"}"#,
            Person::default(),
            State::new(),
        )
        .expect("no trap");
    assert_eq!(
        ended.result.expect("no failure").data,
        r#"{"content":"Hello, Ada!"}"#
    );
}
