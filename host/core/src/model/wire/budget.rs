//! The limits of one decoded step.

use super::Decoded;
use super::error::garbled;

/// The most calls of a step.
const MAX_CALLS: usize = 128;
/// The longest arguments of a call, in bytes.
const MAX_ARGUMENTS: usize = 1 << 20;
/// The largest step, in bytes.
const MAX_STEP: usize = 16 << 20;
/// The most parts of a step.
const MAX_PARTS: usize = 1024;

/// The size of a step so far.
#[derive(Debug, Default)]
pub(super) struct Budget {
    bytes: usize,
    calls: usize,
}

impl Budget {
    /// Appends text.
    pub(super) fn append(&mut self, to: &mut String, more: &str) -> Decoded {
        self.spend(more.len())?;
        to.push_str(more);
        Ok(())
    }

    /// Appends to the arguments of a call, which have a limit of their own.
    pub(super) fn append_arguments(&mut self, to: &mut String, more: &str) -> Decoded {
        if to.len() + more.len() > MAX_ARGUMENTS {
            return Err(garbled("the arguments of a call are longer than allowed"));
        }
        self.append(to, more)
    }

    /// Counts bytes.
    pub(super) fn spend(&mut self, bytes: usize) -> Decoded {
        self.bytes += bytes;
        if self.bytes > MAX_STEP {
            return Err(garbled("the answer is longer than allowed"));
        }
        Ok(())
    }

    /// Counts a call.
    pub(super) fn call(&mut self) -> Decoded {
        self.calls += 1;
        if self.calls > MAX_CALLS {
            return Err(garbled("the answer has more calls than allowed"));
        }
        Ok(())
    }
}

/// Checks that a step of so many parts may have one more.
pub(super) fn room(parts: usize) -> Decoded {
    if parts >= MAX_PARTS {
        return Err(garbled("the answer has more parts than allowed"));
    }
    Ok(())
}
