//! What the model reads of a call's result.

use super::projection::text;
use super::state::SessionState;
use crate::call::event::CallOutcome;
use crate::model::{Part, ToolCall, ToolResult};
use crate::store::CallRow;
use footlight_vocabulary::filter::clean;
use footlight_vocabulary::function::FunctionName;
use footlight_vocabulary::item::{CallResult, Content, ItemId};
use footlight_vocabulary::result::SemanticResult;
use serde_json::Value;

/// The most bytes and lines of a result that the model reads at once.
const MAX_BYTES: usize = 32 << 10;
const MAX_LINES: usize = 1_000;

/// The mark of a truncated result. Nothing depends on it: a plugin can write it as well.
const TRUNCATED: &str = "[cut here:";

/// The most bytes of an image, as base64.
const MAX_IMAGE: usize = 4 << 20;

/// Sets what the model reads of a call that the host has run, and what it can read on in.
pub(super) fn set_outcome(state: &SessionState, row: &mut CallRow, outcome: &CallOutcome) {
    let whole = as_text(&outcome.model);
    let shown = truncate(&whole, row.id.as_str());
    let mut content = vec![text(shown.as_deref().unwrap_or(&whole))];
    if let Ok(result) = &outcome.result {
        content.extend(image_part(result));
    }
    row.reply = Some(returned(state, row, content, outcome.result.is_err()));
    row.model_text = shown.map(|_| whole);
}

/// Returns what the model reads of a call that failed without running.
pub(super) fn of_failure(state: &SessionState, row: &CallRow, result: &CallResult) -> ToolResult {
    returned(state, row, vec![text(&words(result))], true)
}

/// Returns what the model reads of a rejected call, which has no row yet.
pub(super) fn of_rejected(call: &ToolCall, result: &CallResult) -> ToolResult {
    ToolResult {
        call: call.id.clone(),
        name: call.name.clone(),
        content: vec![text(&words(result))],
        is_error: true,
    }
}

/// Returns what the model reads of a built-in tool.
pub(super) fn of_text(
    state: &SessionState,
    row: &CallRow,
    words: &str,
    is_error: bool,
) -> ToolResult {
    returned(state, row, vec![text(words)], is_error)
}

fn returned(state: &SessionState, row: &CallRow, content: Vec<Part>, is_error: bool) -> ToolResult {
    let item = state.item(&ItemId::from(row.id.as_str()));
    let call = item.and_then(|item| match &item.content {
        Content::Tool(tool) => tool.model_id.clone(),
        _ => None,
    });
    ToolResult {
        call: call.unwrap_or_default(),
        name: wire_name(&row.function),
        content,
        is_error,
    }
}

/// Returns the form of a function name that models are sent. A row can have a name that a model
/// invented.
fn wire_name(function: &str) -> String {
    match function.parse::<FunctionName>() {
        Ok(name) => name.wire(),
        Err(_) => function.replacen('.', "__", 1),
    }
}

fn words(result: &CallResult) -> String {
    let words = match result {
        CallResult::Error { error, code, .. } => match code {
            Some(code) => format!("{code}: {error}"),
            None => error.clone(),
        },
        CallResult::Success { output } => as_text(output),
        CallResult::Pending { reason } => format!("pending: {reason}"),
    };
    clean(&words).into_owned()
}

/// Formats a value for the model: strings as they are, anything else as JSON. Some providers reject
/// empty results.
fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) if text.trim().is_empty() => "(empty result)".to_owned(),
        Value::String(text) => text.clone(),
        Value::Null => "(empty result)".to_owned(),
        other => other.to_string(),
    }
}

fn image_part(result: &SemanticResult) -> Option<Part> {
    if result.kind.as_str() != "image" {
        return None;
    }
    let mime_type = result.mime_type.clone()?;
    let data = result.data.get("base64")?.as_str()?;
    let is_raster = matches!(mime_type.as_str(), "image/png" | "image/jpeg" | "image/gif");
    (is_raster && data.len() <= MAX_IMAGE).then(|| Part::Image {
        mime_type,
        data: data.to_owned(),
    })
}

