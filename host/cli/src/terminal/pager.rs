//! What is longer than the screen: through the person's pager, or as much as fits and how to see the
//! rest; all of it if it cannot be had again.
//!
//! Invariant: no shell. `PAGER` is split at white space, and run with what is shown as its input.

use crate::terminal::interrupt::Interrupts;
use crate::terminal::ui::{CursorPosition, Ui};
use footlight_render::filter;
use std::io::{self, Write};
use std::process::{Command, Stdio};

/// How to see everything.
const REMEDY: &str = "all of it: --no-pager, or a pager such as PAGER=less";

/// Shows lines on stdout that can be had again.
pub(crate) fn show(ui: &Ui, text: &str) -> io::Result<()> {
    shown(ui, text, true)
}

/// Shows lines on stdout that are kept nowhere: where there is no pager, all of them.
pub(crate) fn show_once(ui: &Ui, text: &str) -> io::Result<()> {
    shown(ui, text, false)
}

fn shown(ui: &Ui, text: &str, is_kept: bool) -> io::Result<()> {
    let (width, height) = ui.size();
    let mut place = CursorPosition::default();
    place.write(text, width);
    // The prompt of the shell takes a row, too.
    if !ui.pages || !ui.stdout_is_terminal() || place.row < height {
        return match text.is_empty() {
            true => Ok(()),
            false => ui.print(text),
        };
    }
    match chosen(std::env::var("PAGER").ok().as_deref()) {
        Some(mut pager) => {
            ui.end_partial_line();
            let paged = page(&mut pager, text);
            ui.note_external_output(None);
            if let Err(error) = paged {
                let name = pager.get_program().to_string_lossy().into_owned();
                ui.note(&format!(
                    "the pager `{}` does not show this ({error}); change PAGER",
                    filter::line(&name, 60)
                ));
                return ui.print(text);
            }
            Ok(())
        }
        None if !is_kept => ui.print(text),
        None => {
            let (shown, left) = cut(text, width, height.saturating_sub(2).max(4));
            ui.print(shown)?;
            ui.note(&format!("… {left} more lines; {REMEDY}"));
            Ok(())
        }
    }
}

/// The program that a person pages with, as `PAGER` says.
fn chosen(pager: Option<&str>) -> Option<Command> {
    let mut words = pager?.split_whitespace();
    let mut command = Command::new(words.next()?);
    command.args(words);
    // As git does: end at once if it fits after all, keep the colours, leave the screen alone.
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    if std::env::var_os("LV").is_none() {
        command.env("LV", "-c");
    }
    Some(command)
}

/// Runs a pager. One that fails may have shown nothing, whatever it took.
fn page(pager: &mut Command, text: &str) -> io::Result<()> {
    let mut child = pager.stdin(Stdio::piped()).spawn()?;
    // Ctrl-C is the pager's to understand: it would be left alone with the terminal.
    let _held = Interrupts::watch().suspend();
    if let Some(mut stdin) = child.stdin.take() {
        // Whoever has read enough goes.
        let _ = stdin.write_all(text.as_bytes());
    }
    let status = child.wait()?;
    match status.success() {
        true => Ok(()),
        false => Err(io::Error::other(status.to_string())),
    }
}

/// The first lines, as many as take so many rows, and how many lines are left.
fn cut(text: &str, width: usize, rows: usize) -> (&str, usize) {
    let (mut place, mut end) = (CursorPosition::default(), 0);
    for line in text.split_inclusive('\n') {
        place.write(line, width);
        if place.row > rows {
            break;
        }
        end += line.len();
    }
    (&text[..end], text[end..].lines().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pager_is_split_at_white_space_and_no_shell_sees_it() {
        let pager = chosen(Some("less -i '$(reboot)'")).expect("is one");
        let words: Vec<_> = pager.get_args().collect();
        assert_eq!(pager.get_program(), "less");
        assert_eq!(words, ["-i", "'$(reboot)'"]);
        assert!(chosen(None).is_none() && chosen(Some(" ")).is_none());
    }

    #[test]
    fn a_cut_counts_rows_to_show_and_lines_that_are_left() {
        assert_eq!(cut("a\nb\nc\nd\n", 10, 2), ("a\nb\n", 2));
        assert_eq!(cut("0123456789abc\nb\nc\n", 10, 2), ("0123456789abc\n", 2));
        assert_eq!(cut("a\n", 10, 2), ("a\n", 0));
    }
}
