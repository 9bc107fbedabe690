//! Summaries of results.
//!
//! [`summary`] returns the summary of the plugin, or derives one from the data, so that every
//! surface can show a line even for a kind it does not know.
//!
//! Invariant: a summary is one line of 1 to 200 characters, and its cost does not grow with the
//! size of the result.

use crate::kind::Kind;
use crate::kinds::{
    Changes, ChartData, CodeData, DiffData, FactsData, FileContentData, FileListData, ImageData,
    LinkData, ListData, LogData, MarkdownData, TableData, TextData,
};
use crate::result::SemanticResult;
use serde_json::Value;

/// The most characters of a summary.
const MAX_CHARS: usize = 200;

/// The most characters of an excerpt within a summary.
const EXCERPT: usize = 100;

/// Returns the result's own summary, or derives one from its data, without line breaks. Other
/// control characters remain: surfaces filter them.
#[must_use]
pub fn summary(result: &SemanticResult) -> String {
    let own = result.summary.as_deref();
    let own = own.map(|own| one_line(own, MAX_CHARS));
    own.filter(|own| !own.is_empty())
        .or_else(|| derived(result).map(|line| one_line(&line, MAX_CHARS)))
        .filter(|line| !line.is_empty())
        .unwrap_or_else(|| custom(&result.kind))
}

fn custom(kind: &Kind) -> String {
    one_line(&format!("Custom result ({kind})"), MAX_CHARS)
}

/// Derives a summary from the data. Returns `None` for an unknown kind, and for data that does not
/// fit its kind.
fn derived(result: &SemanticResult) -> Option<String> {
    Some(match result.kind.as_str() {
        "text" => excerpt(&result.read::<TextData>()?.content),
        "markdown" => excerpt(&result.read::<MarkdownData>()?.content),
        "code" => code(&result.read()?),
        "diff" => diff(&result.read()?),
        "file_content" => file_content(&result.read()?),
        "file_list" => file_list(&result.read()?),
        "table" => {
            let table: TableData = result.read()?;
            let rows = count(table.rows.len(), "row", "rows");
            let columns = count(table.columns.len(), "column", "columns");
            format!("{rows}, {columns}")
        }
        "chart" => chart(&result.read()?),
        "image" => image(&result.read()?, result.mime_type.as_deref()),
        "facts" => facts(&result.read()?),
        "list" => count(result.read::<ListData>()?.items.len(), "item", "items"),
        "log" => {
            let log: LogData = result.read()?;
            count(log.lines.len(), "line of log", "lines of log")
        }
        "link" => {
            let link: LinkData = result.read()?;
            match link.title.filter(|title| !title.trim().is_empty()) {
                Some(title) => format!("{} ({})", one_line(&title, EXCERPT), link.url),
                None => link.url,
            }
        }
        "structured" => structured(&result.data),
        _ => return None,
    })
}

fn code(code: &CodeData) -> String {
    let lines = count(code.content.lines().count(), "line", "lines");
    match (&code.path, &code.language) {
        (Some(path), _) => format!("{} ({lines})", one_line(path, EXCERPT)),
        (None, Some(language)) => format!("{lines} of {language}"),
        (None, None) => format!("{lines} of code"),
    }
}

fn diff(diff: &DiffData) -> String {
    let path = one_line(&diff.path, EXCERPT);
    match diff.changes() {
        Some(Changes { added, .. }) if diff.is_new => {
            format!("Created {path} (+{})", count(added, "line", "lines"))
        }
        None if diff.is_new => format!("Created {path}"),
        Some(changes) if changes == Changes::default() => format!("No changes in {path}"),
        Some(Changes { added, removed }) => {
            format!("Modified {path} (+{added} -{removed} lines)")
        }
        None => format!("Modified {path}"),
    }
}

fn file_content(file: &FileContentData) -> String {
    let length = match file.encoding.as_deref() {
        Some("base64") => file.content.trim_end().trim_end_matches('=').len() * 3 / 4,
        _ => file.content.len(),
    };
    let bytes = file.size.unwrap_or(length as u64);
    let unit = if bytes == 1 { "byte" } else { "bytes" };
    format!("Read {} ({bytes} {unit})", one_line(&file.path, EXCERPT))
}

