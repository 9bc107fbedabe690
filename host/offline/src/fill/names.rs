//! Fills slots from names: capitalised, after a preposition, in a list.

use super::Filling;
use crate::prompt::{Kind as Token, Token as Word, tokens};
use crate::slot::{Kind, Slot};
use crate::words;
use serde_json::Value;
use std::ops::Range;

/// The most words of a name without capitals.
const LONGEST: usize = 4;

/// Words inside a name: `Rio de Janeiro`, `Isle of Man`.
const PARTICLES: [&str; 10] = [
    "de", "la", "le", "del", "da", "do", "of", "van", "von", "der",
];

/// Words after a preposition that are not names: `in general`.
#[rustfmt::skip]
const IDIOMS: [&str; 8] = [
    "general", "particular", "fact", "advance", "short", "total", "case", "order",
];

impl<'a> Filling<'a> {
    /// A list slot takes the names that `and`, `or` or a comma join.
    pub(super) fn lists(&mut self) {
        let is_list = |slot: &&Slot| matches!(&slot.kind, Kind::List(of, ..) if matches!(**of, Kind::Text(_)));
        let Some(slot) = self.open().find(is_list) else {
            return;
        };
        let capitals = |filling: &Self, at: usize| filling.name(at).map(|name| name.end);
        let plain = |filling: &Self, at: usize| filling.plain(at).map(|name| name.end);
        let found = [self.series(&capitals), self.series(&plain)];
        let lone = || self.after_preposition().map(|name| vec![name]);
        let Some(names) = found.into_iter().flatten().next().or_else(lone) else {
            return;
        };
        let values = names.iter().map(|name| self.written(name.clone()));
        let values: Vec<Value> = values.map(Value::from).collect();
        self.put(slot, values.into(), names.into_iter().flatten());
    }

    /// A text slot takes a name after a preposition, or the only name there is.
    pub(super) fn proper_names(&mut self) {
        while let Some(name) = self.after_preposition() {
            let Some(slot) = self.slot_after(name.start - 1) else {
                return;
            };
            let name = self.with_region(name);
            self.put_text(slot, name);
        }
        let Some(slot) = self.text_slot() else {
            return;
        };
        let mut found = (0..self.tokens.len()).filter_map(|at| self.name(at));
        let starts_alone = |name: &Range<usize>| {
            // The first word is always capitalised, so the next must be a word of the tool.
            let next = self.tokens.get(name.end);
            name.start > 0 || next.is_some_and(|next| self.is_about(&next.stem))
        };
        if let Some(name) = found.find(starts_alone) {
            let name = self.with_region(name);
            self.put_text(slot, name);
        }
    }

    /// `in oslo`, `for san francisco`: what a preposition leads to, without capitals.
    pub(super) fn names_in_lower_case(&mut self) {
        for at in 1..self.tokens.len() {
            let word = at - 1;
            if !self.is_free(word) || !self.leads_in_lower_case(word) {
                continue;
            }
            let start = at + usize::from(self.is_mark(at, &["the"]));
            if let Some(name) = self.plain(start)
                && let Some(slot) = self.slot_after(word)
            {
                self.put_text(slot, name);
            }
        }
    }

