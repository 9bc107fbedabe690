//! Records a call as a case.

use super::{Answer, Case, Decision, Exchange, MAX_BYTES, MAX_ENTRIES, file, play};
use crate::conversation::host::{PluginHost, now};
use crate::data::{self, Data};
use crate::exit::ExitError;
use crate::plugin_source::PluginSource;
use crate::power::PowerFlags;
use crate::terminal::ui::Ui;
use anyhow::{Result, bail};
use footlight::policy::Target;
use footlight::store::Bucket;
use footlight::{
    CallOutcome, Exchanges, HttpFailure, HttpRequest, HttpResponse, LOCAL_PERSON, Observed,
    Observer, Plugin, Simulation,
};
use footlight_vocabulary::item::{AskState, Content, Power, Receipt, Tool};
use footlight_vocabulary::question::Control;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Response headers that are recorded: those that say what a body is and where to go on. Others can hold
/// what is nobody's business, such as cookies.
const RECORDED: [&str; 9] = [
    "content-type",
    "content-length",
    "content-language",
    "content-disposition",
    "etag",
    "last-modified",
    "link",
    "location",
    "retry-after",
];

/// The call that is recorded.
pub(crate) struct RecordedCall<'a> {
    pub(crate) plugin: &'a Plugin,
    pub(crate) source: &'a PluginSource,
    /// The tool and its input.
    pub(crate) called: (&'a str, &'a Map<String, Value>),
}

/// A recording that goes on.
pub(crate) struct Recording {
    file: PathBuf,
    clock: footlight_vocabulary::item::Timestamp,
    seed: u32,
    network: Arc<Network>,
    settings: Map<String, Value>,
    before: BTreeMap<String, Value>,
}

impl Recording {
    /// Begins a recording into a new file.
    ///
    /// # Errors
    /// When the file exists, or a folder is granted.
    pub(crate) fn begin(file: &Path, powers: &PowerFlags) -> Result<Self> {
        let name = data::display_path(file);
        if file.extension().is_none_or(|end| end != "toml") {
            return Err(ExitError::usage(format!(
                "`--record {name}`: the file of a case ends with `.toml`"
            )));
        }
        if file.symlink_metadata().is_ok() {
            return Err(ExitError::usage(format!(
                "`--record {name}`: the file exists; name another, or delete it to record again"
            )));
        }
        if powers.grants_folders() {
            return Err(ExitError::usage(
                "a call that uses a folder cannot be recorded: its files can change, and a case does not hold them; leave out `--dir`",
            ));
        }
        let clock = now();
        // Nothing that is recorded is protected by it.
        let seed = u32::try_from(clock.millis() & 0xffff_ffff).unwrap_or_default();
        Ok(Self {
            file: file.to_owned(),
            clock,
            seed,
            network: Arc::default(),
            settings: Map::new(),
            before: BTreeMap::new(),
        })
    }

    /// Returns what the host of the call simulates: its clock and its randomness.
    pub(crate) fn simulation(&self) -> Simulation {
        let network: Arc<Network> = Arc::clone(&self.network);
        Simulation::new(self.clock, u64::from(self.seed)).exchanges(network)
    }

    /// Reads the state before the call, and notes the settings of the plugin.
    pub(crate) fn watch(
        &mut self,
        host: &PluginHost,
        plugin: &Plugin,
        settings: Option<&Value>,
    ) -> Result<()> {
        let settings = settings.and_then(Value::as_object);
        self.settings = settings.cloned().unwrap_or_default();
        let observer: Arc<Network> = Arc::clone(&self.network);
        host.host.add_observer(observer);
        let bucket = Bucket::of_person(LOCAL_PERSON, plugin.id());
        let state = play::state(&**host.host.store(), &bucket);
        self.before = host.runtime.block_on(state)?;
        Ok(())
    }

    /// Writes the case, and replays it at once. Returns whether it repeats.
    ///
    /// # Errors
    /// When the call cannot be recorded, or the file cannot be written.
    pub(crate) fn finish(
        self,
        host: &PluginHost,
        of: &RecordedCall<'_>,
        outcome: &CallOutcome,
        data: &Data,
        ui: &Ui,
    ) -> Result<bool> {
        let name = data::display_path(&self.file).to_string();
        let (plugin, (tool, input)) = (of.plugin, of.called);
        check(outcome)?;
        let exchanges = lock(&self.network.seen).checked()?;
        // What the plugin did not look at is not its author's to share.
        let uses_state = self.network.uses_state.load(Ordering::Relaxed);
        let (mut before, used) = (self.before.clone(), uses_state);
        if !used {
            before.clear();
        }
        if before.len() > MAX_ENTRIES {
            bail!(
                "the plugin keeps more than {MAX_ENTRIES} values, and a case can have no more; record with another `--data-dir`"
            );
        }
        let bucket = Bucket::of_person(LOCAL_PERSON, plugin.id());
        let actual = play::outcome_of(&host.host, &bucket, &self.before, outcome);
        let expect = host.runtime.block_on(actual)?;
        let (allow_net, secrets) = granted(host);
        let (answers, verdicts) = replies(outcome);
        let case = Case {
            tool: tool.to_owned(),
            input: input.clone(),
            clock: self.clock,
            seed: self.seed,
            locale: "en".to_owned(),
            timezone: "Etc/UTC".to_owned(),
            settings: self.settings,
            allow_net,
            secrets,
            state: before,
            answers,
            verdicts,
            exchanges,
            expect,
        };
        file::create(&self.file, &case.to_toml())?;
        let case = file::read(&self.file)?;
        let played = play::play(&case, of.source, data, ui)?;
        ui.dim_note(&format!("recorded {name}; replay it with `footlight test`"));
        let repeats = played.is_as_expected(&case);
        if !repeats {
            ui.note(&format!(
                "{name} does not repeat: the call depends on something that a case does not hold. Compare with `footlight test`"
            ));
        }
        Ok(repeats)
    }
}

