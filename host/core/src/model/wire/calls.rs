//! Assembles the calls of Chat Completions from their fragments.
//!
//! Servers mark the call of a fragment by `index`, by `id`, by both, by neither, or with an `index`
//! that is always 0. A fragment starts a new call when it cannot belong to the marked one: its id or
//! name differs, or it repeats the name after complete arguments.
//!
//! Invariant: an index is only compared, never used as a size.

use super::Decoded;
use super::budget::Budget;
use crate::model::{ModelPart, ToolCall};
use std::collections::HashSet;

/// A fragment of a call.
#[derive(Debug, Default)]
pub(super) struct Fragment {
    pub(super) index: Option<u64>,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
    /// JSON text that must be sent back with the call.
    pub(super) opaque: Option<String>,
}

/// The calls so far, in the order in which they started.
#[derive(Debug, Default)]
pub(super) struct Calls(Vec<Open>);

#[derive(Debug)]
struct Open {
    index: Option<u64>,
    call: ToolCall,
    braces: Braces,
}

impl Calls {
    /// Adds a fragment. Returns the tool's name if the fragment gave it.
    pub(super) fn add(&mut self, piece: Fragment, budget: &mut Budget) -> Decoded<Option<String>> {
        let at = match self.belongs(&piece) {
            Some(at) => at,
            None => {
                budget.call()?;
                self.0.push(Open {
                    index: piece.index,
                    call: ToolCall::new("", "", ""),
                    braces: Braces::default(),
                });
                self.0.len() - 1
            }
        };
        let Open { call, braces, .. } = &mut self.0[at];
        if call.id.is_empty() {
            budget.append(&mut call.id, &piece.id)?;
        }
        let mut named = None;
        if call.name.is_empty() && !piece.name.is_empty() {
            budget.append(&mut call.name, &piece.name)?;
            named = Some(piece.name);
        }
        budget.append_arguments(&mut call.arguments, &piece.arguments)?;
        braces.feed(&piece.arguments);
        if let Some(opaque) = piece.opaque {
            budget.spend(opaque.len())?;
            call.opaque = Some(opaque);
        }
        Ok(named)
    }

    /// Finds the call that a fragment continues; `None` if it starts a new one.
    fn belongs(&self, piece: &Fragment) -> Option<usize> {
        let same_id = |open: &Open| !piece.id.is_empty() && open.call.id == piece.id;
        let last = |fits: &dyn Fn(&Open) -> bool| self.0.iter().rposition(fits);
        let at = match piece.index {
            Some(_) => last(&|open| open.index == piece.index)
                // The index may change in the middle of a call.
                .or_else(|| last(&|open| piece.name.is_empty() && same_id(open))),
            None if piece.id.is_empty() => last(&|_| true),
            None => last(&same_id),
        }?;
        let open = &self.0[at];
        let call = &open.call;
        let other_id = !piece.id.is_empty() && !call.id.is_empty() && !same_id(open);
        let other_name = !piece.name.is_empty() && !call.name.is_empty() && piece.name != call.name;
        // The name again, with the start of an object, after complete arguments.
        let begins = piece.arguments.trim_start().starts_with('{');
        let again = !piece.name.is_empty() && begins && open.braces.closed;
        (!other_id && !other_name && !again).then_some(at)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn finish(&mut self) -> Vec<ToolCall> {
        let calls = std::mem::take(&mut self.0).into_iter();
        calls.map(|open| open.call).collect()
    }
}

/// Drops calls without a name, which can neither run nor be sent back, and gives each other call a
/// unique id.
pub(super) fn settle(parts: &mut Vec<ModelPart>) {
    parts.retain(|part| !matches!(part, ModelPart::Call(call) if call.name.is_empty()));
    let mut taken = HashSet::new();
    for part in parts {
        let ModelPart::Call(call) = part else {
            continue;
        };
        if call.id.is_empty() || taken.contains(&call.id) {
            call.id = (1..)
                .map(|n| format!("call_{n}"))
                .find(|id| !taken.contains(id))
                .expect("there is always a higher number");
        }
        taken.insert(call.id.clone());
    }
}

/// Tracks whether a JSON object is complete without parsing it again for each fragment.
#[derive(Debug, Default)]
struct Braces {
    depth: usize,
    quoted: bool,
    escaped: bool,
    closed: bool,
}

impl Braces {
    fn feed(&mut self, json: &str) {
        for byte in json.bytes() {
            match byte {
                _ if std::mem::take(&mut self.escaped) => {}
                b'\\' if self.quoted => self.escaped = true,
                b'"' => self.quoted = !self.quoted,
                _ if self.quoted => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.closed = self.depth == 0;
                }
                _ => {}
            }
        }
    }
}
