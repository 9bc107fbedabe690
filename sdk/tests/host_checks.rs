//! A scripted stage refuses what a host refuses, and says which lines the manifest lacks.

use footlight_sdk::prelude::*;
use footlight_sdk::testing::Stage as Scripted;
use footlight_sdk::{ApprovalError, Plugin, StateError};
use footlight_vocabulary::limits;
use footlight_vocabulary::manifest::Manifest;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The data of a widget type.
#[derive(Serialize, JsonSchema)]
struct Download {
    name: String,
}

/// Stops a download.
#[tool(audience = "user")]
fn stop(name: String) -> String {
    name
}

/// Looks up a day.
#[tool]
fn look(#[arg(format = "date")] day: String) -> String {
    day
}

/// Only for the model.
#[tool(audience = "model")]
fn secret_tool() -> String {
    String::new()
}

/// Returns a component tree as its result.
#[tool]
fn tree(tool: String) -> Value {
    json!({ "type": "Card", "children": [
        { "type": "Button", "label": "Go", "onClickAction": { "type": tool } },
    ] })
}

plugin!(
    manifest: none,
    tools: [stop, look, secret_tool, tree],
    widgets: ["download": Download],
);

const MANIFEST: &str = r#"
[plugin]
id = "mail"
version = "0.1.0"
api = "0.1"
description = "Sends mail"

[[net]]
host = "api.mail.example"

[[net]]
host = "guarded.example"
methods = ["POST"]
approval = "mail.send"

[[secret]]
name = "token"
host = "api.mail.example"
header = "authorization"

[[fs]]
path = "/notes"
mode = "ro"
optional = true

[[fs]]
path = "/letters"
mode = "ro"

[[approval]]
action = "mail.send"
description = "Send mail in your name"

[limits]
output = "2MiB"
"#;

/// The same tools, with a manifest.
struct Mail;

impl Plugin for Mail {
    const MANIFEST: Option<&'static str> = Some(MANIFEST);
    const TOOLS: &'static [footlight_sdk::__private::ToolEntry] = FootlightPlugin::TOOLS;
}

fn mail() -> Scripted {
    testing::stage_of::<Mail>()
}

/// Returns the message with which a test fails.
#[track_caller]
fn refusal(test: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(test)).expect_err("the test should fail");
    let text = panic.downcast::<String>().expect("a message");
    *text
}

/// Returns the lines that a message says to add.
fn lines(message: &str) -> String {
    let (_, lines) = message.split_once(":\n\n").expect("has lines");
    let (lines, _) = lines.split_once("\n\n(A test").expect("ends");
    lines.to_owned()
}

#[test]
fn what_is_not_declared_fails_with_the_lines_that_declare_it() {
    type Use = fn(&Scripted);
    let uses: [(Use, &str); 5] = [
        (
            |stage| drop(stage.approve(Approval::new("mail.delete"))),
            "[[approval]]\naction = \"mail.delete\"\ndescription = \"What happens once it is approved\"",
        ),
        (
            |stage| drop(stage.http(Request::get("https://other.example/a?b=c"))),
            "[[net]]\nhost = \"other.example\"",
        ),
        (
            |stage| drop(stage.http(Request::post("http://localhost:8080/a"))),
            "[[net]]\nhost = \"localhost:8080\"\nmethods = [\"POST\"]\nscheme = \"http\"",
        ),
        (
            |stage| drop(stage.folder("/drafts")),
            "[[fs]]\npath = \"/drafts\"\nmode = \"ro\"\ndescription = \"What the folder is for\"",
        ),
        (
            |stage| {
                let _ = stage.http(Request::get("https://api.mail.example/"));
                stage.assert_secret("password");
            },
            "[[secret]]\nname = \"password\"\nhost = \"api.mail.example\"\nheader = \"authorization\"\nprefix = \"Bearer \"",
        ),
    ];
    for (used, expected) in uses {
        let url = "https://api.mail.example/";
        let stage = mail().responds("GET", url, Response::new(200, ""));
        let message = refusal(|| used(&stage));
        assert_eq!(lines(&message), expected, "{message}");
        // The second secret would go into the header of the first.
        let added = format!("{MANIFEST}\n{expected}").replace("Bearer \"", "\"");
        let added = added.replace(
            "name = \"password\"\nhost = \"api.mail.example\"\nheader = \"authorization\"",
            "name = \"password\"\nhost = \"api.mail.example\"\nheader = \"x-key\"",
        );
        // What the message says to add is a manifest.
        let limits = added.find("[limits]").expect("is there");
        let (before, rest) = added.split_at(limits);
        let (of_limits, after) = rest.split_once("\n\n").expect("is followed by the lines");
        let manifest = Manifest::parse(&format!("{before}{after}\n\n{of_limits}\n"));
        manifest.unwrap_or_else(|wrong| panic!("{wrong}\n{expected}"));
        forget_script(stage);
    }
}

