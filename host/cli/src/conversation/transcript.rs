//! Writes turns of a conversation as terminal text.

use footlight_render::detail::ViewBuilder;
use footlight_render::terminal::Terminal;
use footlight_render::transcript::{DocumentFormat, TurnTranscript};
use footlight_render::view::{Inline, Role, Span, Style, Text, View};

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

impl From<Format> for DocumentFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Markdown => Self::Markdown,
            Format::Html => Self::Html,
            Format::Json => Self::Json,
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
        if let Some(prompt) = turn.said() {
            let bold = Style {
                bold: true,
                ..Style::default()
            };
            let prompt = prompt.replace('\n', "\n  ");
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
