//! Write tool plugins for Footlight.
//!
//! A plugin is one WebAssembly component. A language model calls its tools; a tool can show
//! *widgets* to the person, *ask* the person, request *approval*, and return *results* that every
//! surface draws in its own way. This crate makes a tool an ordinary Rust function.
//!
//! # A first tool
//!
//! ```
//! use footlight_sdk::prelude::*;
//!
//! /// Greets somebody by name.
//! #[tool(read_only, example = "Say hello to Ada")]
//! fn greet(
//!     /// Who is greeted.
//!     name: String,
//! ) -> Text {
//!     Text::new(format!("Hello, {name}!"))
//! }
//!
//! plugin!(
//! #   manifest: none,
//!     tools: [greet]
//! );
//! # fn main() { assert_eq!(greet("Ada".into()).data.content, "Hello, Ada!"); }
//! ```
//!
//! The doc comment is what the model reads to decide when to call the tool; the arguments and
//! their doc comments are the schema it fills in. [`tool`] says what else can be said about a
//! tool, [`plugin!`] what a plugin can declare. Beside `Cargo.toml` lies `plugin.toml`, which says
//! who the plugin is and what it may ever touch.
//!
//! # What a tool returns
//!
//! A [result kind](kinds) such as [`Table`](kinds::Table) or [`Diff`](kinds::Diff), or anything
//! that serialises: a string becomes text, everything else structured data. Every kind takes a
//! [`summary`](footlight_vocabulary::outcome::Typed::summary) and hints on how to draw it.
//!
//! ```
//! # use footlight_sdk::prelude::*;
//! #[derive(serde::Serialize)]
//! struct Day { day: &'static str, rain: f32 }
//!
//! /// Lists the rain of the week.
//! #[tool(read_only)]
//! fn rain() -> Table {
//!     Table::rows([Day { day: "Mon", rain: 0.4 }, Day { day: "Tue", rain: 3.1 }]).summary("2 days")
//! }
//! # fn main() { assert_eq!(rain().len(), 2); }
//! ```
//!
//! A tool that can fail returns [`Result`]. Any error works with `?`; [`invalid!`],
//! [`unavailable!`] and [`denied!`] say which failure it is, so that the model knows whether to
//! mend its input, to try later, or to give up.
//!
//! ```
//! # use footlight_sdk::prelude::*;
//! /// Divides one number by another.
//! #[tool(read_only)]
//! fn divide(dividend: i64, divisor: i64) -> Result<i64> {
//!     dividend.checked_div(divisor).ok_or_else(|| invalid!("{dividend} cannot be divided by {divisor}"))
//! }
//! # fn main() { assert!(divide(1, 0).is_err()); }
//! ```
//!
//! # The stage
//!
//! A tool whose first argument is `stage: &Stage` can be seen and can speak with the person: see
//! [`Stage`] for all of it.
//!
//! ```
//! # use footlight_sdk::prelude::*;
//! use footlight_sdk::component::{Action, Button, Card, Title};
//! use std::collections::BTreeMap;
//!
//! /// Throws away all notes, after asking.
//! #[tool(destructive)]
//! fn clear(stage: &Stage) -> Result<Text> {
//!     let notes: Vec<String> = stage.state(Scope::Person).get("notes")?.unwrap_or_default();
//!     if !stage.confirm(format!("Throw away {} notes?", notes.len()))? {
//!         return Ok(Text::new("Nothing was thrown away."));
//!     }
//!     stage.state(Scope::Person).remove("notes")?;
//!     // An action is a call of a tool of this plugin; its payload is the input.
//!     let undo = Action::new("restore").payload(BTreeMap::from([("notes", &notes)]));
//!     let card = Card::new().child(Title::new("All clear")).child(Button::new().label("Undo").on_click_action(undo));
//!     stage.show(Widget::new("notes-cleared", &notes.len()).view(card))?;
//!     Ok(Text::new("Done.").summary(format!("{} notes thrown away", notes.len())))
//! }
//! # fn main() {
//! # let stage = footlight_sdk::testing::stage().answers("Throw away 0 notes?", "Yes");
//! # clear(&stage).unwrap();
//! # stage.assert_shown("notes-cleared").finish();
//! # }
//! ```
//!
//! # Testing
//!
//! Plugin crates build and test natively. The [`testing`] module scripts the person, the network
//! and the state; script lines that are not used fail the test.
//!
//! # Building
//!
//! `cargo build --target wasm32-wasip2 --profile plugin` gives the component. The manifest is
//! embedded in it.

