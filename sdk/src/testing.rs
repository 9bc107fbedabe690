//! A scripted [`Stage`] for native tests, which replaces the host and the person.
//!
//! Tools are ordinary functions, so a test calls them directly. The test first scripts the replies to
//! questions, approval requests and HTTP requests, and afterwards inspects what the tool showed,
//! stored and logged. A scripted reply that is not used fails the test, and so does a question
//! without a scripted reply.
//!
//! ```standalone_crate
//! use footlight_sdk::{prelude::*, testing};
//!
//! fn greet(stage: &Stage) -> Result<String> {
//!     let name = stage.ask("Who are you?", [Field::text("name")])?;
//!     Ok(format!("Hello, {}!", name.text("name").unwrap_or("stranger")))
//! }
//!
//! let stage = testing::stage().answers("Who are you?", "Ada");
//! assert_eq!(greet(&stage).unwrap(), "Hello, Ada!");
//! stage.finish();
//! ```
//!
//! # The checks of a host
//!
//! The stage refuses what a host refuses, with the same errors: a malformed question, a widget or a value
//! that is too large, too many of them. It also knows the plugin that [`plugin!`](crate::plugin!) declares
//! in the same crate, and fails the test where a host would leave something out or refuse it:
//!
//! * an approval, a host, a secret or a folder that `plugin.toml` does not declare: the message has the
//!   lines to add;
//! * data of a widget that does not fit the type in `plugin!(widgets: […])`;
//! * an action of a view that names no tool of the plugin, or one that only the model can call.
//!
//! [`run`] also checks the input against the tool's schema, formats included.
//!
//! A test of the refusal itself scripts it ([`Stage::undeclared`], [`Stage::fails`],
//! [`Stage::without_network`]), or turns these checks off with [`Stage::unchecked`]. A crate without
//! `plugin!` declares nothing, and there is nothing to check against.

mod backend;
mod declared;
mod folder;
mod manifest;
mod script;
mod seen;
mod widget;

use crate::{
    Concern, Description, HttpError, Level, Outcome, Plugin, Response, Result, Scope, invalid,
};
pub(crate) use backend::{BucketHandle, WriterHandle};
use declared::Declared;
use footlight_vocabulary::json as vocabulary_json;
use footlight_vocabulary::limits;
use footlight_vocabulary::question::Question;
use script::{Line, Reply, Script};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
pub(crate) use widget::ShownHandle;

#[doc(hidden)]
pub use declared::Registered;
pub use seen::{RequestedApproval, SentRequest, ShownWidget, StoredOutput};

pub use serde_json::{Value, json};

/// Creates a stage with an empty script, for the plugin that this crate declares.
///
/// # Panics
/// If several plugins are declared in one test binary.
pub fn stage() -> Stage {
    Stage::with(Registered::only())
}

/// Creates a stage with an empty script, for the plugin `P`.
pub fn stage_of<P: Plugin>() -> Stage {
    Stage::with(Some(Declared::of::<P>()))
}

/// Returns the description of the plugin `P`: `testing::describe::<FootlightPlugin>()`.
#[must_use]
pub fn describe<P: Plugin>() -> Description {
    crate::plugin::describe::<P>()
}

/// Runs a tool of `P` by name with JSON input. As in a host, an input that does not fit the schema of
/// the tool is a failure, unless the stage is [`unchecked`](Stage::unchecked).
///
/// # Errors
/// If the tool fails, or the input does not fit.
///
/// # Panics
/// If a host would refuse the result.
pub fn run<P: Plugin>(stage: &Stage, tool: &str, input: &str) -> Result<Outcome> {
    let declared = stage.is_checked().then(Declared::of::<P>);
    if let Some(declared) = &declared {
        declared.check_input(tool, input).map_err(|wrong| {
            let failure = invalid!("the input does not fit the schema: {}", wrong.join("; "));
            failure.details(&wrong)
        })?;
    }
    let outcome = crate::plugin::run::<P>(stage, tool, input)?;
    if let Some(declared) = &declared {
        match vocabulary_json::parse(&outcome.data, limits::RESULT) {
            Ok(data) if outcome.kind == "structured" => declared.check_result(&data),
            Ok(_) => {}
            Err(error) => panic!("a host refuses the result of `{tool}`: {error}"),
        }
    }
    Ok(outcome)
}

