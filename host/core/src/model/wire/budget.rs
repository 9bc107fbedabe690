//! How much a decoder keeps of one step.

use super::super::ModelError;
use super::error::garbled;

/// How many calls a step may hold.
pub(super) const CALLS: usize = 128;
/// How long the arguments of one call may be.
pub(super) const CALL: usize = 1 << 20;
/// How much is kept of a step in all.
pub(super) const STEP: usize = 16 << 20;
/// How many parts a step may have.
pub(super) const PARTS: usize = 1024;

/// What was spent so far.
#[derive(Debug, Default)]
pub(super) struct Budget {
    bytes: usize,
    calls: usize,
}

impl Budget {
    /// Appends, if it may be kept.
    pub(super) fn keep(&mut self, to: &mut String, more: &str) -> Result<(), ModelError> {
        self.spend(more.len())?;
        to.push_str(more);
        Ok(())
    }

    /// Appends to the arguments of a call, which are bounded on their own.
    pub(super) fn argue(&mut self, to: &mut String, more: &str) -> Result<(), ModelError> {
        if to.len() + more.len() > CALL {
            return Err(garbled("the arguments of a call are longer than allowed"));
        }
        self.keep(to, more)
    }

    pub(super) fn spend(&mut self, bytes: usize) -> Result<(), ModelError> {
        self.bytes += bytes;
        if self.bytes > STEP {
            return Err(garbled("the answer is longer than allowed"));
        }
        Ok(())
    }

    /// One more call.
    pub(super) fn call(&mut self) -> Result<(), ModelError> {
        self.calls += 1;
        if self.calls > CALLS {
            return Err(garbled("the answer has more calls than allowed"));
        }
        Ok(())
    }
}

/// Whether one more part fits.
pub(super) fn room(parts: usize) -> Result<(), ModelError> {
    if parts >= PARTS {
        return Err(garbled("the answer has more parts than allowed"));
    }
    Ok(())
}
