//! The schemas of a tool's arguments, and the conversion of JSON to arguments.
//!
//! Only expansions of the macros call this module, which keeps the expansions small. The macros write
//! the schemas of common types at compile time, so that only a plugin with types of its own links
//! `schemars`.

use crate::reader::{Plain, members};
use crate::{Failure, Result, invalid};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A type that can be an argument or a setting: it can be deserialised and has a schema.
///
/// `How` is always `Supported`. The second implementation, which applies to no type, keeps the
/// compiler from looking into the first. An author then gets the one error message below instead of
/// one for each missing trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool or a setting",
    label = "this type has no JSON Schema or cannot be deserialised",
    note = "use a `String`, a number, a `bool`, or a `Vec` or `Option` of those,",
    note = "or derive both traits for your own type: `#[derive(serde::Deserialize, schemars::JsonSchema)]`"
)]
pub trait Argument<How>: Sized {
    /// Returns the schema of the member `name` as JSON text, with the macro's keywords added.
    fn schema(name: &str, keywords: &[(&str, String)]) -> String;

    /// Returns the schema of an `#[args]` struct as JSON text.
    fn whole_schema() -> String;

    /// Reads one member.
    ///
    /// # Errors
    /// If the member is missing and not an `Option`, or has another type.
    fn read(given: &Members<'_>, name: &str) -> Result<Self>;

    /// Reads the whole input into an `#[args]` struct.
    ///
    /// # Errors
    /// If the input does not fit the struct.
    fn whole(json: &str) -> Result<Self>;
}

/// A type with a schema: the data of a widget type, or the result of a tool.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no JSON Schema",
    label = "this type cannot be the data of a widget type or the output of a tool",
    note = "derive one: `#[derive(schemars::JsonSchema)]`"
)]
pub trait HasSchema<How> {
    /// Returns the schema of the type as JSON text.
    fn schema() -> String;
}

/// Marks the implementation of [`Argument`] and [`HasSchema`] that applies.
pub enum Supported {}

/// Marks the implementation that applies to no type.
pub enum Unsupported {}

/// A trait without implementations.
pub trait Unimplementable {}

impl<T: DeserializeOwned + JsonSchema> Argument<Supported> for T {
    fn schema(name: &str, keywords: &[(&str, String)]) -> String {
        // A recursive type refers to a definition, whose path depends on where this schema is placed.
        let mut schema = schema::<T>(&format!("/properties/{name}/$defs"));
        for (keyword, json) in keywords {
            // The macro wrote the JSON, so it parses.
            let json = serde_json::from_str(json).unwrap_or(Value::Null);
            schema.insert((*keyword).to_owned(), json);
        }
        Value::from(schema).to_string()
    }

    fn whole_schema() -> String {
        let mut schema = schema::<T>("/$defs");
        if schema.get("additionalProperties").is_none() {
            // The same rule as for separate arguments: a misspelt name is an error.
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

/// Returns a schema for a model to read: inlined as far as possible, and without the dialect's URL.
fn schema<T: JsonSchema>(definitions: &str) -> schemars::Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.definitions_path = definitions.to_owned().into();
        settings.inline_subschemas = true;
    });
    let mut generator = settings.into_generator();
    let mut schema = T::json_schema(&mut generator);
    // The title is the name of the Rust type, which does not help a model.
    schema.ensure_object().shift_remove("title");
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}

/// Serialises a value, such as a default that the macro cannot evaluate, to JSON text.
pub fn json<T: Serialize + ?Sized>(value: &T) -> String {
    // A default that does not serialise is of no use to the model.
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// Serialises a list of the only valid values, to which `null` belongs if the value is optional.
pub fn one_of<T: Serialize>(values: &[T], nullable: bool) -> String {
    let mut list = json(&values);
    if nullable && list.ends_with(']') {
        let comma = if values.is_empty() { "" } else { "," };
        list.truncate(list.len() - 1);
        list.push_str(comma);
        list.push_str("null]");
    }
    list
}

/// The members of a JSON object: the arguments of a call, or the settings.
pub struct Members<'a> {
    members: Vec<(String, &'a str)>,
    noun: &'static str,
}

impl<'a> Members<'a> {
    /// Parses the arguments of a call.
    ///
    /// # Errors
    /// If `json` is not an object.
    pub fn arguments(json: &'a str) -> Result<Self> {
        Self::parse(json, "argument")
    }

    /// Parses a plugin's settings.
    ///
    /// # Errors
    /// If `json` is not an object.
    pub fn settings(json: &'a str) -> Result<Self> {
        Self::parse(json, "setting")
    }

    fn parse(json: &'a str, noun: &'static str) -> Result<Self> {
        let members = members(json).ok_or_else(|| invalid!("the {noun}s are not a JSON object"))?;
        Ok(Self { members, noun })
    }

    /// Reports whether a member is present. `null` counts as absent.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.get(name) != "null"
    }

    /// Reads a member of a type that [`Plain`] covers.
    ///
    /// # Errors
    /// If the member is missing and not an `Option`, or has another type.
    pub fn plain<T: Plain>(&self, name: &str) -> Result<T> {
        T::read(self.get(name)).ok_or_else(|| self.wrong(name))
    }

    /// Reads a member of any other type, with serde.
    ///
    /// # Errors
    /// If the member is missing and not an `Option`, or has another type.
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> Result<T> {
        serde_json::from_str(self.get(name)).map_err(|error| {
            let failure = self.wrong(name);
            match self.has(name) {
                true => failure.because(&error),
                false => failure,
            }
        })
    }

    fn get(&self, name: &str) -> &'a str {
        let member = self.members.iter().find(|(given, _)| given == name);
        member.map_or("null", |(_, json)| json)
    }

    fn wrong(&self, name: &str) -> Failure {
        let what = match self.has(name) {
            true => "does not have the type that its schema requires",
            false => "is missing",
        };
        invalid!("{} `{name}` {what}", self.noun)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_argument_and_the_problem() {
        let given = Members::arguments(r#"{"days":"five","seats":[1]}"#).expect("an object");
        let message = |result: Result<u8>| result.expect_err("wrong").message().to_owned();
        assert_eq!(
            message(given.plain("days")),
            "argument `days` does not have the type that its schema requires"
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
    fn keywords_of_the_macro_override_those_of_the_type() {
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
    fn a_recursive_type_refers_to_the_path_of_its_definition() {
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
