//! Components that are small and valid, but far too expensive to compile.

use super::assembly::assemble_around;
use super::{Attack, Ends};
use std::fmt::Write;

/// Returns every attack on the compiler. Each is refused before it is compiled: compilation cannot be stopped.
pub(crate) fn heavy() -> Vec<Attack> {
    let function = |name: &str, says: &'static [&'static str], text: String| {
        attack(name, says, "", &format!("(func {text})"))
    };
    let joins = |count: usize| "(block (br_if 0 (local.get 0)))".repeat(count);
    let values = "(i32.load (local.get 0))".repeat(4_000);
    let locals = |count: usize| format!("(param i32) (local{})", " i32".repeat(count));
    let one = &["too much to compile", "steps to compile one function"];
    vec![
        attack(
            "components that double",
            &["too much to compile", "instances"],
            &doubling(40),
            "",
        ),
        attack(
            "a component handed to another",
            &["handed"],
            r#"(component (import "it" (component $it)) (instance (instantiate $it)))"#,
            "",
        ),
        attack(
            "a component in an instance",
            &["handed"],
            r#"(component (import "in" (instance $in (export "it" (component))))
                 (alias export $in "it" (component $it)) (instance (instantiate $it)))"#,
            "",
        ),
        function(
            "20,000 variables",
            &["too much to compile", "variables"],
            locals(20_000),
        ),
        function(
            "4,000 variables through 4,000 joins",
            one,
            format!("{} {}", locals(4_000), joins(4_000)),
        ),
        function(
            "4,000 values through 4,000 joins",
            one,
            format!("(param i32) {values} {} unreachable", joins(4_000)),
        ),
        function(
            "60,000 ways for 200 values",
            one,
            format!(
                "(param i32) {} (br_table{} (local.get 0)) unreachable",
                &values[..200 * values.len() / 4_000],
                " 0".repeat(60_000)
            ),
        ),
        function(
            "200 arguments",
            &["too much to compile", "arguments"],
            format!("(param{})", " i32".repeat(200)),
        ),
        function(
            "6,000 blocks within each other",
            &["too much to compile", "blocks"],
            format!("{}{}", "block ".repeat(6_000), "end ".repeat(6_000)),
        ),
        function(
            "12,000 calls into the runtime",
            one,
            format!(
                "(param i32) {}",
                "(drop (memory.grow (local.get 0)))".repeat(12_000)
            ),
        ),
        function(
            "1,000 variables through 4,000 calls into the runtime",
            one,
            format!(
                "{} {}",
                locals(1_000),
                "(drop (memory.grow (local.get 0)))".repeat(4_000)
            ),
        ),
        function("8,000 loops", one, "(loop)".repeat(8_000)),
        attack(
            "390 KB of calls into the runtime",
            &["too much to compile", "steps to compile,"],
            "",
            &format!(
                "(func (param i32) {})",
                "(drop (memory.grow (local.get 0)))".repeat(2_000)
            )
            .repeat(40),
        ),
        attack(
            "much of what alone is allowed",
            &["too much to compile", "steps to compile,"],
            "",
            &format!("(func {} {})", locals(1_500), joins(1_200)).repeat(60),
        ),
    ]
}

/// Nests components, each of which instantiates the previous one twice.
fn doubling(count: usize) -> String {
    let mut text = "(component $c0)".to_owned();
    for at in 0..count {
        let one = format!("(instance (instantiate $c{at}))");
        // Writing to a string cannot fail.
        let _ = write!(text, "(component $c{} {one} {one})", at + 1);
    }
    text + &format!("(instance (instantiate $c{count}))")
}

fn attack(name: &str, says: &'static [&'static str], component: &str, module: &str) -> Attack {
    Attack {
        name: name.to_owned(),
        component: assemble_around(name, component, module),
        ends: Ends::Refused(says),
    }
}
