//! The members of an object schema: the arguments of a tool, or the fields of the settings.
//!
//! Both have a name, a type, a doc comment and constraints, and share their schemas and parsing.

use crate::schema;
use crate::text::{Object, Text, array};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::fmt::Display;
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, ExprLit, ExprRange, Ident, Lit, Meta, RangeLimits, Result, Type, UnOp,
};

/// An argument or a setting.
pub(crate) struct Member {
    pub(crate) name: Ident,
    ty: Type,
    default: Option<Expr>,
    keywords: Object,
}

impl Member {
    /// Parses the doc comment and the options of `attribute`, which is `arg` or `setting`.
    pub(crate) fn parse(
        name: Ident,
        ty: Type,
        attributes: &[Attribute],
        attribute: &str,
    ) -> Result<Self> {
        if let Type::Reference(reference) = &ty {
            let message = "this type must be owned, because it is parsed from JSON: use `String` for `&str`, `Vec<T>` for `&[T]`";
            return fail(reference, message);
        }
        if let Type::ImplTrait(any) = &ty {
            return fail(any, "name a concrete type: the model needs one schema");
        }
        let mut member = Self {
            name,
            ty,
            default: None,
            keywords: Object::default(),
        };
        for given in attributes {
            if given.path().is_ident(attribute) {
                given.parse_nested_meta(|option| member.option(attribute, &option))?;
            }
        }
        let docs = docs(attributes);
        if !docs.is_empty() {
            member.keywords.set("description", Text::quoted(&docs));
        }
        Ok(member)
    }

    pub(crate) fn ty(&self) -> &Type {
        &self.ty
    }

