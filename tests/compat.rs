//! Old plugins keep working: `fixtures/` has a component of each released contract.

use footlight_tests::bare::Guest;

#[test]
fn plugin_built_against_0_1_0_still_loads_describes_and_runs() {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/hello-0.1.0.wasm");
    let guest = Guest::load(fixture).expect("loads");
    let tools = guest.describe().expect("describes").tools;
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["greet"]);
    let greeting = guest.data("greet", r#"{"name":"Ada"}"#);
    assert_eq!(greeting, r#"{"content":"Hello, Ada!"}"#);
}
