//! The macros of `footlight-sdk`: `#[tool]`, `plugin!` and `#[derive(Config)]`.
//!
//! They write the boring half of a plugin: one function becomes a name, a description, a schema
//! and a dispatch. A mistake is an error at the place where it was made, in words that say what to
//! do; `sdk/tests/mistakes` holds one file for each.
//!
//! Invariant: nothing here knows the contract. What is expanded calls `footlight_sdk::__private`
//! and stays the same when the contract grows.

#![forbid(unsafe_code)]

use proc_macro::TokenStream;

mod text;

mod schema;

mod members;

mod arguments;

mod tool;

mod plugin;

mod config;

/// Makes a function a tool. See `footlight_sdk::tool`.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, function: TokenStream) -> TokenStream {
    tool::expand(options.into(), function.into()).into()
}

/// Makes the crate a plugin. See `footlight_sdk::plugin`.
#[proc_macro]
pub fn plugin(input: TokenStream) -> TokenStream {
    plugin::expand(input.into()).into()
}

/// Makes a struct a plugin's settings. See `footlight_sdk::Config`.
#[proc_macro_derive(Config, attributes(setting))]
pub fn config(input: TokenStream) -> TokenStream {
    config::expand(input.into()).into()
}
