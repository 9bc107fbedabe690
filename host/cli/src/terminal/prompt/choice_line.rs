//! The line at which a person chooses options of a question. The arrow keys go through the options, and
//! Tab completes the name that was begun.

use super::choices::{chosen, is_numbered};
use super::edited_line::{EditedLine, MAX_LINE};
use crate::terminal::keyboard::Key;
use footlight_vocabulary::question::{Choice, Field};
use serde_json::{Value, json};

/// A line while it is typed.
#[derive(Debug)]
pub(super) struct ChoiceLine<'a> {
    field: &'a Field,
    text: String,
    /// The option that an arrow key has put at the end of the line.
    shown: Option<usize>,
}

impl<'a> ChoiceLine<'a> {
    pub(super) fn new(field: &'a Field) -> Self {
        Self {
            field,
            text: String::new(),
            shown: None,
        }
    }

    /// Returns where the name that is being typed begins: after the last comma, where several can be
    /// chosen.
    fn start(&self) -> usize {
        match (self.field.is_multiple(), self.text.rfind(',')) {
            (true, Some(comma)) => {
                let rest = &self.text[comma + 1..];
                self.text.len() - rest.trim_start().len()
            }
            _ => 0,
        }
    }

    /// Returns the options that can be chosen, without those that stand before the last comma.
    fn open(&self) -> Vec<usize> {
        let before = match self.start() {
            0 => Value::Null,
            start => chosen(self.field, &self.text[..start]),
        };
        let is_chosen = |choice: &Choice| {
            let values = before.as_array().into_iter().flatten();
            values.into_iter().any(|value| *value == *choice.value)
        };
        let choices = self.field.choices().iter().enumerate();
        let open =
            choices.filter(|(_, choice)| choice.disabled != Some(true) && !is_chosen(choice));
        open.map(|(at, _)| at).collect()
    }

    /// Puts the option after or before the one that is shown at the end of the line.
    fn step(&mut self, is_forward: bool) {
        let open = self.open();
        let shown = self
            .shown
            .and_then(|shown| open.iter().position(|at| *at == shown));
        let next = match (shown, is_forward) {
            (None, true) => 0,
            (None, false) => open.len().saturating_sub(1),
            (Some(place), true) => (place + 1) % open.len(),
            (Some(place), false) => (place + open.len() - 1) % open.len(),
        };
        if let Some(at) = open.get(next) {
            self.put(*at);
        }
    }

    /// Puts an option at the end of the line, as something that means it and nothing else.
    fn put(&mut self, at: usize) {
        let field = self.field;
        let choice = &field.choices()[at];
        let number = is_numbered(field).then(|| (at + 1).to_string());
        let value = choice.value.as_str();
        let names = [Some(choice.shown()), number.as_deref(), Some(value)];
        let is_it = |name: &&str| means(field, name, choice);
        let name = names.into_iter().flatten().find(is_it);
        let start = self.start();
        self.text.truncate(start);
        self.text.push_str(name.unwrap_or(value));
        self.shown = Some(at);
    }

    /// Completes the name that was begun, if it is that of one option.
    fn complete(&mut self) {
        let begun = self.text[self.start()..].trim().to_lowercase();
        let is_begun = |at: &usize| {
            let name = self.field.choices()[*at].shown();
            name.trim().to_lowercase().starts_with(&begun)
        };
        let found: Vec<usize> = self.open().into_iter().filter(is_begun).collect();
        if let [only] = found.as_slice() {
            self.put(*only);
        }
    }
}

/// Reports whether a part of a line stands for an option.
fn means(field: &Field, name: &str, choice: &Choice) -> bool {
    // A comma would begin another one.
    let is_whole = !field.is_multiple() || !name.contains(',');
    let value: Value = match field.is_multiple() {
        true => json!([choice.value]),
        false => json!(choice.value),
    };
    is_whole && !name.trim().is_empty() && chosen(field, name) == value
}

