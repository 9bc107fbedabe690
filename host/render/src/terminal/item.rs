//! Session items (calls, questions, widgets, stored content), images, and results with their hints.

use super::line::{Line, Lines, over, width};
use super::{BOLD, MUTED, PLAIN, Painter, tone};
use crate::filter::clean_line;
use crate::format;
use crate::view::{
    Address, Ask, AskState, Call, CallState, Cut, Frame, Image, Layout, Output, Picture,
    RasterFormat, Source, Thought, Tone, Unit, View, Widget,
};

impl Painter<'_> {
    /// Draws the reasoning of a model as one line, with the text quoted below if it is unfolded.
    pub(super) fn thought<'v>(self, thought: &'v Thought) -> Lines<'v> {
        let mut out = vec![self.one_line(&thought.label(), MUTED)];
        if !thought.folded {
            out.extend(self.quote(&thought.body));
        }
        out
    }

    /// Draws a call on one line, and its result below.
    pub(super) fn call<'v>(self, call: &'v Call) -> Lines<'v> {
        let (symbol, which) = (self.state_symbol(call.state), call.state.tone());
        let mut end = Line::default();
        let mut say = |text: &str, style| {
            end.push(&format!(" {} ", self.symbols.dot), MUTED);
            end.push(text, style);
        };
        if call.state != CallState::Done {
            say(call.state.name(), tone(which));
        }
        if let Some(millis) = call.millis {
            say(&format::duration(millis), MUTED);
        }
        let end = self.clip(end, self.width / 2);
        let mut head = Line::mark(symbol, over(tone(which), BOLD));
        head.push(&call.function, BOLD);
        for (n, span) in call.input.spans.iter().enumerate() {
            head.push(if n == 0 { " " } else { "" }, PLAIN);
            head.push(&span.text, span.style);
        }
        let mut line = self.clip(head, self.width - end.width());
        line.append(end);
        let mut out = vec![line];
        for note in &call.notes {
            out.extend(self.indented(2, |painter| painter.words(note, MUTED)));
        }
        out.extend(self.indented(2, |painter| painter.view(&call.body)));
        out
    }

    fn state_symbol(self, state: CallState) -> &'static str {
        match state {
            CallState::Done => self.symbols.check,
            CallState::Failed => self.symbols.cross,
            CallState::Denied => self.symbols.no_entry,
            CallState::Interrupted => self.symbols.stopped,
            CallState::Queued => self.symbols.queued,
            CallState::AwaitingPerson => self.symbols.question,
            CallState::Running => self.symbols.running,
        }
    }

    /// Draws an open question with its fields; a settled one on a single line.
    pub(super) fn ask<'v>(self, ask: &'v Ask) -> Lines<'v> {
        if ask.state == AskState::Open {
            let mut head = Line::mark(self.symbols.question, over(tone(Tone::Warning), BOLD));
            if let Some(from) = &ask.from {
                head.push(from, BOLD);
                head.pad(1);
            }
            head.push("asks", MUTED);
            let draw = |painter: Self| {
                let mut lines = painter.views(&ask.prompt);
                for field in &ask.fields {
                    lines.push(Line::default());
                    lines.extend(painter.field(field));
                }
                lines
            };
            return self.framed(head, draw);
        }
        let (symbol, which) = match ask.state {
            AskState::Answered => (self.symbols.check, Tone::Success),
            _ => (self.symbols.no_entry, Tone::Muted),
        };
        let mut line = Line::mark(symbol, over(tone(which), BOLD));
        let prompt = ask.prompt.iter().map(|view| self.view(view));
        if let Some(first) = prompt.flatten().find(|line| !line.is_blank()) {
            line.append(first.clip(self.width * 3 / 5, self.symbols.ellipsis));
        }
        line.pad(1);
        line.append(Line::mark(self.symbols.arrow, MUTED));
        match &ask.response {
            Some(response) => line.push(response, BOLD),
            None => line.push(ask.state_name(), MUTED),
        }
        vec![self.fit(line)]
    }

    /// Draws a widget in a frame of the host's, with the plugin's name where no plugin can write.
    pub(super) fn widget<'v>(self, widget: &'v Widget) -> Lines<'v> {
        let mut head = Line::default();
        if let Some(from) = &widget.from {
            head.push(from, BOLD);
            head.push(&format!(" {} ", self.symbols.dot), MUTED);
        }
        head.push(&widget.widget, MUTED);
        let draw = |painter: Self| match &*widget.body {
            // The widget's frame replaces that of the card.
            View::Group(group) if group.layout == Layout::Card => Painter {
                depth: painter.depth + 1,
                ..painter
            }
            .contents(group),
            body => painter.view(body),
        };
        self.framed(head, draw)
    }

    /// Draws a frame with a title, or an indented block if frames are omitted.
    fn framed<'v>(self, head: Line<'v>, draw: impl FnOnce(Self) -> Lines<'v>) -> Lines<'v> {
        if !self.terminal.plain {
            return self.boxed(Some(head), draw);
        }
        let mut out = vec![self.fit(head)];
        out.extend(self.indented(2, draw));
        out
    }

    pub(super) fn output<'v>(self, output: &'v Output) -> Lines<'v> {
        let mut line = Line::mark(self.symbols.file, tone(Tone::Info));
        line.push(&output.title, BOLD);
        let size = format::size(output.size);
        let about = format!("  {}, {size}, {}", output.mime_type, output.until());
        let mut out = Vec::new();
        if line.width() + width(&clean_line(&about)) <= self.width {
            line.push(&about, MUTED);
            out.push(line);
        } else {
            out.push(self.fit(line));
            out.extend(self.indented(2, |painter| painter.words(about.trim(), MUTED)));
        }
        if output.is_expired {
            return out;
        }
        let id = match &self.terminal.output_command {
            Some(command) => format!("{command} {}", output.id),
            None => output.id.clone(),
        };
        out.extend(self.indented(2, |painter| painter.words(&id, MUTED)));
        out
    }

    /// Draws the description of an image.
    pub(super) fn image<'v>(self, image: &'v Image) -> Lines<'v> {
        let mut line = Line::of("[image", MUTED);
        let mut link: Option<&'v Address> = None;
        match &image.source {
            Source::Inline(picture) => line.push(&about(picture), MUTED),
            Source::Output { id } => line.push(&format!(" {id}"), MUTED),
            Source::Remote(address) => {
                link = Some(address);
                line.push(&format!(" at {}", address.host()), MUTED);
            }
            Source::Refused(_) => {}
        }
        line.push(": ", MUTED);
        line.push_linked(&image.alt, PLAIN, link);
        line.push("]", MUTED);
        let mut out = match line.width() <= self.width {
            true => vec![line],
            false => {
                let text: String = line.pieces().iter().map(|piece| piece.text()).collect();
                self.words(&text, MUTED)
            }
        };
        match &image.source {
            Source::Refused(why) => out.push(self.one_line(&why.to_string(), MUTED)),
            Source::Remote(address) if !self.terminal.links => {
                out.extend(self.words(&format!("<{}>", address.as_str()), MUTED));
            }
            Source::Inline(picture) => out.extend(self.area(picture)),
            Source::Remote(_) | Source::Output { .. } => {}
        }
        out
    }

    /// Draws a result: its caption, then the body within its maximum height.
    pub(super) fn frame<'v>(self, frame: &'v Frame) -> Lines<'v> {
        let mut out = Vec::new();
        if let (true, "", Some(caption)) = (frame.collapsed, frame.kind.as_str(), &frame.caption) {
            // The folded items of a list, whose caption counts them.
            return vec![self.host_line(caption)];
        }
        if let Some(caption) = &frame.caption {
            out.extend(self.words(caption, MUTED));
        }
        let mut body = self.view(&frame.body);
        let most = match (frame.collapsed, frame.max_height) {
            // Without a caption, the first line of the body identifies the result.
            (true, _) => usize::from(frame.caption.is_none()),
            (false, Some(most)) => usize::try_from(most).unwrap_or(usize::MAX).max(1),
            (false, None) => usize::MAX,
        };
        let left = body.len().saturating_sub(most);
        // A single omitted line takes no more room than the line that would announce it.
        let least = if frame.collapsed { 1 } else { 2 };
        let left = if left < least { 0 } else { left };
        let hidden = body.split_off(body.len() - left);
        out.extend(body);
        if let Some((cut, text)) = hidden_content(&hidden) {
            let mut line = self.cut_line(cut, &text);
            if frame.collapsed {
                line.push(" (folded)", MUTED);
            }
            out.push(self.fit(line));
        }
        out
    }
}

