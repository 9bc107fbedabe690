//! Results, one tool for each kind.
//!
//! [`charts`](crate::charts) has the charts, and [`hints`](crate::hints) the display hints.

use crate::data::{CURTAIN, Show, With, hostile};
use footlight_sdk::display::FieldType;
use footlight_sdk::kinds::{Entry, EntryType, Fact, Hunk, Level, ListItem, LogLine};
use footlight_sdk::prelude::*;

/// Returns text, the plainest of results.
#[tool(read_only, example = "Show me some text")]
pub(crate) fn text(#[args] Show { with }: Show) -> Text {
    Text::new(with.prose())
}

/// Returns Markdown: headings, lists, a table, code, a quote, a link.
#[tool(read_only, example = "Show me some Markdown")]
pub(crate) fn markdown(#[args] Show { with }: Show) -> Markdown {
    Markdown::new(with.markdown())
}

/// Returns code with its language and its file.
#[tool(read_only, example = "Show me some source code")]
pub(crate) fn code(#[args] Show { with }: Show) -> Code {
    Code::new("rust", with.code()).path(format!("src/{}.rs", with.title(0)))
}

/// Returns a change of a file, as the two texts.
#[tool(read_only, example = "Show me the diff of a file")]
pub(crate) fn diff(#[args] Show { with }: Show) -> Diff {
    let (before, after) = with.change();
    Diff::new(format!("{}/season.toml", with.title(0)), before, after)
}

/// Returns a change of a file, as the changed places alone.
#[tool(read_only, example = "Show me only the changed hunks of a file")]
pub(crate) fn hunks(#[args] Show { with }: Show) -> Diff {
    let hunk = |n: usize| {
        let start = n as u64 * 40 + 3;
        Hunk {
            old_start: start,
            old_lines: 3,
            new_start: start,
            new_lines: 3,
            lines: vec![
                " [play]".into(),
                format!("-title = \"{}\"", with.title(n)),
                format!("+title = \"{}\"", with.title(n + 1)),
                " seats = 211".into(),
            ],
        }
    };
    Diff::hunks("season.toml", (0..with.count(2, 2_000)).map(hunk))
}

/// Returns a file of text.
#[tool(read_only, example = "Show me the content of a file")]
pub(crate) fn file(#[args] Show { with }: Show) -> FileContent {
    FileContent::new(format!("plays/{}.rs", with.title(0)), with.code())
}

/// Returns a file that is not text.
#[tool(read_only, example = "Show me a binary file")]
pub(crate) fn bytes(#[args] Show { with }: Show) -> FileContent {
    let content = match with {
        With::Huge => CURTAIN.repeat(1_000),
        With::Empty => Vec::new(),
        _ => CURTAIN.to_vec(),
    };
    FileContent::bytes(format!("plays/{}.bin", with.title(0)), &content)
}

/// Returns the names in a folder.
#[tool(read_only, example = "List the files of a folder")]
pub(crate) fn folder(#[args] Show { with }: Show) -> FileList {
    let start = FileList::new(format!("/plays/{}", with.title(0)));
    if with == With::Empty {
        return start;
    }
    let files = with.plays(3_000).into_iter().map(|play| Entry {
        size: Some(play.seats as u64 * 1_000),
        modified: Some(play.first_night),
        ..Entry::new(format!("{}.txt", play.title), EntryType::File)
    });
    let list = start
        .directory("props")
        .entry(Entry::new("latest", EntryType::Symlink));
    files.fold(list, FileList::entry).truncated()
}

/// Returns a table: rows under columns, each with its type.
#[tool(read_only, example = "Show me a table of plays")]
pub(crate) fn table(#[args] Show { with }: Show) -> Table {
    let plays = with.plays(3_000);
    Table::rows(&plays)
        .label("title", "Play")
        .align("seats", Align::Right)
        .typed("seats", FieldType::Number)
        .label("firstNight", "First night")
        .typed("firstNight", FieldType::Date)
        .label("soldOut", "Sold out")
        .typed("soldOut", FieldType::Boolean)
        .align("soldOut", Align::Center)
        .typed("site", FieldType::Url)
        .summary(format!("{} plays", plays.len()))
}

/// Returns a picture by its bytes.
#[tool(read_only, example = "Show me a picture of the curtain")]
pub(crate) fn image(#[args] Show { with }: Show) -> Image {
    match with {
        With::Hostile => Image::bytes(hostile::SVG.as_bytes(), "image/svg+xml", with.line()),
        With::Empty => Image::bytes(&[], "image/png", ""),
        _ => {
            let alt = with.or("A red curtain, slightly open");
            Image::bytes(CURTAIN, "image/png", alt)
        }
    }
}

