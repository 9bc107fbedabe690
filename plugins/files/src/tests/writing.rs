//! `write`.

use super::*;
use serde_json::json;

const ACTION: &str = "files.write";

#[test]
fn a_change_is_previewed_approved_and_made() {
    let sample = Sample::new([("a.txt", "one\ntwo\n")]);
    let stage = testing::stage().approves(ACTION);
    let diff = write::run(&stage, &sample.folder(), "a.txt", "one\n2\n").expect("written");
    assert_eq!(sample.read("a.txt"), "one\n2\n");
    assert_eq!(sample.names(), ["a.txt"]);
    let [request] = stage.approval_requests().try_into().expect("one request");
    assert_eq!(request.subject, "a.txt");
    assert_eq!(
        request.reason,
        "Changes the file: 1 lines added, 1 removed."
    );
    let preview = json!(["@@ -1,2 +1,2 @@", " one", "-two", "+2"]);
    assert_eq!(request.details, Some(preview));
    assert_eq!(diff.data.hunks.as_ref().map(Vec::len), Some(1));
    assert_eq!(for_model(diff), "a.txt is written");
}

#[test]
fn a_new_file_is_created_with_its_folders() {
    let sample = Sample::new([("a.txt", "")]);
    let stage = testing::stage().approves(ACTION);
    let diff = write::run(&stage, &sample.folder(), "new/b.txt", "hello\n").expect("written");
    assert_eq!(sample.read("new/b.txt"), "hello\n");
    assert!(diff.data.is_new);
    let [request] = stage.approval_requests().try_into().expect("one request");
    assert_eq!(request.reason, "Creates the file, with 1 lines.");
}

#[test]
fn nothing_is_written_without_approval() {
    let sample = Sample::new([("a.txt", "one\n")]);
    let stage = testing::stage().denies(ACTION, "not this one");
    let failure = write::run(&stage, &sample.folder(), "a.txt", "two\n").map(drop);
    let failure = failure.expect_err("denied");
    assert_eq!(failure.code(), FailureCode::Denied);
    assert_eq!(
        (sample.read("a.txt").as_str(), sample.names().len()),
        ("one\n", 1)
    );
}

#[test]
fn nobody_is_asked_about_what_changes_nothing_or_cannot_be_written() {
    let sample = Sample::new([
        ("a.txt", b"same".as_slice()),
        ("b.bin", b"\0"),
        ("d/a", b""),
    ]);
    let write =
        |path: &str, content: &str| write::run(&testing::stage(), &sample.folder(), path, content);
    let unchanged = write("a.txt", "same").expect("nothing to do");
    assert_eq!(unchanged.data.hunks, Some(Vec::new()));
    for path in ["b.bin", "d", "..", "/etc/passwd", "."] {
        invalid_input(write(path, "new"));
    }
    invalid_input(write("a.txt", &"a".repeat((1 << 20) + 1)));
}

#[test]
fn a_file_that_changes_while_the_person_decides_is_not_overwritten() {
    let sample = Sample::new([("a.txt", "one\n")]);
    let path = sample.path().join("a.txt");
    let changed = write::with_approval(&sample.folder(), "a.txt", "two\n", |_| {
        std::fs::write(&path, "three\n").expect("a change");
        Ok(())
    });
    let failure = changed.map(drop).expect_err("changed");
    assert_eq!(failure.code(), FailureCode::Unavailable);
    assert_eq!(sample.read("a.txt"), "three\n");
}

#[cfg(unix)]
#[test]
fn a_link_is_not_replaced() {
    let sample = Sample::new([("a.txt", "one\n")]);
    std::os::unix::fs::symlink("a.txt", sample.path().join("link")).expect("a link");
    let said = invalid_input(write::run(
        &testing::stage(),
        &sample.folder(),
        "link",
        "two\n",
    ));
    assert_eq!(said, "`link` is a link: write to its target");
}

#[cfg(unix)]
#[test]
fn no_link_leads_a_write_to_another_file() {
    use std::os::unix::fs::symlink;
    let sample = Sample::new([(".git/config", "own\n"), ("a.txt", "one\n")]);
    let link = |target: &str, name: &str| symlink(target, sample.path().join(name));
    link(".git", "docs").expect("a link");
    let through = write::run(&testing::stage(), &sample.folder(), "docs/config", "two\n");
    let said = invalid_input(through);
    assert_eq!(
        said,
        "`docs/config` leads through a link: write to its target"
    );
    // The name that the new content has until the file is replaced.
    for name in ["a.txt", "new.txt"] {
        link(".git/config", &format!(".{name}.footlight-new")).expect("a link");
        let stage = testing::stage().approves(ACTION);
        write::run(&stage, &sample.folder(), name, "two\n").expect("written");
        assert_eq!(sample.read(name), "two\n");
        assert_eq!(sample.read(".git/config"), "own\n");
    }
}

#[cfg(unix)]
#[test]
fn a_changed_file_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt as _;
    let sample = Sample::new([("key", "one\n")]);
    let path = sample.path().join("key");
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(&path, private).expect("set");
    let stage = testing::stage().approves(ACTION);
    write::run(&stage, &sample.folder(), "key", "two\n").expect("written");
    let mode = std::fs::metadata(&path)
        .expect("there")
        .permissions()
        .mode();
    assert_eq!(
        (sample.read("key").as_str(), mode & 0o777),
        ("two\n", 0o600)
    );
    assert_eq!(sample.names(), ["key"]);
}

#[test]
fn a_long_change_is_previewed_in_part() {
    let sample = Sample::new([("a.txt", "")]);
    let stage = testing::stage().approves(ACTION);
    write::run(&stage, &sample.folder(), "a.txt", &"line\n".repeat(1_000)).expect("written");
    let [request] = stage.approval_requests().try_into().expect("one request");
    let details = request.details.expect("a preview");
    let lines = details.as_array().expect("lines");
    assert_eq!(lines.len(), 401);
    assert_eq!(lines[400], "… and 601 more lines");
}

#[test]
fn what_cannot_be_written_leaves_nothing_behind() {
    let sample = Sample::new([("a.txt", "one\n")]);
    // A file cannot be renamed over a folder, which is noticed after the new content was written.
    std::fs::create_dir(sample.path().join("b.txt")).expect("a folder");
    let place = sample.folder().file("b.txt").expect("inside");
    let failed = write::replace(&place, "two\n");
    assert!(failed.is_err());
    assert_eq!(sample.names(), ["a.txt", "b.txt"]);
}
