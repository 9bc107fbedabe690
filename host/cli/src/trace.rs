//! `--log` and `--trace`: what plugins log and which host calls they make, on stderr while they run.
//!
//! The host tells a [`Trace`] on whatever thread runs the guest; the loop that shows events takes what
//! was told and prints it, so that nothing is printed in the middle of something else.
//!
//! Invariant: text of a plugin passes the filter, and each of its lines begins with what the host knows.

use crate::plugin_source::format_size;
use crate::terminal::ui::{Emphasis, Ui};
use clap::Args;
use footlight::{HostCallOutcome, LogLevel, LogSource, Observed, Observer};
use footlight_render::filter;
use footlight_vocabulary::item::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How many lines can wait to be printed. Those that come while as many wait are counted and left out.
const MAX_WAITING: usize = 10_000;

/// What plugins do while they run, for their authors.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "For authors of plugins")]
pub(crate) struct TraceFlags {
    /// Show on stderr what plugins log and print, or only from LEVEL up: trace, debug, info, warn or
    /// error; stdout counts as info, stderr as error
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, require_equals = true,
          default_missing_value = "trace")]
    pub(crate) log: Option<LogLevel>,
    /// List on stderr every call that plugins make to the host, with its outcome and its time
    #[arg(long)]
    pub(crate) trace: bool,
}

impl TraceFlags {
    /// Returns the first flag that is given.
    pub(crate) fn first_given(self) -> Option<&'static str> {
        match (self.log, self.trace) {
            (Some(_), _) => Some("--log"),
            (None, true) => Some("--trace"),
            (None, false) => None,
        }
    }
}

/// What was told and not printed yet.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    flags: TraceFlags,
    waiting: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    lines: VecDeque<Line>,
    left_out: u64,
}

/// What was told, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Line {
    #[serde(flatten)]
    what: What,
    at: Timestamp,
    call: String,
    function: String,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum What {
    PluginLog {
        /// `log`, `stdout` or `stderr`.
        source: &'static str,
        #[serde(serialize_with = "as_word")]
        level: LogLevel,
        text: String,
    },
    HostCall {
        number: u64,
        class: &'static str,
        operation: &'static str,
        subject: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        sent: Option<u64>,
        #[serde(rename = "took_ms", serialize_with = "as_millis")]
        took: Duration,
        #[serde(flatten)]
        ended: Ended,
    },
    TraceCut {
        host_calls: u64,
        log_lines: u64,
        printed_bytes: u64,
        told_secret: bool,
    },
}

#[derive(Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
enum Ended {
    Answered {
        #[serde(skip_serializing_if = "Option::is_none")]
        bytes: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<u16>,
    },
    Failed {
        error: &'static str,
        message: String,
    },
    Stopped,
}

fn as_word<S: Serializer>(level: &LogLevel, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(level.as_str())
}

fn as_millis<S: Serializer>(took: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(took.as_micros() as f64 / 1000.0)
}

impl Trace {
    /// Returns what shows what the flags say; none if they say nothing.
    pub(crate) fn of(flags: TraceFlags) -> Option<Self> {
        flags.first_given()?;
        Some(Self {
            flags,
            waiting: Mutex::default(),
        })
    }

    fn push(&self, line: Line) {
        let waiting = &mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        match waiting.lines.len() < MAX_WAITING {
            true => waiting.lines.push_back(line),
            false => waiting.left_out += 1,
        }
    }

    /// Prints what was told since the last time.
    pub(crate) fn show(&self, ui: &Ui) {
        let taken =
            std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        let json = |value: Value| ui.note(&filter::json_line(&value));
        for line in taken.lines {
            match ui.json {
                true => json(json!(line)),
                false => line.print(ui),
            }
        }
        match taken.left_out {
            0 => {}
            lines if ui.json => json(json!({ "type": "trace_cut", "lines": lines })),
            lines => ui.dim_note(&format!("{lines} lines came too fast and are left out")),
        }
    }
}

impl Observer for Trace {
    fn observe(&self, event: &Observed<'_>) {
        if let Some(line) = Line::of(event, self.flags) {
            self.push(line);
        }
    }

    fn watches_guests(&self) -> bool {
        true
    }
}

/// Describes a host call in one line; none for any other event.
pub(crate) fn host_call_line(event: &Observed<'_>) -> Option<String> {
    let flags = TraceFlags {
        log: None,
        trace: true,
    };
    let line = Line::of(event, flags)?;
    let is_host_call = matches!(line.what, What::HostCall { .. });
    is_host_call.then(|| line.what.notes().join(" "))
}

impl Ended {
    fn of(outcome: HostCallOutcome<'_>) -> Self {
        match outcome {
            HostCallOutcome::Answered { bytes, status, .. } => Self::Answered { bytes, status },
            HostCallOutcome::Failed { error, message, .. } => Self::Failed {
                error,
                message: message.to_owned(),
            },
            _ => Self::Stopped,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Answered { bytes, status } => {
                let status = status.map(|status| status.to_string());
                let bytes = bytes.map(format_size);
                let parts: Vec<String> = status.into_iter().chain(bytes).collect();
                match parts.is_empty() {
                    true => "done".to_owned(),
                    false => parts.join(", "),
                }
            }
            Self::Failed { error, message } if message.is_empty() => (*error).to_owned(),
            Self::Failed { error, message } => format!("{error} ({message})"),
            Self::Stopped => "stopped before it was answered".to_owned(),
        }
    }
}