impl EditedLine for ChoiceLine<'_> {
    fn press(&mut self, key: Key) {
        match key {
            Key::Up => return self.step(false),
            Key::Down => return self.step(true),
            Key::Tab => return self.complete(),
            Key::Char(c) if self.text.len() < MAX_LINE => {
                // What is typed takes the place of what an arrow key has put there.
                if self.shown.is_some() && !(c == ',' && self.field.is_multiple()) {
                    let start = self.start();
                    self.text.truncate(start);
                }
                self.text.push(c);
            }
            Key::Erase => drop(self.text.pop()),
            Key::EraseWord => {
                let start = self.start();
                self.text.truncate(start);
            }
            Key::EraseLine => self.text.clear(),
            Key::Char(_) | Key::Enter | Key::End | Key::Other => return,
        }
        self.shown = None;
    }

    fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(field: &Field, keys: &[Key]) -> String {
        let mut line = ChoiceLine::new(field);
        keys.iter().for_each(|key| line.press(*key));
        line.text
    }

    fn letters(text: &str) -> Vec<Key> {
        text.chars().map(Key::Char).collect()
    }

    fn towns() -> Field {
        Field::select("place").options([
            Choice::new("s-ma").label("Springfield, MA"),
            Choice::new("closed").label("Bergen").disabled(true),
            Choice::new("oslo").label("Oslo"),
        ])
    }

    #[test]
    fn arrows_go_through_the_options_that_can_be_chosen() {
        let towns = towns();
        for (keys, expected) in [
            (&[Key::Down][..], "Springfield, MA"),
            (&[Key::Down, Key::Down], "Oslo"),
            (&[Key::Down, Key::Down, Key::Down], "Springfield, MA"),
            (&[Key::Up], "Oslo"),
            (&[Key::Up, Key::Up, Key::Up], "Oslo"),
            (&[Key::Char('x'), Key::Down], "Springfield, MA"),
            (&[Key::Down, Key::Char('x')], "x"),
            (&[Key::Down, Key::Char(',')], ","),
            (&[Key::Down, Key::Erase], "Springfield, M"),
            (&[Key::Down, Key::EraseWord], ""),
        ] {
            assert_eq!(typed(&towns, keys), expected, "{keys:?}");
        }
        let none = Field::select("place").options([Choice::new("a").disabled(true)]);
        assert_eq!(typed(&none, &[Key::Down, Key::Up, Key::Tab]), "");
    }

    #[test]
    fn tab_completes_a_name_that_only_one_option_has() {
        let towns = towns();
        let tab = |text: &str| typed(&towns, &[letters(text), vec![Key::Tab]].concat());
        assert_eq!(tab("o"), "Oslo");
        assert_eq!(tab("B"), "B", "it cannot be chosen");
        assert_eq!(tab("x"), "x");
        assert_eq!(tab(""), "");
    }

    #[test]
    fn several_options_are_chosen_one_after_the_other() {
        let field = Field::checkbox("c").options(["Apples", "Pears", "Nuts, salted"]);
        let keys = [&[Key::Down][..], &letters(","), &[Key::Up]].concat();
        let line = typed(&field, &keys);
        // The name with a comma would be two.
        assert_eq!(line, "Apples,3");
        assert_eq!(chosen(&field, &line), json!(["Apples", "Nuts, salted"]));
        let line = typed(
            &field,
            &[letters("pe, "), vec![Key::Down, Key::Down]].concat(),
        );
        assert_eq!(line, "pe, 3", "an option is not offered twice");
        let every = [&letters("a,p,n,")[..], &[Key::Down, Key::Up, Key::Tab]].concat();
        assert_eq!(typed(&field, &every), "a,p,n,");
    }

    #[test]
    fn an_option_whose_label_is_that_of_another_is_still_itself() {
        let field = Field::select("c").options([
            Choice::new("a").label("Same"),
            Choice::new("b").label("Same"),
            Choice::new("c").label("a"),
        ]);
        for (steps, value) in [(1, "a"), (2, "b"), (3, "c")] {
            let line = typed(&field, &vec![Key::Down; steps]);
            assert_eq!(chosen(&field, &line), value, "{line}");
        }
    }
}