#![deny(missing_docs)]
#![cfg_attr(not(target_family = "wasm"), forbid(unsafe_code))]

// The macros write `::footlight_sdk`, also where this crate itself uses them.
extern crate self as footlight_sdk;

#[cfg(target_family = "wasm")]
#[doc(hidden)]
pub mod bindings;

mod failure;

mod errors;

mod stage;

mod ask;
mod http;
mod output;
mod shown;
mod state;

mod config;

mod plugin;

mod arguments;
mod reader;

mod backend;

#[cfg(target_family = "wasm")]
mod export;

#[cfg(not(target_family = "wasm"))]
pub mod testing;

pub use ask::Answers;
pub use config::Config;
pub use errors::{ApprovalError, AskError, DisplayError, HttpError, OutputError, StateError};
pub use failure::{Failure, FailureCode, Result};
pub use footlight_vocabulary::outcome::{IntoOutcome, Outcome, Typed};
pub use footlight_vocabulary::{component, display, kinds, question, widget};
pub use http::{Request, Response};
pub use output::{Output, OutputWriter};
pub use plugin::{Concern, Description, Plugin, ToolDescription};
pub use shown::Shown;
pub use stage::{Approval, Level, Stage};
pub use state::{Scope, State};

pub use footlight_sdk_macros::Config;

/// Makes a function a tool that the model can call.
///
/// The function's name is the tool's, its doc comment the description. Each argument becomes a
/// member of the input: its doc comment is the description, its type the schema. An argument of
/// type `Option` may be left out; others take
///
/// | option | meaning |
/// | --- | --- |
/// | `#[arg(default = 5)]` | may be left out; then it is this |
/// | `#[arg(range = 1..=14)]` | a number within these bounds |
/// | `#[arg(length = 1..=80)]` | text or a list of this length |
/// | `#[arg(one_of = ["asc", "desc"])]` | one of these words |
/// | `#[arg(format = "date")]` | a format that JSON Schema knows |
///
/// The host checks the input against the schema before the tool runs. One argument marked
/// `#[args]` stands for all of them: a struct that derives `Deserialize` and `JsonSchema`.
///
/// A tool that wants the [`Stage`] takes `stage: &Stage` as its first argument.
///
/// What can be said about the tool itself, in the parentheses of the attribute:
///
/// | option | meaning |
/// | --- | --- |
/// | `read_only`, `idempotent`, `destructive`, `open_world` | what a call may do. This can make the host more careful, never less |
/// | `asks` | it may ask the person, so it is not run beside others |
/// | `title = "…"` | a name for people |
/// | `example = "…"` | a prompt that should lead here; may be repeated |
/// | `approval = "always"` | a person decides on every call; `"never"` says that nobody need to, which the host may overrule |
/// | `assess = function` | a function with the same arguments (and no stage) decides whether a person should: it returns `Option<Concern>`, or a `Result` of it |
/// | `audience = "user"` | reached only by a widget's action, never by the model; `"model"` is the reverse, `"both"` the default |
/// | `output = Type` | the schema of what it returns |
///
/// ```
/// use footlight_sdk::prelude::*;
///
/// /// Deletes files whose name contains a word.
/// #[tool(destructive, assess = weigh)]
/// fn delete(
///     /// Part of the file's name.
///     #[arg(length = 1..=80)]
///     word: String,
///     /// How many at most.
///     #[arg(default = 10, range = 1..=100)]
///     limit: u32,
/// ) -> Result<Text> {
///     Ok(Text::new(format!("Deleted {limit} files named like {word:?}.")))
/// }
///
/// fn weigh(word: String, limit: u32) -> Option<Concern> {
///     (limit > 10).then(|| Concern::new(word, "This may delete many files."))
/// }
/// # fn main() { assert!(weigh("a".into(), 11).is_some()); assert!(delete("a".into(), 1).is_ok()); }
/// ```
pub use footlight_sdk_macros::tool;

