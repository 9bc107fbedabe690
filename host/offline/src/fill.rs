//! Fills the slots of a tool from the words of a prompt.
//!
//! The most reliable signs come first: a value beside its slot's name, a quotation, a day, a number
//! with its unit; then the shape of an example, names after a preposition, and the remaining words.
//! Each word fills at most one slot and is marked as used, which gives the coverage of the prompt.
//!
//! Invariant: the input holds only values that their slots accept. A value that does not fit is a
//! misfit: the person is asked, and no default replaces it.

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

/// The result of filling a tool's slots.
#[derive(Debug)]
pub(super) struct Filled {
    pub(super) input: Map<String, Value>,
    /// Slots for which the prompt has a value that does not fit.
    pub(super) misfits: Vec<String>,
    /// For each token, whether it became part of a value.
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
    /// Returns the slots without a value or a misfit.
    fn open(&self) -> impl Iterator<Item = &'a Slot> + use<'a, '_> {
        self.tool.slots.iter().filter(|slot| {
            !self.done.input.contains_key(&slot.name) && !self.done.misfits.contains(&slot.name)
        })
    }

    /// Returns the slot that free text fills: the first required one, or the only one.
    fn text_slot(&self) -> Option<&'a Slot> {
        let is_free = |slot: &&Slot| matches!(&slot.kind, Kind::Text(t) if t.form == Form::Free);
        let mut free = self.open().filter(is_free);
        let first = free.next()?;
        (first.required || free.next().is_none()).then_some(first)
    }

    /// Puts a value into a slot, or records a misfit, and marks the tokens as used.
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

    /// Reports whether a token exists and is unused.
    fn is_free(&self, at: usize) -> bool {
        self.done.used.get(at) == Some(&false)
    }

    /// Returns the text of a range of tokens, without used ones.
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

    /// Reports whether a token is a word of a slot's name.
    fn is_named(&self, slot: &Slot, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            let mut words = slot.name.split(['_', '-', '.']);
            token.kind == Token::Word && words.any(|word| words::stem(word) == token.stem)
        })
    }

    fn is_mark(&self, at: usize, marks: &[&str]) -> bool {
        let token = self.tokens.get(at);
        token.is_some_and(|token| marks.contains(&token.lower.as_str()))
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

    /// Quotations fill the text slot named before them, else the next one.
    fn quotations(&mut self) {
        for at in 0..self.tokens.len() {
            if self.tokens[at].kind != Token::Quoted || !self.is_free(at) {
                continue;
            }
            let token = &self.tokens[at];
            let value = Value::from(self.text[token.start..token.end].trim());
            let is_text = |slot: &&Slot| matches!(slot.kind, Kind::Text(_) | Kind::Choice(_));
            let named = at.checked_sub(1).and_then(|before| {
                let mut texts = self.open().filter(is_text);
                texts.find(|slot| self.is_named(slot, before))
            });
            if let Some(slot) = named.or_else(|| self.text_slot()) {
                self.put(slot, value, [at]);
            }
        }
    }

    /// Email and web addresses, for slots of that format.
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

    /// Days: `tomorrow`, `on Friday`, `in two weeks`.
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
            // `by Friday`, `due on Friday`: the words before the day belong to it.
            let leads = |at| self.is_mark(at, &["on", "by", "until", "before", "for"]);
            let mut from = at;
            while from > 0 && (leads(from - 1) || self.is_named(slot, from - 1)) {
                from -= 1;
            }
            self.put(slot, day.to_string().into(), from..at + length);
            at += length;
        }
    }
}
