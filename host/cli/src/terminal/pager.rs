//! Shows long output through the program in `PAGER`, or shortens it if there is none.
//!
//! Invariant: no shell is involved. `PAGER` is split at white space.

use crate::terminal::interrupt::Interrupts;
use crate::terminal::ui::{CursorPosition, OutStream, Ui};
use footlight_render::filter;
use std::io::{self, Write};
use std::process::{Command, Stdio};

/// How to see all output.
const REMEDY: &str = "show all: --no-pager, or a pager such as PAGER=less";

/// Shows output that can be shown again.
pub(crate) fn show(ui: &Ui, text: &str) -> io::Result<()> {
    shown(ui, text, true)
}

/// Shows output that is stored nowhere, and is therefore never shortened.
pub(crate) fn show_once(ui: &Ui, text: &str) -> io::Result<()> {
    shown(ui, text, false)
}

fn shown(ui: &Ui, text: &str, is_kept: bool) -> io::Result<()> {
    let (width, height) = ui.size();
    let mut place = CursorPosition::default();
    place.write(text, width);
    // The prompt of the shell needs a row, too.
    if !ui.pages || !ui.stdout_is_terminal() || place.row < height {
        return match text.is_empty() {
            true => Ok(()),
            false => ui.print(text),
        };
    }
    match chosen(std::env::var("PAGER").ok().as_deref()) {
        Some(mut pager) => {
            ui.end_partial_line();
            let paged = page(&mut pager, &ui.guarded(OutStream::Stdout, text));
            ui.note_external_output(None);
            if let Err(error) = paged {
                let name = pager.get_program().to_string_lossy().into_owned();
                ui.note(&format!(
                    "the pager `{}` failed ({error}); change PAGER",
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

/// Returns the program in `PAGER`.
fn chosen(pager: Option<&str>) -> Option<Command> {
    let mut words = pager?.split_whitespace();
    let mut command = Command::new(words.next()?);
    crate::secrets::remove_from_environment(&mut command);
    command.args(words);
    // The defaults of git: exit at once if the text fits, keep colours, do not clear the screen.
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    if std::env::var_os("LV").is_none() {
        command.env("LV", "-c");
    }
    Some(command)
}

/// Runs a pager. If it fails, it may have shown nothing.
fn page(pager: &mut Command, text: &str) -> io::Result<()> {
    let mut child = pager.stdin(Stdio::piped()).spawn()?;
    // Ctrl-C is for the pager: if this process quit, both it and the shell would read the terminal.
    let _held = Interrupts::watch().suspend();
    if let Some(mut stdin) = child.stdin.take() {
        // The person may quit before the end.
        let _ = stdin.write_all(text.as_bytes());
    }
    let status = child.wait()?;
    match status.success() {
        true => Ok(()),
        false => Err(io::Error::other(status.to_string())),
    }
}

/// Returns the first lines that fit in this many rows, and the number of lines that are left.
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
    fn shortening_counts_shown_rows_and_remaining_lines() {
        assert_eq!(cut("a\nb\nc\nd\n", 10, 2), ("a\nb\n", 2));
        assert_eq!(cut("0123456789abc\nb\nc\n", 10, 2), ("0123456789abc\n", 2));
        assert_eq!(cut("a\n", 10, 2), ("a\n", 0));
    }
}