/// Returns a picture by its address, which a host does not load by itself.
#[tool(read_only, example = "Show me a picture from the web")]
pub(crate) fn remote_image(#[args] Show { with }: Show) -> Image {
    let url = match with {
        With::Hostile => "https://evil.example/pixel.png\" onload=\"alert(1)",
        With::Empty => "",
        _ => "https://theatre.example/curtain.png",
    };
    Image::url(url, "image/png", with.or("The curtain, from the street"))
}

/// A theatre: data without a specific kind.
#[derive(Serialize)]
pub(crate) struct Theatre {
    name: String,
    open: bool,
    rows: Option<u32>,
    address: [String; 2],
    plays: Vec<crate::data::Play>,
    deep: Value,
}

/// Returns structured data, which is drawn as a tree.
#[tool(read_only, example = "Show me structured data about a theatre")]
pub(crate) fn structured(#[args] Show { with }: Show) -> Structured<Theatre> {
    Structured::new(theatre(with))
}

pub(crate) fn theatre(with: With) -> Theatre {
    let plays = with.plays(1_000).into_iter();
    Theatre {
        name: with.title(0),
        open: with != With::Empty,
        rows: (with != With::Empty).then_some(20),
        address: [with.line(), with.title(1)],
        plays: plays.take(with.count(2, 1_000)).collect(),
        deep: match with {
            With::Hostile => hostile::deep(),
            _ => json!({ "below": { "the": ["stage"] }, "nothing": [] }),
        },
    }
}

/// Returns facts: what is known of one thing.
#[tool(read_only, example = "Show me the facts about a play")]
pub(crate) fn facts(#[args] Show { with }: Show) -> Facts {
    // Huge data has thousands of facts, so their labels stay short.
    let label = |words: &str| match with {
        With::Huge => words.to_owned(),
        _ => with.or(words),
    };
    let mut facts = Facts::new();
    for play in with.plays(800).into_iter().take(with.count(1, 800)) {
        facts = facts.fact(label("Play"), play.title);
        // The type of a fact tells the surface how to format its value.
        let typed = |words: &str, value: Value, fact_type| Fact {
            label: label(words),
            value,
            fact_type: Some(fact_type),
        };
        facts.data.facts.extend([
            typed("Seats sold", play.seats.into(), FieldType::Number),
            typed("First night", play.first_night.into(), FieldType::Date),
            typed("Sold out", play.sold_out.into(), FieldType::Boolean),
            typed("Site", play.site.into(), FieldType::Url),
        ]);
    }
    facts
}

/// Returns a list, with details and links.
#[tool(read_only, example = "Show me a list of plays")]
pub(crate) fn list(#[args] Show { with }: Show) -> List {
    let plays = with.plays(3_000).into_iter().enumerate();
    let items = plays.map(|(n, play)| ListItem {
        text: play.title,
        detail: (n % 2 == 0).then(|| format!("{} seats", play.seats)),
        url: (n % 2 == 1 || with == With::Hostile).then_some(play.site),
    });
    items.fold(List::new([""; 0]), List::item)
}

/// Returns a list with numbers.
#[tool(read_only, example = "Show me a numbered list of acts")]
pub(crate) fn numbered(#[args] Show { with }: Show) -> List {
    List::new(with.titles(3_000)).ordered()
}

/// Returns a log, with times, levels, and the colours that programs write.
#[tool(read_only, example = "Show me the log of the show")]
pub(crate) fn log(#[args] Show { with }: Show) -> Log {
    let levels = [Level::Info, Level::Debug, Level::Warn, Level::Error];
    let printed = with.printed().into_iter().enumerate();
    let lines = printed.map(|(n, text)| LogLine {
        time: Some(format!("2026-11-16T19:30:{:02}Z", n % 60)),
        level: Some(levels[n % levels.len()].clone()),
        text,
    });
    lines.fold(Log::new([""; 0]), Log::line)
}

/// Returns a link.
#[tool(read_only, example = "Give me the link of the programme")]
pub(crate) fn link(#[args] Show { with }: Show) -> Link {
    let url = match with {
        With::Hostile => hostile::ADDRESSES[0],
        With::Empty => "",
        _ => "https://theatre.example/programme",
    };
    Link::new(url)
        .title(with.or("The programme"))
        .description(with.or("What is on, and when."))
}

/// Returns a result of a kind that no host knows.
#[tool(read_only, example = "Show me a kind that nobody knows")]
pub(crate) fn unknown(#[args] Show { with }: Show) -> Custom<Theatre> {
    Custom::new("gallery.theatre", theatre(with)).summary(with.or("A theatre with two plays"))
}

/// Returns a result that is for the model alone.
#[tool(read_only, example = "Return something that is not shown")]
pub(crate) fn hidden(#[args] Show { with }: Show) -> Text {
    Text::new(with.prose()).summary(with.line()).hidden()
}
