//! The settings of a session: the model, whose session it is, and what differs from the host's.

use crate::call::hydration;
use crate::host::LOCAL_PERSON;
use crate::model::Model;
use crate::policy::Rules;
use footlight_vocabulary::item::SessionId;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The settings of a session: the model, and what differs from the [host's](crate::HostBuilder) own
/// settings.
///
/// ```
/// use footlight::model::Script;
/// use footlight::session::Settings;
///
/// let script = Script::parse("hello", "steps:\n  - text: Hello!\n")?;
/// let mut settings = Settings::new(script).attended().person("ada");
/// settings.system = "Answer in one sentence.".to_owned();
/// settings.limits.steps = 8;
/// assert_eq!(settings.person, "ada");
/// # Ok::<(), footlight::model::ScriptError>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Settings {
    /// The model.
    pub model: Arc<dyn Model>,
    /// Whether the model stands for the person, like a form that the person fills in: it may call the
    /// tools that only actions of widgets call otherwise, as [`Caller::Person`](crate::policy::Caller). It
    /// is not offered them.
    pub stands_for_person: bool,
    /// Instructions for the model, in addition to those of the host.
    pub system: String,
    /// Whether a person can be asked. If not, whatever needs a person fails at once.
    pub attended: bool,
    /// The name on receipts of replies through this [`Session`](super::Session). By default the
    /// [`person`](field@Self::person), unless that is [`LOCAL_PERSON`].
    pub by: Option<String>,
    /// The person whose session it is, by any name that tells people apart; [`LOCAL_PERSON`] by
    /// default. The session, its requests, outputs and grants, and the state of plugins in it belong
    /// to this person; another person cannot resume it. The person's
    /// [rules](crate::Host::set_rules) apply, and all their sessions together count in
    /// [`WaitingLimits::per_person`](crate::WaitingLimits::per_person). Plugins never see the name.
    pub person: String,
    /// The person's language, as a BCP 47 tag; by default the [host's](crate::HostBuilder::locale).
    pub locale: Option<String>,
    /// The person's time zone, as an IANA name; by default the
    /// [host's](crate::HostBuilder::timezone).
    pub timezone: Option<String>,
    /// The plugins that take part, by id; by default all that are loaded. The model does not see the
    /// tools of others, and neither it nor a press can call them.
    pub plugins: Option<BTreeSet<String>>,
    /// The settings of plugins by id, in place of the [host's](crate::HostBuilder::settings).
    pub plugin_settings: BTreeMap<String, Value>,
    /// The rules of policy, in place of the person's. They do not change while the session runs.
    pub rules: Option<Arc<Rules>>,
    /// The components that make a result a widget: a result that is a tree with such a root is shown to
    /// the person, and the model reads a line in its place. By default `Card` and `ListView`; without
    /// any, results are never widgets.
    pub roots: BTreeSet<String>,
    /// The limits of a turn.
    pub limits: TurnLimits,
    /// How long a request stays pending. When it expires it counts as denied.
    pub reply_timeout: Option<Duration>,
    /// Data that is stored with the session, for whoever resumes it.
    pub meta: Map<String, Value>,
}

impl Settings {
    /// Returns the default settings with this model.
    pub fn new(model: impl Model) -> Self {
        Self::shared(Arc::new(model))
    }

    /// Returns the default settings with a shared model.
    pub fn shared(model: Arc<dyn Model>) -> Self {
        Self {
            model,
            stands_for_person: false,
            system: String::new(),
            attended: false,
            by: None,
            person: LOCAL_PERSON.to_owned(),
            locale: None,
            timezone: None,
            plugins: None,
            plugin_settings: BTreeMap::new(),
            rules: None,
            roots: hydration::roots().clone(),
            limits: TurnLimits::default(),
            reply_timeout: None,
            meta: Map::new(),
        }
    }

    /// Sets that a person can be asked.
    #[must_use]
    pub fn attended(mut self) -> Self {
        self.attended = true;
        self
    }

    /// Sets the [person](field@Self::person) whose session it is.
    #[must_use]
    pub fn person(mut self, name: impl Into<String>) -> Self {
        self.person = name.into();
        self
    }

    /// Sets the person's language, as a BCP 47 tag.
    #[must_use]
    pub fn locale(mut self, locale: impl Into<String>) -> Self {
        self.locale = Some(locale.into());
        self
    }

    /// Sets the person's time zone, as an IANA name.
    #[must_use]
    pub fn timezone(mut self, timezone: impl Into<String>) -> Self {
        self.timezone = Some(timezone.into());
        self
    }

    /// Sets the plugins that take part, by id.
    #[must_use]
    pub fn plugins<I: Into<String>>(mut self, ids: impl IntoIterator<Item = I>) -> Self {
        self.plugins = Some(ids.into_iter().map(Into::into).collect());
        self
    }

    /// Sets the settings of a plugin, in place of the host's.
    #[must_use]
    pub fn plugin_settings(mut self, plugin: impl Into<String>, settings: Value) -> Self {
        self.plugin_settings.insert(plugin.into(), settings);
        self
    }

    /// Sets the rules of policy, in place of the person's.
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = Some(Arc::new(rules));
        self
    }

    /// Reports whether a plugin takes part.
    pub(crate) fn admits(&self, plugin: &str) -> bool {
        let plugins = self.plugins.as_ref();
        plugins.is_none_or(|plugins| plugins.contains(plugin))
    }

    /// Returns the name on receipts.
    pub(super) fn replies_by(&self) -> Option<String> {
        let person = || reply_name(&self.person);
        self.by.clone().or_else(person)
    }
}

/// Returns a person's name on receipts. That of the only person says nothing.
pub(crate) fn reply_name(person: &str) -> Option<String> {
    (person != LOCAL_PERSON).then(|| person.to_owned())
}

/// Limits of one turn: steps, calls, tokens and recorded bytes. They are checked before each step of
/// the model; calls and bytes also before each call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TurnLimits {
    /// The most steps (answers of the model).
    pub steps: u32,
    /// The most calls.
    pub calls: usize,
    /// The most tokens, input and output together.
    pub tokens: Option<u64>,
    /// The most bytes that its calls record, after which no other call runs. One call can exceed it,
    /// by its result and its widgets.
    pub bytes: usize,
}

impl Default for TurnLimits {
    fn default() -> Self {
        Self {
            steps: 32,
            calls: 256,
            tokens: None,
            bytes: 256 << 20,
        }
    }
}

/// A person for whom the embedder makes calls that belong to no session.
#[derive(Debug, Clone)]
pub(crate) struct PersonScope {
    pub(crate) name: String,
    /// What plugins' aliases of the person are made of.
    pub(crate) key: Arc<str>,
    /// The session of these calls, which ends with the host. Nobody else has it, so that what is granted
    /// in it, and what a plugin keeps in it, is this person's alone.
    pub(crate) session: SessionId,
}

/// What a call takes over from its session.
#[derive(Clone)]
pub(crate) struct SessionScope {
    pub(crate) id: SessionId,
    pub(crate) settings: Arc<Settings>,
    /// What plugins' aliases of the person are made of.
    pub(crate) person_key: Arc<str>,
    /// Whether untrusted content has entered the model's context, as of now.
    pub(crate) tainted: Arc<AtomicBool>,
}