/// Runs the `assess` function of a tool of `P`, as a host does before a call.
///
/// # Errors
/// If the input could not be assessed, which a host treats as a concern.
pub fn assess<P: Plugin>(tool: &str, input: &str) -> Result<Option<Concern>> {
    crate::plugin::assess::<P>(tool, input)
}

/// Everything that a running tool can do beyond computing. A tool that needs it takes `stage: &Stage` as its
/// first argument.
///
/// | to | use |
/// | --- | --- |
/// | show the person something | [`show`](Self::show), [`progress`](Self::progress) |
/// | ask the person | [`ask`](Self::ask), [`confirm`](Self::confirm), [`choose`](Self::choose) |
/// | request permission | [`approve`](Self::approve) |
/// | send a request, open a file | [`http`](Self::http), [`folder`](Self::folder) |
/// | keep data | [`state`](Self::state), [`output`](Self::output) |
/// | read settings | [`config`](Self::config) |
/// | write to the log | [`log`](Self::log) |
///
/// In a component, the host provides the stage. This is the one of a native build, made by [`stage()`] and
/// scripted: the methods under "The script" say what the person, the network and the host do, and those after
/// them what the tool did.
#[must_use]
pub struct Stage {
    world: Rc<RefCell<World>>,
}

/// The state behind a scripted stage and its handles.
#[derive(Default)]
struct World {
    /// The plugin under test, if it is known.
    declared: Option<Arc<Declared>>,
    unchecked: bool,
    script: Script,
    settings: String,
    locale: String,
    timezone: String,
    cancelled: bool,
    no_network: bool,
    shown: Vec<Option<ShownWidget>>,
    asked: Vec<Question>,
    requests: Vec<RequestedApproval>,
    /// How many approvals of an action are unused.
    approved: BTreeMap<String, u32>,
    sent: Vec<SentRequest>,
    missing_secrets: BTreeSet<String>,
    folders: BTreeMap<String, PathBuf>,
    begun_outputs: usize,
    output_bytes: u64,
    state: BTreeMap<(Scope, String), String>,
    outputs: Vec<StoredOutput>,
    logs: Vec<(Level, String)>,
    progress: Vec<String>,
}

/// # The script
impl Stage {
    /// Scripts the answer to the question with this prompt: a value for a single field, or an object
    /// with a value for each field.
    pub fn answers(self, prompt: &str, answer: impl Into<Value>) -> Self {
        self.script(Line::Ask(prompt.to_owned()), Reply::Answer(answer.into()))
    }

    /// Scripts that the person skips the question with this prompt.
    pub fn skips(self, prompt: &str) -> Self {
        self.script(Line::Ask(prompt.to_owned()), Reply::Skip)
    }

    /// Scripts that no person can be reached for the question with this prompt.
    pub fn nobody_answers(self, prompt: &str) -> Self {
        self.script(Line::Ask(prompt.to_owned()), Reply::Nobody)
    }

    /// Scripts that the person approves this action once.
    pub fn approves(self, action: &str) -> Self {
        self.script(Line::Approval(action.to_owned()), Reply::Approve)
    }

    /// Scripts that the person denies this action once, with a comment.
    pub fn denies(self, action: &str, comment: &str) -> Self {
        let reply = Reply::Deny(comment.to_owned());
        self.script(Line::Approval(action.to_owned()), reply)
    }

    /// Scripts that a host refuses an approval which `plugin.toml` does not declare.
    pub fn undeclared(self, action: &str) -> Self {
        self.script(Line::Approval(action.to_owned()), Reply::Undeclared)
    }

    /// Scripts the response to one request with this method and URL.
    pub fn responds(self, method: &str, url: &str, response: Response) -> Self {
        let line = Line::Http(format!("{method} {url}"));
        self.script(line, Reply::Response(response))
    }

