//! The log of a server: a line for each event, on stderr.

use anyhow::{Result, anyhow};
use std::io;
use tracing_subscriber::filter::LevelFilter;

/// How a line of the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum LogFormat {
    /// For people.
    Text,
    /// A JSON object.
    Json,
}

impl LogFormat {
    /// Writes the log from now on.
    pub(super) fn install(self) -> Result<()> {
        let log = tracing_subscriber::fmt()
            .with_max_level(LevelFilter::INFO)
            .with_ansi(false)
            .with_writer(io::stderr);
        let installed = match self {
            Self::Text => log.try_init(),
            Self::Json => log.json().flatten_event(true).try_init(),
        };
        installed.map_err(|error| anyhow!("the log cannot be written: {error}"))
    }
}
