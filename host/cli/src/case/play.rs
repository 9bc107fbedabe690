//! Makes the call of a case again, with everything that it was answered.

use super::{Answer, Case, Exchange, Expected, normal};
use crate::conversation::host::PluginHost;
use crate::data::{self, Data};
use crate::plugin_source::PluginSource;
use crate::power::{allow, pattern};
use crate::terminal::ui::Ui;
use anyhow::{Context, Result};
use footlight::policy::{Rules, Target};
use footlight::store::{Bucket, BucketLimits, Expected as Previous, MemoryStore, Store};
use footlight::{
    Call, CallEvent, CallOutcome, Exchanges, Host, HttpFailure, HttpRequest, HttpResponse,
    LOCAL_PERSON, MemorySecrets, SecretId, SecretValue, Simulation, bounded_file,
};
use footlight_vocabulary::item::{Content, RequestId};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// What stands for the value of each secret.
const PLACEHOLDER: &str = "placeholder-of-a-secret";

/// Request headers that a replayed request must repeat. Others are the business of the wire.
pub(super) const COMPARED: [&str; 3] = ["accept", "content-type", "idempotency-key"];

/// What came of a replayed call.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) actual: Expected,
    /// What the call was not answered, and what it did not use.
    pub(crate) problems: Vec<String>,
}

impl Played {
    /// Reports whether it went as the case says.
    pub(crate) fn is_as_expected(&self, case: &Case) -> bool {
        self.problems.is_empty() && self.actual == case.expect
    }
}

/// Replays a case against a component.
pub(crate) fn play(case: &Case, source: &PluginSource, data: &Data, ui: &Ui) -> Result<Played> {
    let network = Arc::new(Recorded::new(&case.exchanges));
    let exchanges: Arc<Recorded> = Arc::clone(&network);
    let simulation = Simulation::new(case.clock, u64::from(case.seed));
    let simulation = simulation.skip_sleep(true).exchanges(exchanges);
    let secrets = Arc::new(MemorySecrets::default());
    let store = Arc::new(MemoryStore::default());
    let kept: Arc<MemoryStore> = Arc::clone(&store);
    let given: Arc<MemorySecrets> = Arc::clone(&secrets);
    let builder = Host::builder()
        .attended(true)
        .store(kept)
        .simulate(simulation)
        .locale(&case.locale)
        .timezone(&case.timezone);
    let builder = match declared_id(&source.component)? {
        Some(id) => builder.settings(id, Value::Object(case.settings.clone())),
        None => builder,
    };
    let mut host = PluginHost::for_replay(builder, given, data)?;
    let plugin = host.load_source(source, ui)?;
    let id = plugin.id().to_owned();
    for secret in &plugin.manifest().secrets {
        let person = LOCAL_PERSON;
        let (plugin, name) = (plugin.id(), secret.name.as_str());
        let value = SecretValue::new(PLACEHOLDER)?;
        let id = SecretId {
            person,
            plugin,
            name,
        };
        secrets.insert(&id, value);
    }
    let mut rules = Rules::default();
    for name in &case.allow_net {
        let target = Target::Host(pattern(name)?);
        rules.rules.push(allow(id.clone(), target, None));
    }
    for name in &case.secrets {
        let target = Target::Secret(pattern(name)?);
        rules.rules.push(allow(id.clone(), target, None));
    }
    host.host.set_rules(LOCAL_PERSON, rules);
    let bucket = Bucket::of_person(LOCAL_PERSON, &id);
    host.runtime.block_on(async {
        for (key, value) in &case.state {
            let unlimited = BucketLimits {
                bytes: usize::MAX,
                values: usize::MAX,
            };
            let value = Some(value.to_string());
            let set = store.set_state(&bucket, key, value, Previous::Anything, unlimited);
            set.await?.context("the state")?;
        }
        let function = format!("{id}.{}", case.tool);
        let call = host.host.call(&function, Value::Object(case.input.clone()));
        let mut person = ScriptedPerson::of(case);
        let outcome = person.follow(&host.host, call).await?;
        let actual = outcome_of(&host.host, &bucket, &case.state, &outcome).await?;
        let mut problems = person.problems();
        problems.extend(network.problems());
        Ok(Played { actual, problems })
    })
}

/// Returns the id in the manifest of a component, if it has one.
fn declared_id(component: &Path) -> Result<Option<String>> {
    let bytes = bounded_file::read(component, footlight::MAX_BYTES)
        .with_context(|| format!("cannot read `{}`", data::display_path(component)))?;
    Ok(footlight::survey(&bytes)?
        .manifest
        .map(|manifest| manifest.id))
}

/// Returns what came of a call, as a case expects it.
pub(super) async fn outcome_of(
    host: &Host,
    bucket: &Bucket,
    before: &BTreeMap<String, Value>,
    outcome: &CallOutcome,
) -> Result<Expected> {
    let ids = normal::Ids::of(&outcome.items);
    let mut record = Vec::with_capacity(outcome.items.len());
    for item in &outcome.items {
        let content = match &item.content {
            Content::Output(output) => {
                let size = usize::try_from(output.size).unwrap_or(usize::MAX);
                let now = crate::conversation::host::now();
                let read = host
                    .store()
                    .read_output(host.session_id(), &item.id, 0, size, now);
                read.await?
            }
            _ => None,
        };
        record.push(ids.replace(normal::item(item, content.as_deref())));
    }
    let after = state(&**host.store(), bucket).await?;
    let state = (after != *before).then(|| {
        let values = after.into_iter();
        values
            .map(|(key, value)| (key, ids.replace(value)))
            .collect()
    });
    Ok(Expected { record, state })
}