fn file_list(list: &FileListData) -> String {
    let entries = count(list.entries.len(), "entry", "entries");
    let more = match list.truncated {
        true => ", there are more",
        false => "",
    };
    match one_line(&list.path, EXCERPT) {
        path if path.is_empty() => format!("Listed {entries}{more}"),
        path => format!("Listed {entries} in {path}{more}"),
    }
}

fn chart(chart: &ChartData) -> String {
    let points = count(chart.rows.len(), "point", "points");
    match chart.title.as_deref().map(|title| one_line(title, EXCERPT)) {
        Some(title) if !title.is_empty() => format!("{title} ({points})"),
        _ => format!("Chart ({}, {points})", chart.chart_type),
    }
}

fn image(image: &ImageData, mime_type: Option<&str>) -> String {
    let alt = one_line(&image.alt, MAX_CHARS);
    if !alt.is_empty() {
        return alt;
    }
    match &image.url {
        // The bytes of a `data:` URL are unreadable.
        Some(url) if !url.starts_with("data:") => url.clone(),
        _ => format!("Image ({})", mime_type.unwrap_or("type not given")),
    }
}

fn facts(facts: &FactsData) -> String {
    let mut line = String::new();
    for fact in &facts.facts {
        if line.len() > MAX_CHARS {
            break;
        }
        if !line.is_empty() {
            line.push_str(", ");
        }
        let value = match &fact.value {
            Value::String(text) => one_line(text, EXCERPT),
            Value::Array(_) | Value::Object(_) => structured(&fact.value),
            scalar => scalar.to_string(),
        };
        line.push_str(&format!("{}: {value}", one_line(&fact.label, EXCERPT)));
    }
    if line.is_empty() {
        "No facts".to_owned()
    } else {
        one_line(&line, EXCERPT)
    }
}

fn structured(data: &Value) -> String {
    match data {
        Value::Object(members) => count(members.len(), "field", "fields"),
        Value::Array(items) => count(items.len(), "entry", "entries"),
        Value::String(text) => excerpt(text),
        scalar => scalar.to_string(),
    }
}

