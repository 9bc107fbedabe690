//! Settings of a plugin.

use crate::Result;

/// The settings of a plugin, which the person makes. Declared with `#[derive(Config)]`.
///
/// ```
/// # use footlight_sdk::prelude::*;
/// /// Settings of the forecast.
/// #[derive(Config)]
/// struct Settings {
///     /// Whether to use degrees Fahrenheit.
///     #[setting(default = false)]
///     fahrenheit: bool,
///     /// How many days to show by default.
///     #[setting(default = 5, range = 1..=14)]
///     days: u8,
///     /// The city to use if the prompt names none.
///     home: Option<String>,
/// }
///
/// # fn tool(stage: &Stage) -> Result<u8> {
/// let settings: Settings = stage.config()?;
/// # Ok(settings.days)
/// # }
/// ```
///
/// Name the type in [`plugin!`](crate::plugin!) (`config: Settings`): the host then checks the
/// person's settings against its schema.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the settings of a plugin",
    note = "derive `Config` for it: `#[derive(Config)]`, with a doc comment and, if possible, `#[setting(default = …)]` on each field"
)]
pub trait Config: Sized {
    /// Returns the JSON Schema of the settings, as JSON text.
    fn schema() -> String;

    /// Parses the settings and fills in the defaults.
    ///
    /// # Errors
    /// If a setting without a default is missing, or a setting has another type.
    fn parse(json: &str) -> Result<Self>;
}
