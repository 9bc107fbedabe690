//! The well-known kinds of the vocabulary.
//!
//! Only as much data is read as is drawn. Data that does not fit its kind gives `None`, and the
//! caller draws it like an unknown kind.

use super::result::Hints;
use super::{Lower, cut, is, text};
use crate::format;
use crate::view::{
    Address, Align, Cell, Code, Column, Content, Cut, Fact, Facts, Inline, List, ListItem, Log,
    LogLevel, LogLine, Role, Span, Table, Text, Tone, Unit, View,
};
use footlight_vocabulary::display::{FieldType, View as Hint};
use footlight_vocabulary::kinds;
use footlight_vocabulary::result::SemanticResult;
use serde::Deserialize;
use serde_json::Value;

impl Lower<'_> {
    pub(super) fn known(&self, result: &SemanticResult, hints: &Hints<'_>) -> Option<View> {
        let data = &result.data;
        let content = || text(data, "content");
        Some(match result.kind.as_str() {
            "text" => self.text_kind(content()?, result.mime_type.as_deref(), hints),
            "markdown" => View::column(self.prose(content()?)),
            "code" => {
                let language = text(data, "language").map(str::to_ascii_lowercase);
                let language = language.or_else(|| hints.language());
                self.code(content()?, language, text(data, "path"))
            }
            "diff" => self.diff(data)?,
            "file_content" => self.file_content(data, hints)?,
            "file_list" => self.file_list(data)?,
            "table" => self
                .table(data, hints.display)
                .filter(|_| data.is_object())?,
            "image" => View::Image(self.image_kind(data, result.mime_type.as_deref())?),
            "chart" => self.chart_kind(data)?,
            "facts" => self.facts(data, hints)?,
            "list" => self.list(data)?,
            "log" => self.log(data)?,
            "link" => link(data)?,
            _ => return None,
        })
    }

    fn text_kind(&self, content: &str, mime: Option<&str>, hints: &Hints<'_>) -> View {
        match (&hints.view, mime) {
            (Some(Hint::Code), _) => self.code(content, hints.language(), None),
            (Some(Hint::Markdown), _) | (None, Some("text/markdown")) => {
                View::column(self.prose(content))
            }
            _ => self.plain_text(content),
        }
    }

    /// Lowers text whose line breaks and spaces are preserved.
    pub(super) fn plain_text(&self, content: &str) -> View {
        if content.trim().is_empty() {
            return View::caption("(empty)");
        }
        let (shown, cut) = cut::text(content, self.limits.lines, self.limits.text);
        View::Text(Text {
            cut,
            ..Text::new(Role::Lines, Inline::plain(shown))
        })
    }

    fn prose(&self, content: &str) -> Vec<View> {
        if content.trim().is_empty() {
            return vec![View::caption("(empty)")];
        }
        self.markdown(content)
    }

    pub(super) fn code(&self, content: &str, language: Option<String>, path: Option<&str>) -> View {
        let (shown, cut) = cut::text(content, self.limits.lines, self.limits.text);
        let path = path.map(cut::name);
        View::Code(Code {
            text: shown.to_owned(),
            language: language
                .filter(|word| !word.is_empty() && word.len() <= 40)
                .or_else(|| language_of(path.as_deref()?)),
            path,
            cut,
        })
    }

    fn file_content(&self, data: &Value, hints: &Hints<'_>) -> Option<View> {
        let path = text(data, "path")?;
        let content = text(data, "content")?;
        let size = data.get("size").and_then(Value::as_u64);
        if text(data, "encoding") == Some("base64") {
            let bytes =
                size.unwrap_or(content.trim_end().trim_end_matches('=').len() as u64 * 3 / 4);
            let facts = [("File", cut::name(path)), ("Size", format::size(bytes))];
            let facts = facts.map(|(label, value)| Fact {
                label: label.to_owned(),
                value: Content::plain(value),
            });
            let (facts, cut) = (facts.into(), None);
            return Some(View::Facts(Facts { facts, cut }));
        }
        if hints.view == Some(Hint::Markdown) {
            return Some(View::column(self.prose(content)));
        }
        let sent = content.len() as u64;
        let mut views = vec![self.code(content, hints.language(), Some(path))];
        // The plugin sent only the beginning of the file.
        if let Some(size) = size.filter(|size| *size > sent) {
            let note = format!("{} of {}", format::size(sent), format::size(size));
            views.push(View::caption(note));
        }
        Some(View::column(views))
    }

    fn file_list(&self, data: &Value) -> Option<View> {
        let entries = data.get("entries")?.as_array()?;
        let path = text(data, "path").unwrap_or("");
        let shown = entries.iter().take(self.limits.rows);
        let shown: Result<Vec<_>, _> = shown.map(kinds::Entry::deserialize).collect();
        let shown = shown.ok()?;
        let mut views = Vec::new();
        if !path.is_empty() {
            let text = Inline::from(Span::code(cut::name(path)));
            views.push(View::Text(Text::new(Role::Caption, text)));
        }
        if shown.is_empty() {
            views.push(View::caption("(empty folder)"));
        } else {
            let more = entries.len() - shown.len();
            views.push(View::Table(files(&shown, Cut::of(more, Unit::Entries))));
        }
        if is(data, "truncated") {
            views.push(View::caption("There are more than were listed."));
        }
        Some(View::column(views))
    }

    fn facts(&self, data: &Value, hints: &Hints<'_>) -> Option<View> {
        let list = data.get("facts")?.as_array()?;
        if list.is_empty() {
            return Some(View::caption("(no facts)"));
        }
        let facts = self.within_limits(list.iter(), |one| {
            let label = text(one, "label")?;
            let value = one.get("value")?;
            let kind = text(one, "type").map(FieldType::from);
            let kind = kind.filter(FieldType::is_known);
            let kind = kind.or_else(|| hints.display?.field_type(label));
            let value = match value {
                Value::Array(list) if list.is_empty() => Content::plain("(none)"),
                Value::Array(_) | Value::Object(_) => {
                    Content::Block(vec![self.tree(value, hints.display)])
                }
                _ => Content::Inline(self.leaf(value, kind.as_ref())),
            };
            let size = match &value {
                Content::Inline(inline) => super::data::text_len(inline),
                Content::Block(_) => self.limits.text / 10,
            };
            let label = cut::name(label);
            Some((Fact { label, value }, size))
        })?;
        let cut = Cut::of(list.len() - facts.len(), Unit::Facts);
        Some(View::Facts(Facts { facts, cut }))
    }

    fn list(&self, data: &Value) -> Option<View> {
        let list = data.get("items")?.as_array()?;
        if list.is_empty() {
            return Some(View::caption("(no items)"));
        }
        let items = self.within_limits(list.iter(), |one| {
            let item = kinds::ListItem::deserialize(one).ok()?;
            let text = cut::short(&item.text, self.limits.cell);
            let detail = item.detail.as_deref();
            let detail = detail.map(|detail| cut::short(detail, self.limits.cell));
            let size = text.len() + detail.as_deref().map_or(0, str::len);
            let link = item.url.as_deref().and_then(Address::parse);
            // An address that must not be followed is still shown as text.
            let refused = item.url.filter(|_| link.is_none());
            let detail = match (detail, refused.map(|url| cut::name(&url))) {
                (Some(detail), Some(url)) => Some(format!("{detail}\n{url}")),
                (detail, url) => detail.or(url),
            };
            let span = Span {
                link,
                ..Span::plain(text)
            };
            let item = ListItem {
                detail: detail.map(Inline::plain),
                ..ListItem::new(Content::Inline(span.into()))
            };
            Some((item, size))
        })?;
        let start = is(data, "ordered").then_some(1);
        let cut = Cut::of(list.len() - items.len(), Unit::Items);
        Some(View::List(List { start, items, cut }))
    }

    /// Lowers a log. The last lines matter most, so the first ones are left out.
    fn log(&self, data: &Value) -> Option<View> {
        let list = data.get("lines")?.as_array()?;
        if list.is_empty() {
            return Some(View::caption("(no lines)"));
        }
        let mut lines = self.within_limits(list.iter().rev(), |one| {
            let line = kinds::LogLine::deserialize(one).ok()?;
            let text = cut::short(line.text.trim_end_matches(['\n', '\r']), self.limits.cell);
            let drawn = LogLine {
                time: line.time.map(|time| cut::short(&time, 40)),
                level: line.level.map(|level| match level {
                    LogLevel::Other(word) => LogLevel::Other(cut::short(&word, 20)),
                    level => level,
                }),
                text: super::ansi::spans(&text),
            };
            Some((drawn, text.len()))
        })?;
        lines.reverse();
        let cut = Cut::of(list.len() - lines.len(), Unit::Lines);
        Some(View::Log(Log { cut, lines }))
    }

    /// Reads values with their sizes until the limit on rows or on text is reached, where each
    /// value has a fixed overhead. Returns `None` if one of them is malformed.
    fn within_limits<'v, T>(
        &self,
        values: impl Iterator<Item = &'v Value>,
        read: impl Fn(&'v Value) -> Option<(T, usize)>,
    ) -> Option<Vec<T>> {
        let mut left = self.limits.text;
        let mut out = Vec::new();
        for value in values.take(self.limits.rows) {
            let (drawn, size) = read(value)?;
            if left == 0 {
                break;
            }
            left = left.saturating_sub(size + 8);
            out.push(drawn);
        }
        Some(out)
    }
}