    /// Returns the slot for a name after a preposition: for `from Oslo` preferably `from_city`.
    fn slot_after(&self, at: usize) -> Option<&'a Slot> {
        let word = &self.tokens[at].lower;
        let led = self.open().find(|slot| {
            matches!(slot.kind, Kind::Text(_)) && slot.name.split('_').any(|part| part == word)
        });
        led.or_else(|| self.text_slot())
    }

    /// Reports whether a name without capitals may follow a word. Anything may follow `of`, and after
    /// a stop word `to` precedes a verb: `I need to go`.
    fn leads_in_lower_case(&self, at: usize) -> bool {
        let is_verb_next = || at == 0 || self.tokens[at - 1].is_stop();
        match self.tokens[at].lower.as_str() {
            "of" => false,
            "to" => !is_verb_next(),
            word => words::leads_to_name(word),
        }
    }

    /// Values that the plugin mentions are found anywhere: `weather oslo`.
    pub(super) fn samples(&mut self) {
        let Some(slot) = self.text_slot() else {
            return;
        };
        let found = self.tool.samples.iter().find_map(|sample| {
            let sample = tokens(sample);
            let length = sample.len();
            (0..self.tokens.len()).find_map(|at| {
                let said = self.tokens.get(at..at + length)?;
                let alike = said.iter().zip(&sample).all(|(a, b)| a.lower == b.lower);
                let is_free = (at..at + length).all(|at| self.is_free(at));
                (alike && is_free && length > 0).then_some(at..at + length)
            })
        });
        if let Some(name) = found {
            self.put_text(slot, name);
        }
    }

    /// Finds at least two names joined by separators.
    fn series(&self, name: &dyn Fn(&Self, usize) -> Option<usize>) -> Option<Vec<Range<usize>>> {
        let mut at = 0;
        while at < self.tokens.len() {
            let Some(end) = name(self, at) else {
                at += 1;
                continue;
            };
            let mut names = vec![Range { start: at, end }];
            let mut next = end;
            loop {
                let mut after = next;
                while after < self.tokens.len() && words::is_separator(&self.tokens[after].lower) {
                    after += 1;
                }
                let Some(end) = name(self, after).filter(|_| after > next) else {
                    break;
                };
                names.push(after..end);
                next = end;
            }
            if names.len() > 1 {
                return Some(names);
            }
            at = next;
        }
        None
    }

    /// Finds the first capitalised name after a preposition.
    fn after_preposition(&self) -> Option<Range<usize>> {
        (1..self.tokens.len()).find_map(|at| {
            let leads = words::leads_to_name(&self.tokens[at - 1].lower);
            leads.then(|| self.name(at)).flatten()
        })
    }

    /// Returns the capitalised name that starts at a position.
    fn name(&self, at: usize) -> Option<Range<usize>> {
        let is_name = |at: usize| {
            self.is_free(at) && self.tokens[at].is_name() && !self.is_about(&self.tokens[at].stem)
        };
        if !is_name(at) {
            return None;
        }
        let mut end = at + 1;
        loop {
            if is_name(end) {
                end += 1;
            } else if self.is_mark(end, &PARTICLES) && is_name(end + 1) {
                end += 2;
            } else {
                return Some(at..end);
            }
        }
    }

    /// Extends a name by a region: `Springfield, MA`, but not in `Oslo, Rome and Paris`.
    fn with_region(&self, name: Range<usize>) -> Range<usize> {
        let region = self.is_mark(name.end, &[","]);
        match region.then(|| self.name(name.end + 1)).flatten() {
            Some(region) if !self.is_mark(region.end, &["and", "or", ",", "&"]) => {
                name.start..region.end
            }
            _ => name,
        }
    }

    /// Returns the content words at a position that are not words of the tool.
    fn plain(&self, at: usize) -> Option<Range<usize>> {
        let is_name = |at: &usize| self.is_plain(*at) && !self.is_mark(*at, &IDIOMS);
        let length = (at..).take_while(is_name).take(LONGEST + 1).count();
        (1..=LONGEST).contains(&length).then_some(at..at + length)
    }

    /// Reports whether an unused token is a content word and not a word of the tool.
    pub(super) fn is_plain(&self, at: usize) -> bool {
        let is_plain = |token: &Word| {
            token.kind == Token::Word
                && token.is_content()
                && token.number().is_none()
                && !self.tool.weights.contains_key(&token.stem)
        };
        self.is_free(at) && is_plain(&self.tokens[at])
    }

    /// Reports whether a stem is one of the tool's own.
    fn is_about(&self, stem: &str) -> bool {
        self.tool.core.contains(stem)
    }
}
