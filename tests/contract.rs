//! The contract, on a host that shares no code with the SDK.

use footlight_tests::bare::{Guest, HostCall, Person, State};
use footlight_tests::plugins;
use serde_json::{Value, json};

#[test]
fn hello_is_a_component_under_90_kb() {
    let size = std::fs::metadata(plugins::HELLO)
        .expect("built by build.rs")
        .len();
    assert!(size < 90_000, "{size} bytes");
}

#[test]
fn hello_describes_itself() {
    let description = Guest::load(plugins::HELLO)
        .expect("loads")
        .describe()
        .expect("describes");
    let [tool] = description.tools.as_slice() else {
        panic!("one tool, not {:?}", description.tools)
    };
    assert_eq!(
        (tool.name.as_str(), tool.description.as_str()),
        ("greet", "Greets somebody by name.")
    );
    let schema: Value = serde_json::from_str(&tool.input_schema).expect("JSON");
    let expected = json!({
        "type": "object",
        "properties": { "name": { "type": "string", "description": "Who is greeted." } },
        "required": ["name"],
        "additionalProperties": false,
    });
    assert_eq!(schema, expected);
    let traits: Value = serde_json::from_str(&tool.traits).expect("JSON");
    assert_eq!(
        traits,
        json!({ "readOnly": true, "examples": ["Say hello to Ada"] })
    );
    assert_eq!(description.more, "{}");
}

#[test]
fn hello_greets() {
    let guest = Guest::load(plugins::HELLO).expect("loads");
    let ended = guest
        .run(
            "greet",
            r#"{"name":"Ada \u2764"}"#,
            Person::default(),
            State::new(),
        )
        .expect("no trap");
    let outcome = ended.result.expect("no failure");
    assert_eq!(
        (outcome.kind.as_str(), outcome.data.as_str()),
        ("text", "{\"content\":\"Hello, Ada \u{2764}!\"}")
    );
    assert_eq!(ended.host_calls, []);
}

#[test]
fn unknown_tool_and_bad_input_are_failures_and_not_traps() {
    let guest = Guest::load(plugins::HELLO).expect("loads");
    for (tool, input) in [
        ("wave", "{}"),
        ("greet", "{}"),
        ("greet", r#"{"name":7}"#),
        ("greet", "nonsense"),
    ] {
        let ended = guest
            .run(tool, input, Person::default(), State::new())
            .expect("no trap");
        assert_eq!(
            ended.result.expect_err("a failure").code,
            "invalid-input",
            "{tool} {input}"
        );
    }
}

#[test]
fn every_plugin_loads_and_describes_tools_with_schemas() {
    for (name, path) in plugins::ALL {
        let description = Guest::load(path).expect(name).describe().expect(name);
        assert!(!description.tools.is_empty(), "{name}");
        for tool in description.tools {
            let schema: Value = serde_json::from_str(&tool.input_schema).expect("JSON");
            assert_eq!(schema["type"], "object", "{name}.{}", tool.name);
            assert!(!tool.description.is_empty(), "{name}.{}", tool.name);
        }
    }
}

#[test]
fn weather_shows_a_widget_and_returns_a_table() {
    let guest = Guest::load(plugins::WEATHER).expect("loads");
    let ended = guest
        .run(
            "forecast",
            r#"{"city":"Oslo","days":3}"#,
            Person::default(),
            State::new(),
        )
        .expect("no trap");
    let outcome = ended.result.expect("no failure");
    assert_eq!(outcome.kind, "table");
    let table: Value = serde_json::from_str(&outcome.data).expect("JSON");
    assert_eq!(table["rows"].as_array().map(Vec::len), Some(3));
    // Without network, the forecast is the sample.
    let [
        HostCall::Fetch(_),
        HostCall::Log(_),
        HostCall::Show(widget, data, fallback),
    ] = ended.host_calls.as_slice()
    else {
        panic!("one widget: {:?}", ended.host_calls)
    };
    assert_eq!(widget, "weather-forecast");
    assert!(
        data.contains("Oslo") && fallback.contains("Oslo"),
        "{data} {fallback}"
    );
}

#[test]
fn weather_asks_which_city_is_meant() {
    let guest = Guest::load(plugins::WEATHER).expect("loads");
    let springfield = r#"{"city":"Springfield"}"#;
    let person = Person {
        answers: [r#"{"choice":"Springfield, MA"}"#.to_owned()].into(),
        ..Person::default()
    };
    let ended = guest
        .run("forecast", springfield, person, State::new())
        .expect("no trap");
    assert!(
        matches!(
            ended.host_calls.as_slice(),
            [
                HostCall::Ask(..),
                HostCall::Fetch(_),
                HostCall::Log(_),
                HostCall::Show(..)
            ]
        ),
        "{:?}",
        ended.host_calls
    );
    assert!(ended.result.is_ok());

    let ended = guest
        .run("forecast", springfield, Person::default(), State::new())
        .expect("no trap");
    assert_eq!(
        ended.result.expect_err("nobody is there").code,
        "unavailable"
    );
}

#[test]
fn todo_keeps_its_list_between_calls_and_requests_approval_to_clear_it() {
    let guest = Guest::load(plugins::TODO).expect("loads");
    let added = guest
        .run(
            "add",
            r#"{"title":"Milk"}"#,
            Person::default(),
            State::new(),
        )
        .expect("no trap");
    assert!(added.result.is_ok());
    assert!(!added.state.is_empty(), "the list is kept");

    let everything = r#"{"what":"everything"}"#;
    assert!(
        guest
            .assess("clear", everything)
            .expect("no trap")
            .expect("weighed")
            .is_some()
    );
    let refused = Person {
        verdicts: [false].into(),
        ..Person::default()
    };
    let ended = guest
        .run("clear", everything, refused, added.state.clone())
        .expect("no trap");
    assert_eq!(ended.result.expect_err("refused").code, "denied");
    assert_eq!(ended.state, added.state, "nothing was deleted");

    let granted = Person {
        verdicts: [true].into(),
        ..Person::default()
    };
    let ended = guest
        .run("clear", everything, granted, added.state)
        .expect("no trap");
    assert!(ended.result.is_ok());
    assert!(
        ended
            .host_calls
            .iter()
            .any(|call| matches!(call, HostCall::Request(action, _) if action == "todo.clear"))
    );
}

#[test]
fn component_imports_only_what_its_tools_use() {
    let imports = |path| {
        let component = std::fs::read(path).expect("built by build.rs");
        let text = String::from_utf8_lossy(&component).into_owned();
        move |interface: &str| text.contains(&format!("footlight:plugin/{interface}@0.1.0"))
    };
    let hello = imports(plugins::HELLO);
    assert!(hello("tools") && hello("log"));
    for interface in [
        "display-widget",
        "ask",
        "approval",
        "http",
        "state",
        "output",
        "progress",
    ] {
        assert!(!hello(interface), "hello imports {interface}");
    }
    let todo = imports(plugins::TODO);
    assert!(todo("state") && todo("approval") && !todo("http"));
}
