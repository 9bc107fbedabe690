//! One build, which ends early when another save comes.

use super::Event;
use crate::plugin_source::quick::QuickBuild;
use crate::{build_child, compile_child};
use anyhow::{Context as _, Result};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ChildStdin;
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;

/// The most bytes of what a tool prints to stdout and to stderr.
const MAX_STDOUT: u64 = 64 << 20;
const MAX_STDERR: u64 = 1 << 20;

/// A running build. Dropping it kills the tool and everything that it has started, and waits for their end.
pub(super) struct Build {
    /// The tool lives for as long as this is open.
    alive: Option<ChildStdin>,
    waiting: Option<JoinHandle<()>>,
}

/// What a build came to.
pub(super) struct Built {
    /// The number of the build.
    pub(super) number: u64,
    /// The component; none if the tool has failed.
    pub(super) component: Option<Result<PathBuf>>,
    /// Errors and warnings as the tool prints them.
    pub(super) output: String,
}

impl Build {
    /// Starts a build. Its end is an event.
    pub(super) fn start(
        build: QuickBuild,
        folder: &Path,
        number: u64,
        events: Sender<Event>,
    ) -> Result<Self> {
        // Nobody listens at the end of the command.
        let ended = move |component, output| {
            let _ = events.send(Event::Built(Built {
                number,
                component,
                output,
            }));
        };
        let words = build.words();
        if words.is_empty() {
            ended(Some(build.component(&[])), String::new());
            return Ok(Self {
                alive: None,
                waiting: None,
            });
        }
        let program = compile_child::program()?;
        let mut child = build_child::spawn(&program, &words, &build.variables(), folder)
            .context("the build cannot be started")?;
        let alive = child.stdin.take();
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let waiting = std::thread::spawn(move || {
            let errors = std::thread::spawn(move || read(stderr, MAX_STDERR));
            let stdout = read(stdout, MAX_STDOUT);
            let stderr = errors.join().unwrap_or_default();
            let succeeded = child.wait().is_ok_and(|status| status.success());
            let mut output = build.said(&stdout, &stderr);
            if !succeeded && output.trim().is_empty() {
                output = "the tool has failed without a message".to_owned();
            }
            let component = succeeded.then(|| build.component(&stdout));
            ended(component, output);
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
