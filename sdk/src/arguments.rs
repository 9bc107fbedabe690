//! From a function's arguments to a JSON Schema, and from JSON back to arguments.
//!
//! The macros write calls to this module; nobody else does. It keeps what they expand to small,
//! and the words of its failures in one place. The schemas of common types are text that the
//! macro wrote at compile time; `schemars` is linked only by a plugin that needs it.

use crate::reader::{Plain, members};
use crate::{Failure, Result, invalid};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What an argument or a setting may be: anything that can be read from JSON and has a schema.
///
/// `How` is always `Supported`. The second implementation, which nothing can meet, keeps the
/// compiler from looking into the first: an author then reads one error, in the words below, and
/// not one for each trait that is missing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can be neither an argument of a tool nor a setting",
    label = "it has no JSON Schema, or cannot be read from JSON",
    note = "use a `String`, a number, a `bool`, a `Vec` or an `Option` of those,",
    note = "or derive both for a type of your own: `#[derive(serde::Deserialize, schemars::JsonSchema)]`"
)]
pub trait Argument<How>: Sized {
    /// The schema of the member `name` as JSON text, with keywords of the macro's beside its own.
    fn schema(name: &str, keywords: &[(&str, String)]) -> String;

    /// The schema of the one struct that stands for all arguments, as JSON text.
    fn whole_schema() -> String;

    /// Reads one member.
    ///
    /// # Errors
    /// When it is missing and no `Option`, or of another type.
    fn read(given: &Members<'_>, name: &str) -> Result<Self>;

    /// Reads all arguments into the one struct that stands for them.
    ///
    /// # Errors
    /// When they do not fit.
    fn whole(json: &str) -> Result<Self>;
}

/// What has a schema: the data of a widget type, or what a tool returns.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no JSON Schema",
    label = "it cannot be the data of a widget type or the output of a tool",
    note = "derive it: `#[derive(schemars::JsonSchema)]`"
)]
pub trait HasSchema<How> {
    /// The schema of the type as JSON text.
    fn schema() -> String;
}

/// How every [`Argument`] and [`HasSchema`] is implemented.
pub enum Supported {}

/// How none is.
pub enum Unsupported {}

/// What no type is.
pub trait Unimplementable {}

impl<T: DeserializeOwned + JsonSchema> Argument<Supported> for T {
    fn schema(name: &str, keywords: &[(&str, String)]) -> String {
        // A type that contains itself refers to a definition, which lies where this schema does.
        let mut schema = schema::<T>(&format!("/properties/{name}/$defs"));
        for (keyword, json) in keywords {
            // Both were written by serde_json a moment ago.
            schema.insert(
                (*keyword).to_owned(),
                serde_json::from_str(json).unwrap_or(Value::Null),
            );
        }
        Value::from(schema).to_string()
    }

    fn whole_schema() -> String {
        let mut schema = schema::<T>("/$defs");
        if schema.get("additionalProperties").is_none() {
            // As where the arguments are written one by one: a misspelt one is a mistake.
            schema.insert("additionalProperties".to_owned(), false.into());
        }
        Value::from(schema).to_string()
    }

    fn read(given: &Members<'_>, name: &str) -> Result<Self> {
        given.read(name)
    }

    fn whole(json: &str) -> Result<Self> {
        serde_json::from_str(json).map_err(|error| invalid!("{error}"))
    }
}

impl<T: Unimplementable> Argument<Unsupported> for T {
    fn schema(_: &str, _: &[(&str, String)]) -> String {
        String::new()
    }

    fn whole_schema() -> String {
        String::new()
    }

    fn read(given: &Members<'_>, name: &str) -> Result<Self> {
        Err(given.wrong(name))
    }

    fn whole(_: &str) -> Result<Self> {
        Err(invalid!("there is no such type"))
    }
}

impl<T: JsonSchema> HasSchema<Supported> for T {
    fn schema() -> String {
        Value::from(schema::<T>("/$defs")).to_string()
    }
}

impl<T: Unimplementable> HasSchema<Unsupported> for T {
    fn schema() -> String {
        String::new()
    }
}

