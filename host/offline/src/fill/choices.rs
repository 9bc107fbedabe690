//! Fills choices and booleans from the words that name them.

use super::Filling;
use crate::slot::{Kind, Slot};
use crate::words;

impl Filling<'_> {
    /// Finds the words of a choice: beside the slot's name if `near`, else anywhere.
    pub(super) fn choices(&mut self, near: bool) {
        let open: Vec<&Slot> = self.open().collect();
        for slot in open {
            let Kind::Choice(choices) = &slot.kind else {
                continue;
            };
            let mut found: Vec<(usize, usize, &String)> = Vec::new();
            for choice in choices {
                let said = choice.to_lowercase().replace(['_', '-'], " ");
                let said = said
                    .split_whitespace()
                    .map(|word| (word, words::stem(word)));
                let said: Vec<(&str, String)> = said.collect();
                let length = said.len();
                let place = (0..self.tokens.len()).find(|at| {
                    self.is_said(*at, &said) && (!near || self.beside(slot, *at, length).is_some())
                });
                found.extend(place.map(|at| (at, length, choice)));
            }
            // `all` in `all done tasks` is no second choice.
            if found.len() > 1 {
                found.retain(|(at, ..)| !self.tokens[*at].is_stop());
            }
            match found.as_slice() {
                [] => {}
                [(at, length, choice)] => {
                    let name = near.then(|| self.beside(slot, *at, *length)).flatten();
                    let tokens = (*at..at + length).chain(name);
                    self.put(slot, choice.as_str().into(), tokens);
                }
                _ => self.done.misfits.push(slot.name.clone()),
            }
        }
    }

    /// Reports whether these words, given with their stems, are unused tokens at a position. A stop
    /// word must match exactly: `don't` shares its stem with other words.
    fn is_said(&self, at: usize, words: &[(&str, String)]) -> bool {
        let tokens = self.tokens.get(at..at + words.len());
        !words.is_empty()
            && tokens.is_some_and(|tokens| {
                tokens.iter().zip(words).all(|(token, (word, stem))| {
                    token.lower == *word || (token.stem == *stem && !token.is_stop())
                })
            })
            && (at..at + words.len()).all(|at| self.is_free(at))
    }

    /// Finds a slot's name beside some tokens: `high priority`, `priority is high`.
    fn beside(&self, slot: &Slot, at: usize, length: usize) -> Option<usize> {
        let is_joint = |at: usize| self.is_mark(at, &["is", "to", ":", "="]);
        let before = at.checked_sub(1).map(|before| match before.checked_sub(1) {
            Some(earlier) if is_joint(before) => earlier,
            _ => before,
        });
        let places = before.into_iter().chain([at + length]);
        places.into_iter().find(|place| self.is_named(slot, *place))
    }

    /// A boolean slot is true if the prompt has its name, false if the name is negated.
    pub(super) fn truths(&mut self) {
        let open: Vec<&Slot> = self.open().collect();
        for slot in open {
            if slot.kind != Kind::Truth {
                continue;
            }
            let place =
                (0..self.tokens.len()).find(|at| self.is_free(*at) && self.is_named(slot, *at));
            if let Some(at) = place.filter(|at| !self.tool.is_called(&self.tokens[*at].stem)) {
                let before = at.checked_sub(1).filter(|before| {
                    let word = &self.tokens[*before].lower;
                    words::is_negation(word) || word == "no"
                });
                let tokens = before.into_iter().chain([at]);
                self.put(slot, before.is_none().into(), tokens);
            }
        }
    }
}
