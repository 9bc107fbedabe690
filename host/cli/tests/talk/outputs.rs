//! `outputs` and `sessions export`.

use crate::machine::{Machine, json_of, plugin};
use std::fs;

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
