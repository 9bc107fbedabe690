//! Properties of every drawing, and details that snapshots do not show.

mod any;

use super::*;
use crate::view::{
    Diff, DiffHunk, DiffLine, Group, Inline, Layout, Mark, Shape, Tree, TreeNode, Widget,
};
use any::{button, view};
use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

fn coloured(width: usize) -> Terminal {
    Terminal {
        colour: Colour::True,
        links: true,
        ..Terminal::new(width)
    }
}

/// Removes SGR and OSC 8 sequences, which are the only ones we emit. Any other sequence stays and
/// is detected.
fn bare(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = match rest.strip_prefix("\u{1b}]8;;") {
            Some(address) => address.find("\u{1b}\\").map(|end| end + 7),
            None => rest.strip_prefix("\u{1b}[").and_then(|body| {
                let end = body.find(|c: char| !c.is_ascii_digit() && c != ';')?;
                body[end..].starts_with('m').then_some(end + 3)
            }),
        };
        match end {
            Some(end) => rest = &rest[end..],
            None => {
                out.push_str(rest);
                return out;
            }
        }
    }
    out + rest
}

/// Checks that no line is too wide, that no foreign escape sequence remains, and that the number of
/// rows is correct.
fn check(view: &View, terminal: &Terminal) -> Result<(), String> {
    let drawing = terminal.draw(view);
    let text = bare(&drawing.text);
    // We isolate right-to-left text ourselves.
    let text = text.replace(['\u{2068}', '\u{2069}'], "");
    if let Some(c) = text.chars().find(|c| crate::filter::is_forbidden(*c)) {
        return Err(format!("forbidden {c:?} in {:?}", drawing.text));
    }
    let most = terminal
        .width
        .clamp(Terminal::MIN_WIDTH, Terminal::MAX_WIDTH);
    for line in text.lines() {
        if line.width() > most {
            return Err(format!("{} > {most}: {line:?}", line.width()));
        }
    }
    if drawing.rows(most) != text.lines().count() {
        return Err("not as many rows as tone".to_owned());
    }
    let bare = terminal.plain || terminal.colour == Colour::None && !terminal.links;
    if bare && drawing.text.contains('\u{1b}') {
        return Err("an escape in a drawing without styles".to_owned());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_line_is_wider_than_the_terminal_and_nothing_hostile_gets_out(
        view in view(), width in 1..210_usize, unicode: bool, plain: bool,
    ) {
        for terminal in [Terminal::new(width), coloured(width)] {
            let terminal = Terminal { unicode, plain, ..terminal };
            prop_assert_eq!(check(&view, &terminal), Ok(()));
        }
    }
}

#[test]
fn a_drawing_lists_its_actions() {
    let mut group = Group::new(
        Layout::Card,
        vec![View::Button(button("Save".into(), false))],
    );
    group.footer = vec![button("Off".into(), true)];
    let shown = View::Widget(Widget {
        id: Some("wid_1".into()),
        rev: 3,
        widget: "todo".into(),
        from: None,
        body: Box::new(View::Group(group)),
    });
    let terminal = Terminal {
        last_action: 10,
        ..Terminal::new(40)
    };
    let drawing = terminal.draw(&shown);
    assert!(drawing.text.contains("[17] Save"), "{}", drawing.text);
    let actions: Vec<_> = drawing.actions.iter().collect();
    assert_eq!(actions.len(), 1);
    assert_eq!((actions[0].number, actions[0].label.as_str()), (17, "Save"));
    assert_eq!(actions[0].item, Some(("wid_1".to_owned(), 3)));
}

#[test]
fn rows_are_counted_for_the_current_width() {
    let drawing = Terminal::new(80).draw(&View::text("x".repeat(60)));
    assert_eq!(
        (drawing.rows(80), drawing.rows(30), drawing.rows(0)),
        (1, 2, 60)
    );
    let empty = Terminal::new(80).draw(&View::Hidden);
    assert!(empty.is_empty() && empty.rows(80) == 0);
}

#[test]
fn a_tree_deeper_than_the_stack_is_cut() {
    let mut view = View::text("deep");
    for _ in 0..500 {
        view = View::Quote(vec![view]);
    }
    assert!(Terminal::new(80).draw(&view).text.contains("… nested"));
    let mut node = leaf_node("deep");
    for _ in 0..500 {
        node = TreeNode {
            shape: Shape::Array { len: 1 },
            children: vec![node],
            ..leaf_node("")
        };
    }
    let tree = Terminal::new(80).draw(&View::Tree(Tree { root: node }));
    let drawn = tree.text.lines().count() - 2;
    let cut = format!("… {} more values", 500 - drawn);
    assert!(tree.text.contains(&cut), "{cut}\n{}", tree.text);
}

fn leaf_node(text: &str) -> TreeNode {
    TreeNode {
        key: Some("0".into()),
        shape: Shape::Leaf,
        value: Inline::plain(text),
        children: Vec::new(),
        more: None,
    }
}

/// Rows contents rows are measured before they are drawn; a level must not double the work.
#[test]
fn nested_rows_do_not_take_exponential_time() {
    let mut view = View::text("a text that does not fit beside another of its kind ".repeat(3));
    for _ in 0..40 {
        view = View::Group(Group::new(Layout::Row, vec![view, View::text("beside")]));
    }
    assert!(!Terminal::new(40).draw(&view).is_empty());
}

#[test]
fn highlighting_stops_when_its_budget_is_used_up() {
    let code = View::Code(crate::view::Code {
        text: "let x = 1;\n".repeat(2_000),
        language: Some("rust".into()),
        path: None,
        cut: None,
    });
    let keyword = "\u{1b}[35mlet";
    let drawn = |count: usize| {
        let view = View::column(vec![code.clone(); count]);
        let text = coloured(80).draw(&view).text;
        (text.matches("let").count(), text.matches(keyword).count())
    };
    assert_eq!(drawn(2), (4_000, 4_000));
    assert_eq!(drawn(4), (8_000, 4_000));
}

#[test]
fn a_diff_has_two_columns_if_the_terminal_is_wide() {
    let line = |mark, old, new, text: &str| DiffLine {
        mark,
        old,
        new,
        text: text.to_owned(),
    };
    let diff = View::Diff(Diff {
        path: "a".into(),
        is_new: false,
        language: None,
        added: 1,
        removed: 1,
        hunks: vec![DiffHunk {
            old_start: 1,
            old_lines: 1,
            new_start: 1,
            new_lines: 1,
            lines: vec![
                line(Mark::Removed, Some(1), None, "before"),
                line(Mark::Added, None, Some(1), "after"),
            ],
        }]
        .into(),
        cut: None,
    });
    let wide = Terminal::new(140).draw(&diff).text;
    let row = wide.lines().find(|line| line.contains("before"));
    assert!(row.is_some_and(|row| row.contains("after")), "{wide}");
    let narrow = Terminal::new(80).draw(&diff).text;
    assert!(
        !narrow
            .lines()
            .any(|line| line.contains("before") && line.contains("after"))
    );
}
