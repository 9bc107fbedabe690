//! The macros of `footlight-sdk`: `#[tool]`, `plugin!`, `widget_file!` and `#[derive(Config)]`.
//!
//! They generate the boilerplate of a plugin: the name, description, schema and dispatch of each
//! tool. A mistake causes one compile error, at its location, that says how to fix it;
//! `sdk/tests/mistakes` has a file for each.
//!
//! Invariant: this crate does not depend on the contract. The expansions call
//! `footlight_sdk::__private` and stay the same when the contract grows.

#![forbid(unsafe_code)]

use proc_macro::TokenStream;

mod arguments;
mod config;
mod members;
mod plugin;
mod schema;
mod text;
mod tool;
mod widget_file;

/// Turns a function into a tool. See `footlight_sdk::tool`.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, function: TokenStream) -> TokenStream {
    tool::expand(options.into(), function.into()).into()
}

/// Turns the crate into a plugin. See `footlight_sdk::plugin`.
#[proc_macro]
pub fn plugin(input: TokenStream) -> TokenStream {
    plugin::expand(input.into()).into()
}

/// Makes a tool of a widget file. See `footlight_sdk::widget_file`.
#[proc_macro]
pub fn widget_file(input: TokenStream) -> TokenStream {
    widget_file::expand(input.into()).into()
}

/// Turns a struct into a plugin's settings. See `footlight_sdk::Config`.
#[proc_macro_derive(Config, attributes(setting))]
pub fn config(input: TokenStream) -> TokenStream {
    config::expand(input.into()).into()
}
