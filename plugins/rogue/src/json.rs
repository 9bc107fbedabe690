//! Malformed, oversized and ambiguous JSON in every place that takes JSON text.

use crate::memory::Verbatim;
use crate::raw::{self, Wire};
use footlight_sdk::Outcome;
use footlight_sdk::prelude::*;

/// Builds the malformed or oversized JSON called `name`.
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

/// Shows a widget whose data or view is malformed JSON. The host must refuse the widget or draw its
/// fallback, and must never parse deeper than 64 levels.
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

/// Updates a valid widget with malformed data. The host must treat the data like that of a new
/// widget, and keep the old state where it refuses the update.
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

/// Returns malformed data. The host must end the call with the fault `protocol`, or show the data
/// as text.
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

/// Asks a question with malformed fields. The host must refuse with `invalid`, and must not ask
/// anybody.
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

/// Requests approval with malformed details. The host must refuse duplicate keys, so that the
/// person never approves one value while the plugin uses another, and must not ask anybody.
#[tool]
pub(crate) fn json_approval(
    stage: &Stage,
    bomb: String,
    #[arg(default = 0)] size: u32,
) -> Result<Text> {
    raw::verdict(raw::request(stage, &self::bomb(&bomb, size)?))
}

/// Writes a malformed value to its state. The host must refuse the value, because it would be read
/// back later.
#[tool]
pub(crate) fn json_state(
    stage: &Stage,
    bomb: String,
    #[arg(default = 0)] size: u32,
) -> Result<Text> {
    raw::verdict(raw::set(stage, &self::bomb(&bomb, size)?))
}

/// Stores an output with malformed metadata. The host must refuse the output.
#[tool]
pub(crate) fn json_output(
    stage: &Stage,
    bomb: String,
    #[arg(default = 0)] size: u32,
) -> Result<Text> {
    raw::verdict(raw::output(stage, &self::bomb(&bomb, size)?))
}

/// Returns a result whose kind is unknown or not a valid name. The host must show an unknown kind
/// neutrally, and end the call with the fault `protocol` for an invalid name.
#[tool]
pub(crate) fn kind(kind: String) -> Verbatim {
    Verbatim(Outcome {
        kind,
        data: r#"{"content":"a"}"#.to_owned(),
        summary: None,
        more: None,
    })
}

/// Returns plain data, such as the result of an older tool. The host must record it as the result
/// that it stands for, or as a failure if it says so.
#[tool(read_only)]
pub(crate) fn plain(
    /// The data as JSON text.
    data: String,
) -> Verbatim {
    Verbatim(Outcome {
        kind: "structured".to_owned(),
        data,
        summary: None,
        more: None,
    })
}

/// Shows a widget of an unknown type. The host must draw its fallback.
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
