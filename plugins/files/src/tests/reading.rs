//! `read`, `show` and `diff`.

use super::*;
use crate::text::Range;

fn numbered(lines: usize) -> String {
    (1..=lines).map(|n| format!("line {n}\n")).collect()
}

fn all() -> Range {
    Range::new(1, u32::MAX)
}

#[test]
fn a_range_of_lines_is_read_and_named() {
    let sample = Sample::new([("a.rs", numbered(10))]);
    let read = |from, lines| read::run(&sample.folder(), "a.rs", Range::new(from, lines));
    let content = read(3, 2).expect("a file");
    assert_eq!(content.data.content, "line 3\nline 4\n");
    assert_eq!(content.data.path, "a.rs");
    assert_eq!(content.data.size, Some(71));
    assert_eq!(
        for_model(content),
        "a.rs, lines 3 to 4 of 10\nline 3\nline 4\n"
    );
    assert!(for_model(read(10, 5).expect("a line")).starts_with("a.rs, line 10 of 10\n"));
    assert_eq!(
        invalid_input(read(11, 1)),
        "`a.rs` has 10 lines: there is no line 11"
    );
}

#[test]
fn files_of_every_ending_have_the_right_number_of_lines() {
    for (content, said) in [
        ("", "empty"),
        ("a", "line 1 of 1"),
        ("a\n", "line 1 of 1"),
        ("\n", "line 1 of 1"),
        ("a\nb", "lines 1 to 2 of 2"),
        ("a\r\n\r\nb\r\n", "lines 1 to 3 of 3"),
    ] {
        let sample = Sample::new([("a", content)]);
        let read = read::run(&sample.folder(), "a", all()).expect("a file");
        assert_eq!(for_model(read), format!("a, {said}\n{content}"));
    }
}

#[test]
fn a_long_file_is_cut_at_a_line_and_says_where_to_read_on() {
    let sample = Sample::new([("a", numbered(100_000)), ("b", "x".repeat(1 << 20))]);
    let said = for_model(read::run(&sample.folder(), "a", all()).expect("a file"));
    let head = said.lines().next().expect("a line");
    assert!(
        head.ends_with("; cut after 128 KiB, read on from line 12926"),
        "{head}"
    );
    assert!(said.ends_with("line 12925\n"));
    assert!(said.len() < 140_000);
    let one_line = read::run(&sample.folder(), "b", all()).expect("a file");
    assert_eq!(one_line.data.content.len(), 128 << 10);
}

#[test]
fn what_is_not_a_text_file_is_not_read() {
    let sample = Sample::new([("a.bin", b"a\0b".as_slice()), ("d/a", b"a")]);
    let read = |path: &str| invalid_input(read::run(&sample.folder(), path, all()));
    assert_eq!(read("a.bin"), "`a.bin` is not a text file");
    assert_eq!(read("d"), "`d` is a folder: call `list`");
    assert_eq!(read("gone"), "there is no `gone` in the folder");
    assert_eq!(read("."), "`.` is the folder: name a file in it");
}

#[test]
fn bytes_that_are_not_utf_8_are_replaced() {
    let sample = Sample::new([("a", b"caf\xe9\n".as_slice())]);
    let content = read::run(&sample.folder(), "a", all()).expect("a file");
    assert_eq!(content.data.content, "caf\u{fffd}\n");
}

#[test]
fn a_shown_file_is_stored_and_the_model_reads_a_short_line() {
    let sample = Sample::new([("src/a.rs", numbered(5_000))]);
    let stage = testing::stage();
    let range = Range::new(10, 3);
    let said = show::run(&stage, &sample.folder(), "src/a.rs", range).expect("shown");
    let said = said.data.content;
    assert_eq!(
        said,
        "Shown to the person: src/a.rs, lines 10 to 12 of 5000 [output:out_0_000000]"
    );
    let [output] = stage.outputs().try_into().expect("one output");
    assert_eq!(
        (output.kind.as_str(), output.title.as_str()),
        ("file", "src/a.rs")
    );
    assert_eq!(output.mime_type, "text/plain; charset=utf-8");
    assert_eq!(output.content, b"line 10\nline 11\nline 12\n");
}

