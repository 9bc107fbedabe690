//! The contract in another language: a plugin in Python on the bare host.
//!
//! Needs `componentize-py` from PyPI.

use footlight_tests::bare::{Guest, HostCall, Person, State};
use footlight_tests::programs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn python_plugin_asks_shows_and_answers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some(component) = build(folder.path()) else {
        return;
    };
    let guest = Guest::load(component).expect("loads");

    let description = guest.describe().expect("describes");
    let names: Vec<&str> = description
        .tools
        .iter()
        .map(|tool| tool.name.as_str())
        .collect();
    assert_eq!(names, ["sort"]);

    let person = Person {
        answers: [r#"{"order":"down"}"#.to_owned()].into(),
        ..Person::default()
    };
    let ended = guest
        .run("sort", r#"{"items":["a","c","b"]}"#, person, State::new())
        .expect("no trap");
    let outcome = ended.result.expect("no failure");
    assert_eq!(
        (outcome.kind.as_str(), outcome.summary.as_deref()),
        ("table", Some("3 words"))
    );
    let [
        HostCall::Ask(prompt, _),
        HostCall::Show(widget, data, fallback),
    ] = ended.host_calls.as_slice()
    else {
        panic!("an ask and a widget, not {:?}", ended.host_calls);
    };
    assert_eq!(prompt, "Which way?");
    assert_eq!(
        (widget.as_str(), data.as_str(), fallback.as_str()),
        ("sorted-words", r#"["c", "b", "a"]"#, "c, b, a")
    );

    let ended = guest
        .run("shuffle", "{}", Person::default(), State::new())
        .expect("no trap");
    assert_eq!(
        ended.result.expect_err("no such tool").code,
        "invalid-input"
    );
}

fn build(folder: &Path) -> Option<PathBuf> {
    let program = programs::program("componentize-py", "`pip install componentize-py==0.25.1`")?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // In a folder of its own: Python writes cache files beside its sources.
    std::fs::copy(root.join("python/app.py"), folder.join("app.py")).expect("the example is there");
    let component = folder.join("app.wasm");
    let output = Command::new(program)
        .current_dir(folder)
        .arg("-d")
        .arg(root.join("../wit"))
        .args(["-w", "plugin", "componentize", "app", "-o"])
        .arg(&component)
        .output()
        .expect("componentize-py runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(component)
}
