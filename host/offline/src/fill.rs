//! Slots, filled from the words of a prompt.
//!
//! The surest signs come first: a value beside its slot's name, a quotation, a day, a number with
//! its unit. Then the shape of an example, then names after a preposition, and at last what is left
//! over. Each word fills one slot at most, and what was used is marked, so that the router can tell
//! how much of the prompt a tool explains.
//!
//! Invariant: nothing is put into the input that the slot does not accept. What was said for a slot
//! and does not fit is a misfit: the person is asked, and no default stands in for it.

mod choices;
mod names;
mod numbers;
mod shapes;
mod when;

pub(super) use when::day_in;

use super::day::Day;
use super::prompt::{Kind as Token, Token as Word};
use super::slot::{Form, Kind, Slot};
use super::tool::Tool;
use super::words;
use serde_json::{Map, Value};

/// What came of filling a tool's slots.
#[derive(Debug)]
pub(super) struct Filled {
    pub(super) input: Map<String, Value>,
    /// Slots for which something was said that does not fit.
    pub(super) misfits: Vec<String>,
    /// Which tokens became part of a value.
    pub(super) used: Vec<bool>,
}

/// Fills a tool's slots from a prompt.
pub(super) fn fill(tool: &Tool<'_>, text: &str, tokens: &[Word], today: Day) -> Filled {
    let mut filling = Filling {
        tool,
        text,
        tokens,
        today,
        done: Filled {
            input: Map::new(),
            misfits: Vec::new(),
            used: vec![false; tokens.len()],
        },
    };
    filling.pairs();
    filling.quotations();
    filling.addresses();
    filling.days();
    filling.numbers();
    filling.choices(true);
    filling.shape();
    filling.lists();
    filling.proper_names();
    filling.choices(false);
    filling.truths();
    filling.names_in_lower_case();
    filling.samples();
    filling.rest();
    filling.done
}

/// Slots being filled.
struct Filling<'a> {
    tool: &'a Tool<'a>,
    text: &'a str,
    tokens: &'a [Word],
    today: Day,
    done: Filled,
}

impl<'a> Filling<'a> {
    /// The slots that nothing was said for yet.
    fn open(&self) -> impl Iterator<Item = &'a Slot> + use<'a, '_> {
        self.tool.slots.iter().filter(|slot| {
            !self.done.input.contains_key(&slot.name) && !self.done.misfits.contains(&slot.name)
        })
    }

    /// The slot that free words would fill: the first that must be filled, or the only one.
    fn text_slot(&self) -> Option<&'a Slot> {
        let is_free = |slot: &&Slot| matches!(&slot.kind, Kind::Text(t) if t.form == Form::Free);
        let mut free = self.open().filter(is_free);
        let first = free.next()?;
        (first.required || free.next().is_none()).then_some(first)
    }

    /// Puts a value into a slot, or notes that it does not fit. Either way it was said.
    fn put(&mut self, slot: &Slot, value: Value, tokens: impl IntoIterator<Item = usize>) {
        if slot.accepts(&value) {
            self.done.input.insert(slot.name.clone(), value);
        } else {
            self.done.misfits.push(slot.name.clone());
        }
        for at in tokens {
            self.done.used[at] = true;
        }
    }

    /// Whether a token is there and free.
    fn is_free(&self, at: usize) -> bool {
        self.done.used.get(at) == Some(&false)
    }

    /// What the person wrote from one token to another, without what was used for another slot.
    fn written(&self, tokens: std::ops::Range<usize>) -> String {
        let mut said = String::new();
        let mut end = None;
        for at in tokens.filter(|at| self.is_free(*at)) {
            let token = &self.tokens[at];
            let from = match end {
                Some((last, end)) if last + 1 == at => end,
                Some(_) => {
                    said.push(' ');
                    token.start
                }
                None => token.start,
            };
            said.push_str(&self.text[from..token.end]);
            end = Some((at, token.end));
        }
        said
    }

    /// Whether a token is a word of a slot's name.
    fn is_named(&self, slot: &Slot, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            token.kind == Token::Word
                && slot
                    .name
                    .split(['_', '-', '.'])
                    .any(|word| words::stem(word) == token.stem)
        })
    }

    fn is_mark(&self, at: usize, marks: &[&str]) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| marks.contains(&token.lower.as_str()))
    }

    /// `days=3`, `city: Oslo`.
    fn pairs(&mut self) {
        for at in 0..self.tokens.len() {
            if !self.is_mark(at + 1, &["=", ":"]) || !self.is_free(at + 2) {
                continue;
            }
            let token = &self.tokens[at + 2];
            let written = &self.text[token.start..token.end];
            let slot = self.open().find(|slot| self.is_named(slot, at));
            if let Some(slot) = slot
                && let Ok(value) = slot.read(written, self.today)
            {
                self.put(slot, value, at..at + 3);
            }
        }
    }

    /// Quotations fill free text: the slot that stands before them, else the next one.
    fn quotations(&mut self) {
        for at in 0..self.tokens.len() {
            if self.tokens[at].kind != Token::Quoted || !self.is_free(at) {
                continue;
            }
            let token = &self.tokens[at];
            let value = Value::from(self.text[token.start..token.end].trim());
            let is_text = |slot: &&Slot| matches!(slot.kind, Kind::Text(_) | Kind::Choice(_));
            let named = at.checked_sub(1);
            let named = named.and_then(|before| {
                self.open()
                    .filter(is_text)
                    .find(|slot| self.is_named(slot, before))
            });
            if let Some(slot) = named.or_else(|| self.text_slot()) {
                self.put(slot, value, [at]);
            }
        }
    }

    /// Addresses of mail and of the web, for slots that want them.
    fn addresses(&mut self) {
        for at in 0..self.tokens.len() {
            let form = match self.tokens[at].kind {
                Token::Email => Form::Email,
                Token::Url => Form::Url,
                _ => continue,
            };
            let wants = |slot: &&Slot| matches!(&slot.kind, Kind::Text(t) if t.form == form);
            let slot = self.open().find(wants);
            if let Some(slot) = slot {
                let token = &self.tokens[at];
                self.put(slot, self.text[token.start..token.end].into(), [at]);
            }
        }
    }

    /// Days, for slots that want one: `tomorrow`, `on Friday`, `in two weeks`.
    fn days(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            let found = when::day_at(self.tokens, at, self.today);
            let is_free = |(_, length): &(Day, usize)| (at..at + length).all(|at| self.is_free(at));
            let Some((day, length)) = found.filter(is_free) else {
                at += 1;
                continue;
            };
            let Some(slot) = self.open().find(|slot| slot.kind == Kind::Day) else {
                return;
            };
            // `by Friday`, `due on Friday`: the small words go with the day.
            let mut from = at;
            while from > 0
                && (matches!(
                    self.tokens[from - 1].lower.as_str(),
                    "on" | "by" | "until" | "before" | "for"
                ) || self.is_named(slot, from - 1))
            {
                from -= 1;
            }
            self.put(slot, day.to_string().into(), from..at + length);
            at += length;
        }
    }
}
