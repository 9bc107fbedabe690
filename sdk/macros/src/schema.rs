//! The JSON Schema of common types, known at compile time.
//!
//! Types are recognised by their spelling. Any other type gets its schema from `schemars`, at run
//! time.

use crate::members::is_std;
use crate::text::{Object, Text};
use syn::{GenericArgument, PathArguments, Type};

/// Returns the schema of a common type, as the members of an object.
pub(crate) fn builtin(ty: &Type) -> Option<Object> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last().filter(|_| path.qself.is_none())?;
    let inner = match &segment.arguments {
        PathArguments::None => None,
        PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
            Some(GenericArgument::Type(inner)) if arguments.args.len() == 1 => Some(inner),
            _ => return None,
        },
        PathArguments::Parenthesized(_) => return None,
    };
    let name = segment.ident.to_string();
    if !is_std(ty, &name) {
        return None;
    }
    match (name.as_str(), inner) {
        ("String", None) => Some(typed("string", &[])),
        ("bool", None) => Some(typed("boolean", &[])),
        ("f32" | "f64", None) => Some(typed("number", &[])),
        ("i8", None) => Some(integer(i8::MIN, i8::MAX)),
        ("i16", None) => Some(integer(i16::MIN, i16::MAX)),
        ("i32", None) => Some(integer(i32::MIN, i32::MAX)),
        // No bounds: many JSON parsers do not represent 64-bit integers exactly.
        ("i64" | "isize", None) => Some(typed("integer", &[])),
        ("u8", None) => Some(integer(u8::MIN, u8::MAX)),
        ("u16", None) => Some(integer(u16::MIN, u16::MAX)),
        ("u32", None) => Some(integer(u32::MIN, u32::MAX)),
        ("u64" | "usize", None) => Some(typed("integer", &[("minimum", "0".to_owned())])),
        ("Vec", Some(inner)) => {
            let mut array = typed("array", &[]);
            array.set("items", builtin(inner)?.into_text());
            Some(array)
        }
        ("Option", Some(inner)) => {
            let mut schema = builtin(inner)?;
            let Text::Literal(word) = schema.get("type")? else {
                return None;
            };
            let nullable = Text::Literal(format!("[{word},\"null\"]"));
            schema.set("type", nullable);
            Some(schema)
        }
        _ => None,
    }
}

/// Returns the JSON type of a common type, such as `string`. Looks inside an `Option`.
pub(crate) fn json_type(ty: &Type) -> Option<String> {
    match builtin(ty)?.get("type")? {
        Text::Literal(word) => word.split('"').nth(1).map(str::to_owned),
        Text::Computed(_) => None,
    }
}

fn integer(minimum: impl ToString, maximum: impl ToString) -> Object {
    let (minimum, maximum) = (minimum.to_string(), maximum.to_string());
    typed("integer", &[("minimum", minimum), ("maximum", maximum)])
}

fn typed(word: &str, keywords: &[(&str, String)]) -> Object {
    let mut schema = Object::default();
    schema.set("type", Text::quoted(word));
    for (keyword, json) in keywords {
        schema.set(keyword, Text::Literal(json.clone()));
    }
    schema
}