    /// Scripts that one request with this method and URL fails.
    pub fn fails(self, method: &str, url: &str, error: HttpError) -> Self {
        let line = Line::Http(format!("{method} {url}"));
        self.script(line, Reply::HttpError(error))
    }

    /// Denies every request that has no scripted reply, as a host does that may not use the network.
    ///
    /// ```standalone_crate
    /// use footlight_sdk::{HttpError, prelude::*, testing};
    ///
    /// let stage = testing::stage().without_network();
    /// let refused = stage.http(Request::get("https://api.example.com/"));
    /// assert!(matches!(refused, Err(HttpError::Denied(_))));
    /// ```
    pub fn without_network(self) -> Self {
        self.world.borrow_mut().no_network = true;
        self
    }

    /// Scripts that the person has set no value for a secret: a request that needs it is denied.
    ///
    /// # Panics
    /// If `plugin.toml` does not declare the secret.
    #[track_caller]
    pub fn without_secret(self, name: &str) -> Self {
        self.if_checked(|declared| declared.check_secret(name, None));
        self.world
            .borrow_mut()
            .missing_secrets
            .insert(name.to_owned());
        self
    }

    /// Binds a folder of this machine to a path of `plugin.toml`, see
    /// [`Stage::folder`](crate::Stage::folder).
    ///
    /// # Panics
    /// If `plugin.toml` does not declare the folder.
    #[track_caller]
    pub fn with_folder(self, path: &str, folder: impl Into<PathBuf>) -> Self {
        self.if_checked(|declared| {
            declared.folder(path);
        });
        let bound = (path.to_owned(), folder.into());
        self.world.borrow_mut().folders.extend([bound]);
        self
    }

    /// Turns off the checks against what the plugin declares, for a test of what a host would refuse.
    pub fn unchecked(self) -> Self {
        self.world.borrow_mut().unchecked = true;
        self
    }

    /// Sets a value of the plugin's state.
    pub fn with_state(self, scope: Scope, key: &str, value: impl Into<Value>) -> Self {
        let key = (scope, key.to_owned());
        let value = value.into().to_string();
        self.world.borrow_mut().state.insert(key, value);
        self
    }

    /// Sets the person's settings.
    pub fn with_settings(self, settings: impl Into<Value>) -> Self {
        self.world.borrow_mut().settings = settings.into().to_string();
        self
    }

    /// Sets the person's language.
    pub fn with_locale(self, locale: &str) -> Self {
        locale.clone_into(&mut self.world.borrow_mut().locale);
        self
    }

    /// Sets the person's time zone.
    pub fn with_timezone(self, timezone: &str) -> Self {
        timezone.clone_into(&mut self.world.borrow_mut().timezone);
        self
    }

    /// Marks the call as cancelled. As in a host, whatever acts fails from now on.
    pub fn cancelled(self) -> Self {
        self.world.borrow_mut().cancelled = true;
        self
    }

    fn script(self, line: Line, reply: Reply) -> Self {
        self.world.borrow_mut().script.push(line, reply);
        self
    }
}

