//! What a page draws, for clients that render nothing themselves.
//!
//! With `?markup=true`, items and requests carry the tree that [`footlight_render`] makes of them. A
//! client creates its elements and sets their text, and never parses markup. A tree has the first 200
//! rows of a table; `GET /api/sessions/{id}/items/{item}/rows` has the others.

use footlight_render::detail::{Detail, ViewBuilder, without_open_reference};
use footlight_render::filter;
use footlight_render::html::Html;
use footlight_render::lower::{Approval, Limits, Lower, terminal_text};
use footlight_render::markup::{Tag, to_json};
use footlight_render::transcript::mark_expired;
use footlight_render::view::View;
use footlight_vocabulary::item::{Content, Item, Timestamp};
use footlight_vocabulary::kinds::Column;
use footlight_vocabulary::normalise::normalise;
use footlight_vocabulary::question::Question;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Nodes below each other.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Markup(#[schemars(with = "Vec<MarkupNode>")] Value);

/// A text, or an element. A text is set as `textContent` and is never parsed.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "it describes what `to_json` writes")]
enum MarkupNode {
    Text(String),
    Element(MarkupElement),
}

/// An element. `svg` and what is in it belong to the SVG namespace, `math` to that of MathML.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "it describes what `to_json` writes")]
struct MarkupElement {
    /// The name; one of those that neither run nor load anything but images.
    #[schemars(schema_with = "tags")]
    tag: String,
    /// The attributes. None of them runs anything, and an address is checked.
    attrs: Option<BTreeMap<String, String>>,
    /// What is in it.
    children: Option<Vec<MarkupNode>>,
}

fn tags(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = Tag::ALL.iter().map(|tag| tag.name()).collect();
    schemars::json_schema!({ "type": "string", "enum": names })
}

/// Draws the items of a session.
#[derive(Debug, Default)]
pub(crate) struct Painter {
    builder: ViewBuilder,
}

impl Painter {
    /// Creates a painter that knows the calls among these items, whose plugins widgets and questions
    /// name.
    pub(crate) fn of<'a>(items: impl IntoIterator<Item = &'a Item>) -> Self {
        let mut builder = ViewBuilder::default();
        items.into_iter().for_each(|item| builder.learn(item));
        Self { builder }
    }

    /// Draws text that the model is writing.
    pub(crate) fn text(&self, written: &str) -> Markup {
        text(&self.builder.name_outputs(without_open_reference(written)))
    }

    /// Draws reasoning of the model, which took this many milliseconds; none while it goes on.
    pub(crate) fn thought(&self, written: &str, millis: Option<u64>) -> Markup {
        let written = self.builder.name_outputs(written);
        draw(&View::Thought(Lower::default().thought(&written, millis)))
    }

    /// Draws an item as it is now.
    pub(crate) fn item(&mut self, item: &Item) -> Markup {
        self.builder.learn(item);
        if let Content::Output(_) = item.content {
            let mut item = item.clone();
            let now = Timestamp::from_millis(crate::access::now());
            mark_expired(std::slice::from_mut(&mut item), now);
            return draw(&self.builder.item(&item, Detail::Page));
        }
        draw(&self.builder.item(item, Detail::Page))
    }
}

/// Draws text of the model.
fn text(text: &str) -> Markup {
    draw(&View::column(Lower::default().markdown(text)))
}

/// Draws text with the colours of a terminal.
pub(crate) fn terminal(text: &str) -> Markup {
    draw(&terminal_text(text))
}

/// Draws rows of a table.
pub(crate) fn table(columns: &[Column], rows: &[Value]) -> Markup {
    let table = json!({ "kind": "table", "data": { "columns": columns, "rows": rows } });
    let limits = Limits {
        rows: rows.len(),
        ..Limits::default()
    };
    match normalise(table) {
        Ok(table) => draw(&Lower::default().within(limits).result(&table)),
        Err(_) => Markup(json!([])),
    }
}

