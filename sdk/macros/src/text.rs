//! JSON text, written at compile time as far as possible.
//!
//! The parts that the macro knows are literals. The parts known only at run time (the schema of an
//! author's own type, a computed default) are expressions. The schema of a tool with common argument
//! types is a single literal, which keeps the plugin small.

use proc_macro2::TokenStream;
use quote::quote;

/// A piece of JSON text.
#[derive(Clone)]
pub(crate) enum Text {
    /// Text known at compile time.
    Literal(String),
    /// An expression of type `String`.
    Computed(TokenStream),
}

impl Text {
    /// Returns a JSON string, quoted and escaped.
    pub(crate) fn quoted(text: &str) -> Self {
        Self::Literal(serde_json::Value::from(text).to_string())
    }

    /// Returns an expression of type `String`.
    pub(crate) fn into_string(self) -> TokenStream {
        match self {
            Self::Literal(text) => quote!(::std::string::String::from(#text)),
            Self::Computed(text) => text,
        }
    }
}

/// A JSON object, in order. Setting a member again replaces its value.
#[derive(Clone, Default)]
pub(crate) struct Object(Vec<(String, Text)>);

impl Object {
    pub(crate) fn set(&mut self, name: &str, value: Text) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Text> {
        let member = self.members().find(|(known, _)| *known == name);
        member.map(|(_, value)| value)
    }

    pub(crate) fn members(&self) -> impl Iterator<Item = (&str, &Text)> {
        self.0.iter().map(|(name, text)| (name.as_str(), text))
    }

    pub(crate) fn into_text(self) -> Text {
        let member = |(name, value): (String, Text)| {
            let name = serde_json::Value::from(name);
            vec![Text::Literal(format!("{name}:")), value]
        };
        delimited("{", self.0.into_iter().map(member), "}")
    }
}

/// Returns a JSON array.
pub(crate) fn array(items: impl IntoIterator<Item = Text>) -> Text {
    delimited("[", items.into_iter().map(|item| vec![item]), "]")
}

fn delimited(open: &str, items: impl Iterator<Item = Vec<Text>>, close: &str) -> Text {
    let mut pieces = vec![Text::Literal(open.to_owned())];
    for (index, item) in items.enumerate() {
        if index > 0 {
            pieces.push(Text::Literal(",".to_owned()));
        }
        pieces.extend(item);
    }
    pieces.push(Text::Literal(close.to_owned()));
    join(pieces)
}

fn join(pieces: Vec<Text>) -> Text {
    let mut joined: Vec<Text> = Vec::new();
    for piece in pieces {
        match (joined.last_mut(), piece) {
            (Some(Text::Literal(before)), Text::Literal(text)) => before.push_str(&text),
            (_, piece) => joined.push(piece),
        }
    }
    if let [Text::Literal(whole)] = joined.as_slice() {
        return Text::Literal(whole.clone());
    }
    let parts = joined.into_iter().map(|piece| match piece {
        Text::Literal(text) => quote!(#text),
        Text::Computed(text) => quote!(&*#text),
    });
    Text::Computed(quote!([#(#parts),*].concat()))
}
