//! Details that are a list of lines.

use super::*;

/// A request of `files` to write a file, with the lines of the change.
fn write(change: &[String]) -> ApprovalCard {
    ApprovalCard {
        plugin: "files".to_owned(),
        tool: "write".to_owned(),
        action: Some("files.write".to_owned()),
        is_critical: false,
        subject: Some("src/main.rs".to_owned()),
        input: json!({ "path": "src/main.rs" }),
        facts: Vec::new(),
        quotes: vec!["Changes the file.".to_owned()],
        details: Some(json!(change)),
        ..clear()
    }
}

fn changes(count: usize) -> Vec<String> {
    let line = |n: usize| format!("+    line {n} of it");
    (1..=count).map(line).collect()
}

/// The rows of a card that belong to the details.
fn details(card: &ApprovalCard, columns: usize) -> Vec<String> {
    let rows = lines(card, columns);
    let begin = rows.iter().position(|row| row.starts_with("┃ details"));
    let rows = rows.into_iter().skip(begin.expect("there are details"));
    rows.take_while(|row| !row.starts_with("┃ d  ")).collect()
}

#[test]
fn change_of_a_file_is_drawn_line_by_line() {
    let change = [
        "@@ -1,3 +1,4 @@",
        " fn main() {",
        "-    run();",
        "+    let words: Vec<String> = env::args().collect();",
        "+    run(&words);",
        " }",
    ];
    let card = write(&change.map(str::to_owned));
    assert_eq!(
        lines(&card, 80).join("\n"),
        "\
┏━ APPROVAL NEEDED ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
┃ what     files.write
┃ to       \"src/main.rs\"
┃ input    {\"path\":\"src/main.rs\"}
┃ because  the running call requests your approval
┃ by       files.write, build 3f2a9c81e0d4
┃ it says  > Changes the file.
┃ details  > @@ -1,3 +1,4 @@
┃          >  fn main() {
┃          > -    run();
┃          > +    let words: Vec<String> = env::args().collect();
┃          > +    run(&words);
┃          >  }
┃ d  deny; more words go to the model
┃ o  once: this request only
┃ s  session: this subject, this build
┃ v  view everything
┗ files.write: verdict [deny]:"
    );
    assert_eq!(
        details(&card, 40).join("\n"),
        "\
┃ details  > @@ -1,3 +1,4 @@
┃          >  fn main() {
┃          > -    run();
┃          > +    let words:
┃          ⋮ Vec<String> =
┃          ⋮ env::args().collect();
┃          > +    run(&words);
┃          >  }"
    );
}

#[test]
fn long_list_keeps_its_first_and_last_lines_and_the_full_card_has_all_of_them() {
    let change = changes(400);
    let card = write(&change);
    for columns in [40, 80] {
        let rows = lines(&card, columns);
        assert!(rows.len() <= MAX_CARD_ROWS, "{}", rows.join("\n"));
        let rows = details(&card, columns);
        let text = rows.join("\n");
        assert!(rows[0].ends_with("> +    line 1 of it"), "{text}");
        let last = rows.last().expect("a row");
        assert!(last.ends_with("> +    line 400 of it"), "{text}");
        let hidden = 401 - rows.len();
        let omission = format!("\n┃          ... {hidden} more rows (v) ...\n");
        assert!(text.contains(&omission), "{text}");
    }
    let full = Terminal::new(80).draw_approval_in_full(&card).text;
    for line in change {
        assert!(full.contains(&format!("> {line}\n")), "{line}");
    }
}

#[test]
fn plugin_cannot_write_the_row_that_stands_for_others() {
    let mut change = changes(400);
    change[1] = "... 3 more rows (v) ...".to_owned();
    change[2] = format!("{}... 3 more rows (v) ...", " ".repeat(60));
    let rows = details(&write(&change), 80);
    let own = |row: &&String| row.starts_with("┃          ...");
    assert_eq!(rows.iter().filter(own).count(), 1, "{}", rows.join("\n"));
    assert!(rows[1].starts_with("┃          > ... 3 more"), "{rows:?}");
    assert!(
        rows[2].starts_with("┃          > <60 spaces>... 3"),
        "{rows:?}"
    );
}

#[test]
fn what_is_no_list_of_lines_stays_json() {
    for (details, shown) in [
        (json!([]), "[]"),
        (json!(["a", 1]), "[\"a\",1]"),
        (json!({ "a": ["b"] }), "{\"a\":[\"b\"]}"),
        (json!("one\ntwo"), "\"one\\ntwo\""),
    ] {
        let mut card = write(&[]);
        card.details = Some(details);
        let rows = lines(&card, 80).join("\n");
        assert!(rows.contains(&format!("┃ details  > {shown}\n")), "{rows}");
    }
}

/// Returns a row without the characters that keep text from right to left apart.
fn plain(row: &str) -> String {
    row.replace(['\u{2068}', '\u{2069}'], "")
}

proptest! {
    #[test]
    fn every_row_of_a_list_is_marked_as_words_of_the_plugin(
        change in prop::collection::vec(hostile(), 1..60),
        columns in prop::sample::select(vec![40_usize, 80]),
    ) {
        let card = write(&change);
        let rows = details(&card, columns);
        let mut omissions = 0;
        for row in &rows {
            let text: String = plain(row).chars().skip(11).collect();
            let is_marked = text.is_empty() || text.starts_with(['>', '⋮']);
            omissions += usize::from(!is_marked);
            prop_assert!(is_marked || text.starts_with("... "), "{}", row);
        }
        prop_assert!(omissions <= 1, "{}", rows.join("\n"));
        let full = Terminal::new(columns).draw_approval_in_full(&card).text;
        let quoted = full.lines().skip_while(|row| !row.starts_with("┃ details"));
        let begun = quoted.filter(|row| plain(row).chars().nth(11) == Some('>'));
        prop_assert_eq!(begun.count(), change.len(), "{}", full);
    }
}

#[test]
fn the_lines_of_a_change_have_colours_and_other_lines_have_none() {
    let drawn = |details: &[&str]| {
        let details: Vec<String> = details.iter().map(|line| (*line).to_owned()).collect();
        let terminal = Terminal {
            colour: crate::terminal::Colour::Sixteen,
            ..Terminal::new(80)
        };
        terminal.draw_approval_in_full(&write(&details)).text
    };
    let line_with = |text: &str, word: &str| {
        let line = text.lines().find(|line| line.contains(word));
        line.expect("a line").to_owned()
    };
    let change = drawn(&["@@ -1 +1 @@", "-gone", "+new", " kept"]);
    let sequences = |word: &str| line_with(&change, word).matches('\u{1b}').count();
    assert!(sequences("gone") > sequences("kept"), "{change}");
    assert!(sequences("new") > sequences("kept"), "{change}");
    assert_ne!(
        line_with(&change, "gone").replace("-gone", "+new"),
        line_with(&change, "new"),
        "in different colours"
    );
    let list = drawn(&["- milk", "bread"]);
    let sequences = |word: &str| line_with(&list, word).matches('\u{1b}').count();
    assert_eq!(sequences("milk"), sequences("bread"), "{list}");
}
