//! An example of each result kind. The guide shows the body of the function, and what is drawn of what it returns.

use footlight_sdk::display::FieldType;
use footlight_sdk::kinds::{Level, ListItem, LogLine};
use footlight_sdk::prelude::*;

/// A picture of 96 by 64 pixels.
const CURTAIN: &[u8] = include_bytes!("../../plugins/gallery/src/curtain.png");

pub(super) fn text() -> Text {
    Text::new("The curtain rises at half past seven.")
}

pub(super) fn markdown() -> Markdown {
    Markdown::new("## Tonight\n\n* **Hamlet**, in the *large* hall\n* The Seagull")
}

pub(super) fn code() -> Code {
    Code::new("rust", "const ACTS: u32 = 5;\nprintln!(\"{ACTS} acts\");").path("src/play.rs")
}

pub(super) fn diff() -> Diff {
    let before = "title = \"Hamlet\"\nseats = 211\n";
    let after = "title = \"Hamlet\"\nseats = 348\n";
    Diff::new("season.toml", before, after)
}

pub(super) fn file_content() -> FileContent {
    FileContent::new("season.toml", "title = \"Hamlet\"\nseats = 211\n")
}

pub(super) fn file_list() -> FileList {
    FileList::new("/plays")
        .directory("props")
        .file("hamlet.txt", 211_000)
        .file("seagull.txt", 348_000)
}

pub(super) fn table() -> Table {
    #[derive(Serialize)]
    struct Play {
        title: &'static str,
        seats: u32,
        first_night: &'static str,
    }

    let plays = [
        Play {
            title: "Hamlet",
            seats: 211,
            first_night: "2026-02-02",
        },
        Play {
            title: "The Seagull",
            seats: 1_348,
            first_night: "2026-04-04",
        },
    ];
    Table::rows(plays)
        .label("title", "Play")
        .label("first_night", "First night")
        .typed("first_night", FieldType::Date)
        .summary("2 plays")
}

pub(super) fn chart() -> Chart {
    let sold = [
        json!({ "night": "Mon", "stalls": 120, "circle": 40 }),
        json!({ "night": "Tue", "stalls": 180, "circle": 65 }),
        json!({ "night": "Wed", "stalls": 90, "circle": 20 }),
    ];
    Chart::bar(sold)
        .title("Seats sold this week")
        .x("night", "Night")
        .series("stalls", "Stalls")
        .series("circle", "Circle")
}

pub(super) fn facts() -> Facts {
    Facts::new()
        .fact("Play", "Hamlet")
        .fact("Seats", 211)
        .fact("Sold out", false)
}

pub(super) fn list() -> List {
    let seagull = ListItem {
        text: "The Seagull".into(),
        detail: Some("from April".into()),
        url: Some("https://theatre.example/seagull".into()),
    };
    List::new(["Hamlet", "Twelfth Night"]).item(seagull)
}

pub(super) fn log() -> Log {
    let line = |level, text: &str| LogLine {
        time: Some("2026-11-16T19:30:00Z".into()),
        level: Some(level),
        text: text.into(),
    };
    Log::new(["the doors are open"])
        .line(line(Level::Info, "the curtain rises"))
        .line(line(Level::Warn, "a lamp is out"))
}

pub(super) fn link() -> Link {
    Link::new("https://theatre.example/programme")
        .title("The programme")
        .description("What is on, and when.")
}

pub(super) fn image() -> Image {
    Image::bytes(CURTAIN, "image/png", "A red curtain, slightly open")
}

pub(super) fn structured() -> Structured<Value> {
    Structured::new(json!({
        "name": "The Globe",
        "open": true,
        "plays": [{ "title": "Hamlet", "seats": 211 }, { "title": "The Seagull", "seats": 348 }],
    }))
}

pub(super) fn custom() -> Custom<Value> {
    let recipe = json!({ "name": "Pancakes", "minutes": 20 });
    Custom::new("recipe.card", recipe).summary("Pancakes, ready in 20 minutes")
}