/// Declares methods that return what the stage has recorded.
macro_rules! recorded {
    ($($(#[$doc:meta])+ $name:ident => $field:ident: $type:ty;)+) => {$(
        $(#[$doc])+
        #[must_use]
        pub fn $name(&self) -> $type {
            self.world.borrow().$field.clone()
        }
    )+};
}

/// # Inspecting the call
impl Stage {
    /// Returns the widgets that are shown, in order, without removed ones.
    #[must_use]
    pub fn shown(&self) -> Vec<ShownWidget> {
        let world = self.world.borrow();
        world.shown.iter().flatten().cloned().collect()
    }

    /// Asserts that a widget of this type is shown.
    ///
    /// # Panics
    /// If there is none.
    #[track_caller]
    pub fn assert_shown(&self, widget: &str) -> &Self {
        let shown: Vec<String> = self.shown().into_iter().map(|shown| shown.widget).collect();
        assert!(
            shown.iter().any(|shown| shown == widget),
            "no `{widget}` was shown, only {shown:?}"
        );
        self
    }

    recorded! {
        /// Returns the questions that the tool asked, in order.
        asked => asked: Vec<Question>;
        /// Returns the approvals that the tool requested, in order.
        approval_requests => requests: Vec<RequestedApproval>;
        /// Returns the requests that the tool sent, in order, also those that failed.
        requests => sent: Vec<SentRequest>;
        /// Returns the outputs that the tool stored, in order.
        outputs => outputs: Vec<StoredOutput>;
        /// Returns the log messages, in order.
        logs => logs: Vec<(Level, String)>;
        /// Returns the progress reports, in order.
        progress_reports => progress: Vec<String>;
    }

    /// Asserts that a host adds this secret to the last request.
    ///
    /// # Panics
    /// If it does not.
    #[track_caller]
    pub fn assert_secret(&self, name: &str) -> &Self {
        let requests = self.requests();
        let Some(last) = requests.last() else {
            panic!("no request was sent, so no secret was added");
        };
        let host = last
            .url
            .split("://")
            .nth(1)
            .and_then(|rest| rest.split(['/', '?']).next());
        self.if_checked(|declared| declared.check_secret(name, host));
        let (url, secrets) = (&last.url, &last.secrets);
        let is_added = secrets.iter().any(|added| added == name);
        assert!(
            is_added,
            "the secret `{name}` is not added to {url}, only {secrets:?}"
        );
        self
    }

    /// Returns a value of the plugin's state.
    #[must_use]
    pub fn state_value(&self, scope: Scope, key: &str) -> Option<Value> {
        let world = self.world.borrow();
        let json = world.state.get(&(scope, key.to_owned()))?;
        serde_json::from_str(json).ok()
    }

    /// Asserts that every scripted reply was used. Dropping the stage asserts it too.
    ///
    /// # Panics
    /// If a reply was not used.
    #[track_caller]
    pub fn finish(&self) {
        let unused = self.world.borrow_mut().script.take_unused();
        assert!(
            unused.is_empty(),
            "some scripted replies were not used:\n  {}",
            unused.join("\n  ")
        );
    }
}

impl Stage {
    fn with(declared: Option<Arc<Declared>>) -> Self {
        Self {
            world: Rc::new(RefCell::new(World {
                declared,
                settings: "{}".to_owned(),
                locale: "en-GB".to_owned(),
                timezone: "Etc/UTC".to_owned(),
                ..World::default()
            })),
        }
    }

    fn is_checked(&self) -> bool {
        !self.world.borrow().unchecked
    }

    /// Calls `check` with what the plugin declares, unless that is unknown or not to be checked.
    fn if_checked<T>(&self, check: impl FnOnce(&Declared) -> T) -> Option<T> {
        let declared = self.world.borrow().checked();
        declared.map(|declared| check(&declared))
    }
}

impl World {
    fn checked(&self) -> Option<Arc<Declared>> {
        self.declared.clone().filter(|_| !self.unchecked)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // A second panic would hide why the test fails.
        if !std::thread::panicking() {
            self.finish();
        }
    }
}

/// # The call and the person
impl Stage {
    /// Returns the call's id, which stays the same when the call is retried or replayed.
    #[must_use]
    pub fn call_id(&self) -> String {
        "call_test".to_owned()
    }

    /// Returns an opaque id that distinguishes sessions.
    #[must_use]
    pub fn session(&self) -> String {
        "session_test".to_owned()
    }

    /// Returns an opaque id that distinguishes people.
    #[must_use]
    pub fn person(&self) -> String {
        "person_test".to_owned()
    }

    recorded! {
        /// Returns the person's language as a BCP 47 tag, such as `nb-NO`.
        locale => locale: String;
        /// Returns the person's time zone as an IANA name, such as `Europe/Oslo`.
        timezone => timezone: String;
    }

    /// Reports whether the person has cancelled the call.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.world.borrow().cancelled
    }
}