    fn option(&mut self, attribute: &str, option: &ParseNestedMeta<'_>) -> Result<()> {
        match option_name(option).as_str() {
            "default" => {
                let default: Expr = option.value()?.parse()?;
                self.keywords.set("default", self.value(&default));
                self.default = Some(default);
            }
            "range" => {
                self.only_for(&["integer", "number"], option, "a number")?;
                self.bounds(option.value()?.parse()?, "minimum", "maximum")?;
            }
            "length" if self.is_a("array") => {
                self.bounds(option.value()?.parse()?, "minItems", "maxItems")?;
            }
            "length" => {
                self.only_for(&["string"], option, "text or a list")?;
                self.bounds(option.value()?.parse()?, "minLength", "maxLength")?;
            }
            "one_of" => {
                // Some models pass `null` for an absent argument.
                let nullable = is_std(&self.ty, "Option");
                let words = match option.value()?.parse()? {
                    Expr::Array(words) => {
                        let mut words: Vec<Text> = words.elems.iter().map(value).collect();
                        words.extend(nullable.then(|| Text::Literal("null".to_owned())));
                        array(words)
                    }
                    word @ Expr::Lit(_) => {
                        return fail(
                            word,
                            "`one_of` takes a list: `[\"a\", \"b\"]`, or the name of one",
                        );
                    }
                    words => Text::Computed(quote_spanned! {span_of(&words)=>
                        ::footlight_sdk::__private::one_of(&(#words)[..], #nullable)
                    }),
                };
                self.keywords.set("enum", words);
            }
            "format" => {
                self.only_for(&["string"], option, "text")?;
                let word: Expr = option.value()?.parse()?;
                self.keywords.set("format", text(&word)?);
            }
            _ => {
                let known = "`default = 5`, `range = 1..=14`, `length = 1..=80`, `one_of = [\"a\", \"b\"]`, `format = \"date\"`";
                let message = format!("unknown option; `#[{attribute}(…)]` takes {known}");
                return Err(option.error(message));
            }
        }
        Ok(())
    }

    fn bounds(&mut self, range: ExprRange, low: &str, high: &str) -> Result<()> {
        if let Some(start) = &range.start {
            self.keywords.set(low, value(start));
        }
        match (&range.end, range.limits) {
            (Some(end), RangeLimits::Closed(_)) => self.keywords.set(high, value(end)),
            (Some(_), RangeLimits::HalfOpen(_)) => {
                return fail(range, "use an inclusive range: `1..=14` instead of `1..15`");
            }
            (None, _) => {}
        }
        Ok(())
    }

    /// Reports whether the JSON type is known and equals `word`. Looks inside an `Option`.
    fn is_a(&self, word: &str) -> bool {
        schema::json_type(&self.ty).as_deref() == Some(word)
    }

    /// Fails if the member has a type to which the option does not apply.
    fn only_for(&self, words: &[&str], option: &ParseNestedMeta<'_>, expected: &str) -> Result<()> {
        match schema::json_type(&self.ty) {
            Some(word) if !words.contains(&word.as_str()) => {
                let (option, ty) = (option_name(option), type_text(&self.ty));
                let message = format!("`{option}` applies to {expected}, and `{ty}` is not one");
                fail(&self.ty, message)
            }
            _ => Ok(()),
        }
    }

    /// Returns a default as JSON text.
    fn value(&self, default: &Expr) -> Text {
        match literal(default) {
            Some(json) => Text::Literal(json),
            None => {
                let (ty, default) = (&self.ty, self.owned(default));
                Text::Computed(quote!(::footlight_sdk::__private::json::<#ty>(&(#default))))
            }
        }
    }

    /// Returns the default as an expression of the member's type. A `&str` becomes a `String`.
    fn owned(&self, default: &Expr) -> TokenStream {
        if is_std(&self.ty, "String") {
            quote!(::std::string::String::from(#default))
        } else {
            quote!(#default)
        }
    }

    fn schema(&self) -> Text {
        if let Some(mut schema) = schema::builtin(&self.ty) {
            for (keyword, json) in self.keywords.members() {
                schema.set(keyword, json.clone());
            }
            return schema.into_text();
        }
        let ty = &self.ty;
        let keywords = self.keywords.members().map(|(keyword, json)| {
            let json = json.clone().into_string();
            quote!((#keyword, #json))
        });
        let name = plain_name(&self.name);
        Text::Computed(argument(ty, "schema", &quote!(#name, &[#(#keywords),*])))
    }

    /// Returns the expression that reads this member from `members: Members`.
    pub(crate) fn read(&self) -> TokenStream {
        let Self {
            name, ty, default, ..
        } = self;
        let name = plain_name(name);
        let members = hygienic("members");
        let read = if schema::builtin(ty).is_some() {
            quote_spanned!(span_of(ty)=> #members.plain::<#ty>(#name)?)
        } else {
            let read = argument(ty, "read", &quote!(&#members, #name));
            quote_spanned!(span_of(ty)=> #read?)
        };
        match default {
            Some(default) => {
                let default = self.owned(default);
                quote!(if #members.has(#name) { #read } else { #default })
            }
            None => read,
        }
    }
}

/// Returns a call of a function of `Argument` for a type. All calls for a type have the same span, so
/// that the compiler reports only once that the type cannot be an argument.
pub(crate) fn argument(ty: &Type, function: &str, arguments: &TokenStream) -> TokenStream {
    let function = Ident::new(function, span_of(ty));
    quote_spanned!(span_of(ty)=> <#ty as ::footlight_sdk::__private::Argument<_>>::#function(#arguments))
}

/// Returns the name of a variable of the expansion, which cannot clash with the author's names.
pub(crate) fn hygienic(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Returns the location of the author's tokens, resolved where the expansion's variables are visible.
pub(crate) fn span_of(tokens: &impl Spanned) -> Span {
    tokens.span().resolved_at(Span::mixed_site())
}

/// Returns an expression for the schema of all members, as JSON text.
pub(crate) fn schema(members: &[Member]) -> TokenStream {
    let mut properties = Object::default();
    let mut required = Vec::new();
    for member in members {
        let name = plain_name(&member.name);
        properties.set(&name, member.schema());
        if member.default.is_none() && !is_std(&member.ty, "Option") {
            required.push(Text::quoted(&name));
        }
    }
    let mut schema = Object::default();
    schema.set("type", Text::quoted("object"));
    schema.set("properties", properties.into_text());
    if !required.is_empty() {
        schema.set("required", array(required));
    }
    // The model can correct a misspelt argument if it learns of it.
    schema.set("additionalProperties", Text::Literal("false".to_owned()));
    schema.into_text().into_string()
}

/// Returns an expression as JSON text.
fn value(expression: &Expr) -> Text {
    match literal(expression) {
        Some(json) => Text::Literal(json),
        None => Text::Computed(quote!(::footlight_sdk::__private::json(&(#expression)))),
    }
}

/// Returns an expression for text, such as a constant, as JSON text.
pub(crate) fn text(expression: &Expr) -> Result<Text> {
    match expression {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Ok(Text::quoted(&text.value())),
        Expr::Lit(other) => fail(other, "expected text: `\"…\"`, or the name of a constant"),
        constant => Ok(Text::Computed(quote_spanned! {span_of(constant)=>
            ::footlight_sdk::__private::json::<str>(#constant)
        })),
    }
}

/// Returns a literal as JSON text, if it is one.
fn literal(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(serde_json::Value::from(text.value()).to_string()),
            Lit::Bool(truth) => Some(truth.value.to_string()),
            Lit::Int(number) => Some(number.base10_parse::<u64>().ok()?.to_string()),
            Lit::Float(number) => {
                let number: f64 = number.base10_parse().ok()?;
                Some(serde_json::Value::from(number).to_string())
            }
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => match &*unary.expr {
            Expr::Lit(number) if matches!(number.lit, Lit::Int(_) | Lit::Float(_)) => {
                literal(&unary.expr).map(|number| format!("-{number}"))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns a name as it appears in JSON: `type` for `r#type`.
pub(crate) fn plain_name(name: &Ident) -> String {
    name.unraw().to_string()
}

/// Returns the name of an attribute's option.
pub(crate) fn option_name(option: &ParseNestedMeta<'_>) -> String {
    let name = option.path.get_ident();
    name.map(ToString::to_string).unwrap_or_default()
}

/// Returns a compile error that points at `tokens`.
pub(crate) fn fail<T>(tokens: impl ToTokens, message: impl Display) -> Result<T> {
    Err(Error::new_spanned(tokens, message))
}

/// Returns the doc comment without the space that starts each line.
pub(crate) fn docs(attributes: &[Attribute]) -> String {
    let mut docs = String::new();
    for attribute in attributes {
        if let Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
            && let Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) = &pair.value
        {
            let text = text.value();
            docs.push_str(text.strip_prefix(' ').unwrap_or(&text).trim_end());
            docs.push('\n');
        }
    }
    docs.trim().to_owned()
}

/// Reports whether a type is written as `name` or `name<…>`, with or without a path.
pub(crate) fn is_named(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|segment| segment.ident == name))
}

/// As [`is_named`], for a name without a path or with a path into the standard library.
pub(crate) fn is_std(ty: &Type, name: &str) -> bool {
    let Type::Path(path) = ty else { return false };
    let segments = &path.path.segments;
    let crates = ["std", "core", "alloc"];
    let standard = segments.len() == 1 || crates.iter().any(|name| segments[0].ident == name);
    standard && path.qself.is_none() && is_named(ty, name)
}

/// Formats a type as its author would write it.
pub(crate) fn type_text(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    text.replace(" :: ", "::").replace("& ", "&")
}