/// Reads everything in a bucket.
pub(super) async fn state(store: &dyn Store, bucket: &Bucket) -> Result<BTreeMap<String, Value>> {
    let mut values = BTreeMap::new();
    for key in store.state_keys(bucket, "").await? {
        if let Some(text) = store.state(bucket, &key).await? {
            values.insert(key, serde_json::from_str(&text)?);
        }
    }
    Ok(values)
}

/// A person who replies as a case says.
struct ScriptedPerson {
    answers: VecDeque<Answer>,
    verdicts: VecDeque<super::Decision>,
    problems: Vec<String>,
}

impl ScriptedPerson {
    fn of(case: &Case) -> Self {
        Self {
            answers: case.answers.iter().cloned().collect(),
            verdicts: case.verdicts.iter().cloned().collect(),
            problems: Vec::new(),
        }
    }

    async fn follow(&mut self, host: &Host, mut call: Call) -> Result<CallOutcome> {
        while let Some(event) = call.next().await {
            match event {
                CallEvent::Asked { id, question, .. } => {
                    self.answer(host, &id, &question.prompt);
                }
                CallEvent::Approval { id, plugin, ask } => {
                    let name = crate::terminal::prompt::approval_name(&plugin, &ask);
                    self.decide(host, &id, &name);
                }
                CallEvent::Finished(outcome) => return Ok(*outcome),
                _ => {}
            }
        }
        anyhow::bail!("the call has no end")
    }

    fn answer(&mut self, host: &Host, id: &RequestId, prompt: &str) {
        let replied = match self.answers.pop_front() {
            Some(Answer::Values(values)) => host.answer(id, Value::Object(values)),
            Some(Answer::Skip) => host.skip(id),
            Some(Answer::Nobody) => host.no_person(id),
            None => {
                let problem =
                    format!("it asked a question that the case does not answer: {prompt}");
                self.problems.push(problem);
                host.no_person(id)
            }
        };
        if let Err(error) = replied {
            self.problems
                .push(format!("an answer does not fit `{prompt}`: {error}"));
            let _ = host.no_person(id);
        }
    }

    fn decide(&mut self, host: &Host, id: &RequestId, name: &str) {
        let replied = match self.verdicts.pop_front() {
            Some(decision) => match decision.verdict {
                Some(verdict) => host.decide(id, verdict, decision.words),
                None => host.no_person(id),
            },
            None => {
                let problem = format!("it needed an approval that the case does not give: {name}");
                self.problems.push(problem);
                host.no_person(id)
            }
        };
        if let Err(error) = replied {
            self.problems
                .push(format!("a verdict does not fit {name}: {error}"));
            let _ = host.no_person(id);
        }
    }

    fn problems(self) -> Vec<String> {
        let mut problems = self.problems;
        for (left, what) in [
            (self.answers.len(), "answers"),
            (self.verdicts.len(), "verdicts"),
        ] {
            if left > 0 {
                problems.push(format!("{left} {what} of the case were not asked for"));
            }
        }
        problems
    }
}

/// The network of a case: it answers what was recorded.
struct Recorded(Mutex<Replay>);

struct Replay {
    left: Vec<Exchange>,
    problems: Vec<String>,
}

impl Recorded {
    fn new(exchanges: &[Exchange]) -> Self {
        Self(Mutex::new(Replay {
            left: exchanges.to_vec(),
            problems: Vec::new(),
        }))
    }

    fn problems(&self) -> Vec<String> {
        let replay = &*self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unused = replay.left.iter().map(|exchange| {
            format!(
                "it did not send a request of the case: {} {}",
                exchange.method, exchange.url
            )
        });
        replay.problems.iter().cloned().chain(unused).collect()
    }
}

/// Returns the headers of a request that are recorded and compared.
pub(super) fn compared(headers: &[(String, String)]) -> Vec<(String, String)> {
    let lower = headers
        .iter()
        .map(|(name, value)| (name.to_ascii_lowercase(), value.clone()));
    let mut headers: Vec<(String, String)> = lower
        .filter(|(name, _)| COMPARED.contains(&name.as_str()))
        .collect();
    headers.sort();
    headers
}

impl Exchanges for Recorded {
    fn answer(&self, request: &HttpRequest) -> Option<Result<HttpResponse, HttpFailure>> {
        let replay = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same =
            |exchange: &Exchange| exchange.method == request.method && exchange.url == request.url;
        let has_sent = |exchange: &Exchange| {
            is_same(exchange)
                && exchange.body == request.body
                && compared(&exchange.headers) == compared(&request.headers)
        };
        if let Some(at) = replay.left.iter().position(has_sent) {
            return Some(replay.left.remove(at).answer);
        }
        let how = match replay.left.iter().any(is_same) {
            true => " with this body and these headers",
            false => "",
        };
        // A guest can send as many requests as it likes; one line says it.
        if replay.problems.is_empty() {
            replay.problems.push(format!(
                "it sent a request that the case does not have{how}: {} {}",
                request.method, request.url
            ));
        }
        Some(Err(HttpFailure::Unreachable))
    }
}