/// Counts what lines that are not drawn would show, with what they themselves say was left out.
fn hidden_content(lines: &[Line<'_>]) -> Option<(Cut, String)> {
    let cuts = lines.iter().filter_map(|line| line.cut);
    let (of_lines, others): (Vec<Cut>, Vec<Cut>) = cuts.partition(|cut| cut.unit == Unit::Lines);
    let content = lines.len() - of_lines.len() - others.len();
    let content = Cut::of(content, Unit::Lines);
    let all = content.into_iter().chain(of_lines);
    let all = all.map(|cut| cut.count).fold(0, u64::saturating_add);
    let all = Cut {
        count: all,
        unit: Unit::Lines,
    };
    let counted = [all].into_iter().filter(|cut| cut.count > 0);
    let counted: Vec<Cut> = counted.chain(others).collect();
    let texts: Vec<String> = counted.iter().map(Cut::to_string).collect();
    Some((*counted.first()?, texts.join(", ")))
}

/// Formats ` PNG 640x480, 12 KB`.
fn about(picture: &Picture) -> String {
    let name = match picture.format() {
        RasterFormat::Png => "PNG",
        RasterFormat::Jpeg => "JPEG",
        RasterFormat::Gif => "GIF",
        RasterFormat::Webp => "WebP",
    };
    let size = format::size(picture.byte_len() as u64);
    match picture.size() {
        Some((width, height)) => format!(" {name} {width}x{height}, {size}"),
        None => format!(" {name}, {size}"),
    }
}
