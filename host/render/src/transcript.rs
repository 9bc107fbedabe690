//! Turns of a conversation as a document: Markdown, HTML or JSON.

use crate::detail::{Detail, ViewBuilder};
use crate::filter;
use crate::markdown::markdown_all;
use crate::page::Page;
use crate::view::{Tone, View};
use footlight_vocabulary::event::Status;
use footlight_vocabulary::item::{Content, Item, Position, Timestamp};
use serde_json::json;
use std::borrow::Cow;

/// The format of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentFormat {
    /// CommonMark with tables.
    Markdown,
    /// A single page without scripts or external resources.
    Html,
    /// The items as JSON.
    Json,
}

/// A turn to write.
#[derive(Debug)]
pub struct TurnTranscript {
    /// The prompt, if it is to be included. That of a press is for the model.
    pub prompt: Option<String>,
    /// Whether the turn is a press, of which people are told what was pressed.
    pub is_press: bool,
    /// The items, in order.
    pub items: Vec<Item>,
    /// Whether the result of a call was the answer, which the screen shows after the call's other
    /// items.
    pub results_last: bool,
    /// The final status; `None` while the turn runs.
    pub status: Option<Status>,
}

impl TurnTranscript {
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

    /// Returns what a person reads in place of the prompt: the prompt itself, or what was pressed.
    #[must_use]
    pub fn said(&self) -> Option<Cow<'_, str>> {
        let prompt = self.prompt.as_deref()?;
        if !self.is_press {
            return Some(prompt.trim_end().into());
        }
        let call = self.items.iter().find_map(|item| match &item.content {
            Content::Tool(tool) => tool.function.split('.').next_back(),
            _ => None,
        });
        Some(match call {
            Some(tool) => format!("pressed “{}”", tool.replace(['_', '-'], " ")).into(),
            None => "pressed a button".into(),
        })
    }

    /// Returns what is drawn of the turn, in full.
    pub fn views(&self, builder: &mut ViewBuilder) -> Vec<View> {
        self.items.iter().for_each(|item| builder.learn(item));
        let mut views: Vec<View> = self
            .items_as_on_screen()
            .into_iter()
            .map(|item| builder.item(item, Detail::Full))
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
pub fn mark_expired(items: &mut [Item], now: Timestamp) {
    for item in items {
        if let Content::Output(output) = &mut item.content
            && output.expires <= now
        {
            output.extra.insert("expired".to_owned(), true.into());
        }
    }
}

/// A document that is written turn by turn, so that it never has to be in memory as a whole.
#[derive(Debug)]
pub struct Document<'a> {
    builder: &'a mut ViewBuilder,
    format: DocumentFormat,
    page: Page,
    has_turns: bool,
}

impl<'a> Document<'a> {
    /// Begins a document, and returns its beginning.
    pub fn begin(
        builder: &'a mut ViewBuilder,
        format: DocumentFormat,
        title: &str,
        id: Option<&str>,
    ) -> (Self, String) {
        let mut page = Page::new(title);
        let start = match format {
            DocumentFormat::Json => {
                let id = filter::json_line(&json!(id));
                format!("{{\"id\":{id},\"turns\":[")
            }
            DocumentFormat::Markdown => String::new(),
            DocumentFormat::Html => page.take(),
        };
        let document = Self {
            builder,
            format,
            page,
            has_turns: false,
        };
        (document, start)
    }

    /// Adds a turn, and returns its text.
    #[must_use]
    pub fn turn(&mut self, turn: &TurnTranscript) -> String {
        let is_first = !std::mem::replace(&mut self.has_turns, true);
        match self.format {
            DocumentFormat::Json => {
                let turn = json!({ "prompt": turn.prompt, "output": turn.items });
                let comma = if is_first { "" } else { "," };
                format!("{comma}{}", filter::json_line(&turn))
            }
            DocumentFormat::Markdown => {
                let prompt = turn.said();
                let prompt = prompt.map(|prompt| View::Quote(vec![View::text(prompt)]));
                let mut blocks: Vec<View> = prompt.into_iter().collect();
                blocks.extend(turn.views(self.builder));
                let gap = if is_first { "" } else { "\n\n" };
                format!("{gap}{}", markdown_all(&blocks))
            }
            DocumentFormat::Html => {
                if let Some(said) = turn.said() {
                    self.page.add_said(said);
                }
                self.page.add_views(&turn.views(self.builder));
                self.page.take()
            }
        }
    }

    /// Ends the document, and returns its end.
    #[must_use]
    pub fn end(self) -> String {
        match self.format {
            DocumentFormat::Json => "]}".to_owned(),
            DocumentFormat::Markdown => "\n".to_owned(),
            DocumentFormat::Html => self.page.into_html(),
        }
    }
}

/// Formats turns as a standalone document.
#[must_use]
pub fn document(
    turns: &[TurnTranscript],
    builder: &mut ViewBuilder,
    format: DocumentFormat,
    title: &str,
    id: Option<&str>,
) -> String {
    let (mut document, mut text) = Document::begin(builder, format, title, id);
    for turn in turns {
        text.push_str(&document.turn(turn));
    }
    text.push_str(&document.end());
    text
}
