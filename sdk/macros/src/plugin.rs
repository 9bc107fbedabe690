//! `plugin!`: exports the tools from the component, and embeds `plugin.toml` in it.

use crate::members::{fail, plain_name};
use footlight_vocabulary::manifest::Manifest;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use std::collections::HashSet;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, Ident, LitStr, Path, Result, Token, Type, bracketed};

/// The keys of `plugin!(…)`.
#[derive(Default)]
struct Plugin {
    tools: Vec<Path>,
    widgets: Vec<(LitStr, Type)>,
    config: Option<Type>,
    instructions: Option<Expr>,
    no_manifest: bool,
}

const KNOWN: &str = "`tools: [function, …]`, `widgets: [\"name\": Type, …]`, `config: Type`, `instructions: \"…\"`, `manifest: none`";

impl Parse for Plugin {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut plugin = Self::default();
        let mut seen: Vec<Ident> = Vec::new();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            if seen.contains(&name) {
                return fail(&name, format!("`{name}` is given twice"));
            }
            seen.push(name.clone());
            input.parse::<Token![:]>()?;
            match name.to_string().as_str() {
                "tools" => plugin.tools = list(input, Path::parse)?,
                "widgets" => plugin.widgets = list(input, widget)?,
                "config" => plugin.config = Some(input.parse()?),
                "instructions" => plugin.instructions = Some(input.parse()?),
                "manifest" => {
                    let none: Ident = input.parse()?;
                    if none != "none" {
                        let message = "the only value is `manifest: none`; to use `plugin.toml`, remove the key";
                        return fail(none, message);
                    }
                    plugin.no_manifest = true;
                }
                _ => return fail(name, format!("unknown key; `plugin!` takes {KNOWN}")),
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(plugin)
    }
}

fn list<T>(input: ParseStream<'_>, item: fn(ParseStream<'_>) -> Result<T>) -> Result<Vec<T>> {
    let inside;
    bracketed!(inside in input);
    let items = Punctuated::<T, Token![,]>::parse_terminated_with(&inside, item)?;
    Ok(items.into_iter().collect())
}

fn widget(input: ParseStream<'_>) -> Result<(LitStr, Type)> {
    let name: LitStr = input.parse()?;
    let word = name.value();
    let valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if word.is_empty() || !word.chars().all(valid) {
        let message = "the name of a widget type consists of letters, digits, `-`, `_` and `.`";
        return fail(name, message);
    }
    input.parse::<Token![:]>()?;
    Ok((name, input.parse()?))
}

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let (members, rest) = implement(input).unwrap_or_else(|error| {
        // Implements the trait anyway, so that tests of the plugin cause no further errors.
        let members = quote! {
            const TOOLS: &'static [::footlight_sdk::__private::ToolEntry] = &[];
        };
        (members, error.into_compile_error())
    });
    quote! {
        #[doc(hidden)]
        pub struct FootlightPlugin;

        impl ::footlight_sdk::Plugin for FootlightPlugin {
            #members
        }

        #rest
    }
}

/// Returns the members of the implementation of `Plugin`, and the items beside it.
fn implement(input: TokenStream) -> Result<(TokenStream, TokenStream)> {
    let Plugin {
        tools,
        widgets,
        config,
        instructions,
        no_manifest,
    } = syn::parse2(input)?;
    if tools.is_empty() {
        let message = "a plugin needs at least one tool: `plugin!(tools: [function])`";
        return Err(Error::new(Span::call_site(), message));
    }
    let tool_name = |tool: &Path| tool.segments.last().map(|last| plain_name(&last.ident));
    if let Some((tool, name)) = duplicate(&tools, tool_name) {
        return fail(tool, format!("two tools are named `{name}`: rename one"));
    }
    let widget_name = |(name, _): &(LitStr, Type)| Some(name.value());
    if let Some(((widget, _), name)) = duplicate(&widgets, widget_name) {
        let message = format!("the widget type {name:?} is declared twice");
        return fail(widget, message);
    }
    let embed = if no_manifest { None } else { Some(embed()?) };
    let manifest = embed.is_some().then(|| {
        quote! {
            const MANIFEST: ::std::option::Option<&'static str> = ::std::option::Option::Some(
                ::std::include_str!(::std::concat!(::std::env!("CARGO_MANIFEST_DIR"), "/plugin.toml")),
            );
        }
    });
    let instructions = instructions.map(|text| {
        quote!(const INSTRUCTIONS: ::std::option::Option<&'static str> = ::std::option::Option::Some(#text);)
    });
    let config = config.map(|ty| {
        quote! {
            fn config() -> ::std::option::Option<::std::string::String> {
                ::std::option::Option::Some(<#ty as ::footlight_sdk::Config>::schema())
            }
        }
    });
    let widgets = (!widgets.is_empty()).then(|| {
        let (names, types): (Vec<_>, Vec<_>) = widgets.into_iter().unzip();
        quote! {
            fn widgets() -> ::std::vec::Vec<(&'static str, ::std::string::String)> {
                ::std::vec![#((#names, <#types as ::footlight_sdk::__private::HasSchema<_>>::schema())),*]
            }
        }
    });
    let members = quote! {
        #manifest
        const TOOLS: &'static [::footlight_sdk::__private::ToolEntry] =
            &[#(::footlight_sdk::__private::ToolEntry::of::<#tools>()),*];
        #instructions
        #widgets
        #config
    };
    let rest = quote! {
        #[cfg(target_family = "wasm")]
        ::footlight_sdk::bindings::__export!(FootlightPlugin with_types_in ::footlight_sdk::bindings);

        #[cfg(not(target_family = "wasm"))]
        ::footlight_sdk::__register!(FootlightPlugin);

        #embed
    };
    Ok((members, rest))
}

/// Returns the first item with the name of an earlier one, and that name.
fn duplicate<T>(items: &[T], name: impl Fn(&T) -> Option<String>) -> Option<(&T, String)> {
    let mut seen = HashSet::new();
    let mut named = items.iter().filter_map(|item| Some((item, name(item)?)));
    named.find(|(_, name)| !seen.insert(name.clone()))
}

/// Checks `plugin.toml` at compile time and returns the code that embeds it.
fn embed() -> Result<TokenStream> {
    let error = |message: String| Error::new(Span::call_site(), message);
    let Ok(folder) = std::env::var("CARGO_MANIFEST_DIR") else {
        return Err(error(
            "`plugin!` locates plugin.toml with cargo's help: build with cargo".to_owned(),
        ));
    };
    let path = std::path::Path::new(&folder).join("plugin.toml");
    let text = std::fs::read_to_string(path).map_err(|why| {
        error(format!(
            "plugin.toml beside Cargo.toml cannot be read ({why}): write one with `[plugin]`, `id`, `version`, `api` and \
             `description`, or use `plugin!(manifest: none, …)` for a plugin without powers"
        ))
    })?;
    Manifest::parse(&text).map_err(|wrong| error(format!("plugin.toml: {wrong}")))?;
    Ok(
        quote!(::footlight_sdk::__embed_manifest!(::std::concat!(::std::env!("CARGO_MANIFEST_DIR"), "/plugin.toml"));),
    )
}