/// Draws an open question. The form names the request.
pub(crate) fn question(id: &str, plugin: &str, question: &Question) -> Markup {
    let mut view = Lower::default().question(question);
    if let View::Ask(ask) = &mut view {
        (ask.id, ask.from) = (Some(id.to_owned()), Some(plugin.to_owned()));
    }
    draw(&view)
}

/// Says in one line what a request for approval is about, from what the host knows.
pub(crate) fn headline(plugin: &str, asked: &footlight::policy::ApprovalRequest) -> String {
    let headline = match (&asked.network, &asked.folder, &asked.binding.action) {
        (Some(network), ..) => format!("{plugin} wants to send a request to {}", network.host),
        (_, Some(_), _) => format!("{plugin} wants to use a folder"),
        (.., Some(action)) => format!("{plugin} wants to do “{}”", words(action)),
        _ => format!("{plugin} wants to run “{}”", words(&asked.binding.tool)),
    };
    filter::line(&headline, 200)
}

/// Turns `todo.show_list` into `Show list`.
fn words(name: &str) -> String {
    let name = name.rsplit('.').next().unwrap_or_default();
    let words: Vec<&str> = name
        .split(['_', '-'])
        .filter(|word| !word.is_empty())
        .collect();
    let mut words = words.join(" ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// Draws a request for approval, without the verdicts: a client draws those itself.
pub(crate) fn approval(asked: &footlight::policy::ApprovalRequest) -> Markup {
    let mut facts = Vec::new();
    let (mut input, mut build) = (None, None);
    for fact in &asked.facts {
        match fact.name.as_str() {
            "build" => build = Some(fact.value.as_str()),
            "input" => input = serde_json::from_str::<Value>(&fact.value).ok(),
            name => facts.push((name, fact.value.as_str())),
        }
    }
    let reasons: Vec<String> = asked.reasons.iter().map(ToString::to_string).collect();
    let reasons = reasons.join("; ");
    if !reasons.is_empty() {
        facts.push(("because", &reasons));
    }
    // What is to be done comes first, and what it comes from last.
    facts.sort_by_key(|(name, _)| matches!(*name, "plugin" | "tool" | "can"));
    let quotes = asked.quotes.iter();
    draw(&Lower::default().approval(&Approval {
        facts,
        build,
        subject: asked.subject.as_deref(),
        input: input.as_ref(),
        quotes: quotes.map(|quote| (&*quote.by, &*quote.text)).collect(),
        details: asked.details.as_ref(),
    }))
}

fn draw(view: &View) -> Markup {
    let mut markup = to_json(&Html::default().draw(view));
    let mut last = OUTER_HEADING;
    nest_headings(&mut markup, &mut last);
    Markup(markup)
}

/// The level of the page's own heading above what is drawn.
const OUTER_HEADING: u64 = 2;

/// Makes every heading at most one level deeper than the one before it. The model and the plugin choose the
/// levels, and whoever moves from heading to heading must not miss one.
fn nest_headings(markup: &mut Value, last: &mut u64) {
    if let Value::Array(nodes) = markup {
        for node in nodes {
            nest_headings(node, last);
        }
        return;
    }
    let tag = markup.get("tag").and_then(Value::as_str);
    let level = tag.and_then(|tag| tag.strip_prefix('h')?.parse::<u64>().ok());
    if let Some(level) = level {
        *last = level.min(*last + 1);
        markup["tag"] = format!("h{last}").into();
    }
    if let Some(children) = markup.get_mut("children") {
        nest_headings(children, last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_heading_is_deeper_than_the_one_before_by_more_than_a_level() {
        let drawn = text("### a\n\n###### b\n\n# c\n\n###### d\n\n> ###### e");
        let text = drawn.0.to_string();
        let tags = text.split("\"tag\":\"h").skip(1);
        let levels: Vec<&str> = tags.filter_map(|rest| rest.get(..1)).collect();
        assert_eq!(levels, ["3", "4", "3", "4", "5"], "{text}");
    }
}
