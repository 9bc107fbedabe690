//! Hostile data does not change the state of a terminal: title, clipboard, modes and cursor.

use footlight_render::lower::Lower;
use footlight_render::terminal::{Colour, Terminal};
use footlight_render::view::View;
use footlight_vocabulary::normalise::normalise;
use serde_json::{Value, json};
use std::num::NonZero;

const ROWS: NonZero<u16> = NonZero::new(400).expect("is not 0");
const COLUMNS: NonZero<u16> = NonZero::new(80).expect("is not 0");

/// Known escape sequence attacks.
const ATTACKS: &[&str] = &[
    "\u{1b}]0;title\u{7}",
    "\u{1b}]2;title\u{1b}\\",
    "\u{9d}0;title\u{9c}",
    "\u{1b}]1;icon\u{7}",
    "\u{1b}]52;c;aGFja2Vk\u{7}",
    "\u{1b}]52;c;?\u{1b}\\",
    "\u{1b}]8;;file:///etc/passwd\u{1b}\\here\u{1b}]8;;\u{1b}\\",
    "\u{1b}]1337;SetMark\u{7}",
    "\u{1b}]9;4;1;50\u{7}",
    "\u{1b}]7;file://host/\u{7}",
    "\u{1b}P+q544e\u{1b}\\",
    "\u{90}1$r0m\u{9c}",
    "\u{1b}_Gf=24,s=1,v=1;AAAA\u{1b}\\",
    "\u{1b}^private\u{1b}\\",
    "\u{1b}Xstring\u{1b}\\",
    "\u{1b}[2J\u{1b}[H",
    "\u{1b}[1A\u{1b}[2K",
    "\u{1b}[?25l",
    "\u{1b}[?1049h",
    "\u{1b}[?1000h\u{1b}[?1006h",
    "\u{1b}[?2004h",
    "\u{1b}=",
    "\u{1b}[5n\u{1b}[6n\u{1b}[c",
    "\u{1b}[8m",
    "\u{1b}[31;7;5m",
    "\u{9b}31m",
    "\u{1b}(0",
    "\u{1b}c",
    "\u{1b}#8",
    "\u{e}\u{f}",
    "\u{7}\u{8}\u{b}\u{c}\u{0}\u{7f}",
    "safe\rrm -rf /",
    "\u{1b}",
    "\u{1b}[",
    "\u{1b}]0;never closed",
    "\u{202e}gpj.exe\u{2066}\u{200f}",
    "\u{e0041}\u{e0042}\u{fe0f}\u{fe0f}\u{feff}",
];

/// Puts the attack into every string that a plugin controls.
fn views(attack: &str) -> Vec<View> {
    let lower = Lower::default();
    let kinds: Vec<Value> = vec![
        json!({ "kind": "text", "data": { "content": attack }, "summary": attack }),
        json!({ "kind": "markdown", "data": { "content":
            format!("# {attack}\n\n[{attack}](https://example.org/{attack})\n\n```{attack}\n{attack}\n```\n\n| {attack} |\n| --- |\n| {attack} |\n") } }),
        json!({ "kind": "code", "data": { "content": attack, "language": attack, "path": attack } }),
        json!({ "kind": "diff", "data": { "path": attack, "original": "a\n", "modified": format!("{attack}\n") } }),
        json!({ "kind": "file_list", "data": { "path": attack, "entries": [{ "name": attack, "type": attack, "modified": attack }] } }),
        json!({ "kind": "table", "data": { "columns": [{ "key": attack, "label": attack }], "rows": [{ attack: attack }] } }),
        json!({ "kind": "image", "mimeType": "image/png", "data": { "url": attack, "alt": attack } }),
        json!({ "kind": "chart", "data": { "type": "bar", "title": attack, "x": { "key": "x" },
            "series": [{ "key": "y", "label": attack }], "rows": [{ "x": attack, "y": 1 }] } }),
        json!({ "kind": "facts", "data": { "facts": [{ "label": attack, "value": attack }] } }),
        json!({ "kind": "list", "data": { "items": [{ "text": attack, "detail": attack, "url": attack }] } }),
        json!({ "kind": "log", "data": { "lines": [{ "text": attack, "level": attack, "time": attack }, attack] } }),
        json!({ "kind": "link", "data": { "url": attack, "title": attack } }),
        json!({ "kind": "acme.other", "summary": attack, "data": { attack: [attack, { attack: attack }] } }),
    ];
    let mut views: Vec<View> = kinds
        .into_iter()
        .map(|value| lower.result(&normalise(value).expect("a result")))
        .collect();
    views.push(lower.component(
        &json!({ "type": "Card", "status": { "text": attack }, "children": [
        { "type": "Title", "value": attack },
        { "type": "Badge", "label": attack },
        { "type": "Icon", "name": "check" },
        { "type": "Button", "label": attack, "onClickAction": { "type": "go" } },
        { "type": "Input", "name": "a", "placeholder": attack },
        { "type": "Select", "name": "b", "options": [{ "value": "x", "label": attack }] } ] }),
    ));
    views
}

