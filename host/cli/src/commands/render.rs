//! `footlight render`: draws what a plugin would send, from a file.
//!
//! For authors and for tests: a result, a widget, a component tree, a question, items of a record. What
//! a file was taken for is said; what is wrong in it is named with its place.

mod read;

use crate::conversation::transcript::{Format, TurnTranscript, document, transcript_text};
use crate::conversation::views::ViewBuilder;
use crate::exit::{Exit, ExitError};
use crate::terminal::pager;
use crate::terminal::ui::{OutStream, Ui, draw};
use anyhow::{Context, Result};
use clap::Args;
use footlight_render::filter;
use footlight_render::markdown::markdown;
use footlight_render::page::Page;
use footlight_render::terminal::{Colour, Terminal};
use read::Read;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The largest file, in bytes.
const LARGEST: u64 = 64 << 20;

/// Draw a result, a widget, a component tree, a question or items from a file.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight render card.json                     as this terminal shows it
  footlight render card.json --width 40 --plain
  footlight render card.json --html > card.html  one page that loads and runs nothing
  footlight call todo.wasm list --json | tail -1 | footlight render -

It takes results ({\"kind\", \"data\"}), widgets ({\"widget\", \"data\", \"fallback\"}), component trees
({\"type\": \"Card\"}), questions ({\"prompt\", \"fields\"}), items of a record, lists of them, what `sessions show
--json` wrote, and any other value as a tool may return it; and it says what it took a file for.")]
pub(crate) struct Render {
    /// A file with JSON, or - for stdin
    #[arg(value_name = "FILE | -")]
    file: PathBuf,
    /// As one page
    #[arg(long, conflicts_with = "markdown")]
    html: bool,
    /// As Markdown
    #[arg(long)]
    markdown: bool,
    /// For so many columns
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(Terminal::MIN_WIDTH as i64..=Terminal::MAX_WIDTH as i64))]
    width: Option<u16>,
    /// With colours, also in a pipe
    #[arg(long, alias = "color")]
    colour: bool,
}

impl Render {
    pub(crate) fn run(&self, ui: &Ui) -> Result<Exit> {
        if ui.json {
            return Err(ExitError::usage(
                "what is drawn is no JSON; leave --json out, or choose --html or --markdown",
            ));
        }
        let text = self.text()?;
        let value = serde_json::from_str(&text).map_err(|error| read::syntax(&error))?;
        let (what, read) = read::read(value)?;
        ui.note(&format!("this is {}", filter::line(&what, 200)));
        let mut builder = ViewBuilder::default();
        let format = match (self.html, self.markdown) {
            (true, _) => Some(Format::Html),
            (_, true) => Some(Format::Markdown),
            _ => None,
        };
        let title = self
            .file
            .file_name()
            .map_or("Footlight".into(), |name| name.to_string_lossy());
        let drawn = match (format, read) {
            (Some(format), Read::Turns(turns)) => {
                document(&turns, &mut builder, format, &title, None)
            }
            (Some(Format::Html), Read::View(view)) => Page::new(title).views([&*view]).into_html(),
            (Some(_), Read::View(view)) => format!("{}\n", markdown(&view)),
            (None, read) => {
                let terminal = self.terminal(ui);
                let text = match read {
                    Read::Turns(turns) => transcript_text(&turns, &mut builder, &terminal),
                    Read::View(view) => draw(&terminal, &view).text,
                };
                pager::show(ui, &text)?;
                return Ok(Exit::Done);
            }
        };
        ui.print(&drawn)?;
        Ok(Exit::Done)
    }

    fn text(&self) -> Result<String> {
        let mut text = String::new();
        let name = self.file.display();
        let read = if self.file == Path::new("-") {
            io::stdin()
                .lock()
                .take(LARGEST + 1)
                .read_to_string(&mut text)
        } else {
            let file = File::open(&self.file);
            file.and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text))
        };
        let length = read.with_context(|| format!("cannot read `{name}`"))?;
        anyhow::ensure!(
            length as u64 <= LARGEST,
            "`{name}` is larger than {LARGEST} bytes"
        );
        Ok(text)
    }

    fn terminal(&self, ui: &Ui) -> Terminal {
        let mut terminal = ui.terminal(OutStream::Stdout);
        if let Some(width) = self.width {
            terminal.width = width.into();
        }
        if self.colour {
            terminal.plain = false;
            if terminal.colour == Colour::None {
                terminal.colour = Colour::Many;
            }
        }
        terminal
    }
}

/// What was read, as a turn that nobody began.
fn turn(items: Vec<footlight_vocabulary::item::Item>, prompt: Option<String>) -> TurnTranscript {
    TurnTranscript {
        prompt,
        items,
        status: Some(footlight_vocabulary::event::Status::Done),
    }
}