/// Drops a stage whose script was not used up.
fn forget_script(stage: Scripted) {
    let _ = catch_unwind(AssertUnwindSafe(|| drop(stage)));
}

#[test]
fn a_host_without_the_method_fails_with_the_whole_list_of_methods() {
    let stage = mail();
    let message = refusal(|| drop(stage.http(Request::post("https://api.mail.example/"))));
    assert_eq!(lines(&message), "methods = [\"GET\", \"POST\"]");
    assert!(
        message.contains("In the [[net]] of `api.mail.example`"),
        "{message}"
    );
}

#[test]
fn a_plugin_without_a_manifest_is_told_to_write_one() {
    let stage = testing::stage();
    let message = refusal(|| drop(stage.http(Request::get("https://api.example.com/"))));
    assert!(
        message.contains("In place of `manifest: none`"),
        "{message}"
    );
    let manifest = Manifest::parse(&lines(&message)).expect("a manifest");
    assert_eq!(manifest.powers(), ["reach api.example.com (GET)"]);
    let stage = testing::stage();
    refusal(|| drop(stage.approve(Approval::new("mail.send"))));
    refusal(|| drop(mail().approve(Approval::new("Send Mail"))));
}

#[test]
fn a_scripted_refusal_is_not_checked() {
    let stage = mail().undeclared("mail.delete");
    let refused = stage.approve(Approval::new("mail.delete"));
    assert_eq!(refused, Err(ApprovalError::Undeclared));
    let denied = HttpError::Denied("not granted".to_owned());
    let stage = mail().fails("GET", "https://other.example/", denied.clone());
    assert_eq!(
        stage.http(Request::get("https://other.example/")),
        Err(denied)
    );
    assert_eq!(stage.requests()[0].url, "https://other.example/");
    let stage = mail().without_network();
    assert!(stage.http(Request::get("https://other.example/")).is_err());
    let stage = mail().unchecked().approves("mail.delete");
    assert_eq!(stage.approve(Approval::new("mail.delete")), Ok(()));
}

#[test]
fn one_approval_admits_one_request_to_a_guarded_host() {
    let url = "https://guarded.example/send";
    let stage = mail()
        .approves("mail.send")
        .responds("POST", url, Response::new(202, ""));
    let send = || stage.http(Request::post(url));
    assert!(matches!(send(), Err(HttpError::Denied(_))));
    stage
        .approve(Approval::new("mail.send"))
        .expect("is approved");
    assert_eq!(send().expect("is admitted").status(), 202);
    assert!(matches!(send(), Err(HttpError::Denied(_))));
}

#[test]
fn a_request_carries_the_secrets_of_its_host() {
    let url = "https://api.mail.example/inbox";
    let stage = mail().responds("GET", url, Response::new(200, "[]"));
    let sent = stage.http(Request::get(url)).expect("is sent");
    assert_eq!(sent.status(), 200);
    stage.assert_secret("token");
    let stage = mail().without_secret("token");
    let denied = stage.http(Request::get(url)).expect_err("has no value");
    assert!(denied.to_string().contains("`token` has no value"));
}

#[test]
fn a_folder_is_the_one_that_the_test_binds() {
    let stage = mail().with_folder("/letters", "/tmp/letters");
    assert_eq!(
        stage.folder("/letters"),
        std::path::Path::new("/tmp/letters")
    );
    assert!(
        !stage.folder("/notes").exists(),
        "an optional one is not found"
    );
    assert!(refusal(|| drop(mail().folder("/letters"))).contains("with_folder(\"/letters\""));
}

#[test]
fn data_that_does_not_fit_its_declared_type_fails_the_test() {
    let stage = testing::stage();
    let show = |data: Value| stage.show(Widget::new("download", &data));
    show(json!({ "name": "map.pdf" })).expect("fits");
    let message = refusal(|| drop(show(json!({ "name": 7 }))));
    assert!(message.contains("`download` does not fit"), "{message}");
    assert!(message.contains("/name"), "{message}");
    let free = Widget::new("other", &7);
    stage.show(free).expect("another type takes any data");
    let stage = testing::stage().unchecked();
    stage
        .show(Widget::new("download", &7))
        .expect("is not checked");
}

