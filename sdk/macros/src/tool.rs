//! `#[tool]`: generates the name, description, schema and dispatch of a tool from a function.

use crate::arguments::{Arguments, take_attributes};
use crate::members::{docs, fail, hygienic, is_named, option_name, plain_name, span_of, text};
use crate::text::{Object, Text, array};
use footlight_vocabulary::function::is_id;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::meta::ParseNestedMeta;
use syn::parse::Parser;
use syn::{
    Attribute, Error, GenericParam, ItemFn, LitStr, Path, PathArguments, Result, ReturnType, Type,
};

/// The options of `#[tool(…)]`.
#[derive(Default)]
struct Options {
    /// Boolean traits, as the vocabulary spells them.
    flags: Vec<&'static str>,
    title: Option<Text>,
    examples: Vec<Text>,
    approval: Option<LitStr>,
    requests: Vec<Text>,
    audience: Option<LitStr>,
    assess: Option<Path>,
    output: Option<Type>,
}

const KNOWN: &str = "`read_only`, `destructive`, `idempotent`, `open_world`, `asks`, `title = \"…\"`, `example = \"…\"`, \
     `approval = \"always\"`, `requests = \"action\"`, `audience = \"user\"`, `assess = function`, `output = Type`";

impl Options {
    fn parse(tokens: TokenStream) -> Result<Self> {
        let mut options = Self::default();
        syn::meta::parser(|option| options.option(&option)).parse2(tokens)?;
        let word = options.approval.as_ref().map(LitStr::value);
        let wrong = match (word.as_deref(), &options.assess) {
            (Some("assess"), None) => "name the function that decides: `assess = function`",
            (Some("never"), Some(_)) => {
                "`assess = function` decides about approval: remove this option"
            }
            _ => return Ok(options),
        };
        fail(&options.approval, wrong)
    }

    fn option(&mut self, option: &ParseNestedMeta<'_>) -> Result<()> {
        match option_name(option).as_str() {
            "read_only" => self.flags.push("readOnly"),
            "destructive" => self.flags.push("destructive"),
            "idempotent" => self.flags.push("idempotent"),
            "open_world" => self.flags.push("openWorld"),
            "asks" => self.flags.push("asks"),
            "title" => self.title = Some(text(&option.value()?.parse()?)?),
            "example" => self.examples.push(text(&option.value()?.parse()?)?),
            "approval" => self.approval = Some(one_of(option, &["never", "always", "assess"])?),
            "requests" => self.requests.push(text(&option.value()?.parse()?)?),
            "audience" => self.audience = Some(one_of(option, &["model", "user", "both"])?),
            "assess" => self.assess = Some(option.value()?.parse()?),
            "output" => self.output = Some(option.value()?.parse()?),
            _ => return Err(option.error(format!("unknown option; `#[tool(…)]` takes {KNOWN}"))),
        }
        if self.flags.contains(&"readOnly") && self.flags.contains(&"destructive") {
            return Err(option.error("a tool cannot be both `read_only` and `destructive`"));
        }
        Ok(())
    }

