//! `widget_file!`: makes a tool of a widget file, as the ChatKit Widget Builder writes it.
//!
//! `file` reads the file and says where it is wrong; this module writes the tool.

#[cfg(feature = "widget-files")]
mod file;
#[cfg(feature = "widget-files")]
mod sample;

use crate::members::{docs, fail, hygienic, plain_name};
#[cfg(feature = "widget-files")]
use footlight_vocabulary::function::is_id;
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, LitStr, Result, Token, Visibility};

/// `/// Docs` `pub(crate) name = "path"`.
struct WidgetFile {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    path: LitStr,
}

impl Parse for WidgetFile {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        if input.peek(LitStr) {
            let message = "name the tool: `widget_file!(flight = \"flight.widget\")`";
            return Err(input.error(message));
        }
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        let path = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        Ok(Self {
            attributes,
            visibility,
            name,
            path,
        })
    }
}

/// What a tool needs of a widget file.
struct Contents {
    /// The name of the widget.
    title: String,
    /// The JSON Schema of the input, as JSON text.
    schema: String,
    template: String,
}

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let file: WidgetFile = match syn::parse2(input) {
        Ok(file) => file,
        Err(error) => return error.into_compile_error(),
    };
    file.contents().map_or_else(
        |error| {
            let error = error.into_compile_error();
            // Implements the tool anyway, so that `plugin!` causes no further errors.
            let placeholder = file.implement(&Contents {
                title: String::new(),
                schema: String::new(),
                template: String::new(),
            });
            quote!(#error #placeholder)
        },
        |contents| file.implement(&contents),
    )
}

impl WidgetFile {
    #[cfg(not(feature = "widget-files"))]
    fn contents(&self) -> Result<Contents> {
        let message = "widget files need a feature of the SDK: `footlight-sdk = { …, features = [\"widget-files\"] }`";
        fail(&self.name, message)
    }

    #[cfg(feature = "widget-files")]
    fn contents(&self) -> Result<Contents> {
        let name = plain_name(&self.name);
        if !is_id(&name) {
            let message = format!(
                "`{name}` is not a valid tool name: use at most 31 lower-case letters, digits and single `_`, starting with a letter"
            );
            return fail(&self.name, message);
        }
        let path = self.path.value();
        // As `include_str!` finds it.
        let source = self.path.span().unwrap().local_file().unwrap_or_default();
        let text = std::fs::read_to_string(source.with_file_name(&path));
        let text = match text {
            Ok(text) => text,
            Err(why) => {
                let message = format!(
                    "{path} cannot be read ({why}): the path is relative to this source file"
                );
                return fail(&self.path, message);
            }
        };
        file::read(&text).or_else(|problem| fail(&self.path, problem.in_file(&path, &text)))
    }

    fn implement(&self, contents: &Contents) -> TokenStream {
        let Self {
            visibility,
            name,
            path,
            attributes,
        } = self;
        let Contents {
            title,
            schema,
            template,
        } = contents;
        let plain = plain_name(name);
        let description = docs(attributes);
        let description = match description.is_empty() {
            true => format!("Shows the widget `{title}` to the person."),
            false => description,
        };
        let traits = serde_json::json!({ "readOnly": true, "title": title }).to_string();
        let (stage, input) = (hygienic("stage"), hygienic("input"));
        // Also makes the compiler read the file again when it changes. A file that is wrong may be absent.
        let tracked = (!template.is_empty()).then(|| {
            quote!(
                const _: &str = ::std::include_str!(#path);
            )
        });
        let show = cfg!(feature = "widget-files").then(
            || quote!(::footlight_sdk::__private::show_widget_file(#stage, #template, #input)),
        );
        let show = show.unwrap_or_else(|| quote!(::std::unreachable!()));
        let run = cfg!(feature = "widget-files").then(
            || quote!(::footlight_sdk::__private::run_widget_file(#stage, #template, #input)),
        );
        let run = run.unwrap_or_else(|| quote!(::std::unreachable!()));
        quote! {
            #(#attributes)*
            #[doc = ""]
            #[doc = ::std::concat!("# Errors\nIf the input does not suit the template of `", #path, "`, or the widget cannot be shown.")]
            #[allow(dead_code, reason = "for tests; a host runs the tool")]
            #visibility fn #name(
                #stage: &::footlight_sdk::Stage,
                #input: &::footlight_sdk::__private::Value,
            ) -> ::footlight_sdk::Result<()> {
                let _ = (#stage, #input);
                #show
            }

            #[doc(hidden)]
            #[allow(non_camel_case_types, reason = "the type has the tool's name")]
            #visibility struct #name {}

            #tracked

            impl ::footlight_sdk::__private::Tool for #name {
                const NAME: &'static str = #plain;

                fn describe() -> ::footlight_sdk::__private::ToolDescription {
                    ::footlight_sdk::__private::ToolDescription {
                        name: ::std::string::String::from(#plain),
                        description: ::std::string::String::from(#description),
                        input_schema: ::std::string::String::from(#schema),
                        traits: ::std::string::String::from(#traits),
                    }
                }

                fn assess(
                    _: &str,
                ) -> ::footlight_sdk::Result<::std::option::Option<::footlight_sdk::Concern>> {
                    ::std::result::Result::Ok(::std::option::Option::None)
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
