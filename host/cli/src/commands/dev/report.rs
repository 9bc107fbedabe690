//! Says what happens, a line for each event: for people, or as JSON.

use super::{Dev, surface};
use crate::data::display_path;
use crate::plugin_source::format_size;
use crate::terminal::ui::{Emphasis, OutStream, Ui};
use anyhow::Result;
use footlight_render::filter;
use footlight_render::lower::terminal_text;
use footlight_serve::{DevBuild, DevCall};
use footlight_vocabulary::event::Status;
use serde_json::json;
use std::path::Path;
use std::time::Duration;

/// Writes events for whoever watches this terminal, or reads its output.
pub(super) struct Report<'a> {
    ui: &'a Ui,
    /// Whether calls are drawn here.
    draws: bool,
    /// Whether the log of calls that are drawn is not printed anyway.
    shows_log: bool,
    columns: Option<u16>,
}

impl<'a> Report<'a> {
    pub(super) fn new(flags: &Dev, ui: &'a Ui) -> Self {
        Self {
            ui,
            draws: flags.tool.is_some(),
            shows_log: flags.trace.log.is_none(),
            columns: flags.columns,
        }
    }

    pub(super) fn started(&self, url: &str, page: &str, token_file: &Path) -> Result<()> {
        if self.ui.json {
            return Ok(self.ui.print_json(&json!({
                "type": "serving", "url": url, "page": page, "tokenFile": token_file,
            }))?);
        }
        self.ui.print(&format!("{page}\n"))?;
        self.ui
            .note("the link signs one browser in, once, in the next five minutes");
        self.ui.note(&format!(
            "the token for other clients is in `{}`; Ctrl-C ends everything",
            display_path(token_file)
        ));
        Ok(())
    }

    pub(super) fn building(&self) -> Result<()> {
        match self.ui.json {
            true => self.ui.print_json(&json!({ "type": "building" }))?,
            false => self.ui.progress("building"),
        }
        Ok(())
    }

    /// Says for how long a build runs.
    pub(super) fn goes_on(&self, since: Duration) {
        if !self.ui.json {
            let seconds = since.as_secs();
            self.ui.progress(&format!("building, {seconds} s"));
        }
    }

    /// Says that the host compiles what was built.
    pub(super) fn loading(&self) {
        if !self.ui.json {
            self.ui.progress("loading");
        }
    }

    pub(super) fn failed(&self, output: &str, has_loaded: bool) -> Result<()> {
        if self.ui.json {
            let output = filter::clean(&without_colours(output)).into_owned();
            return Ok(self
                .ui
                .print_json(&json!({ "type": "build_failed", "output": output }))?);
        }
        self.compiler(output)?;
        let rest = match has_loaded {
            true => "; the build before goes on serving",
            false => "",
        };
        let failed = self.ui.styled_err(Emphasis::Red, "the build failed");
        self.ui.note(&format!("{failed}{rest}"));
        Ok(())
    }

    pub(super) fn loaded(&self, build: &DevBuild, is_first: bool) -> Result<()> {
        if self.ui.json {
            return Ok(self.ui.print_json(&json!({
                "type": "loaded", "plugin": build.plugin, "millis": build.millis, "bytes": build.bytes,
                "changes": build.changes,
                "warnings": filter::clean(&without_colours(&build.warnings)),
            }))?);
        }
        self.compiler(&build.warnings)?;
        let seconds = build.millis as f64 / 1_000.0;
        let what = match is_first {
            true => format!(
                "built in {seconds:.1} s and loaded: `{}`, {}",
                build.plugin,
                format_size(build.bytes as u64)
            ),
            false => format!("built in {seconds:.1} s and reloaded"),
        };
        match build.changes.as_slice() {
            [] => self.ui.note(&what),
            [only] => self.ui.note(&format!("{what}: {only}")),
            several => self
                .ui
                .note(&format!("{what}:\n  {}", several.join("\n  "))),
        }
        Ok(())
    }

    /// Shows a call that waits or has ended: drawn if this terminal asked for it, otherwise as a line.
    pub(super) fn called(&self, call: &DevCall) -> Result<()> {
        if self.ui.json {
            return Ok(self.ui.print_json(&json!({
                "type": "called", "tool": call.tool, "problem": call.problem, "status": call.status,
                "items": call.items, "log": call.log, "trace": call.trace,
                "waitsFor": call.requests.iter().map(|request| request.id.as_str()).collect::<Vec<_>>(),
                "model": call.reads, "tokens": call.tokens,
            }))?);
        }
        let tool = filter::line(&call.tool, 80);
        if let Some(problem) = &call.problem {
            self.ui.note(&format!(
                "`{tool}` was not called: {}",
                filter::line(problem, 300)
            ));
            return Ok(());
        }
        if self.draws {
            let mut terminal = self.ui.terminal(OutStream::Stdout);
            if let Some(columns) = self.columns {
                terminal.width = columns.into();
            }
            self.ui.print(&surface::draw(call, terminal))?;
            for line in call.log.iter().filter(|_| self.shows_log) {
                self.ui
                    .dim_note(&format!("log: {}", filter::line(line, 500)));
            }
        }
        let how = match &call.status {
            None => "waits for you",
            Some(Status::Done) => "has returned",
            Some(Status::Cancelled) => "was cancelled",
            Some(_) => "has ended early",
        };
        let reads = match &call.reads {
            Some(_) => format!("; a model reads about {} tokens", call.tokens),
            None => String::new(),
        };
        self.ui.note(&format!("`{tool}` {how}{reads}"));
        for request in &call.requests {
            self.ui.note(&format!(
                "  answer on the page, or with `footlight pending answer {} ANSWER`",
                request.id
            ));
        }
        Ok(())
    }

    /// Shows what the compiler says, with its colours where there are any.
    fn compiler(&self, output: &str) -> Result<()> {
        let output = output.trim_end();
        if !output.is_empty() {
            self.ui.show(OutStream::Stderr, &terminal_text(output))?;
        }
        Ok(())
    }
}

/// Returns a text without the colours of a terminal.
fn without_colours(text: &str) -> String {
    use footlight_render::terminal::Terminal;
    let mut terminal = Terminal::new(Terminal::MAX_WIDTH);
    terminal.plain = true;
    terminal.draw(&terminal_text(text)).text
}
