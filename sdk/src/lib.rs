//! Write tool plugins for Footlight.
//!
//! A plugin is one WebAssembly component with tools that a language model calls. A tool can show
//! *widgets* to the person, *ask* the person, request *approval*, and return *results* that each
//! surface draws in its own way. With this crate, a tool is an ordinary Rust function.
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
//! The doc comment tells the model when to call the tool. The arguments and their doc comments
//! become the schema of the input. The manifest `plugin.toml`, beside `Cargo.toml`, names the plugin
//! and lists everything that a person can ever grant it.
//!
//! # Where to go next
//!
//! * [`guide`] explains every part of a plugin with examples that compile.
//! * [`tool`] and [`plugin!`] list the options of the two macros.
//! * [`kinds`] holds the result kinds, such as [`Table`](kinds::Table) and [`Diff`](kinds::Diff). A
//!   tool can also return any value that serialises: a string becomes text, any other value
//!   structured data.
//! * [`Result`] and [`Failure`] report errors to the model. Any error converts with `?`;
//!   [`invalid!`], [`unavailable!`] and [`denied!`] create a failure with a specific code.
//! * [`Stage`] is how a running tool shows widgets, asks the person, requests approval, stores
//!   outputs and state, and sends HTTP requests. A tool that needs it takes `stage: &Stage` as its
//!   first argument.
//! * [`ui`] holds the components that the views of widgets are made of.
//! * [`testing`] tests tools natively with a scripted stage.
//!
//! `cargo build --target wasm32-wasip2 --profile plugin` builds the component and embeds the
//! manifest in it.

#![deny(missing_docs)]
#![cfg_attr(not(target_family = "wasm"), forbid(unsafe_code))]

// The macros expand to paths that begin with `::footlight_sdk`, also within this crate.
extern crate self as footlight_sdk;

#[cfg(target_family = "wasm")]
#[doc(hidden)]
pub mod bindings;

mod arguments;
mod ask;
mod backend;
mod config;
mod errors;
mod failure;
mod http;
mod output;
mod plugin;
mod reader;
mod shown;
mod stage;
mod state;
#[cfg(feature = "widget-files")]
mod widget_files;

#[cfg(target_family = "wasm")]
mod export;

#[cfg(not(target_family = "wasm"))]
pub mod testing;

pub use ask::Answers;
pub use config::Config;
pub use errors::{ApprovalError, AskError, DisplayError, HttpError, OutputError, StateError};
pub use failure::{Failure, FailureCode, Result};
/// The components that views of widgets are made of: [`guide::components`] shows each with a picture.
#[doc(inline)]
pub use footlight_vocabulary::component as ui;
/// The kinds of results: [`guide::results`] shows each with a picture.
#[doc(inline)]
pub use footlight_vocabulary::kinds;
pub use footlight_vocabulary::outcome::{IntoOutcome, Outcome, Typed};
pub use footlight_vocabulary::{display, question, widget};
pub use http::{Request, Response};
pub use output::{Output, OutputWriter};
pub use plugin::{Concern, Description, Plugin, ToolDescription};
pub use shown::Shown;
pub use stage::{Approval, Level, Stage};
pub use state::{Scope, State};

pub use footlight_sdk_macros::Config;

/// Turns a function into a tool that the model can call.
///
/// The function's name becomes the tool's name, and its doc comment the description. Each argument
/// becomes a member of the input: the type determines its schema, the doc comment its description.
/// An argument of type `Option` is optional. `#[arg(…)]` sets further options:
///
/// | option | meaning |
/// | --- | --- |
/// | `#[arg(default = 5)]` | optional, with this value if absent |
/// | `#[arg(range = 1..=14)]` | a number within these bounds |
/// | `#[arg(length = 1..=80)]` | text or a list within these lengths |
/// | `#[arg(one_of = ["asc", "desc"])]` | one of these values; also the name of a constant list |
/// | `#[arg(format = "date")]` | text in a format that JSON Schema defines, which the host checks |
///
/// Bounds, formats and defaults can be constants. The host checks the input against the schema before
/// the tool runs. Instead of separate
/// arguments, a tool can take one argument marked `#[args]`: a struct that derives `Deserialize` and
/// `JsonSchema` and holds the whole input.
///
/// A tool that uses the [`Stage`] takes `stage: &Stage` as its first argument.
///
/// The attribute itself takes these options:
///
/// | option | meaning |
/// | --- | --- |
/// | `read_only`, `idempotent`, `destructive`, `open_world` | what a call may do; this can make the host more careful, never less |
/// | `asks` | the tool may ask the person, so the host does not run it concurrently with other calls |
/// | `title = "…"` | a display name |
/// | `example = "…"` | a prompt that should lead to this tool; may be repeated |
/// | `approval = "always"` | a person decides on every call; `"never"` states that no approval is needed, which the host may overrule |
/// | `requests = "mail.send"` | the tool requests this approval itself while it runs ([`Stage::approve`]), so that the host need not ask before, if the plugin's own statements are the only reason to; may be repeated |
/// | `assess = function` | this function decides from the same arguments (without the stage) whether a person must approve the call; it returns `Option<Concern>` or `Result<Option<Concern>>` |
/// | `audience = "user"` | only a widget's action can call the tool; with `"model"` only the model can; `"both"` is the default |
/// | `output = Type` | the type whose schema describes the result |
///
/// ```
/// use footlight_sdk::prelude::*;
///
/// /// Deletes files whose name contains a word.
/// #[tool(destructive, assess = assess_delete)]
/// fn delete(
///     /// Part of the file's name.
///     #[arg(length = 1..=80)]
///     word: String,
///     /// The maximum number of files.
///     #[arg(default = 10, range = 1..=100)]
///     limit: u32,
/// ) -> Result<Text> {
///     Ok(Text::new(format!("Deleted {limit} files named like {word:?}.")))
/// }
///
/// fn assess_delete(word: String, limit: u32) -> Option<Concern> {
///     (limit > 10).then(|| Concern::new(word, "This may delete many files."))
/// }
/// # fn main() { assert!(assess_delete("a".into(), 11).is_some()); assert!(delete("a".into(), 1).is_ok()); }
/// ```
pub use footlight_sdk_macros::tool;

