//! The sessions that the server holds open.
//!
//! A session is opened once and then shared by every client, so that its turns outlive them and its
//! grants last. What a session needs to be opened again (plugins, settings, whether a person attends)
//! is stored with it. At most [`MAX_OPEN`] sessions are held; an idle one is closed to make room.

use crate::App;
use crate::access::Identity;
use crate::problem::{Problem, ProblemCode};
use footlight::session::{FollowError, Prompt, TurnError};
use footlight::{Session, Settings, Turn, Update};
use footlight_vocabulary::item::{SessionId, TurnId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many sessions are held open.
const MAX_OPEN: usize = 1_024;

/// The member of a session's metadata that the server stores its settings in.
const META: &str = "serve";

/// The settings that a session is created with.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewSession {
    /// The plugins that take part, by id; by default all that the server has loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) plugins: Option<BTreeSet<String>>,
    /// Settings of plugins by id, in place of the server's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) settings: BTreeMap<String, Value>,
    /// Whether a person can be asked. If not, whatever needs a person fails at once.
    #[serde(default = "attended")]
    pub(crate) attended: bool,
    /// How many seconds a request waits for a person; without it, for as long as it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reply_seconds: Option<u32>,
    /// The person's language, as a BCP 47 tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) locale: Option<String>,
    /// The person's time zone, as an IANA name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) timezone: Option<String>,
}

fn attended() -> bool {
    true
}

struct OpenSession {
    session: Session,
    person: String,
    used: Instant,
    /// The last turn that a prompt with a key has started, and the prompt. The record knows earlier
    /// ones, and this one once it has begun.
    started: Option<(TurnId, Prompt)>,
}

/// The sessions that the server holds open.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<HashMap<SessionId, OpenSession>>);

impl Sessions {
    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, OpenSession>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a session.
    pub(crate) async fn create(
        &self,
        app: &Arc<App>,
        client: &Identity,
        new: NewSession,
    ) -> Result<Session, Problem> {
        let known = |id: &String| app.host.plugin(id).is_some();
        let named = new.plugins.iter().flatten().chain(new.settings.keys());
        if !named.into_iter().all(known) {
            return Err(Problem::invalid(
                "a plugin is not loaded; `GET /api/plugins` lists those that are",
            ));
        }
        let mut settings = settings(app, &new);
        let stored = serde_json::to_value(&new);
        let stored = stored.map_err(|_| Problem::invalid("the settings cannot be stored"))?;
        settings.meta = Map::from_iter([(META.to_owned(), stored)]);
        let person = app.host.person(&client.person);
        let session = person.session(settings).await?;
        self.hold(client, session.clone());
        Ok(session)
    }

    /// Returns a session of the client, open or stored.
    pub(crate) async fn open(
        &self,
        app: &Arc<App>,
        client: &Identity,
        id: &SessionId,
    ) -> Result<Session, Problem> {
        if let Some(open) = self.lock().get_mut(id) {
            if open.person != client.person {
                return Err(Problem::not_found());
            }
            open.used = Instant::now();
            return Ok(open.session.clone());
        }
        let person = app.host.person(&client.person);
        let row = person.session_row(id).await?;
        let session = person.resume(id, settings(app, &stored(&row.meta))).await?;
        self.hold(client, session.clone());
        Ok(session)
    }

    /// Returns a session that is held open.
    pub(crate) fn held(&self, id: &SessionId) -> Option<Session> {
        self.lock().get(id).map(|open| open.session.clone())
    }

    /// Closes a session that was deleted.
    pub(crate) fn close(&self, id: &SessionId) {
        self.lock().remove(id);
    }

    fn hold(&self, client: &Identity, session: Session) {
        let mut sessions = self.lock();
        if sessions.len() >= MAX_OPEN {
            // A session with a running turn is held by its turn as well.
            let idle = sessions
                .iter()
                .filter(|(_, open)| !open.session.is_running());
            let oldest = idle.min_by_key(|(_, open)| open.used);
            if let Some(oldest) = oldest.map(|(id, _)| id.clone()) {
                sessions.remove(&oldest);
            }
        }
        let id = session.id().clone();
        sessions.entry(id).or_insert(OpenSession {
            session,
            person: client.person.clone(),
            used: Instant::now(),
            started: None,
        });
    }

