//! `#[derive(Config)]`: implements a plugin's settings for a struct.

use crate::members::{self, Member, fail, hygienic};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DataStruct, DeriveInput, Fields, Result};

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let (error, schema, parse) = match read(&input) {
        Ok((schema, parse)) => (None, schema, parse),
        // Implements the trait anyway, so that uses of the type cause no further errors.
        Err(error) => {
            let nothing = quote!(::std::unreachable!());
            (Some(error.into_compile_error()), nothing.clone(), nothing)
        }
    };
    let name = &input.ident;
    let json = hygienic("json");
    let (generics, types, bounds) = input.generics.split_for_impl();
    quote! {
        #error

        impl #generics ::footlight_sdk::Config for #name #types #bounds {
            fn schema() -> ::std::string::String {
                #schema
            }

            fn parse(#json: &str) -> ::footlight_sdk::Result<Self> {
                let _ = #json;
                #parse
            }
        }
    }
}

/// Returns the bodies of `schema` and `parse`.
fn read(input: &DeriveInput) -> Result<(TokenStream, TokenStream)> {
    let Data::Struct(DataStruct {
        fields: Fields::Named(fields),
        ..
    }) = &input.data
    else {
        let message = "settings must be a struct with a named field for each setting";
        return fail(&input.ident, message);
    };
    let members = fields.named.iter().filter_map(|field| {
        let name = field.ident.clone()?;
        Some(Member::parse(
            name,
            field.ty.clone(),
            &field.attrs,
            "setting",
        ))
    });
    let members = members.collect::<Result<Vec<_>>>()?;
    let read = members.iter().map(|member| {
        let (name, read) = (&member.name, member.read());
        quote!(#name: #read)
    });
    let (parsed, json) = (hygienic("members"), hygienic("json"));
    let parse = quote! {
        let #parsed = ::footlight_sdk::__private::Members::settings(#json)?;
        let _ = &#parsed;
        ::std::result::Result::Ok(Self { #(#read),* })
    };
    Ok((members::schema(&members), parse))
}
