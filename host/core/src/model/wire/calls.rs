//! Calls of Chat Completions, put together from their pieces.
//!
//! Servers differ in how they say which call a piece belongs to: by `index`, by `id`, by both, by
//! neither, or with an `index` that is always 0. A piece opens a new call when it cannot belong
//! to the one it points at: another id, another name, or a name again after arguments that are
//! complete.
//!
//! Invariant: an index is only ever compared, so a huge one costs nothing.

use super::super::{ModelError, ModelPart, ToolCall};
use super::budget::Budget;
use std::collections::HashSet;

/// A piece of a call, as it came.
#[derive(Debug, Default)]
pub(super) struct CallFragment {
    pub(super) index: Option<u64>,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
    /// JSON text that must come back with the call.
    pub(super) opaque: Option<String>,
}

/// The calls so far, in the order in which they were opened.
#[derive(Debug, Default)]
pub(super) struct Calls(Vec<Open>);

#[derive(Debug)]
struct Open {
    index: Option<u64>,
    call: ToolCall,
    braces: Braces,
}

impl Calls {
    /// Takes a piece, and gives the name of the call if it has opened one.
    pub(super) fn add(
        &mut self,
        piece: CallFragment,
        budget: &mut Budget,
    ) -> Result<Option<String>, ModelError> {
        let at = match self.belongs(&piece) {
            Some(at) => at,
            None => {
                budget.call()?;
                self.0.push(Open {
                    index: piece.index,
                    call: ToolCall {
                        id: String::new(),
                        name: String::new(),
                        arguments: String::new(),
                        opaque: None,
                    },
                    braces: Braces::default(),
                });
                self.0.len() - 1
            }
        };
        let Open { call, braces, .. } = &mut self.0[at];
        if call.id.is_empty() {
            budget.keep(&mut call.id, &piece.id)?;
        }
        let mut named = None;
        if call.name.is_empty() && !piece.name.is_empty() {
            budget.keep(&mut call.name, &piece.name)?;
            named = Some(piece.name);
        }
        budget.argue(&mut call.arguments, &piece.arguments)?;
        braces.feed(&piece.arguments);
        if let Some(opaque) = piece.opaque {
            budget.spend(opaque.len())?;
            call.opaque = Some(opaque);
        }
        Ok(named)
    }

    /// Which call a piece goes on with; none if it opens one.
    fn belongs(&self, piece: &CallFragment) -> Option<usize> {
        let same_id = |open: &Open| !piece.id.is_empty() && open.call.id == piece.id;
        let last = |fits: &dyn Fn(&Open) -> bool| self.0.iter().rposition(fits);
        let at = match piece.index {
            Some(_) => last(&|open| open.index == piece.index)
                // An index that went astray in the middle of a call.
                .or_else(|| last(&|open| piece.name.is_empty() && same_id(open))),
            None if piece.id.is_empty() => last(&|_| true),
            None => last(&same_id),
        }?;
        let open = &self.0[at];
        let call = &open.call;
        let other_id = !piece.id.is_empty() && !call.id.is_empty() && !same_id(open);
        let other_name = !piece.name.is_empty() && !call.name.is_empty() && piece.name != call.name;
        // The same name again, with arguments from their beginning, after a call that is whole.
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

/// Gives an id to each call that has none, or one that another has. A call without a name is left
/// out: it can neither be run nor sent back.
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

/// Whether a JSON object is complete, told byte by byte: a parser would read it all each time.
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
