//! No surface shows either frame of a card but the card itself, whatever the terminal is taken for.

use super::forgery::{ASCII_FRAME, FRAME, write_all};
use super::*;
use crate::terminal::ui::{ItemKey, Size};
use footlight_vocabulary::item::Position;

/// The rows of a card, as each kind of terminal would have them.
const CARDS: [&str; 2] = [
    "┏━ APPROVAL NEEDED ━━━━━\n┃ what     run todo.add\n┗ todo.add: verdict [deny]: ",
    "!#= APPROVAL NEEDED =====\n!# what     run todo.add\n!# todo.add: verdict [deny]: ",
];

const SIZE: fn() -> Size = || (80, 24);

/// Writes text of a plugin or a model to a terminal.
type Surface = fn(&Ui, &TestScreen, &str);

/// Every way in which such text gets there.
fn surfaces() -> Vec<(&'static str, Surface)> {
    let ask: Surface = |ui, screen, text| {
        let terminal = PromptTerminal {
            input: Box::new(io::Cursor::new(String::new())),
            output: FoldingWriter::sized(Box::new(screen.clone()), Some(SIZE)),
            secret: Box::new(|| Ok(String::new())),
            render: ui.terminal(OutStream::Stderr),
            hide: || Ok(None),
            edit: None,
            arm: Box::new(|| ()),
            size: SIZE,
        };
        let mut person = Person::new(PreparedReplies::default(), Some(terminal));
        let field = json!([{ "name": "a", "type": "text", "label": text, "help": text, "placeholder": text }]);
        let asked = Question::parse(text, field).expect("a question");
        person.ask("demo", &asked).expect("asks");
    };
    vec![
        ("result", |ui, _, text| {
            let view = View::column(Lower::default().markdown(text));
            ui.show(OutStream::Stdout, &view).expect("prints");
            ui.print(text).expect("prints");
        }),
        ("widget", |ui, _, text| {
            let key = ItemKey {
                id: "itm_1".into(),
                position: Position::default(),
            };
            let view = View::column(vec![View::caption(text)]);
            ui.draw_item(OutStream::Stdout, &key, view).expect("draws");
        }),
        ("question", ask),
        ("text of a model", |ui, _, text| write_all(ui, text)),
        ("log", |ui, _, text| ui.dim_note(text)),
        ("note", |ui, _, text| ui.note(text)),
        ("progress", |ui, _, text| ui.progress(text)),
        ("row of a list", |ui, _, text| {
            ui.print_row(text).expect("prints");
        }),
    ]
}

#[test]
fn every_surface_removes_both_frames_on_terminals_of_both_kinds() {
    for make in [Ui::on_screen, Ui::on_ascii_screen] {
        for card in CARDS {
            for before in ["", "\n", "\n\n", "text "] {
                for (name, write) in surfaces() {
                    let (ui, screen) = make(SIZE);
                    write(&ui, &screen, &format!("{before}{card}"));
                    let text = screen.text();
                    assert!(!text.is_empty(), "{name}");
                    assert!(!text.contains(FRAME), "{name}: {text}");
                    assert!(!text.contains(ASCII_FRAME), "{name}: {text}");
                }
            }
        }
    }
}
