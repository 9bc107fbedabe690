//! Shows how what came of a replayed call differs from what the case expects.

use super::play::Played;
use super::{Case, normal};
use crate::terminal::ui::{OutStream, Ui};
use footlight_render::compare::comparison;
use footlight_render::detail::{Detail, ViewBuilder};
use footlight_render::filter;
use footlight_render::view::View;
use footlight_vocabulary::kinds::Diff;
use footlight_vocabulary::result::SemanticResult;
use serde_json::Value;
use std::io;

/// The most problems of one case that are listed.
const MAX_PROBLEMS: usize = 20;

/// Prints the differences: what a person would see, beside each other, and then the record.
pub(crate) fn print(name: &str, case: &Case, played: &Played, ui: &Ui) -> io::Result<()> {
    for problem in played.problems.iter().take(MAX_PROBLEMS) {
        ui.print_row(&format!("  {}", filter::line(problem, 400)))?;
    }
    if played.actual == case.expect {
        return Ok(());
    }
    let terminal = ui.terminal(OutStream::Stdout);
    let [expected, actual] =
        [&case.expect.record, &played.actual.record].map(|record| views(record));
    if let Some(drawn) = comparison(&terminal, &expected, &actual) {
        ui.print(&drawn)?;
    }
    let diff = Diff::new(name, case.expect.text(), played.actual.text());
    if let Ok(diff) = SemanticResult::of(diff) {
        let view = ViewBuilder::default().result(&diff, Detail::Default);
        ui.show(OutStream::Stdout, &view)?;
    }
    Ok(())
}

/// Returns what a person sees of a record.
fn views(record: &[Value]) -> Vec<View> {
    let items = normal::items(record);
    let mut builder = ViewBuilder::default();
    items.iter().for_each(|item| builder.learn(item));
    let view = |item| builder.item(item, Detail::Full);
    items.iter().map(view).collect()
}
