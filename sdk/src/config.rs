//! The person's settings for a plugin.

use crate::Result;

/// Settings that a person makes for a plugin, declared with `#[derive(Config)]`.
///
/// ```
/// # use footlight_sdk::prelude::*;
/// /// How the forecast is told.
/// #[derive(Config)]
/// struct Settings {
///     /// Whether degrees are Fahrenheit.
///     #[setting(default = false)]
///     fahrenheit: bool,
///     /// How many days to show where nothing else is said.
///     #[setting(default = 5, range = 1..=14)]
///     days: u8,
///     /// A place to fall back on.
///     home: Option<String>,
/// }
///
/// # fn tool(stage: &Stage) -> Result<u8> {
/// let settings: Settings = stage.config()?;
/// # Ok(settings.days)
/// # }
/// ```
///
/// Name the type in [`plugin!`](crate::plugin!) (`config: Settings`), so that the host knows its
/// schema and checks what the person writes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not hold a plugin's settings",
    note = "derive it: `#[derive(Config)]`, with a doc comment and, where it can, `#[setting(default = …)]` on each field"
)]
pub trait Config: Sized {
    /// The JSON Schema of the settings, as JSON text.
    fn schema() -> String;

    /// Reads the settings, filling in the defaults.
    ///
    /// # Errors
    /// When a setting without a default is missing or has another type.
    fn parse(json: &str) -> Result<Self>;
}
