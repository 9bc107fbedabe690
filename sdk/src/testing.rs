//! A stage for native tests: a script stands where the host and the person would be.
//!
//! A plugin's tools are ordinary functions, so a test calls them. What the tool may ask and fetch
//! is written down first; what it showed, stored and logged can be looked at afterwards. A line of
//! the script that was not used fails the test, and so does a question nobody scripted.
//!
//! ```
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
//! The script checks what a host would check: a malformed question, a widget that is too large or
//! an answer that is none of the options fails here too.

mod backend;
mod script;

use crate::{Concern, Description, HttpError, Level, Outcome, Plugin, Response, Result, Scope};
pub(crate) use backend::{BucketHandle, ShownHandle, WriterHandle};
use footlight_vocabulary::component;
use footlight_vocabulary::question::Question;
use script::{Line, Reply, Script};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

pub use serde_json::{Value, json};

/// A stage with an empty script.
#[must_use]
pub fn stage() -> Stage {
    Stage {
        world: Rc::new(RefCell::new(World {
            settings: "{}".to_owned(),
            locale: "en-GB".to_owned(),
            timezone: "Etc/UTC".to_owned(),
            ..World::default()
        })),
    }
}

/// What the plugin `P` says about itself: `testing::describe::<FootlightPlugin>()`.
#[must_use]
pub fn describe<P: Plugin>() -> Description {
    crate::plugin::describe::<P>()
}

/// Runs a tool of `P` by name with JSON. A host would have checked the input against the schema
/// first; this does not.
///
/// # Errors
/// The tool's failure.
pub fn run<P: Plugin>(stage: &Stage, tool: &str, input: &str) -> Result<Outcome> {
    crate::plugin::run::<P>(stage, tool, input)
}

/// Asks a tool of `P` whether a person should weigh this input, the way a host does.
///
/// # Errors
/// When the input could not be weighed, which a host treats as a concern.
pub fn assess<P: Plugin>(tool: &str, input: &str) -> Result<Option<Concern>> {
    crate::plugin::assess::<P>(tool, input)
}

/// The stage a native build knows. In a component it is the host's.
pub struct Stage {
    world: Rc<RefCell<World>>,
}

/// Everything the script and the tool share.
#[derive(Default)]
struct World {
    script: Script,
    settings: String,
    locale: String,
    timezone: String,
    cancelled: bool,
    shown: Vec<Option<ShownWidget>>,
    asked: Vec<Question>,
    requests: Vec<RequestedApproval>,
    state: BTreeMap<(Scope, String), String>,
    outputs: Vec<StoredOutput>,
    logs: Vec<(Level, String)>,
    progress: Vec<String>,
}

/// A widget as the tool left it.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownWidget {
    /// What it is.
    pub widget: String,
    /// What it shows.
    pub data: Value,
    /// Its text.
    pub fallback: String,
    /// Its component tree.
    pub view: Option<Value>,
}

impl ShownWidget {
    /// The actions of its view: the tool that each names, and what it sends along.
    #[must_use]
    pub fn actions(&self) -> Vec<(String, Value)> {
        let placed = self.view.iter().flat_map(component::find_actions);
        let parts = placed.map(|placed| {
            let action = &placed.action;
            (action.tool().to_owned(), action.input().clone())
        });
        parts.collect()
    }
}

/// Leave that the tool requested.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestedApproval {
    /// For what.
    pub action: String,
    /// What a standing yes would cover.
    pub subject: String,
    /// Why.
    pub reason: String,
    /// More to weigh.
    pub details: Option<Value>,
}

/// An output that the tool stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredOutput {
    /// The id the tool was given.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its kind.
    pub kind: String,
    /// Its media type.
    pub mime_type: String,
    /// Its content.
    pub content: Vec<u8>,
}

/// # The script
impl Stage {
    /// Answers the question with this prompt: a value for its only field, or an object of values.
    #[must_use]
    pub fn answers(self, prompt: &str, answer: impl Into<Value>) -> Self {
        self.script(Line::Ask(prompt.to_owned()), Reply::Answer(answer.into()))
    }

    /// The person skips the question with this prompt.
    #[must_use]
    pub fn skips(self, prompt: &str) -> Self {
        self.script(Line::Ask(prompt.to_owned()), Reply::Skip)
    }

    /// Nobody can be reached when the question with this prompt is put.
    #[must_use]
    pub fn nobody_answers(self, prompt: &str) -> Self {
        self.script(Line::Ask(prompt.to_owned()), Reply::Nobody)
    }

    /// The person gives leave for this action, once.
    #[must_use]
    pub fn approves(self, action: &str) -> Self {
        self.script(Line::Approval(action.to_owned()), Reply::Approve)
    }

    /// The person refuses this action, once, with these words.
    #[must_use]
    pub fn denies(self, action: &str, words: &str) -> Self {
        self.script(
            Line::Approval(action.to_owned()),
            Reply::Deny(words.to_owned()),
        )
    }

