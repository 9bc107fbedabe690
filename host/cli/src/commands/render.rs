//! `footlight render`: draws plugin output from a JSON file.
//!
//! Meant for plugin authors and tests. The command says what it takes the file for, and names the
//! place of anything invalid.

mod read;

use crate::conversation::transcript::{Format, transcript_text};
use crate::data;
use crate::exit::Exit;
use crate::terminal::pager;
use crate::terminal::ui::{OutStream, Ui, draw};
use anyhow::Result;
use clap::Args;
use footlight_render::detail::ViewBuilder;
use footlight_render::filter;
use footlight_render::markdown::markdown;
use footlight_render::page::Page;
use footlight_render::terminal::{Colour, Terminal};
use footlight_render::transcript::document;
use read::Drawable;
use serde_json::json;
use std::path::PathBuf;

/// The maximum file size in bytes.
const LARGEST: usize = 64 << 20;

/// Draw a result, a widget, a component tree, a question or items from a file.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight render card.json                     draw for this terminal
  footlight render card.json --width 40 --plain
  footlight render card.json --html > card.html  a single page without scripts
  footlight call todo.wasm list --json | footlight render -

Accepts results ({\"kind\", \"data\"}), widgets ({\"widget\", \"data\", \"fallback\"}), component trees
({\"type\": \"Card\"}), questions ({\"prompt\", \"fields\"}), items, lists of items, the output of `sessions show --json`,
the event lines of `call`, `run` and `chat` with --json, and any other value that a tool can return.")]
pub(crate) struct Render {
    /// A JSON file, or - for stdin
    #[arg(value_name = "FILE | -")]
    file: PathBuf,
    /// Write HTML
    #[arg(long, conflicts_with = "markdown")]
    html: bool,
    /// Write Markdown
    #[arg(long)]
    markdown: bool,
    /// The width in columns
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(Terminal::MIN_WIDTH as i64..=Terminal::MAX_WIDTH as i64))]
    width: Option<u16>,
    /// Use colours even when stdout is not a terminal
    #[arg(long, alias = "color")]
    colour: bool,
}

impl Render {
    pub(crate) fn run(&self, ui: &Ui) -> Result<Exit> {
        let (what, read) = read::read_all(read::parse(&self.text()?)?)?;
        ui.note(&format!("drawing {}", filter::line(&what, 200)));
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
            (Some(format), Drawable::Turns(turns)) => {
                document(&turns, &mut builder, format.into(), &title, None)
            }
            (Some(Format::Html), Drawable::View(view)) => {
                Page::new(title).views([&*view]).into_html()
            }
            (Some(_), Drawable::View(view)) => format!("{}\n", markdown(&view)),
            (None, read) => {
                let terminal = self.terminal(ui);
                let text = match read {
                    Drawable::Turns(turns) => transcript_text(&turns, &mut builder, &terminal),
                    Drawable::View(view) => draw(&terminal, &view).text,
                };
                if !ui.json {
                    pager::show(ui, &text)?;
                    return Ok(Exit::Done);
                }
                text
            }
        };
        match ui.json {
            true => ui.print_json(&json!({ "what": what, "drawing": drawn }))?,
            false => ui.print(&drawn)?,
        }
        Ok(Exit::Done)
    }

    fn text(&self) -> Result<String> {
        data::read_text(&self.file, LARGEST)
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
