//! Display hints of results, one tool for each.
//!
//! A hint matters most for a kind that the surface does not know: `preferredView` names the view that
//! draws it. Data that does not fit the view is drawn in a simpler one and is never an error.

use crate::data::{CURTAIN, Play, Show, With};
use crate::results::{Theatre, theatre};
use footlight_sdk::display::FieldType;
use footlight_sdk::prelude::*;

/// A custom kind, so that only the hint decides how it is drawn.
const KIND: &str = "gallery.thing";

/// Returns a text that is folded until somebody opens it.
#[tool(read_only, example = "Show me a folded result")]
pub(crate) fn collapsed(#[args] Show { with }: Show) -> Text {
    Text::new(with.prose())
        .summary(with.or("The evening in a few words"))
        .collapsed(true)
}

/// Returns a table that scrolls after five lines, and matters more than what is beside it.
#[tool(read_only, example = "Show me a table that scrolls")]
pub(crate) fn max_height(#[args] Show { with }: Show) -> Table {
    let plays = with.plays(40);
    // Twice, so that even an ordinary season is too tall.
    Table::rows(plays.iter().chain(&plays))
        .summary(with.or("The season, twice"))
        .max_height(5)
        .priority(2)
}

/// Returns a text that says which language it is written in.
#[tool(read_only, example = "Show me text that is code")]
pub(crate) fn language(#[args] Show { with }: Show) -> Custom<String> {
    Custom::new(KIND, with.code())
        .prefer(View::Code)
        .language("rust")
}

/// Returns data whose fields say what they are: a number, a day, a link, a path.
#[tool(read_only, example = "Show me data with types")]
pub(crate) fn field_types(#[args] Show { with }: Show) -> Structured<Vec<Play>> {
    Structured::new(with.plays(500))
        .prefer(View::Table)
        .field_type("title", FieldType::Path)
        .field_type("seats", FieldType::Number)
        .field_type("firstNight", FieldType::Date)
        .field_type("soldOut", FieldType::Boolean)
        .field_type("site", FieldType::Url)
}

/// Returns an unknown kind that wants to be drawn as text.
#[tool(read_only, example = "Draw an unknown kind as text")]
pub(crate) fn as_text(#[args] Show { with }: Show) -> Custom<String> {
    Custom::new(KIND, with.prose()).prefer(View::Text)
}

/// Returns an unknown kind that wants to be drawn as Markdown.
#[tool(read_only, example = "Draw an unknown kind as Markdown")]
pub(crate) fn as_markdown(#[args] Show { with }: Show) -> Custom<String> {
    Custom::new(KIND, with.markdown()).prefer(View::Markdown)
}

/// Returns an unknown kind that wants to be drawn as code.
#[tool(read_only, example = "Draw an unknown kind as code")]
pub(crate) fn as_code(#[args] Show { with }: Show) -> Custom<String> {
    Custom::new(KIND, with.code()).prefer(View::Code)
}

/// Returns an unknown kind that wants to be drawn as a change.
#[tool(read_only, example = "Draw an unknown kind as a diff")]
pub(crate) fn as_diff(#[args] Show { with }: Show) -> Custom<Change> {
    let (original, modified) = with.change();
    let change = Change {
        path: with.title(0),
        original,
        modified,
    };
    Custom::new(KIND, change).prefer(View::Diff)
}

/// Returns an unknown kind that wants to be drawn as a table.
#[tool(read_only, example = "Draw an unknown kind as a table")]
pub(crate) fn as_table(#[args] Show { with }: Show) -> Custom<Vec<Play>> {
    Custom::new(KIND, with.plays(3_000)).prefer(View::Table)
}

/// Returns an unknown kind that wants to be drawn as a tree.
#[tool(read_only, example = "Draw an unknown kind as a tree")]
pub(crate) fn as_tree(#[args] Show { with }: Show) -> Custom<Theatre> {
    Custom::new(KIND, theatre(with)).prefer(View::Tree)
}

/// Returns an unknown kind that wants to be drawn as a picture.
#[tool(read_only, example = "Draw an unknown kind as a picture")]
pub(crate) fn as_image(#[args] Show { with }: Show) -> Custom<Value> {
    let picture = Image::bytes(CURTAIN, "image/png", with.or("A red curtain")).data;
    let data = match with {
        With::Empty => json!({}),
        _ => json!({ "base64": picture.base64, "alt": picture.alt }),
    };
    Custom::new(KIND, data)
        .mime_type("image/png")
        .prefer(View::Image)
}

/// Returns an unknown kind that wants to be seen as JSON.
#[tool(read_only, example = "Show me raw JSON")]
pub(crate) fn as_raw(#[args] Show { with }: Show) -> Custom<Theatre> {
    Custom::new(KIND, theatre(with)).prefer(View::Raw)
}

/// Returns a text that wants to be drawn as a table, which it cannot.
#[tool(read_only, example = "Draw a text as a table")]
pub(crate) fn misfit(#[args] Show { with }: Show) -> Custom<String> {
    Custom::new(KIND, with.prose()).prefer(View::Table)
}

/// The data of a change.
#[derive(Serialize)]
pub(crate) struct Change {
    path: String,
    original: String,
    modified: String,
}