#[test]
fn the_confirmation_does_not_grow_with_the_content() {
    let long = "a".repeat(200);
    let sample = Sample::new([("a", numbered(100_000))]);
    sample.write(&long, "a");
    let stage = testing::stage();
    let show = |path: &str| show::run(&stage, &sample.folder(), path, all()).expect("shown");
    assert!(show("a").data.content.len() < 100);
    assert!(show(&long).data.content.len() < 150);
}

#[test]
fn a_picture_is_shown_with_the_type_of_its_extension() {
    for (name, mime_type) in [
        ("a.png", "image/png"),
        ("a.JPG", "image/jpeg"),
        ("b.jpeg", "image/jpeg"),
        ("c.gif", "image/gif"),
        ("d.webp", "image/webp"),
        ("e.svg", "image/svg+xml"),
    ] {
        let sample = Sample::new([(name, b"\x89PNG\0\0bytes")]);
        let stage = testing::stage();
        show::run(&stage, &sample.folder(), name, all()).expect("shown");
        let [output] = stage.outputs().try_into().expect("one output");
        assert_eq!(
            (output.kind.as_str(), output.mime_type.as_str()),
            ("image", mime_type)
        );
        assert_eq!(output.content, b"\x89PNG\0\0bytes");
    }
}

#[test]
fn nothing_is_stored_of_what_cannot_be_shown() {
    let sample = Sample::new([("a.bin", b"a\0".as_slice()), ("d.png/a", b"a")]);
    sample.write("big.png", vec![1; (8 << 20) + 1]);
    let stage = testing::stage();
    for path in ["gone.txt", "gone.png", "a.bin", "d.png", "big.png", "."] {
        invalid_input(show::run(&stage, &sample.folder(), path, all()));
    }
    assert!(stage.outputs().is_empty());
}

#[test]
fn two_files_are_compared() {
    let old = numbered(40);
    let new = old
        .replace("line 5\n", "line five\n")
        .replace("line 30\n", "");
    let sample = Sample::new([("old", old), ("new", new)]);
    let diff = change::between(&sample.folder(), "old", "new").expect("a diff");
    let hunks = diff.data.hunks.as_ref().expect("hunks");
    assert_eq!(hunks.len(), 2);
    assert_eq!((hunks[0].old_start, hunks[0].old_lines), (2, 7));
    assert_eq!((hunks[1].new_start, hunks[1].new_lines), (27, 6));
    let said = for_model(diff);
    assert!(said.starts_with("old and new differ in 2 places\n@@ -2,7 +2,7 @@\n"));
    assert!(said.contains("\n-line 5\n+line five\n"), "{said}");
    let same = change::between(&sample.folder(), "old", "old").expect("a diff");
    assert!(for_model(same).starts_with("old and old are the same"));
}

#[test]
fn texts_that_are_too_long_to_compare_are_refused() {
    let sample = Sample::new([("big", "a".repeat(2 << 20))]);
    let compared = change::between(&sample.folder(), "big", "big");
    let said = invalid_input(compared);
    assert_eq!(said, "`big` has more than 1048576 bytes");
}

/// Every pair of texts: applying the hunks to the old one gives the new one.
#[test]
fn hunks_lead_from_one_text_to_the_other() {
    use proptest::prelude::*;
    proptest!(|(old in "([a-d]\n){0,40}", new in "([a-d]\n){0,40}")| {
        let hunks = change::hunks(&old, &new);
        let lines: Vec<&str> = old.lines().collect();
        let (mut made, mut at) = (Vec::new(), 0);
        for hunk in &hunks {
            let start = hunk.old_start as usize - usize::from(hunk.old_lines > 0);
            made.extend(&lines[at..start]);
            at = start + hunk.old_lines as usize;
            let kept = hunk.lines.iter().filter(|line| !line.starts_with('-'));
            made.extend(kept.map(|line| &line[1..]));
        }
        made.extend(&lines[at..]);
        prop_assert_eq!(made, new.lines().collect::<Vec<_>>());
    });
}
