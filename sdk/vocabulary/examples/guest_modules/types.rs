//! Types of JSON values, from the table of components and from JSON Schemas.

use footlight_vocabulary::component::{PropSpec, PropType, schema as view_schema};
use serde_json::Value;

/// A member of an object.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) required: bool,
    pub(crate) takes: Type,
}

/// The type of a value.
#[derive(Debug, Clone)]
pub(crate) enum Type {
    Any,
    Text,
    Bool,
    Null,
    False,
    Integer,
    Number,
    /// Text; these words are known.
    Word(Vec<String>),
    Object(Vec<Member>),
    Map(Box<Type>),
    List(Box<Type>),
    OneOf(Vec<Type>),
}

impl Member {
    pub(crate) fn new(name: &str, doc: &str, required: bool, takes: Type) -> Self {
        Self {
            name: name.to_owned(),
            doc: doc.to_owned(),
            required,
            takes,
        }
    }

    pub(crate) fn of_prop(prop: &PropSpec) -> Self {
        let (doc, takes) = (plain(prop.doc), Type::of_prop(prop.takes));
        Self::new(prop.name, &doc, prop.required, takes)
    }

    /// Returns the name in the style of Python.
    pub(crate) fn snake(&self) -> String {
        let mut snake = String::new();
        for letter in self.name.chars() {
            if letter.is_ascii_uppercase() {
                snake.push('_');
            }
            snake.push(letter.to_ascii_lowercase());
        }
        snake
    }

    /// Returns the members of an object that a text or a list can stand for, and whether a list of such objects is
    /// wanted.
    pub(crate) fn shorthand(&self) -> Option<(bool, Vec<&str>)> {
        let (is_list, object) = match &self.takes {
            Type::Object(members) => (false, members),
            Type::List(inner) => match &**inner {
                Type::Object(members) => (true, members),
                _ => return None,
            },
            _ => return None,
        };
        let required: Vec<&str> = object
            .iter()
            .filter(|member| member.required)
            .map(|m| m.name.as_str())
            .collect();
        let is_text = |member: &Member| matches!(member.takes, Type::Text | Type::Word(_));
        let first = object.iter().find(|member| member.required)?;
        (is_text(first) && (is_list || required.len() == 1)).then_some((is_list, required))
    }
}

impl Type {
    fn of_prop(takes: PropType) -> Self {
        let words = |known: &[&str]| known.iter().map(|word| (*word).to_owned()).collect();
        match takes {
            PropType::Str | PropType::ToolName | PropType::Icon => Self::Text,
            PropType::Bool => Self::Bool,
            PropType::False => Self::False,
            PropType::Null => Self::Null,
            PropType::Int => Self::Integer,
            PropType::Num => Self::Number,
            PropType::Word(known) => Self::Word(words(known)),
            PropType::Action => {
                let view = view_schema();
                Self::Object(members(&view["$defs"]["Action"], &view))
            }
            PropType::Object(shape) => Self::Object(shape.iter().map(Member::of_prop).collect()),
            PropType::Map(inner) => Self::Map(Self::of_prop(*inner).into()),
            PropType::List(inner) => Self::List(Self::of_prop(*inner).into()),
            PropType::OneOf(types) => {
                Self::OneOf(types.iter().map(|one| Self::of_prop(*one)).collect())
            }
        }
    }

    fn of_schema(schema: &Value, root: &Value) -> Self {
        if let Some(target) = schema["$ref"].as_str() {
            let target = root.pointer(target.trim_start_matches('#'));
            return Self::of_schema(target.expect("a reference resolves"), root);
        }
        // Beside a type, the alternatives only say which members there must be.
        if let (None, Some(types)) = (schema.get("type"), schema["anyOf"].as_array()) {
            let types = types.iter().filter(|one| one["type"] != "null");
            let mut types: Vec<Self> = types.map(|one| Self::of_schema(one, root)).collect();
            return if types.len() == 1 {
                types.remove(0)
            } else {
                Self::OneOf(types)
            };
        }
        let kinds: Vec<&str> = match &schema["type"] {
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
            kind => kind.as_str().into_iter().collect(),
        };
        let kinds = kinds.into_iter().filter(|kind| *kind != "null");
        let mut types: Vec<Self> = kinds
            .map(|kind| Self::of_kind(kind, schema, root))
            .collect();
        match types.len() {
            0 => Self::Any,
            1 => types.remove(0),
            _ => Self::OneOf(types),
        }
    }

    fn of_kind(kind: &str, schema: &Value, root: &Value) -> Self {
        let words = |name: &str| {
            let words = schema[name]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            words.map(str::to_owned).collect::<Vec<_>>()
        };
        match kind {
            "string" => match [words("enum"), words("examples")].concat() {
                known if known.is_empty() => Self::Text,
                known => Self::Word(known),
            },
            "boolean" => Self::Bool,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "array" => Self::List(Self::of_schema(&schema["items"], root).into()),
            "object" if schema.get("properties").is_some() => Self::Object(members(schema, root)),
            "object" => Self::Map(Self::Any.into()),
            _ => Self::Any,
        }
    }
}

/// Returns the members of an object in the order of their names, those first that are required.
pub(crate) fn members(schema: &Value, root: &Value) -> Vec<Member> {
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let properties = schema["properties"].as_object().into_iter().flatten();
    let mut members: Vec<Member> = properties
        .map(|(name, schema)| {
            let doc = plain(schema["description"].as_str().unwrap_or_default());
            Member::new(
                name,
                &doc,
                required.contains(&name.as_str()),
                Type::of_schema(schema, root),
            )
        })
        .collect();
    let place = |member: &Member| {
        required
            .iter()
            .position(|name| *name == member.name)
            .unwrap_or(usize::MAX)
    };
    members.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.name.cmp(&b.name)));
    members
}

/// Returns documentation of Rust without its links, on one line.
pub(crate) fn plain(doc: &str) -> String {
    let mut plain = String::new();
    let mut rest = doc.trim();
    while let Some((before, after)) = rest.split_once("[`") {
        let Some((name, after)) = after.split_once("`]") else {
            break;
        };
        plain.push_str(before);
        plain.push_str(&format!("`{name}`"));
        // A link can name its target.
        rest = match after
            .strip_prefix('(')
            .and_then(|target| target.split_once(')'))
        {
            Some((_, after)) => after,
            None => after,
        };
    }
    plain.push_str(rest);
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
