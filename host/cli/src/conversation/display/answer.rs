//! What came of a call or a turn: the answer, or everything as one document, and the exit.

use super::{Show, Voice};
use crate::conversation::transcript::{Format, Told, document};
use crate::conversation::views::Most;
use crate::exit::Exit;
use crate::terminal::pager;
use crate::terminal::ui::{To, draw};
use footlight_render::filter;
use footlight_render::terminal::Terminal;
use footlight_vocabulary::display::{Display, View};
use footlight_vocabulary::event::{Happening, Status};
use footlight_vocabulary::item::{CallResult, Content, Item, Position, Tool};
use footlight_vocabulary::kinds::{CodeData, DiffData, FileContentData, MarkdownData, TextData};
use footlight_vocabulary::normalise::normalise;
use footlight_vocabulary::result::SemanticResult;
use std::io;

impl Show<'_> {
    /// Shows the rest and says how it ended. `nobody`: somebody was wanted and nobody was there.
    pub(crate) fn finish(mut self, nobody: bool) -> io::Result<Exit> {
        self.ui.settle();
        if !self.ui.json {
            self.catch_up()?;
            self.show(|_| true)?;
            if self.withdrawn {
                self.ui.note("(what the call had shown above is withdrawn)");
            }
            match self.format {
                Some(format) => self.written(format)?,
                None => self.answer()?,
            }
            if self.voice != Voice::Call && self.status() == Status::Cancelled {
                self.ui.note("cancelled");
            }
        }
        let status = self.status();
        Ok(match self.voice {
            Voice::Call => {
                let mut tools = self.record.items().iter().filter_map(tool_of);
                Exit::of_call(&status, tools.next_back().map(|tool| &tool.result), nobody)
            }
            Voice::Router => Exit::of_turn(&status, self.record.items(), nobody, false),
            Voice::Model => Exit::of_turn(&status, self.record.items(), nobody, true),
        })
    }

    /// How it ended; what broke off is an error.
    fn status(&self) -> Status {
        match self.last.as_ref().map(|event| &event.what) {
            Some(Happening::TurnFinished { status, .. }) => status.clone(),
            _ => Status::Error,
        }
    }

    /// Everything, as one document.
    fn written(&mut self, format: Format) -> io::Result<()> {
        if let (Format::Json, Some(event)) = (format, &self.last) {
            return self.ui.print(&filter::json_line(&self.line(event)));
        }
        let turn = Told {
            prompt: None,
            items: self.record.items().to_vec(),
            status: Some(self.status()),
        };
        let text = document(&[turn], &mut self.brush, format, "Footlight", None);
        self.ui.print(&text)
    }

    /// What counts as the answer, as far as it is not on the screen yet.
    fn answer(&self) -> io::Result<()> {
        match self.voice {
            Voice::Call => {
                for item in self.record.items() {
                    match &item.content {
                        Content::Tool(tool) => self.result(item, tool)?,
                        Content::Text(text) => self.ui.print(&filter::clean(&text.text))?,
                        _ => {}
                    }
                }
            }
            // It called nothing: what it has to say is the answer.
            Voice::Router => {
                for said in &self.said {
                    self.ui.print(said)?;
                }
            }
            Voice::Model if self.reads_along() => {}
            Voice::Model => {
                let text = |item: &'_ Item| match &item.content {
                    Content::Text(text) => Some(text.text.clone()),
                    _ => None,
                };
                if let Some(last) = self.record.items().iter().rev().find_map(text) {
                    self.ui.print(&filter::clean(&last))?;
                }
            }
        }
        Ok(())
    }

    /// What a call returned, or why it did not.
    pub(super) fn result(&self, item: &Item, tool: &Tool) -> io::Result<()> {
        let result = match &tool.result {
            CallResult::Success { output } => normalise(output.clone()).ok(),
            _ => None,
        };
        let Some(result) = result else {
            let (view, _) = self.brush.item(item, Most::Usual);
            return self.ui.show(To::Stderr, &view);
        };
        if self.format.is_some() {
            return Ok(());
        }
        if !self.ui.draws_results() {
            if let Some(text) = exact_text(&result) {
                return self.ui.print(&filter::clean(&text));
            }
            let (view, _) = self.brush.result(&result, Most::Everything);
            let mut terminal = Terminal::new(Terminal::MAX_WIDTH);
            terminal.plain = true;
            let drawing = draw(&terminal, &view);
            return match drawing.is_empty() {
                true => Ok(()),
                false => self.ui.print(&drawing.text),
            };
        }
        if self.voice == Voice::Call {
            let (view, _) = self.brush.result(&result, Most::Everything);
            let drawing = draw(&self.ui.terminal(To::Stdout), &view);
            return pager::show_once(self.ui, &drawing.text);
        }
        let (view, is_cut) = self.brush.result(&result, self.most());
        // It is the answer: it comes after what the call has shown.
        let last = Position {
            n: u32::MAX,
            ..item.position
        };
        self.draw(To::Stdout, item, last, view, is_cut)
    }
}

fn tool_of(item: &Item) -> Option<&Tool> {
    match &item.content {
        Content::Tool(tool) => Some(tool),
        _ => None,
    }
}

/// Returns the content of a result that a pipe passes on unchanged: text, code, a patch or JSON.
/// Other results are drawn.
fn exact_text(result: &SemanticResult) -> Option<String> {
    let hint = result.display.as_ref().and_then(Display::preferred_view);
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