/// Makes the crate a plugin: call it once, at the root.
///
/// ```
/// use footlight_sdk::prelude::*;
/// # use serde::Serialize;
/// # use schemars::JsonSchema;
///
/// /// The weather of one week.
/// #[derive(Serialize, JsonSchema)]
/// struct Week { days: Vec<String> }
///
/// /// What the person can set.
/// #[derive(Config)]
/// struct Settings {
///     /// A place to fall back on.
///     home: Option<String>,
/// }
///
/// /// Says what the weather is.
/// #[tool(read_only)]
/// fn weather() -> Text { Text::new("Fine.") }
///
/// plugin!(
/// #   manifest: none,
///     tools: [weather],
///     // Widget types with the schema of their data: listed, discoverable, checked.
///     widgets: ["weather-week": Week],
///     // Settings, whose schema the host checks.
///     config: Settings,
///     // What the model should know to use these tools well.
///     instructions: "Ask for a city before you call `weather`.",
/// );
/// # fn main() {}
/// ```
///
/// `plugin.toml` is read and checked when the crate is compiled, and embedded in the component. A
/// plugin that needs no manifest says `manifest: none` and has no powers.
pub use footlight_sdk_macros::plugin;

/// The authoring guide, whose examples must compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Guide;

/// What nearly every plugin uses.
pub mod prelude {
    pub use crate::display::View;
    pub use crate::kinds::{
        Align, Chart, Code, Custom, Diff, Facts, FileContent, FileList, Image, Link, List, Log,
        Markdown, Structured, Table, Text,
    };
    pub use crate::question::{Choice, Field};
    pub use crate::widget::Widget;
    pub use crate::{
        Approval, ApprovalError, AskError, Concern, Config, Failure, Level, Output, Request,
        Response, Result, Scope, Stage, denied, invalid, plugin, tool, unavailable,
    };
}

/// What the macros expand to. Nobody else calls it; it may change in any release.
#[doc(hidden)]
pub mod __private {
    pub use crate::arguments::{Argument, HasSchema, Members, json};
    pub use crate::failure::failure;
    pub use crate::plugin::{Assessment, Tool, ToolDescription, ToolEntry};
    pub use footlight_vocabulary::outcome::Outcome;

    /// What a tool returned, made an outcome.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub fn outcome<T: crate::IntoOutcome>(returned: T) -> crate::Result<Outcome> {
        returned.into_outcome().map_err(|_| {
            // What serde says here would cost every plugin some kilobytes; the native test of the
            // tool says it.
            crate::Failure::new(
                crate::FailureCode::Other,
                "the result cannot be written as JSON",
            )
        })
    }
}

/// Puts the manifest into the component, as a custom section that is read without running it.
// Here and not in the procedural macro, so that a plugin that forbids unsafe code compiles.
#[doc(hidden)]
#[macro_export]
macro_rules! __embed_manifest {
    ($path:expr) => {
        const _: () = {
            const TEXT: &[u8] = ::std::include_bytes!($path);
            #[cfg(target_family = "wasm")]
            #[used]
            #[unsafe(link_section = "footlight:manifest")]
            static MANIFEST: [u8; TEXT.len()] = {
                let mut bytes = [0; TEXT.len()];
                bytes.copy_from_slice(TEXT);
                bytes
            };
        };
    };
}
