//! A plugin with one tool.

#![forbid(unsafe_code)]

use footlight_sdk::prelude::*;

/// Greets somebody by name.
#[tool(read_only, example = "Say hello to Ada")]
fn greet(
    /// Who is greeted.
    name: String,
) -> String {
    format!("Hello, {name}!")
}

plugin!(tools: [greet]);

#[test]
fn greeting_names_the_person() {
    assert_eq!(greet("Ada".into()), "Hello, Ada!");
}