/// Checks that a call can be recorded.
fn check(outcome: &CallOutcome) -> Result<()> {
    for item in &outcome.items {
        match &item.content {
            Content::Ask(ask) => {
                let is_secret = ask
                    .widgets
                    .iter()
                    .any(|field| field.control == Control::Secret);
                if is_secret && ask.state == AskState::Answered {
                    bail!(
                        "the call was told a secret, which no case can hold: nothing is recorded"
                    );
                }
            }
            Content::Tool(tool) => {
                let folders = tool.powers.iter();
                if folders
                    .filter(|used| used.denied.is_none())
                    .any(|used| used.power == Power::Folder)
                {
                    bail!("the call used a folder, which no case can hold: nothing is recorded");
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the hosts and the secrets that flags granted.
fn granted(host: &PluginHost) -> (Vec<String>, Vec<String>) {
    let (mut hosts, mut secrets) = (Vec::new(), Vec::new());
    for rule in host.flag_rules() {
        match &rule.target {
            Target::Host(host) => hosts.push(host.to_string()),
            Target::Secret(name) => secrets.push(name.to_string()),
            _ => {}
        }
    }
    (hosts, secrets)
}

/// Returns what the person replied, from the record of the call.
fn replies(outcome: &CallOutcome) -> (Vec<Answer>, Vec<Decision>) {
    let (mut answers, mut verdicts) = (Vec::new(), Vec::new());
    for item in &outcome.items {
        match &item.content {
            Content::Ask(ask) => answers.push(match ask.state {
                AskState::Answered => Answer::Values(ask.values.clone().unwrap_or_default()),
                AskState::Skipped => Answer::Skip,
                _ => Answer::Nobody,
            }),
            Content::Tool(tool) => verdicts.extend(decisions(tool)),
            _ => {}
        }
    }
    (answers, verdicts)
}

/// Returns the decisions of a call: that on the call itself comes before those on its operations.
fn decisions(tool: &Tool) -> impl Iterator<Item = Decision> {
    let decided = |receipt: &Receipt| Decision {
        verdict: Some(receipt.decision),
        words: receipt.reason.clone(),
    };
    tool.verdict.iter().chain(&tool.verdicts).map(decided)
}

/// What a call does that only the host sees.
#[derive(Default)]
struct Network {
    seen: Mutex<Seen>,
    uses_state: AtomicBool,
}

#[derive(Default)]
struct Seen {
    exchanges: Vec<Exchange>,
    /// The bytes of all bodies.
    bytes: usize,
}

impl Seen {
    /// Adds an exchange. Of more than a case can have, one is kept: it says so.
    fn add(&mut self, exchange: Exchange) {
        if self.is_too_much() {
            return;
        }
        let answered = exchange.answer.as_ref();
        self.bytes += exchange.body.len() + answered.map_or(0, |response| response.body.len());
        self.exchanges.push(exchange);
    }

    fn is_too_much(&self) -> bool {
        self.exchanges.len() > MAX_ENTRIES || self.bytes > MAX_BYTES
    }

    /// Returns the exchanges.
    ///
    /// # Errors
    /// When they are more than a case can have.
    fn checked(&self) -> Result<Vec<Exchange>> {
        if self.is_too_much() {
            bail!(
                "the call sent and received too much for a case: at most {MAX_ENTRIES} requests, and {MAX_BYTES} bytes with their answers"
            );
        }
        Ok(self.exchanges.clone())
    }
}

fn lock(seen: &Mutex<Seen>) -> MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Exchanges for Network {
    fn answer(&self, _: &HttpRequest) -> Option<Result<HttpResponse, HttpFailure>> {
        None
    }

    fn answered(&self, request: HttpRequest, answer: Result<HttpResponse, HttpFailure>) {
        let answer = answer.map(|mut response| {
            let is_recorded = |name: &str| RECORDED.contains(&name.to_ascii_lowercase().as_str());
            response.headers.retain(|(name, _)| is_recorded(name));
            response
        });
        lock(&self.seen).add(Exchange {
            headers: play::compared(&request.headers),
            method: request.method,
            url: request.url,
            body: request.body,
            answer,
        });
    }
}

impl Observer for Network {
    fn observe(&self, event: &Observed<'_>) {
        if let Observed::HostCall {
            operation, subject, ..
        } = event
            && operation.starts_with("state.")
            && subject.starts_with("person ")
        {
            self.uses_state.store(true, Ordering::Relaxed);
        }
    }

    fn watches_guests(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(bodies: impl Iterator<Item = usize>) -> Seen {
        let mut seen = Seen::default();
        for size in bodies {
            let response = HttpResponse::new(200, Vec::new(), vec![0; size]);
            seen.add(Exchange {
                method: "GET".to_owned(),
                url: "https://a.example/".to_owned(),
                headers: Vec::new(),
                body: Vec::new(),
                answer: Ok(response),
            });
        }
        seen
    }

    #[test]
    fn a_call_of_many_or_large_answers_is_refused_and_takes_bounded_memory() {
        let fits = seen([MAX_BYTES / 2; 2].into_iter());
        assert_eq!(fits.checked().expect("fits").len(), 2);
        for (bodies, kept) in [
            (vec![0; 3 * MAX_ENTRIES], MAX_ENTRIES + 1),
            (vec![MAX_BYTES / 2; 20], 3),
        ] {
            let seen = seen(bodies.into_iter());
            assert!(seen.checked().is_err());
            assert_eq!(seen.exchanges.len(), kept);
        }
    }
}
