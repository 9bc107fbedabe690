//! Consent prompts: the host's own questions, before it uses what a stranger placed.
//!
//! Invariant: everything but a clear yes to the question on the screen is a no.

use super::{Person, read_line};
use footlight_render::terminal::ConsentCard;
use std::io::{self, Write};

impl Person {
    /// Asks the person to agree. What was typed before the person can have read the
    /// question is no answer to it, and nobody to ask means no.
    pub(crate) fn agrees(&mut self, card: &ConsentCard) -> io::Result<bool> {
        let Some(terminal) = &mut self.terminal else {
            return Ok(false);
        };
        terminal.output.begin();
        loop {
            // The screen may have another size than when the program started.
            let (width, height) = (terminal.size)();
            terminal.render.width = width;
            let question = terminal.render.draw_consent(card, height);
            write!(terminal.output, "{question} ")?;
            terminal.output.flush()?;
            (terminal.arm)();
            let line = read_line(terminal.input.as_mut(), &mut terminal.output)?;
            match line.unwrap_or_default().trim().to_lowercase().as_str() {
                "y" | "yes" => return Ok(true),
                "v" | "view" => {
                    let all = terminal.render.draw_consent_in_full(card);
                    write!(terminal.output, "{all}")?;
                }
                _ => return Ok(false),
            }
        }
    }
}