fn files(entries: &[kinds::Entry], more: Option<Cut>) -> Table {
    let sized = entries.iter().any(|entry| entry.size.is_some());
    let dated = entries.iter().any(|entry| entry.modified.is_some());
    let mut columns = vec![Column::new("Name", Align::Start)];
    columns.extend(sized.then(|| Column::new("Size", Align::End)));
    columns.extend(dated.then(|| Column::new("Modified", Align::Start)));
    let row = |entry: &kinds::Entry| {
        let (mark, tone) = match entry.entry_type {
            kinds::EntryType::Directory if !entry.name.ends_with('/') => ("/", Tone::Accent),
            kinds::EntryType::Directory => ("", Tone::Accent),
            kinds::EntryType::Symlink => ("@", Tone::Info),
            _ => ("", Tone::Plain),
        };
        let mut name = Span::code(format!("{}{mark}", cut::name(&entry.name)));
        name.style.tone = tone;
        let mut cells = vec![Cell::new(Content::Inline(name.into()))];
        let size = entry.size.map(format::size).unwrap_or_default();
        cells.extend(sized.then(|| Cell::plain(size)));
        if dated {
            let when = entry.modified.as_deref().unwrap_or("");
            let when = format::date(when).unwrap_or_else(|| cut::short(when, 40));
            cells.push(Cell::plain(when));
        }
        cells
    };
    Table {
        more_rows: more,
        ..Table::new(columns, entries.iter().map(row).collect())
    }
}