/// The requests that a terminal emulator receives beyond drawing.
#[derive(Default)]
struct Heard {
    requests: Vec<String>,
}

impl vt100::Callbacks for Heard {
    fn audible_bell(&mut self, _: &mut vt100::Screen) {
        self.requests.push("bell".into());
    }

    fn visual_bell(&mut self, _: &mut vt100::Screen) {
        self.requests.push("visual bell".into());
    }

    fn set_window_title(&mut self, _: &mut vt100::Screen, title: &[u8]) {
        self.requests.push(format!("title {title:?}"));
    }

    fn set_window_icon_name(&mut self, _: &mut vt100::Screen, name: &[u8]) {
        self.requests.push(format!("icon {name:?}"));
    }

    fn copy_to_clipboard(&mut self, _: &mut vt100::Screen, kind: &[u8], data: &[u8]) {
        self.requests.push(format!("clipboard {kind:?} {data:?}"));
    }

    fn paste_from_clipboard(&mut self, _: &mut vt100::Screen, kind: &[u8]) {
        self.requests.push(format!("paste {kind:?}"));
    }

    fn unhandled_escape(&mut self, _: &mut vt100::Screen, _: Option<u8>, _: Option<u8>, c: u8) {
        self.requests.push(format!("escape {c}"));
    }

    fn unhandled_control(&mut self, _: &mut vt100::Screen, c: u8) {
        self.requests.push(format!("control {c}"));
    }

    fn unhandled_csi(
        &mut self,
        _: &mut vt100::Screen,
        _: Option<u8>,
        _: Option<u8>,
        _: &[&[u16]],
        c: char,
    ) {
        self.requests.push(format!("csi {c}"));
    }

    fn unhandled_osc(&mut self, _: &mut vt100::Screen, parts: &[&[u8]]) {
        // The hyperlinks that we emit are OSC 8 with an https address.
        let ours = matches!(parts, [b"8", b"", b""])
            || matches!(parts, [b"8", b"", address] if address.starts_with(b"https://example.org/"));
        if !ours {
            self.requests.push(format!("osc {parts:?}"));
        }
    }
}

#[test]
fn hostile_data_leaves_the_terminal_as_it_was() {
    for attack in ATTACKS {
        // Letters on both sides make the effect visible.
        let attack = format!("before{attack}after");
        for (n, view) in views(&attack).iter().enumerate() {
            for colour in [Colour::None, Colour::Sixteen, Colour::Many, Colour::True] {
                let mut terminal = Terminal::new(80);
                terminal.colour = colour;
                terminal.links = colour != Colour::None;
                let drawing = terminal.draw(view);
                let mut parser =
                    vt100::Parser::new_with_callbacks(ROWS, COLUMNS, 0, Heard::default());
                parser.process(drawing.text.replace('\n', "\r\n").as_bytes());
                let requests = &parser.callbacks().requests;
                assert!(requests.is_empty(), "{attack:?} in view {n}: {requests:?}");
                let screen = parser.screen();
                assert!(
                    !screen.hide_cursor()
                        && !screen.alternate_screen()
                        && !screen.application_keypad()
                        && !screen.application_cursor()
                        && !screen.bracketed_paste()
                        && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None,
                    "{attack:?} in view {n} changed a mode"
                );
                // Each line was written below the previous one: the cursor never moved back, and no
                // style remains set.
                let rows = u16::try_from(drawing.rows(80)).expect("few rows");
                assert_eq!(
                    screen.cursor_position(),
                    (rows, 0),
                    "{attack:?} in view {n}"
                );
                assert_eq!(screen.fgcolor(), vt100::Color::Default);
                assert!(!screen.bold() && !screen.inverse() && !screen.underline());
            }
        }
    }
}

#[test]
fn existing_screen_content_is_not_overwritten() {
    let above = "footlight wants your approval\r\n";
    for attack in ATTACKS {
        for view in views(attack) {
            let mut parser = vt100::Parser::new(ROWS, COLUMNS, 0);
            parser.process(above.as_bytes());
            let text = Terminal::new(80).draw(&view).text;
            parser.process(text.replace('\n', "\r\n").as_bytes());
            let first = parser.screen().contents_between(0, 0, 0, 80);
            assert_eq!(first.trim_end(), above.trim_end(), "{attack:?}");
        }
    }
}
