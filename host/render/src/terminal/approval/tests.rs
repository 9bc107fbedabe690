//! Cards of ordinary and of hostile requests.

mod listed;
mod power;

use super::*;
use proptest::prelude::*;
use serde_json::json;
use unicode_width::UnicodeWidthChar;

fn option(key: &str, text: &str) -> CardOption {
    CardOption {
        key: key.to_owned(),
        text: text.to_owned(),
        in_full: format!("{text}, in full"),
    }
}

fn clear() -> ApprovalCard {
    ApprovalCard {
        plugin: "todo".to_owned(),
        tool: "clear".to_owned(),
        action: Some("todo.clear".to_owned()),
        is_critical: true,
        subject: Some("every task".to_owned()),
        power: None,
        input: json!({ "what": "everything" }),
        build: "3f2a9c81e0d4".repeat(5) + "0123",
        facts: vec![(
            "can".to_owned(),
            "show, ask and keep its own state".to_owned(),
        )],
        reasons: vec!["the running call requests your approval".to_owned()],
        quotes: vec![
            "Delete tasks from your list for good".to_owned(),
            "2 tasks will be deleted, 1 of them not done yet.".to_owned(),
        ],
        details: Some(json!(["Buy milk", "Walk the dog"])),
        options: vec![
            option("d", "deny; more words go to the model"),
            option("o", "once: this request only"),
            option("s", "session: this subject, this build"),
            option("v", "view everything"),
        ],
        prompt: CardPrompt::Verdict,
    }
}

fn lines(card: &ApprovalCard, columns: usize) -> Vec<String> {
    let drawing = Terminal::new(columns).draw_approval(card, 24);
    drawing.text.lines().map(str::to_owned).collect()
}

