//! Reads a widget file: JSON with the members `version`, `name`, `template` and `jsonSchema`.
//!
//! Everything that can be known before a call is checked: the schema, the template, the names that it
//! reads, and the tree that it becomes for a sample of the schema.

use super::Contents;
use super::sample::sample;
use footlight_vocabulary::component::check;
use footlight_vocabulary::template::{ErrorKind, TemplateError, fill, names};
use footlight_vocabulary::validation::{BoundedValidator, SchemaBudget};
use serde_json::{Map, Value};

/// The version of the format that is read.
const VERSION: &str = "1.0";

/// A mistake in a file.
#[derive(Debug)]
pub(super) struct Problem {
    place: Place,
    message: String,
}

#[derive(Debug)]
enum Place {
    /// Line and column, from 1.
    At(usize, usize),
    /// The value of a member; the whole file if there is none.
    Member(&'static str),
    /// A byte of the text that the member `template` holds.
    Template(usize),
}

impl Problem {
    fn member(name: &'static str, message: impl Into<String>) -> Self {
        Self {
            place: Place::Member(name),
            message: message.into(),
        }
    }

    /// Describes the mistake with its place in the file.
    pub(super) fn in_file(&self, path: &str, text: &str) -> String {
        let (line, column) = match self.place {
            Place::At(line, column) => (line, column),
            Place::Member(name) => position(text, value_of(text, name)),
            Place::Template(at) => position(text, escaped(text, value_of(text, "template"), at)),
        };
        format!("{path}:{line}:{column}: {}", self.message)
    }
}

/// Reads a file.
pub(super) fn read(text: &str) -> Result<Contents, Problem> {
    let file: Value = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        Problem {
            place: Place::At(error.line(), error.column()),
            message: format!("not JSON: {message}"),
        }
    })?;
    let Value::Object(file) = file else {
        return Err(Problem::member("", "a widget file is a JSON object"));
    };
    let version = text_member(&file, "version")?;
    if version != VERSION {
        let message = format!("version {version:?} is unknown; this SDK reads version {VERSION:?}");
        return Err(Problem::member("version", message));
    }
    let title = text_member(&file, "name")?.trim().to_owned();
    if title.is_empty() {
        return Err(Problem::member("name", "the name is empty"));
    }
    let template = text_member(&file, "template")?;
    let schema = read_schema(&file)?;
    check_template(template, &schema)?;
    Ok(Contents {
        title,
        schema: schema.to_string(),
        template: template.to_owned(),
    })
}

fn text_member<'a>(file: &'a Map<String, Value>, name: &'static str) -> Result<&'a str, Problem> {
    match file.get(name) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(Problem::member(name, format!("`{name}` must be a string"))),
        None => Err(Problem::member(
            "",
            format!("the member `{name}` is missing"),
        )),
    }
}

fn read_schema(file: &Map<String, Value>) -> Result<Value, Problem> {
    let problem = |message: String| Problem::member("jsonSchema", message);
    let Some(schema) = file.get("jsonSchema") else {
        return Ok(serde_json::json!({ "type": "object", "additionalProperties": false }));
    };
    let mut schema = schema.clone();
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err(problem(
            "`jsonSchema` must be the schema of an object: `\"type\": \"object\"`".to_owned(),
        ));
    }
    BoundedValidator::new(&schema, &mut SchemaBudget::default()).map_err(problem)?;
    if let Value::Object(members) = &mut schema {
        // A model needs no dialect.
        members.shift_remove("$schema");
    }
    Ok(schema)
}

fn check_template(template: &str, schema: &Value) -> Result<(), Problem> {
    let properties = schema.get("properties").and_then(Value::as_object);
    for name in names(template).map_err(|error| in_template(&error))? {
        if properties.is_none_or(|known| !known.contains_key(&name)) {
            let known: Vec<&str> = properties
                .into_iter()
                .flatten()
                .map(|(name, _)| &**name)
                .collect();
            return Err(Problem {
                place: Place::Template(word(template, &name)),
                message: format!(
                    "the template reads `{name}`, which is no property of `jsonSchema`; it has: {}",
                    known.join(", ")
                ),
            });
        }
    }
    match fill(template, &sample(schema)) {
        Ok(root) => {
            let tree = serde_json::to_value(root.node()).unwrap_or_default();
            check(&tree).map_err(|problems| {
                let message =
                    format!("the template becomes a tree that a host refuses: {problems}");
                Problem::member("template", message)
            })
        }
        // These do not depend on the input.
        Err(
            error @ TemplateError::Template {
                kind:
                    ErrorKind::UnknownFilter
                    | ErrorKind::UnknownFunction
                    | ErrorKind::UnknownTest
                    | ErrorKind::TemplateNotFound,
                ..
            },
        ) => Err(in_template(&error)),
        // A sample is not every input: another may suit.
        Err(TemplateError::Template { .. }) => Ok(()),
        Err(error) => {
            let message = format!("{error} (for a sample of `jsonSchema`)");
            Err(Problem::member("template", message))
        }
    }
}