    /// Returns an expression for the tool's traits, as JSON text.
    fn traits(&self) -> TokenStream {
        let mut traits = Object::default();
        for flag in &self.flags {
            traits.set(flag, Text::Literal("true".to_owned()));
        }
        if let Some(title) = &self.title {
            traits.set("title", title.clone());
        }
        for (name, texts) in [("examples", &self.examples), ("requests", &self.requests)] {
            if !texts.is_empty() {
                traits.set(name, array(texts.iter().cloned()));
            }
        }
        if let Some(approval) = &self.approval {
            traits.set("approval", Text::quoted(&approval.value()));
        } else if self.assess.is_some() {
            traits.set("approval", Text::quoted("assess"));
        }
        if let Some(audience) = self.audience.as_ref().map(LitStr::value) {
            let words = match audience.as_str() {
                "both" => vec!["model", "user"],
                word => vec![word],
            };
            traits.set("audience", array(words.into_iter().map(Text::quoted)));
        }
        if let Some(ty) = &self.output {
            let schema = quote!(<#ty as ::footlight_sdk::__private::HasSchema<_>>::schema());
            traits.set("outputSchema", Text::Computed(schema));
        }
        traits.into_text().into_string()
    }
}

fn one_of(option: &ParseNestedMeta<'_>, words: &[&str]) -> Result<LitStr> {
    let word: LitStr = option.value()?.parse()?;
    if words.contains(&word.value().as_str()) {
        return Ok(word);
    }
    let words = words.join("\"`, `\"");
    fail(word, format!("expected one of `\"{words}\"`"))
}

pub(crate) fn expand(options: TokenStream, function: TokenStream) -> TokenStream {
    let mut function: ItemFn = match syn::parse2(function) {
        Ok(function) => function,
        Err(error) => {
            let words = format!("`#[tool]` applies to a function: {error}");
            return Error::new(error.span(), words).into_compile_error();
        }
    };
    // Done first, because the function must compile without these attributes even after an error.
    let attributes = take_attributes(&mut function);
    let made =
        Options::parse(options).and_then(|options| Bodies::of(&options, &function, &attributes));
    match made {
        Ok(bodies) => bodies.implement(&function),
        Err(error) => {
            let error = error.into_compile_error();
            // A method cannot be emitted as a free function.
            let placeholder = (function.sig.receiver().is_none())
                .then(|| Bodies::placeholder().implement(&function));
            quote!(#error #placeholder)
        }
    }
}

/// The tool's name, and the bodies of the functions of `Tool`.
struct Bodies {
    name: String,
    describe: TokenStream,
    assess: TokenStream,
    run: TokenStream,
}

impl Bodies {
    fn of(options: &Options, function: &ItemFn, attributes: &[Vec<Attribute>]) -> Result<Self> {
        check_signature(function)?;
        let description = docs(&function.attrs);
        let name = &function.sig.ident;
        let plain = plain_name(name);
        if description.is_empty() {
            let message = format!(
                "tool `{plain}` has no description: add a doc comment that tells the model when to call it"
            );
            return fail(name, message);
        }
        let arguments = Arguments::read(function, attributes)?;
        let traits = options.traits();
        let schema = arguments.schema();
        let (bind, values) = arguments.bind();
        let assess = match &options.assess {
            Some(path) => {
                let types = arguments.types();
                // A function pointer, so that wrong arguments cause one error, at the function's name.
                quote_spanned! {span_of(path)=>
                    let assess: fn(#(#types),*) -> _ = #path;
                    #bind
                    ::footlight_sdk::__private::Assessment::concern(assess(#(#values),*))
                }
            }
            None => quote!(::std::result::Result::Ok(::std::option::Option::None)),
        };
        let stage = hygienic("stage");
        let lent = arguments.stage.then(|| quote!(#stage,));
        let call = quote!(#name(#lent #(#values),*));
        let outcome = match &function.sig.output {
            ReturnType::Type(_, ty) if is_named(ty, "Result") => {
                let (value, error) = result_spans(ty);
                let failure =
                    quote_spanned!(error=> |error| ::footlight_sdk::__private::failure(error));
                let value = quote_spanned!(value=> ::footlight_sdk::__private::outcome(returned));
                quote_spanned! {Span::mixed_site()=>
                    let returned = #call.map_err(#failure)?;
                    #value
                }
            }
            ReturnType::Type(_, ty) => quote_spanned! {span_of(ty)=>
                let returned = #call;
                ::footlight_sdk::__private::outcome(returned)
            },
            ReturnType::Default => quote! {
                #call;
                ::footlight_sdk::__private::outcome(())
            },
        };
        let describe = quote! {
            ::footlight_sdk::__private::ToolDescription {
                name: ::std::string::String::from(#plain),
                description: ::std::string::String::from(#description),
                input_schema: #schema,
                traits: #traits,
            }
        };
        let run = quote!(#bind #outcome);
        Ok(Self {
            name: plain,
            describe,
            assess,
            run,
        })
    }

    /// Returns the bodies of a tool that failed to compile, so that uses of it cause no further errors.
    fn placeholder() -> Self {
        let body = quote!(::std::unreachable!());
        Self {
            name: String::new(),
            describe: body.clone(),
            assess: body.clone(),
            run: body,
        }
    }

    /// Returns the function, and a tool type with the function's name.
    fn implement(&self, function: &ItemFn) -> TokenStream {
        let Self {
            name: plain,
            describe,
            assess,
            run,
        } = self;
        let (name, visibility) = (&function.sig.ident, &function.vis);
        let (stage, input) = (hygienic("stage"), hygienic("input"));
        quote! {
            #function

            #[doc(hidden)]
            #[allow(non_camel_case_types, reason = "the type has the function's name")]
            #visibility struct #name {}

            impl ::footlight_sdk::__private::Tool for #name {
                const NAME: &'static str = #plain;

                fn describe() -> ::footlight_sdk::__private::ToolDescription {
                    #describe
                }

                fn assess(
                    #input: &str,
                ) -> ::footlight_sdk::Result<::std::option::Option<::footlight_sdk::Concern>> {
                    let _ = #input;
                    #assess
                }

                fn run(
                    #stage: &::footlight_sdk::Stage,
                    #input: &str,
                ) -> ::footlight_sdk::Result<::footlight_sdk::__private::Outcome> {
                    let _ = (#stage, #input);
                    #run
                }
            }
        }
    }
}

/// Returns the spans of the two types of a `Result`, for errors about each.
fn result_spans(ty: &Type) -> (Span, Span) {
    let whole = span_of(ty);
    let Type::Path(path) = ty else {
        return (whole, whole);
    };
    let Some(PathArguments::AngleBracketed(arguments)) =
        path.path.segments.last().map(|last| &last.arguments)
    else {
        return (whole, whole);
    };
    let mut sides = arguments.args.iter().map(span_of);
    let value = sides.next().unwrap_or(whole);
    (value, sides.next().unwrap_or(whole))
}

fn check_signature(function: &ItemFn) -> Result<()> {
    let signature = &function.sig;
    if let Some(asyncness) = &signature.asyncness {
        let message =
            "a tool cannot be async: waiting for a person or a server blocks only its own call";
        return fail(asyncness, message);
    }
    if let Some(unsafety) = &signature.unsafety {
        let message = "a tool cannot be unsafe: the model cannot uphold safety requirements";
        return fail(unsafety, message);
    }
    let parameter = |parameter: &&GenericParam| !matches!(parameter, GenericParam::Lifetime(_));
    if let Some(parameter) = signature.generics.params.iter().find(parameter) {
        return fail(
            parameter,
            "a tool cannot be generic: name concrete types, because the model needs one schema",
        );
    }
    let name = plain_name(&signature.ident);
    if !is_id(&name) {
        let message = format!(
            "`{name}` is not a valid tool name: use at most 31 lower-case letters, digits and single `_`, starting with a letter"
        );
        return fail(&signature.ident, message);
    }
    Ok(())
}
