//! Tools made of widget files, see [`widget_file!`](crate::widget_file!).

use crate::{Failure, FailureCode, Result, Stage, invalid};
use footlight_vocabulary::outcome::Outcome;
use footlight_vocabulary::template;
use footlight_vocabulary::widget::Widget;
use serde_json::Value;

/// Fills the template with the input of a call, and shows what it becomes.
///
/// # Errors
/// If the input does not suit the template, or the widget cannot be shown.
pub fn show(stage: &Stage, template: &str, input: &Value) -> Result<()> {
    let root = template::fill(template, input);
    let root = root.map_err(|error| Failure::new(FailureCode::Other, error.to_string()))?;
    stage.show(Widget::view_only(root))?;
    Ok(())
}

/// As [`show`], for the call of a host.
///
/// # Errors
/// As [`show`].
pub fn run(stage: &Stage, template: &str, input: &str) -> Result<Outcome> {
    let input = serde_json::from_str(input).map_err(|error| invalid!("{error}"))?;
    show(stage, template, &input)?;
    // All that the model needs to know.
    crate::__private::outcome(serde_json::json!({ "displayed": true }))
}