/// Turns the crate into a plugin. Call it once, at the crate root.
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
/// /// Settings of the plugin.
/// #[derive(Config)]
/// struct Settings {
///     /// The city to use if the prompt names none.
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
///     // Widget types and the types of their data. The host checks the data against the schema.
///     widgets: ["weather-week": Week],
///     // The settings, which the host checks against their schema.
///     config: Settings,
///     // Advice for the model on how to use the tools.
///     instructions: "Ask for a city before you call `weather`.",
/// );
/// # fn main() {}
/// ```
///
/// The macro reads and checks `plugin.toml` at compile time and embeds it in the component. A plugin
/// without a manifest states `manifest: none`; it cannot be granted any powers.
pub use footlight_sdk_macros::plugin;

/// Makes a tool of a widget file, as the ChatKit Widget Builder writes it (feature `widget-files`).
///
/// ```text
/// // Shows where a flight is. (The doc comment is the tool's description.)
/// widget_file!(flight = "flight.widget");
///
/// plugin!(tools: [flight]);
/// ```
///
/// The path is relative to the source file, as for `include_str!`. The input of the tool is the file's `jsonSchema`; the model's
/// input fills the file's template, and the person sees the card that it becomes. The macro also makes
/// a function with the name of the tool, for tests: `flight(&stage, &json!({ … }))`.
///
/// A file that cannot work is a compile error with file, line and column: JSON or a schema that is
/// malformed, a template that does not parse, reads a name that the schema does not have, or does not
/// become a root.
pub use footlight_sdk_macros::widget_file;

#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../guide/links.txt"))]
#[doc = include_str!("../README.md")]
pub mod guide;

/// The items that nearly every plugin uses: `use footlight_sdk::prelude::*;`.
///
/// The plain names are results: a [`Table`](prelude::Table) is what a tool returns. The components of
/// a view have the name of their module in front: a [`ui::Table`] is drawn in a card.
///
/// The derive macros of `serde` and `schemars` expand to paths of these crates, so a plugin with types
/// of its own names both in its `Cargo.toml` as well.
pub mod prelude {
    #[doc(no_inline)]
    pub use crate::ui;

    pub use crate::display::View;
    pub use crate::kinds::{
        Align, Chart, Code, Custom, Diff, Facts, FileContent, FileList, Image, Link, List, Log,
        Markdown, Structured, Table, Text,
    };
    pub use crate::question::{Choice, Field};
    pub use crate::widget::Widget;
    pub use crate::{
        Approval, ApprovalError, AskError, Concern, Config, Failure, FailureCode, HttpError, Level,
        Output, Request, Response, Result, Scope, Stage, denied, invalid, plugin, tool,
        unavailable, widget_file,
    };

    pub use schemars::JsonSchema;
    pub use serde::{Deserialize, Serialize};
    pub use serde_json::{Value, json};

    #[cfg(not(target_family = "wasm"))]
    #[doc(no_inline)]
    pub use crate::testing;
}

/// Support code for the macros' expansions. Not public API: it may change in any release.
#[doc(hidden)]
pub mod __private {
    pub use crate::arguments::{Argument, HasSchema, Members, json, one_of};
    pub use crate::failure::failure;
    pub use crate::plugin::{Assessment, Tool, ToolDescription, ToolEntry};
    #[cfg(feature = "widget-files")]
    pub use crate::widget_files::{run as run_widget_file, show as show_widget_file};
    pub use footlight_vocabulary::outcome::Outcome;
    #[cfg(not(target_family = "wasm"))]
    pub use inventory;
    pub use serde_json::Value;

    /// Converts a tool's return value to an outcome.
    ///
    /// # Errors
    /// If the value cannot be serialised to JSON.
    pub fn outcome<T: crate::IntoOutcome>(returned: T) -> crate::Result<Outcome> {
        // Including serde's message would add kilobytes to every plugin. A native test of the tool
        // shows it.
        let message = "the result cannot be written as JSON";
        let failure = |_| crate::Failure::new(crate::FailureCode::Other, message);
        returned.into_outcome().map_err(failure)
    }
}

/// Registers the plugin for [`testing::stage`], so that a test of a tool knows what the plugin declares.
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($plugin:ty) => {
        $crate::__private::inventory::submit! {
            $crate::testing::Registered::of::<$plugin>()
        }
    };
}

/// Embeds the manifest in a custom section of the component, which a host reads without running it.
// Not part of the procedural macro, so that it also compiles in a crate that forbids unsafe code.
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
