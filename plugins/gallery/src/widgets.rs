//! Widgets, which are shown to the person while the tool runs.
//!
//! A surface draws a widget with its own renderer for the type, else from the view, else from the
//! fallback. [`components`](crate::components) shows the components of a view.

use crate::data::{Play, Show, With};
use footlight_sdk::prelude::*;
use std::time::Duration;

/// The widget type that this plugin declares, with [`Play`] as its data.
pub(crate) const PLAY: &str = "gallery-play";

/// Returns the result of a tool that only shows something.
pub(crate) fn shown() -> Text {
    Text::new("The person sees it.").hidden()
}

/// Shows a widget of a declared type, whose data fits the schema.
#[tool(read_only, example = "Show me a widget of a declared type")]
pub(crate) fn declared(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let play = first_play(with);
    let widget = Widget::new(PLAY, &play).view(poster(&play));
    stage.show(widget.fallback(with.line()))?;
    Ok(shown())
}

/// Shows a widget of a declared type, whose data does not fit: the fallback is shown.
#[tool(read_only, example = "Show me a widget whose data does not fit")]
pub(crate) fn unfitting(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let data = json!({ "title": 7, "seats": with.line() });
    let widget = Widget::new(PLAY, &data).view(poster(&first_play(with)));
    stage.show(widget.fallback(format!("A play, in words: {}", with.line())))?;
    Ok(shown())
}

/// Shows a widget of a type that nobody knows, with nothing but words to draw it from.
#[tool(read_only, example = "Show me a widget without a view")]
pub(crate) fn free(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    let widget = Widget::new("gallery-free", &with.plays(100));
    stage.show(widget.fallback(with.prose()))?;
    Ok(shown())
}

/// Shows a widget that changes while the tool runs: it counts down, writes, and is done.
#[tool(read_only, title = "Live", example = "Show me a live widget")]
pub(crate) fn live(
    stage: &Stage,
    /// Which data to show.
    #[arg(default = With::Ordinary)]
    with: With,
    /// How long to wait between two changes, in milliseconds.
    #[arg(default = 400, range = 0..=2_000)]
    pause: u32,
) -> Result<Text> {
    let rest = || std::thread::sleep(Duration::from_millis(pause.into()));
    let titles = with.titles(8);
    let total = titles.len();
    let mut notes = "Rehearsed:".to_owned();
    let widget = stage.show(rehearsal(0, total, &notes))?;
    for (done, title) in titles.iter().enumerate() {
        stage.ensure_not_cancelled()?;
        stage.progress_of(format!("Rehearsing {title}"), done as u64, total as u64);
        stage.log(Level::Info, format!("rehearsing {title}"));
        rest();
        // Appending text keeps the rest of the widget.
        let note = format!(" {title}.");
        widget.append_text("notes", &note)?;
        rest();
        // Any other change replaces the whole widget.
        notes.push_str(&note);
        stage.progress_of(format!("Rehearsed {title}"), done as u64 + 1, total as u64);
        widget.update(rehearsal(done + 1, total, &notes))?;
    }
    Ok(shown())
}

fn rehearsal(done: usize, total: usize, notes: &str) -> Widget {
    let progress = ui::Progress::new().value(done as f64).max(total as f64);
    let card = ui::Card::new()
        .status("Rehearsal")
        .child(progress.label("Plays"))
        .child(ui::Markdown::new(notes).id("notes").streaming(done < total));
    Widget::new("gallery-live", &json!({ "done": done, "total": total })).view(card)
}

fn first_play(with: With) -> Play {
    with.plays(1).into_iter().next().unwrap_or_default()
}

/// Returns the view of a play, for surfaces without a renderer for the type.
fn poster(play: &Play) -> ui::Card {
    let state = if play.sold_out { "sold out" } else { "on sale" };
    let head = ui::Row::new()
        .child(ui::Title::new(&play.title))
        .child(ui::Badge::new(state));
    let about = format!("{}, {} seats sold", play.first_night, play.seats);
    ui::Card::new().child(head).child(ui::Caption::new(about))
}
