//! Cases: recorded calls, which `footlight test` replays without network, disk, clock or person.
//!
//! `call --record` writes a [`Case`] from a call that was made ([`record`]); [`play`] makes the call again
//! with everything that it was answered, and compares what came of it ([`compare`]). The file is TOML for
//! people ([`file`]); values of any shape are JSON text in it, as on the command line.
//!
//! Invariant: a case holds no value of a secret and no content of a folder, and a replay reaches nothing
//! but the component.

pub(crate) mod compare;
pub(crate) mod file;
mod folder;
mod normal;
pub(crate) mod play;
pub(crate) mod record;

pub(crate) use folder::{FoundCase, cases_in};

use footlight::{HttpFailure, HttpResponse};
use footlight_vocabulary::item::{Timestamp, Verdict};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The most bytes of a file.
pub(crate) const MAX_BYTES: usize = 4 << 20;

/// The most cases of one plugin.
pub(crate) const MAX_CASES: usize = 1_000;

/// The most requests, answers or values of the state of one case. A call can make no more requests.
pub(crate) const MAX_ENTRIES: usize = 200;

/// A recorded call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Case {
    pub(crate) tool: String,
    pub(crate) input: Map<String, Value>,
    /// When the call starts.
    pub(crate) clock: Timestamp,
    pub(crate) seed: u32,
    pub(crate) locale: String,
    pub(crate) timezone: String,
    pub(crate) settings: Map<String, Value>,
    /// Hosts that were granted with flags.
    pub(crate) allow_net: Vec<String>,
    /// Secrets that were granted with flags, by name.
    pub(crate) secrets: Vec<String>,
    /// What the plugin keeps for the person, before the call.
    pub(crate) state: BTreeMap<String, Value>,
    /// The replies to questions, in order.
    pub(crate) answers: Vec<Answer>,
    /// The decisions on approval requests, in order.
    pub(crate) verdicts: Vec<Decision>,
    pub(crate) exchanges: Vec<Exchange>,
    pub(crate) expect: Expected,
}

/// A reply to a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer {
    Values(Map<String, Value>),
    Skip,
    /// Nobody could be asked, or nobody answered in time.
    Nobody,
}

/// A decision on an approval request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Decision {
    /// None if nobody could be asked.
    pub(crate) verdict: Option<Verdict>,
    /// The person's words for the model.
    pub(crate) words: Option<String>,
}

/// A request of the plugin, and its answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Exchange {
    pub(crate) method: String,
    pub(crate) url: String,
    /// The headers that a replayed request must have, too.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) answer: Result<HttpResponse, HttpFailure>,
}

/// What came of a call, without ids and times.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Expected {
    /// The items: the call with its result, then what it showed, asked and stored.
    pub(crate) record: Vec<Value>,
    /// What the plugin keeps for the person after the call, if the call changed it.
    pub(crate) state: Option<BTreeMap<String, Value>>,
}

impl Expected {
    /// Returns the record as the text that is compared and shown.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{:#}\n", Value::Array(self.record.clone()));
        if let Some(state) = &self.state {
            text.push_str(&format!("state: {:#}\n", serde_json::json!(state)));
        }
        text
    }
}
