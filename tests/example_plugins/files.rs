//! `files` in a folder of the machine.

use super::{call_in, code, host, model_text, outputs};
use footlight::vocabulary::item::Verdict;
use footlight_tests::plugins;
use serde_json::json;
use std::fs;

fn sample() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("src")).expect("a folder");
    fs::write(folder.path().join("src/a.rs"), "use wasmtime::Engine;\n").expect("a file");
    fs::write(folder.path().join("notes.txt"), "one\ntwo\n").expect("a file");
    fs::write(folder.path().join("dot.png"), b"\x89PNG\0").expect("a file");
    folder
}

#[tokio::test]
async fn files_that_mention_a_word_are_found_in_the_folder_that_the_person_names() {
    let (host, folder) = (host(plugins::FILES, true).await, sample());
    let input = json!({ "pattern": "wasmtime" });
    let ended = call_in(&host, folder.path(), Verdict::Deny, "files.search", input).await;
    assert!(ended.result.is_ok(), "{:?}", ended.result);
    assert_eq!(
        model_text(&ended),
        "`wasmtime` is in 1 of 3 files, in 1 line; 1 binary skipped\n\
         src/a.rs (1), first in line 1: use wasmtime::Engine;"
    );
}

#[tokio::test]
async fn without_a_person_no_folder_is_read() {
    let host = host(plugins::FILES, false).await;
    let ended = host.call("files.list", json!({})).finish().await;
    assert_eq!(code(&ended), "no-person");
}

#[tokio::test]
async fn a_file_is_written_only_after_the_person_approved_the_change() {
    let (host, folder) = (host(plugins::FILES, true).await, sample());
    let file = folder.path().join("notes.txt");
    let read = || fs::read_to_string(&file).expect("a file");
    let input = json!({ "path": "notes.txt", "content": "one\n2\n" });
    let denied = call_in(
        &host,
        folder.path(),
        Verdict::Deny,
        "files.write",
        input.clone(),
    )
    .await;
    assert_eq!(code(&denied), "denied");
    assert_eq!(read(), "one\ntwo\n");
    let written = call_in(&host, folder.path(), Verdict::Once, "files.write", input).await;
    assert_eq!(model_text(&written), "notes.txt is written");
    assert_eq!(read(), "one\n2\n");
    let names = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(names, 3, "nothing is left beside the file");
}

#[tokio::test]
async fn a_shown_file_is_for_the_person_alone() {
    let (host, folder) = (host(plugins::FILES, true).await, sample());
    for path in ["notes.txt", "dot.png"] {
        let input = json!({ "path": path });
        let ended = call_in(&host, folder.path(), Verdict::Deny, "files.show", input).await;
        let [output] = outputs(&ended).try_into().expect("one output");
        let said = ended.model.to_string();
        assert!(said.contains(&format!("[output:{}]", output.id)), "{said}");
        assert!(said.len() < 200 && !said.contains("two"), "{said}");
    }
    let input = json!({ "path": "gone.txt" });
    let ended = call_in(&host, folder.path(), Verdict::Deny, "files.show", input).await;
    assert_eq!(code(&ended), "invalid-input");
    assert!(outputs(&ended).is_empty());
}

#[tokio::test]
async fn links_out_of_the_folder_lead_nowhere() {
    let (host, folder) = (host(plugins::FILES, true).await, sample());
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("secret"), "canary").expect("a file");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(outside.path().join("secret"), link).expect("a link");
    for (tool, input) in [
        ("files.read", json!({ "path": "link" })),
        ("files.show", json!({ "path": "link" })),
        (
            "files.diff",
            json!({ "before": "link", "after": "notes.txt" }),
        ),
        (
            "files.search",
            json!({ "pattern": "canary", "folder": "link" }),
        ),
    ] {
        let ended = call_in(&host, folder.path(), Verdict::Deny, tool, input).await;
        let failure = ended.result.as_ref().expect_err(tool);
        assert!(failure.fault.is_none(), "{failure:?}");
        assert!(!failure.message.contains("canary"), "{failure:?}");
        let path = outside.path().to_string_lossy();
        assert!(!failure.message.contains(&*path), "{failure:?}");
    }
}
