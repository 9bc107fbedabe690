//! Text components with their properties, and progress bars.

use super::Props;
use crate::lower::cut;
use crate::view::{Align, Inline, Progress, Role, Span, Style, Text, Tone, View};

pub(super) fn words(props: &Props<'_>, role: Role) -> View {
    let style = Style {
        bold: matches!(props.text("weight"), Some("bold" | "semibold")),
        italic: props.is("italic"),
        strike: props.is("lineThrough"),
        tone: props.tone(),
        ..Style::default()
    };
    let span = Span::styled(props.text("value").unwrap_or(""), style);
    let lines = props.value["maxLines"].as_u64().filter(|lines| *lines > 0);
    View::Text(Text {
        align: props.text("textAlign").and_then(align),
        max_lines: lines.or_else(|| props.is("truncate").then_some(1)),
        ..Text::new(role, Inline::from(span))
    })
}

pub(super) fn progress(props: &Props<'_>) -> Progress {
    let number = |name: &str| props.value[name].as_f64();
    let max = number("max").filter(|max| *max > 0.0).unwrap_or(100.0);
    let part = number("value")
        .map(|value| (value / max).clamp(0.0, 1.0))
        .filter(|part| part.is_finite());
    let digits = |name: &str| {
        let value = props.value.get(name)?;
        Some(crate::format::value(value, None).to_text())
    };
    let words = match (digits("value"), digits("max")) {
        (Some(value), Some(max)) => Some(format!("{value}/{max}")),
        (Some(_), None) => part.map(|part| format!("{:.0}%", part * 100.0)),
        _ => None,
    };
    let label = props.text("label").filter(|label| !label.is_empty());
    Progress {
        label: label.map(cut::name),
        part,
        words,
    }
}

/// Maps ChatKit's colour tokens to tones. Other colours are ignored: they carry no meaning, and may
/// be unreadable.
pub(super) fn tone(token: &str) -> Tone {
    match token {
        "secondary" | "tertiary" | "subtle" => Tone::Muted,
        "primary" | "emphasis" => Tone::Accent,
        "info" => Tone::Info,
        "success" => Tone::Success,
        "warning" | "caution" => Tone::Warning,
        "danger" => Tone::Danger,
        "discovery" => Tone::Discovery,
        _ => Tone::Plain,
    }
}

pub(super) fn align(word: &str) -> Option<Align> {
    Some(match word {
        "start" => Align::Start,
        "center" => Align::Center,
        "end" => Align::End,
        _ => return None,
    })
}

pub(super) fn level(size: &str) -> u8 {
    match size {
        "3xl" | "4xl" | "5xl" => 1,
        "xl" | "2xl" => 2,
        "sm" => 4,
        _ => 3,
    }
}