/// Truncates a text to its head and tail, with a mark that says how much is missing and how to read
/// it. It is truncated once, before it is stored, so that it never changes. Returns `None` for a text
/// that is short enough.
fn truncate(text: &str, id: &str) -> Option<String> {
    let lines = text.lines().count();
    if text.len() <= MAX_BYTES && lines <= MAX_LINES {
        return None;
    }
    let head = text.floor_char_boundary((MAX_BYTES / 4 * 3).min(line(text, MAX_LINES / 4 * 3)));
    let tail = text.ceil_char_boundary(
        (text.len() - MAX_BYTES / 4).max(text.len() - line_back(text, MAX_LINES / 4)),
    );
    let tail = tail.max(head);
    let left = text[head..tail].chars().count();
    let at = text[..head].chars().count();
    Some(format!(
        "{}\n{TRUNCATED} {left} characters are left out; read on with the id `{id}` and offset {at}]\n{}",
        &text[..head],
        &text[tail..]
    ))
}

/// Returns a page of a truncated text.
pub(super) fn page(text: &str, id: &str, offset: usize) -> String {
    let from = text
        .char_indices()
        .nth(offset)
        .map_or(text.len(), |(at, _)| at);
    let rest = &text[from..];
    let end = rest.floor_char_boundary(MAX_BYTES);
    if end == rest.len() {
        return if rest.is_empty() {
            "(nothing follows)".to_owned()
        } else {
            rest.to_owned()
        };
    }
    let next = offset + rest[..end].chars().count();
    let left = rest[end..].chars().count();
    format!(
        "{}\n{TRUNCATED} {left} characters follow; read on with the id `{id}` and offset {next}]",
        &rest[..end]
    )
}

/// Returns the length of the first lines in bytes.
fn line(text: &str, lines: usize) -> usize {
    let ends = text.match_indices('\n').nth(lines.saturating_sub(1));
    ends.map_or(text.len(), |(at, _)| at + 1)
}

/// Returns the length of the last lines in bytes.
fn line_back(text: &str, lines: usize) -> usize {
    let begins = text.rmatch_indices('\n').nth(lines);
    begins.map_or(text.len(), |(at, _)| text.len() - at - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_short_text_is_left_alone() {
        assert_eq!(truncate("Oslo", "c"), None);
    }

    #[test]
    fn a_long_text_keeps_its_head_and_its_tail_and_says_what_is_missing() {
        let text = format!("begin {} end", "é".repeat(50_000));
        let short = truncate(&text, "call_1").expect("it is long");
        assert!(short.len() < MAX_BYTES + 200);
        assert!(short.starts_with("begin é") && short.ends_with("é end"));
        let left: usize = short
            .split(TRUNCATED)
            .nth(1)
            .and_then(|rest| rest.split_whitespace().next())
            .and_then(|n| n.parse().ok())
            .expect("a count");
        let shown = short
            .split(&format!("\n{TRUNCATED}"))
            .next()
            .expect("a head")
            .chars()
            .count()
            + short.rsplit("]\n").next().expect("a tail").chars().count();
        assert_eq!(shown + left, text.chars().count());
    }

    #[test]
    fn many_lines_are_cut_too() {
        let text = "x\n".repeat(5_000);
        let short = truncate(&text, "c").expect("it is long");
        assert!(short.lines().count() <= MAX_LINES + 2);
    }

    #[test]
    fn a_call_that_returns_nothing_still_says_something() {
        assert_eq!(as_text(&Value::Null), "(empty result)");
        assert_eq!(as_text(&Value::from(" ")), "(empty result)");
    }

    proptest! {
        #[test]
        fn pages_give_the_whole_text(text in "[a-zé\n]{0,400}", times in 1..400_usize) {
            let text = text.repeat(times);
            let (mut offset, mut whole) = (0, String::new());
            for _ in 0..1_000 {
                let page = page(&text, "c", offset);
                match page.split_once(&format!("\n{TRUNCATED}")) {
                    Some((part, _)) => {
                        whole.push_str(part);
                        offset += part.chars().count();
                    }
                    None => {
                        if page != "(nothing follows)" { whole.push_str(&page); }
                        break;
                    }
                }
            }
            prop_assert_eq!(whole, text);
        }
    }
}
