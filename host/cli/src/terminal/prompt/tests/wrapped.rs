//! However long the texts of a question are, and however narrow the terminal is, none of them begins a row.

use super::forgery::rows;
use super::*;
use crate::terminal::ui::Size;
use std::io::{BufReader, Read};

/// Text that a terminal would continue at its first column: words, one word, wide characters, and rows of a card
/// behind as many spaces as reach the next row.
fn long() -> impl Strategy<Value = String> {
    prop_oneof![
        "Z{0,900}",
        "(Z{1,30} ){0,60}",
        "漢{0,400}",
        "(漢|Z| ){0,400}",
        "(Z\u{301}|Z\u{fe0f}|漢\u{fe0f}){0,200}",
        " {60,80}(Z APPROVAL NEEDED {20,64}){1,4}",
    ]
}

const SIZES: [fn() -> Size; 4] = [|| (80, 24), || (40, 24), || (20, 24), || (8, 24)];

/// What is typed, which the terminal shows as it is read.
struct Echoing(io::Cursor<String>, TestScreen);

impl Read for Echoing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(buffer)?;
        self.1.write_all(&buffer[..length])?;
        Ok(length)
    }
}

fn person_on(size: fn() -> Size, typed: &str) -> (Person, TestScreen) {
    let (mut person, screen) = person(PreparedReplies::default(), "");
    let terminal = person.terminal.as_mut().expect("a terminal");
    let typed = Echoing(io::Cursor::new(typed.to_owned()), screen.clone());
    terminal.input = Box::new(BufReader::with_capacity(1, typed));
    terminal.output = FoldingWriter::sized(Box::new(screen.clone()), Some(size));
    // The screen became narrower since the program started.
    terminal.size = size;
    // The line feed behind a secret is echoed, the secret is not.
    let mut echo = screen.clone();
    terminal.secret = Box::new(move || {
        echo.write_all(b"\n")?;
        Ok("hunter2".to_owned())
    });
    (person, screen)
}

/// Reports whether text of a plugin stands where the rows of a card begin.
fn begins_with_text(row: &str) -> bool {
    row.starts_with(['Z', '漢']) || row.starts_with("APPROVAL")
}

proptest! {
    #[test]
    fn no_text_of_a_question_begins_a_row(
        texts in prop::collection::vec(long(), 6),
        control in prop::sample::select(vec![
            "confirm", "select", "radio", "buttons", "checkbox", "text", "textarea", "number", "date", "secret",
        ]),
        is_default in any::<bool>(),
    ) {
        let mut field = json!({ "name": "f", "type": control, "label": texts[0], "help": texts[1], "placeholder": texts[2] });
        if matches!(control, "select" | "radio" | "buttons" | "checkbox") {
            field["options"] = json!([
                { "value": "a", "label": texts[3], "description": texts[4] },
                { "value": "b", "label": texts[5], "recommended": true },
            ]);
            if is_default {
                field["default"] = json!("a");
            }
        }
        let Ok(question) = Question::parse(&format!("{}x", texts[5]), json!([field])) else { return Ok(()) };
        for size in SIZES {
            for typed in ["", "no such\n", "1\n"] {
                let (mut person, screen) = person_on(size, typed);
                person.ask("demo", &question).expect("asks");
                // Where it folds, what is left is looked at, too.
                let (written, columns) = (screen.text(), size().0);
                let unfolded = written.rfind("\r\u{1b}[J").map_or("", |at| &written[..at]);
                for text in [unfolded, &written] {
                    for row in rows(text, (columns, 500)) {
                        prop_assert!(!begins_with_text(&row), "{}: {}\n{}", columns, row, text);
                    }
                }
            }
        }
    }

    #[test]
    fn no_text_of_a_list_or_a_note_begins_a_row(text in long()) {
        for size in SIZES {
            let (ui, screen) = Ui::on_screen(size);
            let entry = format!("id_1  demo asks: {text}");
            ui.print_rows(&[()], "none", |()| entry.clone()).expect("prints");
            ui.note(&entry);
            ui.progress(&entry);
            ui.end_partial_line();
            for row in rows(&screen.text(), (size().0, 500)) {
                prop_assert!(!begins_with_text(&row), "{}", row);
            }
        }
    }
}