    /// The server answers one request of this method and URL.
    #[must_use]
    pub fn responds(self, method: &str, url: &str, response: Response) -> Self {
        self.script(
            Line::Http(format!("{method} {url}")),
            Reply::Response(response),
        )
    }

    /// One request of this method and URL comes to nothing.
    #[must_use]
    pub fn fails(self, method: &str, url: &str, error: HttpError) -> Self {
        self.script(
            Line::Http(format!("{method} {url}")),
            Reply::HttpError(error),
        )
    }

    /// The plugin's state holds this value.
    #[must_use]
    pub fn with_state(self, scope: Scope, key: &str, value: impl Into<Value>) -> Self {
        let key = (scope, key.to_owned());
        let value = value.into().to_string();
        self.world.borrow_mut().state.insert(key, value);
        self
    }

    /// The person has made these settings.
    #[must_use]
    pub fn with_settings(self, settings: impl Into<Value>) -> Self {
        self.world.borrow_mut().settings = settings.into().to_string();
        self
    }

    /// The person speaks this language.
    #[must_use]
    pub fn with_locale(self, locale: &str) -> Self {
        locale.clone_into(&mut self.world.borrow_mut().locale);
        self
    }

    /// The person lives in this time zone.
    #[must_use]
    pub fn with_timezone(self, timezone: &str) -> Self {
        timezone.clone_into(&mut self.world.borrow_mut().timezone);
        self
    }

    /// The person has cancelled the call.
    #[must_use]
    pub fn cancelled(self) -> Self {
        self.world.borrow_mut().cancelled = true;
        self
    }

    fn script(self, line: Line, reply: Reply) -> Self {
        self.world.borrow_mut().script.push(line, reply);
        self
    }
}

/// # What came of it
impl Stage {
    /// The widgets on screen, in order, without those removed.
    #[must_use]
    pub fn shown(&self) -> Vec<ShownWidget> {
        let world = self.world.borrow();
        world.shown.iter().flatten().cloned().collect()
    }

    /// Checks that a widget of this type is on screen.
    ///
    /// # Panics
    /// When there is none.
    #[track_caller]
    pub fn assert_shown(&self, widget: &str) -> &Self {
        let shown: Vec<String> = self.shown().into_iter().map(|shown| shown.widget).collect();
        assert!(
            shown.iter().any(|shown| shown == widget),
            "no `{widget}` was shown, only {shown:?}"
        );
        self
    }

    /// The questions put, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<Question> {
        self.world.borrow().asked.clone()
    }

    /// The leave requested, in order.
    #[must_use]
    pub fn approval_requests(&self) -> Vec<RequestedApproval> {
        self.world.borrow().requests.clone()
    }

    /// The outputs stored, in order.
    #[must_use]
    pub fn outputs(&self) -> Vec<StoredOutput> {
        self.world.borrow().outputs.clone()
    }

    /// A value of the plugin's state.
    #[must_use]
    pub fn state_value(&self, scope: Scope, key: &str) -> Option<Value> {
        let world = self.world.borrow();
        let json = world.state.get(&(scope, key.to_owned()))?;
        serde_json::from_str(json).ok()
    }

    /// What was logged, in order.
    #[must_use]
    pub fn logs(&self) -> Vec<(Level, String)> {
        self.world.borrow().logs.clone()
    }

    /// What was reported as progress, in order.
    #[must_use]
    pub fn progress_reports(&self) -> Vec<String> {
        self.world.borrow().progress.clone()
    }

    /// Checks that the whole script was used. Dropping the stage checks it too.
    ///
    /// # Panics
    /// When a line was not used.
    #[track_caller]
    pub fn finish(&self) {
        let unused = self.world.borrow_mut().script.take_unused();
        assert!(
            unused.is_empty(),
            "the script was not used up; left over:\n  {}",
            unused.join("\n  ")
        );
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // A test that already fails should fail for its own reason.
        if !std::thread::panicking() {
            self.finish();
        }
    }
}

/// # Who is there
impl Stage {
    /// The call's id, the same when the call is retried or replayed.
    #[must_use]
    pub fn call_id(&self) -> String {
        "call_test".to_owned()
    }

    /// Tells sessions apart, opens nothing.
    #[must_use]
    pub fn session(&self) -> String {
        "session_test".to_owned()
    }

    /// Tells people apart, names nobody.
    #[must_use]
    pub fn person(&self) -> String {
        "person_test".to_owned()
    }

    /// The person's language as BCP 47, such as `nb-NO`.
    #[must_use]
    pub fn locale(&self) -> String {
        self.world.borrow().locale.clone()
    }

    /// The person's time zone as an IANA name, such as `Europe/Oslo`.
    #[must_use]
    pub fn timezone(&self) -> String {
        self.world.borrow().timezone.clone()
    }

    /// True once the person has cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.world.borrow().cancelled
    }
}
