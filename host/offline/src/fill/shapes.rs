//! Fills free text by the shape of an example.
//!
//! `Add milk to my list` has the shape *add X list*, so in `add buy bread to the list` X is
//! `buy bread`. Content words must be present and in order; stop words may differ, except a link
//! right before the value (`remind me TO`).

use super::Filling;
use crate::prompt::Kind as Token;
use crate::slot::Slot;
use crate::tool::Shape;
use crate::words;
use std::ops::Range;

/// The most words of a value after a tool's bare name.
const SHORT: usize = 3;

impl Filling<'_> {
    /// Fills the text slot if the prompt has the shape of an example.
    pub(super) fn shape(&mut self) {
        let Some(slot) = self.text_slot() else {
            return;
        };
        let tool = self.tool;
        let mut shapes = tool.shapes.iter().filter(|shape| shape.has_value);
        let found = shapes.find_map(|shape| {
            let named = shape.before.len() == 1 && shape.link.is_none();
            let by_name = || self.value(slot, shape, &[words::stem(&tool.name)]);
            let found = self.value(slot, shape, &shape.before);
            found.or_else(|| named.then(by_name).flatten())
        });
        if let Some(tokens) = found {
            self.put_text(slot, tokens);
        }
    }

    /// After a tool's bare name, a few words are the value: `greet Ada`, `add milk`.
    pub(super) fn rest(&mut self) {
        let Some(slot) = self.text_slot() else {
            return;
        };
        let first = self.tokens.iter().position(|token| token.is_content());
        let Some(first) = first.filter(|at| self.tokens[*at].stem == words::stem(&self.tool.name))
        else {
            return;
        };
        let tokens = self.trimmed(slot, first + 1..self.tokens.len());
        let mut words = tokens.clone();
        if (1..=SHORT).contains(&tokens.len()) && words.all(|at| self.is_plain(at)) {
            self.put_text(slot, tokens);
        }
    }

    pub(super) fn put_text(&mut self, slot: &Slot, tokens: Range<usize>) {
        let written = self.written(tokens.clone());
        let free: Vec<usize> = tokens.filter(|at| self.is_free(*at)).collect();
        self.put(slot, written.trim().into(), free);
    }

    /// Returns the tokens in the place of the shape's value.
    fn value(&self, slot: &Slot, shape: &Shape, before: &[String]) -> Option<Range<usize>> {
        let starts = self.tokens.iter().position(|token| token.is_content())?;
        let mut at = starts;
        for (nth, stem) in before.iter().enumerate() {
            // Only stop words may precede the first content word.
            at = (at..self.tokens.len())
                .take_while(|at| nth > 0 || *at == starts || !self.tokens[*at].is_content())
                .find(|at| self.tokens[*at].stem == *stem)?
                + 1;
        }
        if before.is_empty() {
            return None;
        }
        self.leads_alike(shape, before, starts).then_some(())?;
        if let Some(link) = &shape.link {
            at = (at..self.tokens.len())
                .take_while(|at| !self.is_free(*at) || !self.tokens[*at].is_content())
                .find(|at| self.is_free(*at) && self.tokens[*at].lower == *link)?
                + 1;
        }
        let mut end = self.tokens.len();
        for stem in shape.after.iter().rev() {
            end = (at..end).rev().find(|at| self.tokens[*at].stem == *stem)?;
            let tail = end + 1..self.tokens.len();
            let is_over = |at: usize| {
                let token = &self.tokens[at];
                !self.is_free(at) || !token.is_content() || shape.after.contains(&token.stem)
            };
            if !tail.clone().all(is_over) {
                return None;
            }
        }
        while at < end && shape.gap.contains(&self.tokens[at].lower) {
            at += 1;
        }
        if shape.is_name && shape.after.is_empty() {
            if self.tokens.get(at).is_some_and(|token| token.is_name()) {
                return None;
            }
            end = self.end_of_name(at, end);
        }
        let mut tokens = self.trimmed(slot, at..end);
        // `to my todo list`: the tool's own words before the end are not part of the value.
        if !shape.after.is_empty() {
            while tokens.end > tokens.start
                && self.tool.core.contains(&self.tokens[tokens.end - 1].stem)
            {
                tokens = self.trimmed(slot, tokens.start..tokens.end - 1);
            }
        }
        let is_said = |at: usize| self.is_free(at) && self.tokens[at].is_content();
        tokens.clone().any(is_said).then_some(tokens)
    }

    /// Returns the end of a name without capitals: the first mark, time or stop word after leading
    /// stop words (`my neighbour`).
    fn end_of_name(&self, start: usize, end: usize) -> usize {
        let mut at = start;
        while at < end && self.tokens[at].is_stop() {
            at += 1;
        }
        while at < end && self.is_free(at) && self.tokens[at].is_content() {
            at += 1;
        }
        at
    }

    /// Reports whether the stop words before the shape match. They must if the shape rests on a single
    /// word (`I have finished X`), because `he has finished X` is not a request.
    fn leads_alike(&self, shape: &Shape, before: &[String], starts: usize) -> bool {
        let carried = shape.after.is_empty() && shape.link.is_none();
        if !carried || shape.lead.is_empty() || before.iter().any(|b| self.tool.core.contains(b)) {
            return true;
        }
        let mut lead = self.tokens[..starts].iter();
        lead.any(|token| shape.lead.first() == Some(&token.stem))
    }

    /// Trims stop words, marks and used tokens around a range, and the slot's own name before it: of
    /// `the task 3` only `3` remains.
    fn trimmed(&self, slot: &Slot, tokens: Range<usize>) -> Range<usize> {
        let Range { mut start, mut end } = tokens;
        let is_edge = |at: usize| !self.is_free(at) || self.tokens[at].kind == Token::Mark;
        while start < end
            && (is_edge(start)
                || self.tokens[start].lower == "the"
                || (start + 1 < end && self.is_named(slot, start)))
        {
            start += 1;
        }
        while start < end && (is_edge(end - 1) || self.tokens[end - 1].is_stop()) {
            end -= 1;
        }
        start..end
    }
}
