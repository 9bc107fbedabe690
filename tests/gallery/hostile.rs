//! Draws what a malicious plugin shows on an emulated terminal, and checks that the terminal is as before.
//!
//! The renderers' own tests attack each view; this goes the whole way, from a guest's bytes through the host and its
//! record.

use super::Gallery;
use footlight_render::terminal::{Colour, Terminal};
use std::num::NonZero;

const COLUMNS: NonZero<u16> = NonZero::new(80).expect("is not 0");
const ROWS: NonZero<u16> = NonZero::new(2_000).expect("is not 0");

#[tokio::test]
async fn hostile_data_leaves_the_terminal_as_it_was() {
    let gallery = Gallery::open().await;
    let above = "footlight wants your approval";
    for tool in gallery.tools() {
        let views = gallery.views(&gallery.play(&tool, "hostile").await);
        for colour in [Colour::None, Colour::Sixteen, Colour::True] {
            let mut terminal = Terminal::new(80);
            terminal.colour = colour;
            terminal.links = colour != Colour::None;
            let mut parser = vt100::Parser::new(ROWS, COLUMNS, 0);
            parser.process(format!("{above}\r\n").as_bytes());
            let mut rows = 1;
            for view in &views {
                let drawing = terminal.draw(view);
                parser.process(drawing.text.replace('\n', "\r\n").as_bytes());
                rows += drawing.rows(80);
            }
            let screen = parser.screen();
            let rows = u16::try_from(rows).expect("fits on the screen");
            assert_eq!(screen.cursor_position(), (rows, 0), "{tool}");
            assert_eq!(
                screen.contents_between(0, 0, 0, 80).trim_end(),
                above,
                "{tool}"
            );
            assert!(
                !screen.hide_cursor() && !screen.alternate_screen(),
                "{tool}"
            );
            assert!(
                !screen.bracketed_paste() && !screen.application_keypad(),
                "{tool}"
            );
            assert_eq!(
                screen.mouse_protocol_mode(),
                vt100::MouseProtocolMode::None,
                "{tool}"
            );
            assert_eq!(screen.fgcolor(), vt100::Color::Default, "{tool}");
            assert!(
                !screen.bold() && !screen.inverse() && !screen.underline(),
                "{tool}"
            );
        }
    }
}
