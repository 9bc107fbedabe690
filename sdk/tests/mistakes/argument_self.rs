//! A method as a tool.

use footlight_sdk::prelude::*;

struct Greeter;

impl Greeter {
    /// Greets somebody.
    #[tool]
    fn greet(&self, name: String) -> String {
        name
    }
}

fn main() {}
