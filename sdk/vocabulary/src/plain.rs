//! Results as simple text, for pipes and logs.
//!
//! [`plain`] says everything and decorates nothing: no colour, no width of a screen, no cutting.
//! A result that a reader cannot be shown faithfully in lines is shown as JSON.
//!
//! Invariant: this is not the terminal renderer. Text of a plugin goes through as it is, control
//! characters included; the surface that prints it filters.

use crate::display::View;
use crate::kinds::{
    Align, ChartData, CodeData, Column, DiffData, FactsData, FileContentData, FileListData,
    ImageData, LinkData, ListData, LogData, MarkdownData, TableData, TextData,
};
use crate::result::SemanticResult;
use crate::summary::{compare, summary};
use serde_json::{Map, Value};

/// The result as text. Lines end with a line feed except perhaps the last; a hidden result gives
/// nothing.
#[must_use]
pub fn plain(result: &SemanticResult) -> String {
    let view = result.display.as_ref().and_then(|d| d.preferred_view());
    if view == Some(View::Hidden) {
        return String::new();
    }
    known(result).unwrap_or_else(|| match &result.data {
        data if result.kind.as_str() == "structured" => pretty(data),
        // the reader is told what the JSON below is.
        Value::String(text) => format!("{}\n{text}", summary(result)),
        data => format!("{}\n{}", summary(result), pretty(data)),
    })
}

/// `None` for a kind without lines of its own, and for data that does not fit its kind.
fn known(result: &SemanticResult) -> Option<String> {
    Some(match result.kind.as_str() {
        "text" => result.read::<TextData>()?.content,
        "markdown" => result.read::<MarkdownData>()?.content,
        "code" => result.read::<CodeData>()?.content,
        "diff" => unified(&result.read()?)?,
        "file_content" => {
            let file: FileContentData = result.read()?;
            match file.encoding.as_deref() {
                Some("base64") => summary(result),
                _ => file.content,
            }
        }
        "file_list" => file_list(&result.read()?),
        "table" => {
            let TableData { columns, rows, .. } = result.read()?;
            table(&columns, &rows)?
        }
        "chart" => chart(&result.read()?)?,
        "image" => image(&result.read()?, || summary(result)),
        "facts" => facts(&result.read()?),
        "list" => list(&result.read()?),
        "log" => log(&result.read()?),
        "link" => link(&result.read()?),
        _ => return None,
    })
}

fn pretty(data: &Value) -> String {
    // Written by the alternate form of `Display`, which cannot fail.
    format!("{data:#}")
}

/// A text that must stay on its line.
fn line(text: &str) -> String {
    text.replace("\r\n", " ").replace(['\n', '\r'], " ")
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => line(text),
        Some(other) => other.to_string(),
    }
}

