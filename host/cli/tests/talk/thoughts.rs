//! Reasoning of a model, and formulas in its text: at a terminal, in a pipe, as JSON and in documents.

use crate::machine::{Machine, json_of, plugin};
use serde_json::Value;

const SCRIPT: &str = "steps: [{ reasoning: [\"It asks for \", \"$x^2$ of *two*.\"], delay: 1100ms, text: \"It is $2^2 \\\\le 4$, for $5 and $6.\" }]";

#[test]
fn reasoning_is_a_line_and_its_text_is_in_the_record() {
    let machine = Machine::new();
    let model = machine.script(SCRIPT);
    let ran = machine.run(&["run", &plugin("todo"), "Square two", "--model", &model]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, "It is $2^2 \\le 4$, for $5 and $6.\n");
    assert!(ran.stderr.contains("Thought for 1 s\n"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("asks for"), "{}", ran.stderr);

    let shown = machine.run(&["sessions", "show", "last"]);
    let expected = "Thought for 1 s\n▎ It asks for x² of two.\n";
    assert!(shown.stdout.contains(expected), "{}", shown.stdout);
    assert!(
        shown.stdout.contains("It is 2² ≤ 4, for $5 and $6."),
        "{}",
        shown.stdout
    );
    let markdown = machine.run(&["sessions", "export", "last", "--markdown"]);
    let expected = "> *Thought for 1 s*\n>\n> It asks for x² of *two*.\n";
    assert!(markdown.stdout.contains(expected), "{}", markdown.stdout);
    let html = machine.run(&["sessions", "export", "last"]);
    let expected =
        "<details class=\"fl-thought\"><summary class=\"fl-muted\">Thought for 1 s</summary>";
    assert!(html.stdout.contains(expected), "{}", html.stdout);
    let formula = "<math><mrow><msup><mn>2</mn><mn>2</mn></msup><mo>≤</mo><mn>4</mn></mrow></math>";
    assert!(html.stdout.contains(formula), "{}", html.stdout);
}

#[test]
fn reasoning_is_streamed_as_json_and_kept_as_an_item() {
    let machine = Machine::new();
    let model = machine.script(SCRIPT);
    let ran = machine.run(&[
        "run",
        &plugin("todo"),
        "Square two",
        "--model",
        &model,
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let lines: Vec<Value> = ran.stdout.lines().map(json_of).collect();
    let pieces = lines
        .iter()
        .filter(|line| line["type"] == "reasoning_delta");
    let pieces: Vec<&str> = pieces.filter_map(|line| line["delta"].as_str()).collect();
    assert_eq!(pieces.concat(), "It asks for $x^2$ of *two*.");
    let item = &lines.last().expect("lines")["output"][0];
    assert_eq!(item["type"], "reasoning");
    assert_eq!(item["text"], "It asks for $x^2$ of *two*.");
    assert!(item["end"].as_str() > item["start"].as_str(), "{item}");
}