fn in_template(error: &TemplateError) -> Problem {
    let place = match error {
        TemplateError::Template { place, .. } => place.as_ref().map(|place| place.start),
        _ => None,
    };
    Problem {
        place: place.map_or(Place::Member("template"), Place::Template),
        message: format!("the template is malformed: {error}"),
    }
}

/// Returns where a name first stands as a word.
fn word(template: &str, name: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = template.match_indices(name);
    let whole = found.find(|(at, _)| {
        let (before, after) = (&template[..*at], &template[at + name.len()..]);
        !before.ends_with(|c| is_part(c) || c == '.' || c == '"') && !after.starts_with(is_part)
    });
    whole.map_or(0, |(at, _)| at)
}

/// Returns where the value of a member of the outermost object begins. The text is valid JSON.
fn value_of(text: &str, member: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                let end = string_end(bytes, at);
                let after = text[end..].trim_start();
                if depth == 1 && after.starts_with(':') && &text[at + 1..end - 1] == member {
                    let value = after[1..].trim_start();
                    return text.len() - value.len();
                }
                at = end;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    text.find('{').unwrap_or(0)
}

/// Returns the end of the string that begins at `at`.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] != b'"' {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    (end + 1).min(bytes.len())
}

/// Returns where a byte of a string's text is written, between the quotes that open at `string`.
fn escaped(text: &str, string: usize, byte: usize) -> usize {
    let (mut at, mut read) = (string + 1, 0);
    while read < byte && at < text.len() {
        let rest = &text[at..];
        let first = rest.chars().next().unwrap_or_default();
        let (written, len) = match (first, rest.as_bytes().get(1)) {
            ('\\', Some(b'u')) => unicode(rest),
            ('\\', _) => (2, 1),
            (first, _) => (first.len_utf8(), first.len_utf8()),
        };
        at += written;
        read += len;
    }
    at.min(text.len())
}

/// Returns the lengths of `\u....`, or of two of them for one character, as they are written and read.
fn unicode(rest: &str) -> (usize, usize) {
    let unit = |at: usize| u32::from_str_radix(rest.get(at + 2..at + 6)?, 16).ok();
    match unit(0) {
        Some(0xD800..=0xDBFF) => (12, 4),
        unit => (6, unit.and_then(char::from_u32).map_or(3, char::len_utf8)),
    }
}

/// Returns line and column of a byte, from 1. Columns count characters.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(at)];
    let line = before.lines().count().max(1) + usize::from(before.ends_with('\n'));
    let start = before.rfind('\n').map_or(0, |line| line + 1);
    (line, before[start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn file(template: &str) -> String {
        let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
        let file =
            json!({ "version": "1.0", "name": "A", "template": template, "jsonSchema": schema });
        serde_json::to_string_pretty(&file).expect("JSON")
    }

    fn problem(text: &str) -> String {
        match read(text) {
            Ok(_) => panic!("is accepted: {text}"),
            Err(problem) => problem.in_file("a.widget", text),
        }
    }

    #[test]
    fn the_place_of_a_mistake_in_a_template_is_its_place_in_the_file() {
        // A quote, a character of two bytes and one outside of the basic plane stand before it.
        let template = "{\"type\":\"Card\",\"é\":\"\u{1F600}\",\"x\":{{ b }}}";
        for text in [
            file(template),
            file(template)
                .replace('\u{1F600}', "\\ud83d\\ude00")
                .replace('é', "\\u00e9"),
        ] {
            let line = text
                .lines()
                .find(|line| line.contains("{{ b }}"))
                .expect("is there");
            let column = line[..line.find("b }}").expect("is there")].chars().count() + 1;
            let number = text
                .lines()
                .position(|other| other == line)
                .expect("is there")
                + 1;
            let expected =
                format!("a.widget:{number}:{column}: the template reads `b`, which is no property");
            let problem = problem(&text);
            assert!(problem.starts_with(&expected), "{problem}\n{expected}");
        }
    }

    #[test]
    fn members_are_found_in_the_outermost_object_alone() {
        let text = r#"{ "a": { "name": 1, "b": ["name:", "\"name\":"] }, "name" : 7 }"#;
        assert_eq!(&text[value_of(text, "name")..], "7 }");
        assert_eq!(value_of(text, "none"), 0);
    }

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let text = "ab\né\u{1F600}x";
        assert_eq!(position(text, 0), (1, 1));
        assert_eq!(position(text, 3), (2, 1));
        assert_eq!(position(text, text.len() - 1), (2, 3));
    }
}
