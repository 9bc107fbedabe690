//! The prompt for the value of a secret that a running call needs and that nobody has stored.
//!
//! The host asks, in the frame that no plugin can draw, and what is typed is not shown.

use super::{Person, PromptTerminal};
use crate::terminal::keyboard::is_dismissed;
use anyhow::Result;
use footlight_render::filter;
use std::io::{self, Write};

/// What came of asking for a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SecretReply {
    /// A value was typed and accepted.
    Given,
    /// Nothing was typed, or there is nobody to ask.
    Refused,
    /// The request was settled elsewhere or cancelled.
    Dismissed,
}

/// Takes a value, or says why it cannot be one.
type Accept<'a> = dyn FnMut(&str) -> Result<(), String> + 'a;

impl Person {
    /// Asks for the value of a secret until `accept` takes one. An empty line is a no.
    pub(crate) fn ask_for_secret(
        &mut self,
        plugin: &str,
        name: &str,
        accept: &mut Accept<'_>,
    ) -> Result<SecretReply> {
        let Some(terminal) = &mut self.terminal else {
            return Ok(SecretReply::Refused);
        };
        let (plugin, name) = (filter::line(plugin, 60), filter::line(name, 60));
        terminal.output.begin();
        let asked = prompt(&plugin, &name, accept, terminal);
        let said = match &asked {
            Ok(SecretReply::Given) => {
                format!("given for this run; to keep it: footlight secrets set {plugin} {name}")
            }
            Ok(SecretReply::Refused) => "no value, so the request is denied".to_owned(),
            _ => "withdrawn".to_owned(),
        };
        let line = format!("the secret `{name}` for `{plugin}`: {said}");
        let line = terminal.render.host_note(&line);
        terminal.output.fold_card(line.trim_end())?;
        match asked {
            Err(error) if is_dismissed(&error) => Ok(SecretReply::Dismissed),
            asked => Ok(asked?),
        }
    }
}

fn prompt(
    plugin: &str,
    name: &str,
    accept: &mut Accept<'_>,
    terminal: &mut PromptTerminal,
) -> io::Result<SecretReply> {
    let mut why = format!(
        "the secret `{name}` has no value yet; type what the host sends with requests of `{plugin}`, \
         which never sees it; an empty line denies the request"
    );
    let _hidden = (terminal.hide)()?;
    loop {
        // The screen may have another size than when the program started.
        terminal.render.width = (terminal.size)().0;
        let note = terminal.render.host_note(&why);
        terminal.output.write_card(&note)?;
        write!(terminal.output, "  not shown as you type: ")?;
        terminal.output.flush()?;
        (terminal.arm)();
        let typed = match (terminal.secret)() {
            Ok(typed) => typed,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Ok(SecretReply::Refused);
            }
            Err(error) => return Err(error),
        };
        // The secret is not echoed, but the line feed is.
        terminal.output.echoed("");
        if typed.is_empty() {
            return Ok(SecretReply::Refused);
        }
        match accept(&typed) {
            Ok(()) => return Ok(SecretReply::Given),
            Err(error) => why = error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::person;
    use super::*;
    use crate::terminal::prompt::PreparedReplies;

    fn asked(typed: &[&str]) -> (SecretReply, Vec<String>, String) {
        let (mut person, screen) = person(PreparedReplies::default(), "");
        let mut lines = typed.iter().map(|line| (*line).to_owned());
        let mut lines: Vec<String> = lines.by_ref().collect();
        lines.reverse();
        if let Some(terminal) = &mut person.terminal {
            let end = || io::Error::from(io::ErrorKind::UnexpectedEof);
            terminal.secret = Box::new(move || lines.pop().ok_or_else(end));
        }
        let mut taken = Vec::new();
        let mut accept = |text: &str| match text.contains(' ') {
            true => Err("a space cannot be part of it".to_owned()),
            false => {
                taken.push(text.to_owned());
                Ok(())
            }
        };
        let reply = person.ask_for_secret("mail", "token", &mut accept);
        (reply.expect("asks"), taken, screen.text())
    }

    #[test]
    fn a_value_is_asked_for_until_one_fits_and_is_never_shown() {
        let (reply, taken, screen) = asked(&["no canary", "canary-1"]);
        assert_eq!(reply, SecretReply::Given);
        assert_eq!(taken, ["canary-1"]);
        assert!(
            screen.starts_with("┃ the secret `token` has no value yet"),
            "{screen}"
        );
        assert!(
            screen.contains("┃ a space cannot be part of it\n"),
            "{screen}"
        );
        assert!(!screen.contains("canary"), "{screen}");
    }

    #[test]
    fn an_empty_line_the_end_of_input_and_nobody_give_no_value() {
        for typed in [&[""][..], &[], &["a b", ""]] {
            let (reply, taken, _) = asked(typed);
            assert_eq!(reply, SecretReply::Refused, "{typed:?}");
            assert!(taken.is_empty());
        }
        let mut nobody = Person::new(PreparedReplies::default(), None);
        let reply = nobody.ask_for_secret("mail", "token", &mut |_| Ok(()));
        assert_eq!(reply.expect("asks"), SecretReply::Refused);
    }
}
