//! Values of props, as ChatKit's types want them.

use super::super::press::wire_name;
use footlight_render::filter::clean;
use footlight_vocabulary::component::{IconName, PropType};
use footlight_vocabulary::item::Timestamp;
use serde_json::{Map, Value, json};

/// The longest style that is passed on.
const MAX_STYLE: usize = 64;

/// The longest name of an icon that is passed on.
const MAX_ICON: usize = 64;

/// Returns a plain value of this type.
pub(super) fn scalar(takes: PropType, value: &Value, path: &str) -> Option<Value> {
    match (takes, value) {
        (PropType::Str, Value::String(text)) => Some(clean(text).into()),
        (PropType::Str, Value::Number(number)) => Some(number.to_string().into()),
        (PropType::Bool, Value::Bool(_)) | (PropType::False, Value::Bool(false)) => {
            Some(value.clone())
        }
        // The ratio of a picture may be any number.
        (PropType::Num, Value::Number(_)) if path.ends_with("aspectRatio") => Some(value.clone()),
        (PropType::Int | PropType::Num, Value::Number(number)) => {
            let whole = number.as_i64();
            let whole = whole.or_else(|| number.as_f64().map(|float| float.round() as i64));
            whole.map(Value::from)
        }
        (PropType::Word(known), Value::String(word)) => {
            known.contains(&word.as_str()).then(|| value.clone())
        }
        (PropType::Icon, Value::String(name)) => icon(name).map(Value::from),
        _ => None,
    }
}

/// Returns the name of an icon that ChatKit has.
fn icon(name: &str) -> Option<String> {
    if IconName::KNOWN.contains(&name) {
        return Some(name.to_owned());
    }
    let (set, name) = name.split_once(':').unwrap_or(("lucide", name));
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let is_name = (1..=MAX_ICON).contains(&name.len()) && name.bytes().all(is_name);
    (is_name && matches!(set, "lucide" | "vendor")).then(|| format!("{set}:{name}"))
}

/// Returns a colour or a length, unless it could name an address.
pub(super) fn style(value: &Value) -> Option<Value> {
    let text = value.as_str()?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b" .,%#()/*+-".contains(&byte);
    let is_plain = text.len() <= MAX_STYLE && text.bytes().all(is_plain);
    let lower = text.to_ascii_lowercase();
    let functions = ["url", "image", "src", "attr", "element", "var", "env"];
    let reaches_out = functions.iter().any(|function| lower.contains(function));
    (is_plain && !reaches_out).then(|| value.clone())
}

/// Returns a border with the members of one kind: the same on all sides, or by edge. ChatKit's types do
/// not mix them.
pub(super) fn one_border(mut shape: Map<String, Value>) -> Option<Value> {
    let is_even = shape.contains_key("size");
    shape.retain(|name, _| is_even == matches!(name.as_str(), "size" | "color" | "style"));
    (!shape.is_empty()).then_some(Value::Object(shape))
}

/// Returns a date as a date-time without a zone, so that no zone makes it another day.
pub(super) fn date(value: &Value) -> Option<Value> {
    let text = value.as_str()?;
    let midnight = format!("{text}T00:00:00Z");
    if midnight.parse::<Timestamp>().is_ok() {
        return Some(format!("{text}T00:00:00").into());
    }
    text.parse::<Timestamp>().is_ok().then(|| value.clone())
}

/// Returns options. Those of a group of radio buttons have no description in ChatKit's types.
pub(super) fn choices(value: &Value, with_description: bool) -> Option<Value> {
    let option = |option: &Value| {
        let text = |name: &str| scalar(PropType::Str, option.get(name)?, name);
        let mut out = json!({ "value": text("value")?, "label": text("label")? });
        if option.get("disabled") == Some(&Value::Bool(true)) {
            out["disabled"] = true.into();
        }
        if let Some(description) = text("description").filter(|_| with_description) {
            out["description"] = description;
        }
        Some(out)
    };
    let options = value.as_array()?.iter().filter_map(option);
    Some(options.collect())
}

/// Gives an editable text the name that its value arrives under.
pub(super) fn rename_editable(out: &mut Map<String, Value>) {
    if let Some(name) = out.get_mut("editable").and_then(|it| it.get_mut("name")) {
        *name = wire_name(name.as_str().unwrap_or_default()).into();
    }
}