fn excerpt(text: &str) -> String {
    match one_line(text, EXCERPT) {
        line if line.is_empty() => "Empty text".to_owned(),
        line => line,
    }
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Folds white space and cuts the text to `max_chars` characters, the last of which is then `…`.
fn one_line(text: &str, max_chars: usize) -> String {
    let mut line = String::new();
    let folded = text.split_whitespace().enumerate().flat_map(|(n, word)| {
        let space = (n > 0).then_some(' ');
        space.into_iter().chain(word.chars())
    });
    // Stops at a full line, so that a text of megabytes costs no more than a short one.
    for (length, c) in folded.enumerate() {
        if length == max_chars {
            line.pop();
            line.truncate(line.trim_end().len());
            line.push('…');
            break;
        }
        line.push(c);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::{
        Chart, Code, Diff, Facts, FileContent, FileList, Hunk, Image, Link, List, Log, Markdown,
        Table, Text,
    };
    use crate::normalise::normalise;
    use crate::outcome::IntoOutcome;
    use proptest::prelude::*;
    use serde_json::json;

    fn check(made: impl IntoOutcome, expected: &str) {
        let result = SemanticResult::of(made).expect("serialises");
        assert_eq!(summary(&result), expected);
    }

    #[test]
    fn own_summary_wins_and_is_one_line() {
        check(Text::new("a").summary(" two\n lines "), "two lines");
        check(Text::new("a").summary(" \n"), "a");
        // A line that is nothing but white space is no line.
        check(Link::new("\u{b}"), "Custom result (link)");
    }

    #[test]
    fn every_kind_has_a_line() {
        check(Text::new("Hello\n\n world"), "Hello world");
        check(Text::new(" \n "), "Empty text");
        check(Markdown::new("# Title"), "# Title");
        check(Code::new("rust", "a\n\nb\n"), "3 lines of rust");
        check(FileContent::new("a.txt", "äö"), "Read a.txt (4 bytes)");
        check(FileContent::bytes("a.bin", b"abcd"), "Read a.bin (4 bytes)");
        check(
            FileList::new("src").directory("a").file("b", 1),
            "Listed 2 entries in src",
        );
        check(Table::rows([json!({ "a": 1, "b": 2 })]), "1 row, 2 columns");
        check(Chart::bar([json!({ "a": 1 })]), "Chart (bar, 1 point)");
        check(
            Facts::new().fact("City", "Oslo").fact("Days", 5),
            "City: Oslo, Days: 5",
        );
        check(List::new(["a", "b"]), "2 items");
        check(Log::new(["a"]), "1 line of log");
        check(
            Link::new("https://a.example").title("A"),
            "A (https://a.example)",
        );
        check(Image::bytes(b"x", "image/png", ""), "Image (image/png)");
        check(json!({ "a": 1 }), "1 field");
        check([1, 2], "2 entries");
        check(json!(null), "null");
    }

    #[test]
    fn text_is_cut_by_characters() {
        let line = "ä".repeat(300);
        check(Text::new(&line), &format!("{}…", "ä".repeat(99)));
        check(Text::new("ä".repeat(100)), &"ä".repeat(100));
    }

    #[test]
    fn diff_counts_lines_blank_ones_too() {
        check(
            Diff::new("p", "a\nb\n", "a\n\n\nc\n"),
            "Modified p (+3 -1 lines)",
        );
        check(Diff::new("p", "same", "same"), "No changes in p");
        check(Diff::created("p", "a\n\n"), "Created p (+2 lines)");
        check(Diff::created("p", ""), "Created p (+0 lines)");
        let hunk = Hunk {
            lines: ["-a", "+b", "+", " c"].map(str::to_owned).to_vec(),
            ..Hunk::default()
        };
        check(Diff::hunks("p", [hunk]), "Modified p (+2 -1 lines)");
    }

    #[test]
    fn diff_of_unknown_size_says_no_numbers() {
        let long = |word: &str| format!("{word}\n").repeat(3_000);
        check(Diff::new("p", long("a"), long("b")), "Modified p");
        let flat = json!({ "kind": "diff", "path": "p" });
        assert_eq!(summary(&normalise(flat).expect("a result")), "Modified p");
    }

    #[test]
    fn data_that_does_not_fit_and_unknown_kinds_are_named() {
        for (kind, data) in [
            ("acme.x", json!(1)),
            ("table", json!("no")),
            ("diff", json!([])),
        ] {
            let result = SemanticResult::new(Kind::parse(kind).expect("valid"), data);
            assert_eq!(summary(&result), format!("Custom result ({kind})"));
        }
    }

    #[test]
    fn summary_is_never_longer_than_its_limit() {
        let long = "x".repeat(5_000);
        for made in [
            SemanticResult::of(Text::new("a").summary(&long)),
            SemanticResult::of(Link::new(&long).title(&long)),
            SemanticResult::of(Diff::created(&long, "a")),
            SemanticResult::of(Code::new(&long, "a")),
            SemanticResult::of(crate::kinds::Custom::new(&long, 1)),
        ] {
            let length = summary(&made.expect("serialises")).chars().count();
            assert!((1..=MAX_CHARS).contains(&length), "{length}");
        }
    }

    #[test]
    fn lines_are_counted_as_an_editor_does() {
        for (text, lines) in [
            ("", "0 lines"),
            ("a", "1 line"),
            ("a\n", "1 line"),
            ("\n", "1 line"),
            ("a\n\n", "2 lines"),
            ("a\nb", "2 lines"),
        ] {
            check(Code::new("rust", text), &format!("{lines} of rust"));
        }
    }

    proptest! {
        #[test]
        fn odd_data_has_a_line_too(
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
            let kind = Kind::parse(kind).expect("well known");
            let line = summary(&SemanticResult::new(kind, Value::Object(data)));
            prop_assert!(!line.is_empty() && line.lines().count() == 1);
        }
    }
}