fn link(data: &Value) -> Option<View> {
    let link = kinds::LinkData::deserialize(data).ok()?;
    let address = Address::parse(&link.url);
    let url = cut::name(&link.url);
    let title = link.title.filter(|title| !title.trim().is_empty());
    let title = title.map(|title| cut::name(&title));
    let mut spans = vec![Span {
        link: address.clone(),
        ..Span::plain(title.clone().unwrap_or_else(|| url.clone()))
    }];
    if title.is_some() {
        // A title may claim anything, so the actual host is shown beside it.
        let host = address.as_ref().map_or(url.as_str(), Address::host);
        spans.push(Span::muted(format!(" ({host})")));
    }
    let mut views = vec![View::Text(Text::new(Role::Body, Inline { spans }))];
    if let Some(description) = link.description.filter(|text| !text.trim().is_empty()) {
        views.push(View::caption(cut::short(&description, 2_000)));
    }
    Some(View::column(views))
}

/// Derives the language of a file from its name.
pub(super) fn language_of(path: &str) -> Option<String> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let extension = match name {
        "Dockerfile" => "dockerfile",
        "Makefile" => "makefile",
        _ => name.rsplit_once('.')?.1,
    };
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'_');
    let fits = (1..=12).contains(&extension.len()) && extension.bytes().all(plain);
    fits.then(|| extension.to_ascii_lowercase())
}
