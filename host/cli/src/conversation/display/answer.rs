//! The end of a turn or a call: prints the answer or a document, and computes the exit code.

use super::{AnswerSource, Display};
use crate::conversation::transcript::Format;
use crate::exit::Exit;
use crate::terminal::pager;
use crate::terminal::ui::{OutStream, draw};
use footlight_render::detail::Detail;
use footlight_render::filter;
use footlight_render::lower::{is_notable_use, power_line};
use footlight_render::terminal::{Terminal, plain_text};
use footlight_render::transcript::{TurnTranscript, document};
use footlight_vocabulary::display::{self, View};
use footlight_vocabulary::event::{EventBody, Status};
use footlight_vocabulary::item::{CallResult, Content, Item, Position, Tool};
use footlight_vocabulary::kinds::{CodeData, DiffData, FileContentData, MarkdownData, TextData};
use footlight_vocabulary::normalise::normalise;
use footlight_vocabulary::result::SemanticResult;
use std::io;

impl Display<'_> {
    /// Shows what is left and returns the exit code. `is_unattended` says that a person was needed
    /// and none was there.
    pub(crate) fn finish(mut self, is_unattended: bool) -> io::Result<Exit> {
        self.ui.end_partial_line();
        if !self.ui.json {
            self.catch_up()?;
            self.show_side_items(|_| true)?;
            if self.withdrawn {
                self.ui.note("(the output of the call above is withdrawn)");
            }
            match self.format {
                Some(format) => self.print_document(format)?,
                None => self.answer()?,
            }
            if self.source != AnswerSource::Call && self.status() == Status::Cancelled {
                self.ui.note("cancelled");
            }
        }
        let status = self.status();
        Ok(match self.source {
            AnswerSource::Call => {
                let result = |item: &'_ Item| match &item.content {
                    Content::Tool(tool) => Some(tool.result.clone()),
                    _ => None,
                };
                let last = self.record.items().iter().rev().find_map(result);
                Exit::of_call(&status, last.as_ref(), is_unattended)
            }
            source => {
                let recovers = source == AnswerSource::Model;
                Exit::of_turn(&status, self.record.items(), is_unattended, recovers)
            }
        })
    }

    /// Returns the status of the turn, which is an error if its events broke off.
    fn status(&self) -> Status {
        match self.last.as_ref().map(|event| &event.what) {
            Some(EventBody::TurnFinished { status, .. }) => status.clone(),
            _ => Status::Error,
        }
    }

    /// Prints the whole turn as a document.
    fn print_document(&mut self, format: Format) -> io::Result<()> {
        if let (Format::Json, Some(event)) = (format, &self.last) {
            return self.ui.print(&filter::json_line(&self.line(event)));
        }
        let turn = TurnTranscript {
            prompt: None,
            is_press: false,
            items: self.record.items().to_vec(),
            results_last: self.source != AnswerSource::Model,
            status: Some(self.status()),
        };
        let text = document(&[turn], &mut self.builder, format.into(), "Footlight", None);
        self.ui.print(&text)
    }

    /// Prints the answer, unless it is on the screen already.
    fn answer(&self) -> io::Result<()> {
        match self.source {
            AnswerSource::Call => {
                for item in self.record.items() {
                    match &item.content {
                        Content::Tool(tool) => self.result(item, tool)?,
                        Content::Text(text) => self.ui.print(&filter::clean(&text.text))?,
                        _ => {}
                    }
                }
            }
            // No tool was called, so the text is the answer.
            AnswerSource::Offline => {
                for said in &self.offline_text {
                    self.ui.print(said)?;
                }
            }
            AnswerSource::Model if self.is_read_live() => {}
            AnswerSource::Model => {
                let text = |item: &'_ Item| match &item.content {
                    Content::Text(text) => Some(text.text.clone()),
                    _ => None,
                };
                if let Some(last) = self.record.items().iter().rev().find_map(text) {
                    self.ui
                        .print(&filter::clean(&self.builder.name_outputs(&last)))?;
                }
            }
        }
        Ok(())
    }

    /// Shows the result of a call, or why it failed.
    pub(super) fn result(&self, item: &Item, tool: &Tool) -> io::Result<()> {
        let result = match &tool.result {
            CallResult::Success { output } => normalise(output.clone()).ok(),
            _ => None,
        };
        let Some(result) = result else {
            let view = self.builder.item(item, Detail::Default);
            return self.ui.show(OutStream::Stderr, &view);
        };
        for used in tool.powers.iter().filter(|used| is_notable_use(used)) {
            self.ui.dim_note(&filter::line(&power_line(used), 300));
        }
        if self.format.is_some() {
            return Ok(());
        }
        if !self.ui.draws_results() {
            if let Some(text) = exact_text(&result) {
                return self.ui.print(&filter::clean(&text));
            }
            // A pipe gets the data alone: the summary is for a person.
            let data = SemanticResult {
                summary: None,
                ..result.clone()
            };
            let view = self.builder.result(&data, Detail::Full);
            let text = plain_text(&view, Terminal::MAX_WIDTH);
            return match text.is_empty() {
                true => Ok(()),
                false => self.ui.print(&text),
            };
        }
        if self.source == AnswerSource::Call {
            let view = self.builder.result(&result, Detail::Full);
            let drawing = draw(&self.ui.terminal(OutStream::Stdout), &view);
            return pager::show_once(self.ui, &drawing.text);
        }
        let view = self.builder.result(&result, self.detail());
        // The result is the answer, so it comes after the other items of the call.
        let last = Position {
            n: u32::MAX,
            ..item.position
        };
        self.draw(OutStream::Stdout, item, last, view)
    }
}

/// Returns the content of a result that a pipe passes on unchanged: text, code, a patch or JSON.
/// Other results are drawn.
fn exact_text(result: &SemanticResult) -> Option<String> {
    let hint = result
        .display
        .as_ref()
        .and_then(display::Display::preferred_view);
    if hint == Some(View::Hidden) {
        return None;
    }
    match result.kind.as_str() {
        "text" => result.read().map(|text: TextData| text.content),
        "markdown" => result.read().map(|text: MarkdownData| text.content),
        "code" => result.read().map(|code: CodeData| code.content),
        "diff" => {
            let patch = result.read().and_then(|diff: DiffData| diff.unified());
            patch.filter(|patch| !patch.is_empty())
        }
        "file_content" => {
            let file = result.read::<FileContentData>();
            let file = file.filter(|file| file.encoding.as_deref() != Some("base64"));
            file.map(|file| file.content)
        }
        "structured" => Some(format!("{:#}", result.data)),
        _ => None,
    }
}