#[test]
fn card_says_what_will_happen_and_to_what_first_and_who_asks_last() {
    assert_eq!(
        lines(&clear(), 80).join("\n"),
        "\
┏━ APPROVAL NEEDED, critical ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
┃ what     todo.clear
┃ to       \"every task\"
┃ input    {\"what\":\"everything\"}
┃ because  the running call requests your approval
┃ by       todo.clear, build 3f2a9c81e0d4
┃ can      show, ask and keep its own state
┃ it says  > Delete tasks from your list for good
┃          > 2 tasks will be deleted, 1 of them not done yet.
┃ details  > Buy milk
┃          > Walk the dog
┃ d  deny; more words go to the model
┃ o  once: this request only
┃ s  session: this subject, this build
┃ v  view everything
┗ todo.clear: verdict [deny]:"
    );
}

#[test]
fn narrow_card_wraps_at_words_and_marks_what_continues() {
    assert_eq!(
        lines(&clear(), 40).join("\n"),
        "\
┏━ APPROVAL NEEDED, critical ━━━━━━━━━━
┃ what     todo.clear
┃ to       \"every task\"
┃ input    {\"what\":\"everything\"}
┃ because  the running call requests
┃        ⋮ your approval
┃ by       todo.clear, build
┃        ⋮ 3f2a9c81e0d4
┃ can      show, ask and keep its own
┃        ⋮ state
┃ it says  > Delete tasks from your
┃          ⋮ list for good
┃          > 2 tasks will be deleted, 1
┃          ⋮ of them not done yet.
┃ details  > Buy milk
┃          > Walk the dog
┃ d  deny; more words go to the model
┃ o  once: this request only
┃ s  session: this subject, this build
┃ v  view everything
┗ todo.clear: verdict [deny]:"
    );
}

#[test]
fn card_of_a_call_names_the_tool_and_one_without_unicode_is_ascii() {
    let mut card = ApprovalCard {
        action: None,
        subject: None,
        is_critical: false,
        details: None,
        quotes: Vec::new(),
        ..clear()
    };
    card.input = json!({ "to": "ada\u{202e}@ex\u{430}mple.com" });
    let mut terminal = Terminal::new(60);
    terminal.unicode = false;
    let text = terminal.draw_approval(&card, 24).text;
    assert!(text.is_ascii(), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("!#= APPROVAL NEEDED ==="), "{text}");
    assert_eq!(lines[1], "!# what     run todo.clear");
    assert_eq!(
        lines[2],
        "!# input    {\"to\":\"ada\\u202e@ex<U+0430>mple.com\"}"
    );
    assert!(lines.iter().all(|line| line.starts_with("!#")), "{text}");
}

#[test]
fn long_text_loses_its_middle_and_the_full_card_has_all_of_it() {
    let mut card = clear();
    let subject = format!("safe.txt {}/etc/passwd", "a/../".repeat(200));
    card.subject = Some(subject.clone());
    let rows = lines(&card, 80);
    let all = rows.join("\n");
    assert!(rows.len() <= MAX_CARD_ROWS, "{all}");
    assert!(all.contains("┃ to       \"safe.txt a/../"), "{all}");
    let joined = all.replace("\n┃        ⋮ ", " ");
    assert!(joined.contains("more (v) ..."), "{all}");
    assert!(joined.contains("/etc/passwd\"\n"), "{all}");
    let full = Terminal::new(80).draw_approval_in_full(&card).text;
    let joined = full.replace("\n┃        ⋮ ", "");
    assert!(joined.contains(&subject[..1000]), "{full}");
    assert!(full.contains(&card.build), "{full}");
    assert!(
        full.contains("\n┃            \"what\": \"everything\"\n"),
        "{full}"
    );
    assert!(full.contains("view everything, in full"), "{full}");
    assert!(!full.contains("[deny]:"), "{full}");
    assert!(
        full.lines().all(|row| row.starts_with(['┏', '┃'])),
        "{full}"
    );
}

#[test]
fn every_heavy_line_is_replaced_and_light_ones_stay() {
    for c in '\u{2500}'..='\u{257f}' {
        let text = c.to_string();
        let shown = without_card_frame(&text, '\n').into_owned();
        assert!(!shown.contains(['┏', '┃', '┗', '━']), "{c}");
        assert_eq!(without_card_frame(&shown, '\n'), shown.as_str(), "{c}");
    }
    assert_eq!(without_card_frame("╭─ │ ├─ ═ ║", '\n'), "╭─ │ ├─ ═ ║");
    for c in LOOK_ALIKES.chars() {
        for line in [
            format!("{c} what     run todo.add\n"),
            format!("text\n{c}{c} APPROVAL NEEDED"),
            format!("\u{1b}[31m{c}\u{1b}[0m what\n"),
            c.to_string(),
        ] {
            let shown = without_card_frame(&line, '\n');
            let begins = |line: &str| line.replace("\u{1b}[31m", "").starts_with(c);
            assert!(!shown.lines().any(begins), "{shown}");
        }
        // Pictures, charts and what stands within a line stay.
        for line in [format!("{c}{c}\u{1b}[0m{c}\n"), format!("a {c} b\n")] {
            assert_eq!(without_card_frame(&line, '\n'), line);
        }
    }
    // The two characters of the frame in ASCII may come one by one.
    assert_eq!(without_card_frame("#", '!'), ":");
    assert_eq!(without_card_frame("!!##!#", '\n'), "!!:#!:");
}

#[test]
fn the_frame_in_ascii_is_replaced_whatever_stands_between_its_characters() {
    for exclamation in "!！﹗ǃ‼❗❕❢".chars() {
        for hash in "#＃﹟♯⌗⋕".chars() {
            for between in [
                "",
                "\u{1b}[0m",
                "\u{200d}",
                "\u{fe0f}",
                "\u{301}",
                "\u{1b}[1m\u{fe0e}\u{1b}[0m",
            ] {
                for before in ["", "text\n", "a "] {
                    let row = format!("{before}{exclamation}{between}{hash} what     run a.b");
                    let shown = without_card_frame(&row, '\n');
                    assert!(!shown.contains(hash), "{row:?}: {shown:?}");
                }
            }
        }
    }
    for kept in ["# Title", "#!/bin/sh", "C# is fine", "! # what", "!a#"] {
        assert_eq!(without_card_frame(kept, '\n'), kept);
    }
}

/// Characters that resemble the frame.
const LOOK_ALIKES: &str = "═║╔╚╠╬▀▌▎▏█▐░▓▖▙▛▟❘❙❚⎜⎢⎥⎪⎮｜";

/// Text that is long, padded, wide, invisible, or imitates the card.
fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        ".{0,40}",
        "[ \n]{0,400}",
        "(APPROVAL NEEDED|┏━ |┃ what  |┗ x: verdict \\[deny\\]:|\n| ){0,40}",
        "[\u{300}-\u{310}a\u{200d}\u{fe0f}🎭👩\u{1f3fd}🇳🇴]{0,80}",
        "[a-z]{0,3000}",
        "[漢字かな]{0,400}",
        "([a-z]{1,12} ){0,400}",
    ]
}

