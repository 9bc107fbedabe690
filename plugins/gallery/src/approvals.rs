//! Leave for what the manifest names, with a standing yes on offer.
//!
//! `gallery.dim` is of low severity and this tool destroys nothing, so a person may also say yes for
//! the session or for good. What that covers is the subject, word for word, and nothing else: a
//! subject that cannot be read on one line is allowed once at most.

use crate::data::Show;
use footlight_sdk::prelude::*;

/// Dims the lights of the house, after asking for leave.
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
