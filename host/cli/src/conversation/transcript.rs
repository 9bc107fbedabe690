//! Writes turns of a conversation as terminal text, Markdown, HTML or JSON.

use crate::conversation::views::{Detail, ViewBuilder};
use footlight::store::{Snapshot, TurnRow};
use footlight_render::filter;
use footlight_render::markdown::markdown_all;
use footlight_render::page::Page;
use footlight_render::terminal::Terminal;
use footlight_render::view::{Inline, Role, Span, Style, Text, Tone, View};
use footlight_vocabulary::event::{Origin, Status};
use footlight_vocabulary::item::{Content, Item, Position, Timestamp};
use serde_json::{Value, json};

/// The format of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// CommonMark with tables.
    Markdown,
    /// A single page without scripts or external resources.
    Html,
    /// The items as JSON.
    Json,
}

/// A turn to write.
#[derive(Debug)]
pub(crate) struct TurnTranscript {
    /// The prompt, if it is to be included.
    pub(crate) prompt: Option<String>,
    pub(crate) items: Vec<Item>,
    /// Whether the result of a call was the answer, which the screen shows after the call's other
    /// items.
    pub(crate) results_last: bool,
    /// The final status; `None` while the turn runs.
    pub(crate) status: Option<Status>,
}

impl TurnTranscript {
    /// Returns the turns of a session, as they are now.
    pub(crate) fn all(snapshot: &Snapshot, now: Timestamp) -> Vec<Self> {
        let turn = |turn: &TurnRow| {
            let items = snapshot.items.iter();
            let own = items.filter(|item| item.position.turn == turn.n);
            let mut items: Vec<Item> = own.cloned().collect();
            mark_expired(&mut items, now);
            let mut steps = snapshot.steps.iter().filter(|step| step.turn == turn.n);
            Self {
                prompt: Some(turn.prompt.clone()),
                items,
                results_last: turn.origin == Origin::Action && !turn.asks_model
                    || steps.all(|step| step.model == footlight_offline::NAME),
                status: turn.status.clone(),
            }
        };
        let kept = snapshot.turns.iter().filter(|turn| !turn.retracted);
        kept.map(turn).collect()
    }

    /// Returns the items in the order in which the screen showed them.
    fn items_as_on_screen(&self) -> Vec<&Item> {
        let mut items: Vec<&Item> = self.items.iter().collect();
        if self.results_last {
            // A call's own item, which has the result, is the first of its items in the record. Other
            // tool items are embedded outputs.
            let order = |item: &&Item| match (&item.content, item.position) {
                (Content::Tool(_), position @ Position { n: 0, .. }) => Position {
                    n: u32::MAX,
                    ..position
                },
                (_, position) => position,
            };
            items.sort_by_key(order);
        }
        items
    }

    fn views(&self, builder: &mut ViewBuilder) -> Vec<View> {
        self.items.iter().for_each(|item| builder.learn_owner(item));
        let mut views: Vec<View> = self
            .items_as_on_screen()
            .into_iter()
            .map(|item| builder.item(item, Detail::Full).0)
            .collect();
        match &self.status {
            None => views.push(View::notice(Tone::Info, "this turn is unfinished")),
            Some(Status::Done) => {}
            Some(status) => views.push(View::notice(Tone::Warning, status.as_str())),
        }
        views
    }
}

/// Marks the outputs that have expired, whose content is deleted.
pub(crate) fn mark_expired(items: &mut [Item], now: Timestamp) {
    for item in items {
        if let Content::Output(output) = &mut item.content
            && output.expires <= now
        {
            output.extra.insert("expired".to_owned(), true.into());
        }
    }
}

/// Formats turns for a terminal.
pub(crate) fn transcript_text(
    turns: &[TurnTranscript],
    builder: &mut ViewBuilder,
    terminal: &Terminal,
) -> String {
    let mut out = String::new();
    let mut terminal = terminal.clone();
    for turn in turns {
        if let Some(prompt) = &turn.prompt {
            let bold = Style {
                bold: true,
                ..Style::default()
            };
            let prompt = prompt.trim_end().replace('\n', "\n  ");
            let said = Span::styled(format!("> {prompt}"), bold);
            let said = Text::new(Role::Lines, Inline { spans: vec![said] });
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(&terminal.draw(&View::Text(said)).text);
        }
        for view in turn.views(builder) {
            let drawing = crate::terminal::ui::draw(&terminal, &view);
            if let Some(last) = drawing.actions.last() {
                terminal.last_action = last.number;
            }
            out.push_str(&drawing.text);
        }
    }
    out
}

/// Formats turns as a standalone document.
pub(crate) fn document(
    turns: &[TurnTranscript],
    builder: &mut ViewBuilder,
    format: Format,
    title: &str,
    id: Option<&str>,
) -> String {
    match format {
        Format::Json => {
            let turn =
                |turn: &TurnTranscript| json!({ "prompt": turn.prompt, "output": turn.items });
            let turns: Vec<Value> = turns.iter().map(turn).collect();
            filter::json_line(&json!({ "id": id, "turns": turns }))
        }
        Format::Markdown => {
            let mut blocks = Vec::new();
            for turn in turns {
                if let Some(prompt) = &turn.prompt {
                    blocks.push(View::Quote(vec![View::text(prompt.trim_end())]));
                }
                blocks.extend(turn.views(builder));
            }
            format!("{}\n", markdown_all(&blocks))
        }
        Format::Html => {
            let mut page = Page::new(title);
            for turn in turns {
                if let Some(prompt) = &turn.prompt {
                    page = page.said(prompt.trim_end());
                }
                page = page.views(&turn.views(builder));
            }
            page.into_html()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footlight::store::SessionRow;

    #[test]
    fn a_turn_that_was_retracted_is_not_written() {
        let start = Timestamp::from_millis(0);
        let mut snapshot = Snapshot::new(SessionRow::new("ses_1".into(), start));
        for (n, retracted) in [(1, false), (2, true), (3, false)] {
            let id = format!("turn_{n}").as_str().into();
            let mut turn = TurnRow::new(n, id, format!("prompt {n}"), Origin::Person, start);
            turn.retracted = retracted;
            turn.status = Some(Status::Done);
            snapshot.turns.push(turn);
        }
        let turns = TurnTranscript::all(&snapshot, start);
        let written = document(
            &turns,
            &mut ViewBuilder::default(),
            Format::Markdown,
            "A session",
            None,
        );
        assert!(written.contains("prompt 1") && written.contains("prompt 3"));
        assert!(!written.contains("prompt 2"), "{written}");
    }
}
