//! The two times at which a person approves: while a tool runs, and before it does.
//!
//! `gallery.dim` has low severity and the tool destroys nothing, so a person can approve it for the
//! session or permanently. A remembered approval covers exactly one subject. A subject that cannot
//! be shown on one line can only be approved once.

use crate::data::Show;
use footlight_sdk::prelude::*;

/// Dims the lights of the house, after asking for approval.
#[tool(
    asks,
    title = "Dim the lights",
    example = "Dim the lights of the house"
)]
pub(crate) fn dim(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    stage.approve(
        Approval::new("gallery.dim")
            .subject(with.title(0))
            .reason(with.or("The play begins in a minute."))
            .details(&with.titles(200)),
    )?;
    Ok(Text::new("The house is dark."))
}

/// Strikes the set: takes everything off the stage.
// It requests nothing itself, so the host asks before it runs.
#[tool(
    destructive,
    title = "Strike the set",
    example = "Strike the set of the play"
)]
pub(crate) fn strike(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    stage.show(Widget::new("gallery-set", &with.titles(0)).fallback("The stage is empty."))?;
    Ok(Text::new(with.or("The set is gone.")))
}
