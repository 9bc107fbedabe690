//! One build, which ends early when another save comes.

use super::Event;
use crate::{build_child, compile_child};
use anyhow::{Context as _, Result};
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::ChildStdin;
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;

/// The most bytes of cargo's messages and of its errors.
const MAX_MESSAGES: u64 = 64 << 20;
const MAX_ERRORS: u64 = 1 << 20;

/// A running build. Dropping it kills cargo and everything that cargo has started, and waits for their end.
pub(super) struct Build {
    /// Cargo lives for as long as this is open.
    alive: Option<ChildStdin>,
    waiting: Option<JoinHandle<()>>,
}

/// What a build came to.
pub(super) struct Built {
    /// The number of the build.
    pub(super) number: u64,
    pub(super) succeeded: bool,
    /// Cargo's messages, one JSON object to a line.
    pub(super) messages: Vec<u8>,
    /// Errors and warnings as cargo prints them.
    pub(super) output: String,
}

impl Build {
    /// Starts a build with these words. Its end is an event.
    pub(super) fn start(
        words: &[OsString],
        folder: &Path,
        number: u64,
        events: Sender<Event>,
    ) -> Result<Self> {
        let mut child = build_child::spawn(&compile_child::program()?, words, folder)
            .context("cannot run cargo")?;
        let alive = child.stdin.take();
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let waiting = std::thread::spawn(move || {
            let errors = std::thread::spawn(move || read(stderr, MAX_ERRORS));
            let messages = read(stdout, MAX_MESSAGES);
            let output = errors.join().unwrap_or_default();
            let succeeded = child.wait().is_ok_and(|status| status.success());
            // Nobody listens at the end of the command.
            let _ = events.send(Event::Built(Built {
                number,
                succeeded,
                messages,
                output: String::from_utf8_lossy(&output).into_owned(),
            }));
        });
        Ok(Self {
            alive,
            waiting: Some(waiting),
        })
    }
}

impl Drop for Build {
    fn drop(&mut self) {
        drop(self.alive.take());
        if let Some(waiting) = self.waiting.take() {
            let _ = waiting.join();
        }
    }
}

/// Reads to the end and keeps the beginning.
fn read(from: Option<impl Read>, most: u64) -> Vec<u8> {
    let mut kept = Vec::new();
    if let Some(mut from) = from {
        let _ = from.by_ref().take(most).read_to_end(&mut kept);
        let _ = std::io::copy(&mut from, &mut std::io::sink());
    }
    kept
}