#[test]
fn an_action_that_a_press_could_not_call_fails_the_test() {
    let card = |tool: &str| {
        ui::Card::new().child(ui::Button::new().on_click_action(ui::Action::new(tool)))
    };
    let stage = testing::stage();
    let shown = stage.show(card("stop")).expect("names a tool");
    let message = refusal(|| drop(stage.show(card("halt"))));
    assert!(
        message.contains("names the tool `halt`") && message.contains("stop, look"),
        "{message}"
    );
    let message = refusal(|| drop(shown.update(card("secret_tool"))));
    assert!(message.contains("audience = \"both\""), "{message}");
    // A result that is a tree is shown too.
    let run = |input: Value| testing::run::<FootlightPlugin>(&stage, "tree", &input.to_string());
    run(json!({ "tool": "stop" })).expect("names a tool");
    let message = refusal(|| drop(run(json!({ "tool": "halt" }))));
    assert!(message.contains("names the tool `halt`"), "{message}");
}

#[test]
fn an_input_is_checked_against_the_schema_formats_included() {
    let stage = testing::stage();
    let run = |day: &str| {
        let input = json!({ "day": day }).to_string();
        testing::run::<FootlightPlugin>(&stage, "look", &input)
    };
    run("2026-05-04").expect("a date");
    let failure = run("on Monday").expect_err("no date");
    assert_eq!(failure.code(), FailureCode::InvalidInput);
    assert!(
        failure.message().contains("`date`, such as \"2026-05-04\""),
        "{failure}"
    );
    let stage = testing::stage().unchecked();
    let outcome = testing::run::<FootlightPlugin>(&stage, "look", r#"{"day":"on Monday"}"#);
    outcome.expect("is not checked");
}

#[test]
fn the_limits_of_a_call_are_those_of_a_host() {
    let stage = mail().unchecked();
    let state = stage.state(Scope::Person);
    let long = "x".repeat(limits::STATE_VALUE);
    let too_large = StateError::TooLarge(limits::STATE_VALUE as u64);
    assert_eq!(state.set("a", &long), Err(too_large));
    state
        .set("a", &&long[..limits::STATE_VALUE - 2])
        .expect("fits");
    assert!(state.set(&"k".repeat(limits::STATE_KEY + 1), &1).is_err());
    let filled = (0..64).find(|n| state.set(&format!("k{n}"), &&long[2..]).is_err());
    assert_eq!(
        filled,
        Some(14),
        "a bucket has room for fifteen of the largest values and their keys"
    );

    let megabyte = vec![0; 1 << 20];
    stage.output(Output::new("a"), &megabyte).expect("fits");
    stage.output(Output::new("b"), &megabyte).expect("fits");
    assert!(
        stage.output(Output::new("c"), "x").is_err(),
        "the manifest says 2 MiB"
    );
    assert!(
        stage
            .begin_output(Output::new("x".repeat(limits::OUTPUT_WORDS)))
            .is_err()
    );

    let subject = Approval::new("mail.send").subject("x".repeat(limits::APPROVAL_SUBJECT + 1));
    assert!(stage.approve(subject).is_err());
    let widget = || Widget::new("w", &()).fallback("w");
    (0..limits::WIDGETS).for_each(|_| drop(stage.show(widget()).expect("fits")));
    assert!(stage.show(widget()).is_err());
    let body = Request::post("https://api.mail.example/").body(vec![0; limits::REQUEST_BODY + 1]);
    assert!(stage.http(body).is_err());

    let stage = (0..limits::ASKS).fold(testing::stage(), |stage, _| stage.answers("Sure?", "Yes"));
    (0..limits::ASKS).for_each(|_| assert!(stage.confirm("Sure?").expect("is asked")));
    assert!(stage.confirm("Sure?").is_err());
}

#[test]
fn all_widgets_together_have_a_limit_that_updates_count_for() {
    let stage = testing::stage();
    let large = || Widget::new("w", &"x".repeat(250 << 10)).fallback("w");
    let shown: Vec<_> = (0..16)
        .map(|_| stage.show(large()).expect("fits"))
        .collect();
    assert!(stage.show(large()).is_err());
    shown[0].update(large()).expect("takes its own place");
    let card = ui::Card::new().child(ui::Text::new("x".repeat(49_000)).id("text"));
    let stage = testing::stage();
    let shown = stage.show(card).expect("fits");
    shown.append_text("text", "y").expect("fits");
    assert!(shown.append_text("text", &"y".repeat(1_000)).is_err());
}