    /// Starts a turn, once for each key of a prompt, and waits until it is stored. Returns its id, and
    /// whether it is new.
    pub(crate) async fn prompt(
        &self,
        session: &Session,
        prompt: Prompt,
    ) -> Result<(TurnId, bool), Problem> {
        match self.begin(session, prompt)? {
            Begun::Known(turn) => Ok((turn, false)),
            Begun::New(turn) => Ok((begun(turn).await?, true)),
        }
    }

    fn begin(&self, session: &Session, prompt: Prompt) -> Result<Begun, Problem> {
        let mut sessions = self.lock();
        let open = sessions.get_mut(session.id());
        let named = prompt.turn_id(session.id());
        match session.turn(prompt.clone()) {
            Ok(turn) => {
                if let (Some(open), Some(id)) = (open, named) {
                    open.started = Some((id, prompt));
                }
                Ok(Begun::New(turn))
            }
            Err(TurnError::Repeated(turn)) => Ok(Begun::Known(turn)),
            // It has been started, and its first row is not stored yet.
            Err(TurnError::Busy) => {
                let started = open.and_then(|open| open.started.as_ref());
                match started.filter(|(id, _)| Some(id) == named.as_ref()) {
                    Some((id, known)) if *known == prompt => Ok(Begun::Known(id.clone())),
                    Some(_) => Err(TurnError::KeyTaken.into()),
                    None => Err(TurnError::Busy.into()),
                }
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Resumes the unfinished turns of a person's sessions, for a server that has just started, among
    /// the sessions that were used last. Returns how many.
    pub(crate) async fn resume_unfinished(
        &self,
        app: &Arc<App>,
        client: &Identity,
    ) -> Result<usize, Problem> {
        let person = app.host.person(&client.person);
        let mut resumed = 0;
        for row in person.sessions(None, MAX_OPEN).await? {
            // Sessions of other programs are theirs to resume.
            if !row.meta.contains_key(META) {
                continue;
            }
            let settings = settings(app, &stored(&row.meta));
            let session = person.resume(&row.id, settings).await?;
            if session.is_unfinished() && session.resume().is_ok() {
                self.hold(client, session);
                resumed += 1;
            }
        }
        Ok(resumed)
    }
}

/// A turn that was started now, or before with the same key.
enum Begun {
    New(Turn),
    Known(TurnId),
}

/// Waits until a turn is stored, so that a client that was told of it finds it again whatever happens to
/// the server. Returns its id.
pub(crate) async fn begun(mut turn: Turn) -> Result<TurnId, Problem> {
    while let Some(update) = turn.next().await {
        match update {
            Ok(Update::Event(event)) if event.seq.is_some() => break,
            Ok(_) => {}
            Err(FollowError::Store(error)) => return Err(error.into()),
            Err(_) => break,
        }
    }
    Ok(turn.id().clone())
}

/// Returns what is stored about how a session was created. One of another program has the defaults.
pub(crate) fn stored(meta: &Map<String, Value>) -> NewSession {
    let stored = meta.get(META).cloned();
    let stored = stored.and_then(|stored| serde_json::from_value(stored).ok());
    stored.unwrap_or(NewSession {
        attended: attended(),
        ..NewSession::default()
    })
}

fn settings(app: &App, new: &NewSession) -> Settings {
    let mut settings = Settings::shared(Arc::clone(&app.model));
    settings.attended = new.attended;
    let timeout = new.reply_seconds.map(u64::from).map(Duration::from_secs);
    settings.reply_timeout = timeout;
    settings.plugins.clone_from(&new.plugins);
    settings.plugin_settings.clone_from(&new.settings);
    settings.locale.clone_from(&new.locale);
    settings.timezone.clone_from(&new.timezone);
    settings
}

/// Checks the text of a prompt.
pub(crate) fn check_prompt(text: &str) -> Result<(), Problem> {
    /// The most bytes of a prompt.
    const MAX_PROMPT: usize = 256 << 10;
    match text.len() {
        _ if text.trim().is_empty() => Err(Problem::invalid("a prompt needs text")),
        0..=MAX_PROMPT => Ok(()),
        _ => Err(Problem::new(
            ProblemCode::TooLarge,
            "a prompt is at most 256 KiB",
        )),
    }
}