impl What {
    /// Describes what is not part of the plugin's log, a line for each.
    fn notes(&self) -> Vec<String> {
        match self {
            Self::PluginLog { .. } => Vec::new(),
            Self::HostCall {
                number,
                class,
                operation,
                subject,
                sent,
                took,
                ended,
            } => {
                let subject = match subject.is_empty() {
                    true => String::new(),
                    false => format!(" {}", filter::line(subject, 300)),
                };
                let sent = sent
                    .filter(|sent| *sent > 0)
                    .map_or_else(String::new, |sent| format!(" ({} sent)", format_size(sent)));
                let ended = filter::line(&ended.text(), 350);
                let took = took_text(*took);
                vec![format!(
                    "#{number} {class} {operation}{subject}{sent}: {ended}, {took}"
                )]
            }
            Self::TraceCut {
                host_calls,
                log_lines,
                printed_bytes,
                told_secret,
            } => {
                let counts = [
                    (host_calls, "more host calls"),
                    (log_lines, "more log messages"),
                    (printed_bytes, "more printed bytes"),
                ];
                let counts = counts.into_iter().filter(|(count, _)| **count > 0);
                let counts = counts.map(|(count, what)| format!("{count} {what} are left out"));
                let secret = "texts and sizes are left out from where the call was told a secret";
                counts
                    .chain(told_secret.then(|| secret.to_owned()))
                    .collect()
            }
        }
    }
}

impl Line {
    /// Reads an event; none if the flags do not want it.
    fn of(event: &Observed<'_>, flags: TraceFlags) -> Option<Self> {
        let (at, call, function, what) = match *event {
            Observed::GuestLogged {
                at,
                call,
                function,
                source,
                text,
                ..
            } if flags.log.is_some_and(|least| source.level() >= least) => {
                let what = What::PluginLog {
                    source: match source {
                        LogSource::Log(_) => "log",
                        LogSource::Stdout => "stdout",
                        LogSource::Stderr => "stderr",
                    },
                    level: source.level(),
                    text: text.to_owned(),
                };
                (at, call, function, what)
            }
            Observed::HostCall {
                at,
                call,
                function,
                number,
                class,
                operation,
                subject,
                sent,
                outcome,
                took,
                ..
            } if flags.trace => {
                let what = What::HostCall {
                    number,
                    class: class.as_str(),
                    operation,
                    subject: subject.to_owned(),
                    sent,
                    took,
                    ended: Ended::of(outcome),
                };
                (at, call, function, what)
            }
            Observed::GuestTraceCut {
                call,
                function,
                host_calls,
                log_lines,
                printed_bytes,
                told_secret,
                ..
            } => {
                let what = What::TraceCut {
                    host_calls: if flags.trace { host_calls } else { 0 },
                    log_lines: flags.log.map_or(0, |_| log_lines),
                    printed_bytes: flags.log.map_or(0, |_| printed_bytes),
                    told_secret,
                };
                (crate::conversation::host::now(), call, function, what)
            }
            _ => return None,
        };
        Some(Self {
            what,
            at,
            call: call.as_str().to_owned(),
            function: function.to_owned(),
        })
    }

    /// Prints it in one line, or one for each line of a message.
    fn print(&self, ui: &Ui) {
        let at = self.at.to_string();
        let time = at.split_once('T').map_or(&*at, |(_, time)| time);
        let head = format!("{time} {}", filter::line(&self.function, 130));
        let head = ui.styled_err(Emphasis::Dim, &head);
        if let What::PluginLog {
            source,
            level,
            text,
        } = &self.what
        {
            let word = match *source {
                "log" => level.as_str(),
                source => source,
            };
            let word = format!("{word:6}");
            let word = match level {
                LogLevel::Error => ui.styled_err(Emphasis::Red, &word),
                LogLevel::Warn => ui.styled_err(Emphasis::Yellow, &word),
                _ => word,
            };
            for line in filter::clean(text).split('\n') {
                ui.note(&format!("{head} {word} {line}"));
            }
        }
        for note in self.what.notes() {
            ui.note(&format!("{head} {note}"));
        }
    }
}

/// Returns a time in the unit that suits it, such as `45.2 ms`.
fn took_text(took: Duration) -> String {
    let micros = took.as_secs_f64() * 1e6;
    match micros {
        ..1_000.0 => format!("{micros:.0} µs"),
        ..1_000_000.0 => format!("{:.1} ms", micros / 1e3),
        _ => format!("{:.1} s", micros / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_in_the_unit_that_suits_it() {
        for (micros, expected) in [
            (0, "0 µs"),
            (999, "999 µs"),
            (45_240, "45.2 ms"),
            (2_000_000, "2.0 s"),
        ] {
            assert_eq!(took_text(Duration::from_micros(micros)), expected);
        }
    }

    fn logged(text: &str) -> Line {
        Line {
            at: Timestamp::default(),
            call: "c".to_owned(),
            function: "a.b".to_owned(),
            what: What::PluginLog {
                source: "stdout",
                level: LogLevel::Info,
                text: text.to_owned(),
            },
        }
    }

    #[test]
    fn lines_that_nobody_prints_are_counted_and_take_no_more_room() {
        let trace = Trace::default();
        (0..MAX_WAITING + 7).for_each(|n| trace.push(logged(&n.to_string())));
        let waiting = trace.waiting.lock().expect("unpoisoned");
        assert_eq!((waiting.lines.len(), waiting.left_out), (MAX_WAITING, 7));
    }
}
