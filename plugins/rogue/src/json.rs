//! Text that says it is JSON.

use crate::memory::Verbatim;
use crate::raw::{self, Wire};
use footlight_sdk::Outcome;
use footlight_sdk::prelude::*;

/// JSON that is none, or more than it looks.
fn bomb(name: &str, size: u32) -> Result<String> {
    let size = size as usize;
    Ok(match name {
        "empty" => String::new(),
        "open" => "{".to_owned(),
        "words" => "not JSON at all".to_owned(),
        "trailing" => r#"{"content":"a"} and more"#.to_owned(),
        "two" => r#"{"content":"a"}{"content":"b"}"#.to_owned(),
        "nan" => r#"{"content":NaN}"#.to_owned(),
        "infinity" => r#"{"content":1e999}"#.to_owned(),
        "bom" => "\u{feff}{}".to_owned(),
        "nul" => "{\"content\":\"a\0b\"}".to_owned(),
        "surrogate" => r#"{"content":"\ud800"}"#.to_owned(),
        "duplicate" => r#"{"content":"shown","content":"approved"}"#.to_owned(),
        "precise" => {
            r#"{"content":9007199254740993,"zero":-0.0,"big":18446744073709551616}"#.to_owned()
        }
        "lists" => format!("{}{}", "[".repeat(size), "]".repeat(size)),
        "objects" => format!("{}1{}", r#"{"a":"#.repeat(size), "}".repeat(size)),
        "unclosed" => "[".repeat(size),
        "keys" => {
            let keys: Vec<String> = (0..size).map(|key| format!("\"{key}\":0")).collect();
            format!("{{{}}}", keys.join(","))
        }
        "number" => format!("{{\"content\":1{}}}", "0".repeat(size)),
        "digits" => format!("{{\"content\":0.{}}}", "1".repeat(size)),
        "views" => format!(
            "{}{{\"type\":\"Text\",\"value\":\"a\"}}{}",
            r#"{"type":"Card","children":["#.repeat(size),
            "]}".repeat(size)
        ),
        _ => return Err(invalid!("no bomb called {name:?}")),
    })
}

fn wire(data: String, view: Option<String>) -> Wire {
    Wire {
        widget: "bomb".to_owned(),
        data,
        fallback: "a bomb".to_owned(),
        view,
    }
}

/// Cases 32 to 34. Shows a widget with such data or such a view. The host promises to refuse it, or
/// to draw the fallback, and to parse it nowhere deeper than 64.
#[tool]
pub(crate) fn json_widget(
    stage: &Stage,
    #[arg(one_of = ["data", "view"])] part: String,
    bomb: String,
    #[arg(default = 0)] size: u32,
) -> Result<Text> {
    let text = self::bomb(&bomb, size)?;
    raw::verdict(raw::show(
        stage,
        match part.as_str() {
            "view" => wire("{}".to_owned(), Some(text)),
            _ => wire(text, None),
        },
    ))
}

/// Cases 32 to 34. Updates a good widget with such data. The host promises what it promises for a
/// new one, and that the good one stays where the update is refused.
#[tool]
pub(crate) fn json_update(
    stage: &Stage,
    bomb: String,
    #[arg(default = 0)] size: u32,
) -> Result<Text> {
    let text = self::bomb(&bomb, size)?;
    raw::verdict(raw::show_and_update(
        stage,
        wire("{}".to_owned(), None),
        wire(text, None),
    ))
}

/// Cases 32 to 34. Answers such data. The host promises `protocol`, or to show it as text.
#[tool]
pub(crate) fn json_result(
    #[arg(one_of = ["data", "more"])] part: String,
    bomb: String,
    #[arg(default = 0)] size: u32,
) -> Result<Verbatim> {
    let text = self::bomb(&bomb, size)?;
    let (data, more) = match part.as_str() {
        "more" => (r#"{"content":"a"}"#.to_owned(), Some(text)),
        _ => (text, None),
    };
    Ok(Verbatim(Outcome {
        kind: "text".to_owned(),
        data,
        summary: None,
        more,
    }))
}

/// Cases 32 to 34. Puts a question with such fields. The host promises `invalid` and no question.
#[tool(asks)]
pub(crate) fn json_question(
    stage: &Stage,
    bomb: String,
    #[arg(default = 0)] size: u32,
) -> Result<Text> {
    raw::verdict(raw::ask(
        stage,
        "What about this?",
        &self::bomb(&bomb, size)?,
    ))
}

/// Case 34. Requests leave with such details. The host promises to refuse what has a key twice, so
/// that nobody approves one and gets the other.
#[tool]
pub(crate) fn json_approval(
    stage: &Stage,
    bomb: String,
    #[arg(default = 0)] size: u32,
) -> Result<Text> {
    raw::verdict(raw::request(stage, &self::bomb(&bomb, size)?))
}

/// Cases 32 to 34. Writes such a value to its drawer. The host promises to refuse it, since it would
/// come back.
#[tool]
pub(crate) fn json_state(
    stage: &Stage,
    bomb: String,
    #[arg(default = 0)] size: u32,
) -> Result<Text> {
    raw::verdict(raw::set(stage, &self::bomb(&bomb, size)?))
}

/// Cases 32 to 34. Stores an output with such members. The host promises to refuse it.
#[tool]
pub(crate) fn json_output(
    stage: &Stage,
    bomb: String,
    #[arg(default = 0)] size: u32,
) -> Result<Text> {
    raw::verdict(raw::output(stage, &self::bomb(&bomb, size)?))
}

/// Case 44. Answers a kind that is off the pattern, or that nobody knows. The host promises
/// `protocol` for the one, and to show the other in a neutral way.
#[tool]
pub(crate) fn kind(kind: String) -> Verbatim {
    Verbatim(Outcome {
        kind,
        data: r#"{"content":"a"}"#.to_owned(),
        summary: None,
        more: None,
    })
}

/// Case 44. Shows a widget of a type that nobody knows. The host promises to draw its fallback.
#[tool]
pub(crate) fn unknown_widget(stage: &Stage, widget: String) -> Result<Text> {
    raw::verdict(raw::show(
        stage,
        Wire {
            widget,
            data: r#"{"version":99}"#.to_owned(),
            fallback: "Seen without a renderer.".to_owned(),
            view: Some(
                r#"{"type":"Hologram","children":[{"type":"Text","value":"seen"}]}"#.to_owned(),
            ),
        },
    ))
}

#[test]
fn every_bomb_is_known_by_its_name() {
    for name in [
        "empty",
        "lists",
        "objects",
        "keys",
        "number",
        "views",
        "duplicate",
    ] {
        assert!(bomb(name, 3).is_ok(), "{name}");
    }
    assert_eq!(bomb("objects", 2).expect("is known"), r#"{"a":{"a":1}}"#);
    assert_eq!(
        bomb("teapot", 2).expect_err("is not known").code(),
        footlight_sdk::FailureCode::InvalidInput
    );
}