/// Self-contained where it can be and without the dialect's address: a model is to read it.
fn schema<T: JsonSchema>(definitions: &str) -> schemars::Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.definitions_path = definitions.to_owned().into();
        settings.inline_subschemas = true;
    });
    let mut generator = settings.into_generator();
    let mut schema = T::json_schema(&mut generator);
    // The title is the name of a Rust type, which tells a model nothing.
    schema.remove("title");
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}

/// A value as JSON text, such as a default that the macro could not write itself.
pub fn json<T: Serialize>(value: &T) -> String {
    // What cannot be written as JSON is no default a model could read.
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// The arguments of one call, or the settings, read one by one.
pub struct Members<'a> {
    members: Vec<(String, &'a str)>,
    noun: &'static str,
}

impl<'a> Members<'a> {
    /// Takes the arguments of a call apart.
    ///
    /// # Errors
    /// When `json` is not an object.
    pub fn arguments(json: &'a str) -> Result<Self> {
        Self::parse(json, "argument")
    }

    /// Takes a plugin's settings apart.
    ///
    /// # Errors
    /// When `json` is not an object.
    pub fn settings(json: &'a str) -> Result<Self> {
        Self::parse(json, "setting")
    }

    fn parse(json: &'a str, noun: &'static str) -> Result<Self> {
        let members =
            members(json).ok_or_else(|| invalid!("the {noun}s are not one object of JSON"))?;
        Ok(Self { members, noun })
    }

    /// Whether a member was given. `null` for one that has a default counts as not given.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.get(name) != "null"
    }

    /// A member of a plain type.
    ///
    /// # Errors
    /// When it is missing and no `Option`, or of another type.
    pub fn plain<T: Plain>(&self, name: &str) -> Result<T> {
        T::read(self.get(name)).ok_or_else(|| self.wrong(name))
    }

    /// A member of an author's own type.
    ///
    /// # Errors
    /// When it is missing and no `Option`, or of another type.
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> Result<T> {
        serde_json::from_str(self.get(name)).map_err(|error| {
            let failure = self.wrong(name);
            if self.has(name) {
                failure.because(&error)
            } else {
                failure
            }
        })
    }

    fn get(&self, name: &str) -> &'a str {
        self.members
            .iter()
            .find(|(given, _)| given == name)
            .map_or("null", |(_, json)| json)
    }

    fn wrong(&self, name: &str) -> Failure {
        let what = if self.has(name) {
            "has another type than its schema says"
        } else {
            "is missing"
        };
        invalid!("{} `{name}` {what}", self.noun)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_names_the_argument_and_what_is_wrong() {
        let given = Members::arguments(r#"{"days":"five","seats":[1]}"#).expect("an object");
        let message = |result: Result<u8>| result.expect_err("wrong").message().to_owned();
        assert_eq!(
            message(given.plain("days")),
            "argument `days` has another type than its schema says"
        );
        assert_eq!(message(given.plain("city")), "argument `city` is missing");
        assert!(message(given.read("seats")).contains("invalid type: sequence, expected u8"));
        assert_eq!(
            given
                .plain::<Option<String>>("country")
                .expect("may be absent"),
            None
        );
        assert_eq!(given.read::<Vec<u8>>("seats").expect("a list"), [1]);
    }

    #[test]
    fn keywords_of_the_macro_win_over_those_of_the_type() {
        let schema = <u8 as Argument<_>>::schema(
            "days",
            &[
                ("maximum", "14".to_owned()),
                ("description", "\"How many.\"".to_owned()),
            ],
        );
        let schema: Value = serde_json::from_str(&schema).expect("JSON");
        let expected = serde_json::json!({
            "type": "integer", "format": "uint8", "minimum": 0, "maximum": 14, "description": "How many.",
        });
        assert_eq!(schema, expected);
    }

    #[test]
    fn type_that_contains_itself_refers_to_where_its_definition_lies() {
        #[derive(serde::Deserialize, JsonSchema)]
        #[expect(dead_code, reason = "only its schema is looked at")]
        struct Folder {
            folders: Vec<Folder>,
        }
        let schema = <Folder as Argument<_>>::schema("tree", &[]);
        let input: Value =
            serde_json::from_str(&format!(r#"{{"properties":{{"tree":{schema}}}}}"#))
                .expect("JSON");
        let reference = schema
            .split("\"$ref\":\"#")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        let pointer = reference.expect("it refers to itself");
        assert!(input.pointer(pointer).is_some(), "{pointer} in {input}");
    }
}
