//! The keyboard: lines of stdin, until nobody wants to know any more.
//!
//! A question can be settled elsewhere, or the turn be cancelled, while a line is waited for. Then
//! the wait is [dismissed](Dismissal) and reads fail with an error that [`is_dismissed`] knows.
//!
//! Invariant: nothing is read ahead of what a prompt takes: a line belongs to the prompt that stood
//! there when it was typed.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Stdin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How long a dismissal may go unnoticed.
#[cfg(unix)]
const POLL_INTERVAL: std::time::Duration = std::time::Duration::from_millis(100);

/// Says that nobody waits for a line any more.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dismissal(Arc<AtomicBool>);

impl Dismissal {
    pub(crate) fn dismiss(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lines are waited for again.
    pub(crate) fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Standard input, for prompts.
pub(crate) struct Keyboard {
    input: BufReader<Stdin>,
    dismissal: Dismissal,
}

impl Keyboard {
    pub(crate) fn new(dismissal: Dismissal) -> Self {
        Self {
            input: BufReader::new(io::stdin()),
            dismissal,
        }
    }

    /// Waits until there is something to read.
    fn wait(&self) -> io::Result<()> {
        loop {
            if self.dismissal.is_set() {
                discard_typed_input();
                return Err(io::Error::other(DismissedError));
            }
            if !self.input.buffer().is_empty() || is_ready()? {
                return Ok(());
            }
        }
    }
}

impl Read for Keyboard {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.wait()?;
        self.input.read(buffer)
    }
}

impl BufRead for Keyboard {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.wait()?;
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.input.consume(amount);
    }
}

/// Forgets what was typed and not yet read.
#[cfg(unix)]
pub(crate) fn discard_typed_input() {
    // Where it is no terminal there is nothing to forget.
    let _ = rustix::termios::tcflush(io::stdin(), rustix::termios::QueueSelector::IFlush);
}

#[cfg(not(unix))]
pub(crate) fn discard_typed_input() {}

/// Whether a read would come back at once; looks for a short while.
#[cfg(unix)]
fn is_ready() -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = io::stdin();
    let mut look = [PollFd::new(&stdin, PollFlags::IN)];
    let timeout = Timespec::try_from(POLL_INTERVAL).map_err(io::Error::other)?;
    match poll(&mut look, Some(&timeout)) {
        Ok(ready) => Ok(ready > 0),
        // A signal, such as the one that dismisses.
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn is_ready() -> io::Result<bool> {
    Ok(true)
}

/// The error of a read that was dismissed.
#[derive(Debug)]
struct DismissedError;

impl fmt::Display for DismissedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nobody waits for this line any more")
    }
}

impl std::error::Error for DismissedError {}

/// Whether a read failed because it was dismissed.
pub(crate) fn is_dismissed(error: &io::Error) -> bool {
    error
        .get_ref()
        .is_some_and(|inner| inner.is::<DismissedError>())
}
