//! Fills slots from numbers, by the unit or name beside them.

use super::Filling;
use crate::prompt::Kind as Token;
use crate::slot::{Bounds, Kind, Slot};
use crate::words;

impl Filling<'_> {
    /// Takes numbers beside a slot's name or unit, then beside a word of its description, then the
    /// only number for the only required slot.
    pub(super) fn numbers(&mut self) {
        for by_description in [false, true] {
            for at in 0..self.tokens.len() {
                let Some(number) = self.number(at) else {
                    continue;
                };
                // `10-day` and `10 days`.
                let noun = at + 1 + usize::from(self.is_mark(at + 1, &["-"]));
                let found = self.open().find_map(|slot| {
                    let bounds = bounds(slot)?;
                    let factor = match by_description {
                        true => self.describes(slot, noun).then_some(1.0),
                        false => self.factor(slot, at, noun),
                    };
                    Some((slot, bounds, factor?))
                });
                if let Some((slot, bounds, factor)) = found {
                    let value = bounds.value(number * factor).unwrap_or_default();
                    self.put(slot, value, at..(noun + 1).min(self.tokens.len()));
                }
            }
        }
        let is_wanted = |slot: &&Slot| slot.required && bounds(slot).is_some();
        let wanted: Vec<&Slot> = self.open().filter(is_wanted).collect();
        let places = (0..self.tokens.len()).filter(|at| !self.is_article(*at));
        let numbers = places.filter_map(|at| Some((at, self.number(at)?)));
        let numbers: Vec<(usize, f64)> = numbers.collect();
        if let ([slot], [(at, number)]) = (wanted.as_slice(), numbers.as_slice())
            && let Some(value) = bounds(slot).and_then(|bounds| bounds.value(*number))
        {
            self.put(slot, value, [*at]);
        }
    }

    /// Returns the number at a position. `a` is 1 before a unit of time.
    fn number(&self, at: usize) -> Option<f64> {
        if !self.is_free(at) {
            return None;
        }
        let before_unit = || self.unit(at + 1).is_some();
        if self.is_article(at) && before_unit() {
            return Some(1.0);
        }
        self.tokens[at].number()
    }

    fn unit(&self, at: usize) -> Option<f64> {
        words::unit(&self.tokens.get(at)?.stem)
    }

    fn is_article(&self, at: usize) -> bool {
        self.is_mark(at, &["a", "an"])
    }

    /// Returns the factor from a number to the slot's value: 1 beside the slot's name, 7 for weeks if
    /// the slot counts days.
    fn factor(&self, slot: &Slot, at: usize, noun: usize) -> Option<f64> {
        if self.is_named(slot, noun) || at.checked_sub(1).is_some_and(|at| self.is_named(slot, at))
        {
            return Some(1.0);
        }
        let said = self.unit(noun)?;
        let mut units = slot.name.split(['_', '-']).map(words::stem);
        let own = units.find_map(|word| words::unit(&word))?;
        Some(said / own)
    }

    /// Reports whether a slot's description has a word.
    fn describes(&self, slot: &Slot, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else {
            return false;
        };
        let mut said = slot.description.split(|c: char| !c.is_alphanumeric());
        token.kind == Token::Word
            && token.is_content()
            && !words::is_weak(&token.lower)
            && said.any(|word| words::stem(word) == token.stem)
    }
}

fn bounds(slot: &Slot) -> Option<&Bounds> {
    match &slot.kind {
        Kind::Number(bounds) => Some(bounds),
        _ => None,
    }
}