/// `None` where there is nothing to put at the head: the JSON says more then.
fn table(columns: &[Column], rows: &[Map<String, Value>]) -> Option<String> {
    if columns.is_empty() {
        return None;
    }
    let header: Vec<String> = columns.iter().map(|column| line(column.header())).collect();
    let cells = rows
        .iter()
        .map(|row| columns.iter().map(|column| cell(row.get(&column.key))));
    let grid: Vec<Vec<String>> = std::iter::once(header)
        .chain(cells.map(Iterator::collect))
        .collect();
    let mut widths = vec![0; columns.len()];
    for row in &grid {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut out = String::new();
    for row in &grid {
        let padded = row.iter().zip(&widths).zip(columns);
        let padded = padded.map(|((cell, width), column)| pad(cell, *width, column.align.as_ref()));
        let text = padded.collect::<Vec<_>>().join("  ");
        out.push_str(text.trim_end_matches(' '));
        out.push('\n');
    }
    Some(out)
}

fn pad(text: &str, width: usize, align: Option<&Align>) -> String {
    let missing = width.saturating_sub(text.chars().count());
    let before = match align {
        Some(Align::Right) => missing,
        Some(Align::Center) => missing / 2,
        _ => 0,
    };
    let (before, after) = (" ".repeat(before), " ".repeat(missing - before));
    format!("{before}{text}{after}")
}

fn chart(chart: &ChartData) -> Option<String> {
    let column = |key: &String, label: &Option<String>| Column {
        label: label.clone(),
        ..Column::new(key)
    };
    let x = std::iter::once(column(&chart.x.key, &chart.x.label));
    let series = chart.series.iter();
    let columns: Vec<Column> = x
        .chain(series.map(|series| column(&series.key, &series.label).align(Align::Right)))
        .collect();
    let table = table(&columns, &chart.rows)?;
    Some(match &chart.title {
        Some(title) => format!("{}\n{table}", line(title)),
        None => table,
    })
}

/// A unified diff. `None` where neither hunks nor texts are there to make one of.
fn unified(diff: &DiffData) -> Option<String> {
    let path = line(&diff.path);
    let old = if diff.is_new { "/dev/null" } else { &path };
    let hunks = diff.hunks.as_deref().filter(|hunks| !hunks.is_empty());
    if let Some(hunks) = hunks {
        let mut out = format!("--- {old}\n+++ {path}\n");
        for hunk in hunks {
            out.push_str(&format!(
                "@@ -{},{} +{},{} @@\n",
                hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines
            ));
            for text in &hunk.lines {
                out.push_str(text.strip_suffix('\n').unwrap_or(text));
                out.push('\n');
            }
        }
        return Some(out);
    }
    let original = match &diff.original {
        Some(original) => original,
        None if diff.is_new => "",
        None => return None,
    };
    let modified = diff.modified.as_deref()?;
    if original == modified && !diff.is_new {
        return Some(format!("No changes in {path}\n"));
    }
    let compared = compare(original, modified);
    Some(format!(
        "--- {old}\n+++ {path}\n{}",
        compared.unified_diff()
    ))
}

fn file_list(list: &FileListData) -> String {
    let mut out = String::new();
    if !list.path.is_empty() {
        out.push_str(&format!("{}:\n", line(&list.path)));
    }
    for entry in &list.entries {
        let mark = match entry.entry_type.as_str() {
            "directory" if !entry.name.ends_with('/') => "/",
            "symlink" => "@",
            _ => "",
        };
        out.push_str(&format!("{}{mark}", line(&entry.name)));
        if let Some(size) = entry.size {
            out.push_str(&format!("  {size} bytes"));
        }
        if let Some(modified) = &entry.modified {
            out.push_str(&format!("  {}", line(modified)));
        }
        out.push('\n');
    }
    if list.truncated {
        out.push_str("(there are more)\n");
    }
    out
}

fn image(image: &ImageData, otherwise: impl FnOnce() -> String) -> String {
    // Never the bytes, not those in an address either.
    let url = image.url.as_deref().filter(|url| !url.starts_with("data:"));
    let alt = Some(image.alt.as_str()).filter(|alt| !alt.trim().is_empty());
    match (alt, url) {
        (Some(alt), Some(url)) => format!("{} ({})\n", line(alt), line(url)),
        (Some(one), None) | (None, Some(one)) => format!("{}\n", line(one)),
        (None, None) => otherwise(),
    }
}

fn facts(facts: &FactsData) -> String {
    let labels = facts.facts.iter().map(|fact| line(&fact.label));
    let labels: Vec<String> = labels.map(|label| format!("{label}:")).collect();
    let width = labels.iter().map(|label| label.chars().count()).max();
    let width = width.unwrap_or(0);
    let mut out = String::new();
    for (label, fact) in labels.iter().zip(&facts.facts) {
        let text = format!("{}  {}", pad(label, width, None), cell(Some(&fact.value)));
        out.push_str(text.trim_end_matches(' '));
        out.push('\n');
    }
    out
}

fn list(list: &ListData) -> String {
    let mut out = String::new();
    for (n, item) in list.items.iter().enumerate() {
        let mark = if list.ordered {
            format!("{}. ", n + 1)
        } else {
            "- ".to_owned()
        };
        // What follows the item's first line stands under it.
        let indent = " ".repeat(mark.len());
        let detail = item.detail.iter().chain(&item.url);
        let below = detail.flat_map(|text| text.lines());
        let mut lines = item.text.lines();
        out.push_str(&format!("{mark}{}\n", lines.next().unwrap_or_default()));
        for text in lines.chain(below) {
            out.push_str(&format!("{indent}{text}\n"));
        }
    }
    out
}

fn log(log: &LogData) -> String {
    let mut out = String::new();
    for entry in &log.lines {
        if let Some(time) = &entry.time {
            out.push_str(&format!("{} ", line(time)));
        }
        if let Some(level) = &entry.level {
            out.push_str(&format!("{} ", line(level.as_str())));
        }
        out.push_str(entry.text.strip_suffix('\n').unwrap_or(&entry.text));
        out.push('\n');
    }
    out
}

fn link(link: &LinkData) -> String {
    let parts = [
        link.title.as_ref(),
        Some(&link.url),
        link.description.as_ref(),
    ];
    let parts = parts.into_iter().flatten();
    parts.map(|part| format!("{part}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::{
        Chart, Custom, Diff, Facts, FileList, Hunk, Image, Level, List, ListItem, Log, LogLine,
        Table, Text,
    };
    use crate::outcome::IntoOutcome;
    use proptest::prelude::*;
    use serde_json::json;

    fn check(made: impl IntoOutcome, expected: &str) {
        let result = SemanticResult::of(made).expect("serialises");
        assert_eq!(plain(&result), expected);
    }

    #[test]
    fn table_has_aligned_columns() {
        let rows = [
            json!({ "city": "Oslo", "max": 9 }),
            json!({ "city": "Århus\nby" }),
        ];
        let table = Table::new()
            .column(Column::new("city").label("City"))
            .column(Column::new("max").align(Align::Right));
        let table = rows.into_iter().fold(table, Table::row);
        check(table, "City      max\nOslo        9\nÅrhus by\n");
    }

    #[test]
    fn chart_is_its_numbers() {
        let chart = Chart::line([json!({ "d": "Mon", "t": 1.5 })]).title("Week");
        check(chart.series("t", "Temp"), "Week\nd    Temp\nMon   1.5\n");
    }

    #[test]
    fn diff_is_unified() {
        check(
            Diff::new("p", "a\nb\nc\n", "a\nB\nc\n"),
            "--- p\n+++ p\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
        );
        check(
            Diff::created("p", "a"),
            "--- /dev/null\n+++ p\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n",
        );
        let hunk = Hunk {
            old_start: 4,
            old_lines: 1,
            new_start: 4,
            new_lines: 2,
            lines: vec![" a".into(), "+b".into()],
        };
        check(
            Diff::hunks("p", [hunk]),
            "--- p\n+++ p\n@@ -4,1 +4,2 @@\n a\n+b\n",
        );
        check(Diff::new("p", "a", "a"), "No changes in p\n");
    }

    #[test]
    fn lists_of_all_sorts_are_lines() {
        check(
            FileList::new("src")
                .directory("a")
                .file("b.rs", 7)
                .truncated(),
            "src:\na/\nb.rs  7 bytes\n(there are more)\n",
        );
        check(
            Facts::new().fact("City", "Oslo").fact("In", json!([1])),
            "City:  Oslo\nIn:    [1]\n",
        );
        let item = ListItem {
            text: "b".into(),
            detail: Some("more\nof it".into()),
            url: None,
        };
        check(
            List::new(["a"]).item(item).ordered(),
            "1. a\n2. b\n   more\n   of it\n",
        );
        let last = LogLine {
            time: Some("12:00".into()),
            level: Some(Level::Warn),
            text: "hot".into(),
        };
        check(Log::new(["cold"]).line(last), "cold\n12:00 warn hot\n");
    }

    #[test]
    fn image_is_words_and_never_bytes() {
        check(Image::bytes(b"secret", "image/png", "A dot"), "A dot\n");
        check(
            Image::url("https://a.example/x.png", "image/png", "A dot"),
            "A dot (https://a.example/x.png)\n",
        );
        check(
            Image::url("data:image/png;base64,AAAA", "image/png", ""),
            "Image (image/png)",
        );
    }

    #[test]
    fn hidden_result_gives_nothing_whatever_its_kind() {
        check(Text::new("a").summary("b").prefer(View::Hidden), "");
    }

    #[test]
    fn what_has_no_lines_of_its_own_is_json_under_its_summary() {
        check(json!({ "a": 1 }), "{\n  \"a\": 1\n}");
        check(Custom::new("acme.x", [1]).summary("one"), "one\n[\n  1\n]");
        check(
            Custom::new("table", json!({ "columns": 5 })),
            "Custom result (table)\n{\n  \"columns\": 5\n}",
        );
    }

    proptest! {
        #[test]
        fn odd_data_never_panics(
            kind in prop::sample::select(crate::kind::WELL_KNOWN),
            members in prop::collection::btree_map(
                prop::sample::select(vec![
                    "path", "content", "columns", "rows", "items", "lines", "facts", "entries",
                    "hunks", "original", "modified", "isNew", "url", "base64", "type", "x",
                    "series", "text", "label", "key", "name",
                ]),
                prop_oneof![
                    Just(json!(null)),
                    Just(json!([])),
                    Just(json!([{}])),
                    Just(json!([{ "text": "a", "key": "", "label": "", "value": [], "name": "" }])),
                    Just(json!({ "key": "" })),
                    Just(json!(true)),
                    ".{0,9}".prop_map(Value::from),
                ],
                0..8,
            ),
        ) {
            let data = members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
            let kind = crate::kind::Kind::parse(kind).expect("well known");
            let result = SemanticResult::new(kind, Value::Object(data));
            let _ = plain(&result);
            let line = summary(&result);
            prop_assert!(!line.is_empty() && line.lines().count() == 1);
        }
    }
}