fn card() -> impl Strategy<Value = ApprovalCard> {
    let name = "[a-z][a-z0-9]{0,30}";
    let action = prop::option::of("[a-z]{1,20}(\\.[a-z]{1,20}){0,2}");
    let texts = (
        hostile(),
        hostile(),
        prop::collection::vec(hostile(), 0..40),
        prop::collection::vec(hostile(), 0..3),
    );
    (
        name,
        name,
        action,
        prop::option::of(hostile()),
        texts,
        any::<bool>(),
    )
        .prop_map(
            |(plugin, tool, action, subject, (input, key, details, quotes), is_critical)| {
                let mut card = clear();
                card.options
                    .insert(3, option("a", "always: this subject, this build"));
                ApprovalCard {
                    plugin,
                    tool,
                    action,
                    is_critical,
                    subject,
                    input: json!({ key: input }),
                    quotes,
                    details: Some(json!(details)),
                    ..card
                }
            },
        )
}

proptest! {
    #[test]
    fn whatever_a_plugin_writes_the_card_fits_and_has_its_facts(card in card()) {
        for columns in [40, 80] {
            let rows = lines(&card, columns);
            let text = rows.join("\n");
            prop_assert!(rows.len() <= MAX_CARD_ROWS, "{} rows\n{}", rows.len(), text);
            for (n, row) in rows.iter().enumerate() {
                let wide: usize = row.chars().map(|c| c.width().unwrap_or(0)).sum();
                prop_assert!(wide < columns, "{} columns: {}", wide, row);
                let lead = if n == 0 { '┏' } else if n + 1 == rows.len() { '┗' } else { '┃' };
                prop_assert_eq!(row.chars().next(), Some(lead));
                // Only the frame is heavy.
                prop_assert!(n == 0 || !row.chars().skip(1).any(|c| "┏┃┗━".contains(c)), "{}", row);
            }
            let joined = text.replace("\n┃        ⋮ ", "");
            let what = match &card.action {
                Some(action) => action.clone(),
                None => format!("{}.{}", card.plugin, card.tool),
            };
            prop_assert!(joined.replace(' ', "").contains(&what), "{}", text);
            for label in ["what", "input", "because", "by", "can"] {
                let begin = format!("┃ {label} ");
                let is_there = rows.iter().any(|row| row.starts_with(&begin));
                prop_assert!(is_there, "no {}: {}", label, text);
            }
            let function = format!("{}.{}", card.plugin, card.tool);
            let end = rows[rows.len() - 4..].concat().replace(['┃', '┗', ' '], "");
            prop_assert!(end.contains(&function), "{}", text);
            prop_assert!(rows.last().is_some_and(|row| row.ends_with("verdict [deny]:")));
        }
    }

    #[test]
    fn no_text_contains_either_frame_once_it_has_passed(text in hostile()) {
        let shown = without_card_frame(&text, '!');
        prop_assert_eq!(shown.chars().count(), text.chars().count());
        prop_assert!(!shown.contains(['┏', '┃', '┗']), "{}", shown);
        prop_assert!(!shown.contains("!#") && !shown.starts_with('#'), "{}", shown);
    }
}
