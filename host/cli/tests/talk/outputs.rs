//! `outputs`, `sessions export`, and what stays on disk.

use crate::folder_size::folder_size;
use crate::machine::{Machine, json_of, plugin};
use std::fs;
use std::time::Duration;

#[test]
fn outputs_are_listed_shown_and_written_to_a_file() {
    let machine = Machine::new();
    let ran = machine.run(&["run", &plugin("gallery"), "/outputs"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("footlight outputs show out_"),
        "{}",
        ran.stderr
    );
    let rows = machine.run(&["outputs", "list", "--json"]).lines();
    assert_eq!(rows.len(), 4, "{rows:?}");
    let of = |mime: &str| {
        let row = rows.iter().find(|row| row["mimeType"] == mime);
        let row = row.unwrap_or_else(|| panic!("{mime}: {rows:?}"));
        row["id"].as_str().expect("an id").to_owned()
    };
    let listed = machine.run(&["outputs", "list"]).stdout;
    assert!(
        listed.contains(&of("image/png")) && listed.contains("min left"),
        "{listed}"
    );

    let bytes = machine.run(&["outputs", "show", &of("application/octet-stream")]);
    assert_eq!(bytes.stdout.len(), 64);
    let path = machine.path("work/curtain.png");
    let to = path.to_str().expect("is text");
    let written = machine.run(&["outputs", "show", &of("image/png"), "--to", to]);
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    assert!(fs::read(&path).expect("is written").starts_with(b"\x89PNG"));
    fs::write(&path, "mine").expect("is written");
    let again = machine.run(&["outputs", "show", &of("image/png"), "--to", to]);
    assert_eq!(again.code, Some(2), "{}", again.stderr);
    assert!(again.stderr.contains("--force"), "{}", again.stderr);
    assert_eq!(fs::read(&path).expect("is there"), b"mine");
    let forced = machine.run(&["outputs", "show", &of("image/png"), "--to", to, "--force"]);
    assert_eq!(forced.code, Some(0), "{}", forced.stderr);
    assert!(fs::read(&path).expect("is written").starts_with(b"\x89PNG"));
    let odd = ["--to", "a\u{1b}[2Jb.png"];
    let odd = machine.run(&[&["outputs", "show", &of("image/png")], &odd[..]].concat());
    assert_eq!(odd.code, Some(0), "{}", odd.stderr);
    assert!(odd.stderr.starts_with("ab.png  "), "{:?}", odd.stderr);
    assert_eq!(machine.run(&["outputs", "show", "out_"]).code, Some(2));
    assert_eq!(
        machine.run(&["outputs", "show", "out_0_none"]).code,
        Some(2)
    );
}

#[test]
fn an_export_embeds_small_text_and_images() {
    let machine = Machine::new();
    let ran = machine.run(&["run", &plugin("gallery"), "/outputs"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let export = |words: &[&str]| machine.run(&[&["sessions", "export", "last"], words].concat());
    let done = export(&["-o", "talk.html"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(done.stdout, "");
    // Which is in it, and which is not.
    assert_eq!(
        done.stderr.matches(": embedded (").count(),
        3,
        "{}",
        done.stderr
    );
    assert_eq!(
        done.stderr.matches(": left out: ").count(),
        1,
        "{}",
        done.stderr
    );
    let page = fs::read_to_string(machine.path("work/talk.html")).expect("is written");
    assert!(page.starts_with("<!doctype html>"), "{page}");
    assert!(
        page.contains("/outputs") && page.contains("Four outputs are stored."),
        "{page}"
    );
    assert!(page.contains("src=\"data:image/png;base64,"), "{page}");
    assert!(
        !page.contains("<script") && !page.contains("onclick"),
        "{page}"
    );

    let again = export(&["-o", "talk.html"]);
    assert_eq!(again.code, Some(2), "{}", again.stderr);
    assert!(again.stderr.contains("--force"), "{}", again.stderr);
    assert_eq!(export(&["-o", "talk.html", "--force"]).code, Some(0));
    let markdown = export(&["--markdown"]);
    assert!(
        markdown.stdout.contains("Four outputs are stored"),
        "{}",
        markdown.stdout
    );
    assert!(!markdown.stdout.contains("base64,"), "{}", markdown.stdout);
    let shown = json_of(&machine.run(&["sessions", "show", "last", "--json"]).stdout);
    assert_eq!(shown["turns"].as_array().map(Vec::len), Some(1));
}

#[test]
fn content_and_documents_are_wrapped_in_json() {
    let machine = Machine::new();
    let ran = machine.run(&["run", &plugin("gallery"), "/outputs"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let rows = machine.run(&["outputs", "list", "--json"]).lines();
    for row in &rows {
        let id = row["id"].as_str().expect("an id");
        let output = json_of(&machine.run(&["outputs", "show", id, "--json"]).stdout);
        assert_eq!(output["mimeType"], row["mimeType"], "{output}");
        let member = match output["text"].is_string() {
            true => "text",
            false => "base64",
        };
        assert!(!output[member].as_str().expect("content").is_empty());
    }
    let exported = machine.run(&["sessions", "export", "last"]).stdout;
    let wrapped = json_of(
        &machine
            .run(&["sessions", "export", "last", "--json"])
            .stdout,
    );
    let document = wrapped["document"].as_str().expect("a document");
    assert!(document.trim_end() == exported.trim_end());
    let card = machine.file("card.json", "1");
    let drawn = machine.run(&["render", &card]).stdout;
    let wrapped = json_of(&machine.run(&["render", &card, "--json"]).stdout);
    let drawing = wrapped["drawing"].as_str().expect("a drawing");
    assert_eq!(drawing.trim_end(), drawn.trim_end());
}

#[test]
fn an_output_expires_when_the_person_says_and_is_then_called_expired() {
    let machine = Machine::new();
    let call = [
        "call",
        &plugin("rogue"),
        "flood_outputs",
        "count=2",
        "bytes=100000",
    ];
    let ran = machine.run(&[&call[..], &["--keep-outputs", "3s"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = machine.run(&["run", &plugin("gallery"), "/outputs", "--keep-outputs=3s"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let show = |words: &[&str]| {
        let shown = machine.run(&[&["sessions", "show", "last"], words].concat());
        assert_eq!(shown.code, Some(0), "{}", shown.stderr);
        shown.stdout
    };
    let before = show(&["--json"]);
    std::thread::sleep(Duration::from_secs(4));
    assert_eq!(machine.run(&["outputs", "list", "--json"]).stdout, "");
    let blobs = folder_size(&machine.path("data/store/blobs"));
    assert_eq!(blobs, 0, "their content is deleted");
    let text = show(&[]);
    assert_eq!(text.matches("expired").count(), 4, "{text}");
    assert!(!text.contains("until"), "{text}");
    // The items are as they were, and say that they have expired.
    let (before, after) = (json_of(&before), json_of(&show(&["--json"])));
    let mut marked = before.clone();
    let output = marked["turns"][0]["output"].as_array_mut();
    for item in output.expect("items") {
        if item["type"] == "output" {
            item["expired"] = true.into();
        }
    }
    assert_eq!(after, marked);
    assert_ne!(after, before);
    for (flag, file) in [("--html", "talk.html"), ("--markdown", "talk.md")] {
        let done = machine.run(&["sessions", "export", "last", flag, "-o", file]);
        assert_eq!(done.stderr.matches("left out: expired").count(), 4);
        let page = fs::read_to_string(machine.path("work").join(file)).expect("is written");
        assert_eq!(page.matches("expired").count(), 4, "{page}");
    }
    // The session of `run` stays, and what `call` needed for its outputs does not.
    let sessions = machine.run(&["sessions", "list", "--json"]).lines();
    assert_eq!(sessions.len(), 1, "{sessions:?}");
}

#[test]
fn the_lifetime_of_outputs_is_the_persons_to_set() {
    let machine = Machine::new();
    let list = || machine.run(&["outputs", "list"]).stdout;
    let config = machine.path("config/footlight.toml");
    fs::write(&config, "keep-outputs = \"3d\"").expect("is written");
    let ran = machine.run(&["run", &plugin("gallery"), "/outputs"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(list().matches("2 days left").count(), 4, "{}", list());
    let ran = machine.run(&[
        "run",
        &plugin("gallery"),
        "/outputs",
        "--keep-outputs",
        "5h",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(list().matches("4 h left").count(), 4, "{}", list());
    for wrong in ["0s", "7", "366d"] {
        let refused = machine.run(&["chat", &plugin("gallery"), "--keep-outputs", wrong]);
        assert_eq!(refused.code, Some(2), "{wrong}: {}", refused.stderr);
    }
    // A project does not decide about the person's disk.
    let project = machine.path("work/footlight.toml");
    fs::write(&project, "keep-outputs = \"300d\"").expect("is written");
    let refused = machine.run(&["run", &plugin("gallery"), "/outputs"]);
    assert_ne!(refused.code, Some(0));
    assert!(
        refused.stderr.contains("keep-outputs"),
        "{}",
        refused.stderr
    );
}

#[test]
fn calls_store_no_state_and_a_deleted_session_takes_its_state_along() {
    let machine = Machine::new();
    let data = machine.path("data/store");
    let call = |words: &[&str]| {
        let ran = machine.run(&[&["call", &plugin("rogue")], words].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    };
    call(&["canary"]);
    let empty = folder_size(&data);
    for _ in 0..3 {
        call(&["flood_values"]);
    }
    let after = folder_size(&data);
    assert!(after < empty + (1 << 20), "{empty}, then {after}");
    assert_eq!(machine.run(&["sessions", "list", "--json"]).stdout, "");
    let ran = machine.run(&["run", &plugin("rogue"), "/flood_values"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(folder_size(&data) > empty + (3 << 20));
    let sessions = machine.run(&["sessions", "list", "--json"]).lines();
    let id = sessions[0]["id"].as_str().expect("an id");
    let deleted = machine.run(&["sessions", "delete", id]);
    assert_eq!(deleted.code, Some(0), "{}", deleted.stderr);
    let after = folder_size(&data);
    assert!(after < empty + (2 << 20), "{empty}, then {after}");
}
