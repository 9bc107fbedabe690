//! Reads stdin for prompts, and can stop waiting.
//!
//! A question can be settled elsewhere, or the turn cancelled, while a prompt waits for input. The
//! read is then [dismissed](Dismissal) and fails with an error that [`is_dismissed`] recognises.
//!
//! Invariant: input is never read ahead, so a line goes to the prompt that was shown when it was
//! typed.

mod keys;

#[cfg(unix)]
pub(crate) use keys::remember_mode;
pub(crate) use keys::{HiddenInput, Key, reset_mode};

use std::io::{self, BufRead, BufReader, Read, Stdin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often a read checks for dismissal.
#[cfg(unix)]
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// How long a prompt that decides something is on the screen before it takes input. Nobody reads a card faster, but
/// a key that was meant for the prompt before it is on its way for that long.
const ARMING_DELAY: Duration = Duration::from_millis(400);

/// Ends pending reads.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dismissal(Arc<AtomicBool>);

impl Dismissal {
    pub(crate) fn dismiss(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Allows reads again.
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

    /// Waits until there is input.
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

/// Discards input that was typed but not read.
#[cfg(unix)]
pub(crate) fn discard_typed_input() {
    // Only terminals have such input.
    let _ = rustix::termios::tcflush(io::stdin(), rustix::termios::QueueSelector::IFlush);
}

#[cfg(not(unix))]
pub(crate) fn discard_typed_input() {}

/// Waits until a prompt that was just written takes input. What is typed before that is neither shown nor kept.
pub(crate) fn arm() {
    // A terminal that is gone has nothing to hide, and the prompt is at the end of its input.
    let _hidden = HiddenInput::begin();
    std::thread::sleep(ARMING_DELAY);
    discard_typed_input();
}

/// Waits a short time and reports whether there is input.
#[cfg(unix)]
fn is_ready() -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = io::stdin();
    let mut look = [PollFd::new(&stdin, PollFlags::IN)];
    let timeout = Timespec::try_from(POLL_INTERVAL).map_err(io::Error::other)?;
    match poll(&mut look, Some(&timeout)) {
        Ok(ready) => Ok(ready > 0),
        // A signal, such as SIGINT, which may have dismissed the read.
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn is_ready() -> io::Result<bool> {
    Ok(true)
}

/// The error of a dismissed read.
#[derive(Debug, thiserror::Error)]
#[error("the prompt was dismissed")]
struct DismissedError;

/// Reports whether a read failed because it was dismissed.
pub(crate) fn is_dismissed(error: &io::Error) -> bool {
    error
        .get_ref()
        .is_some_and(|inner| inner.is::<DismissedError>())
}
