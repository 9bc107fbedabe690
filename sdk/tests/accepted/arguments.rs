//! Every kind of argument: raw identifiers, none at all, options, lists, bounds and defaults.

#![deny(warnings)]

use footlight_sdk::prelude::*;

const CITY: &str = "Oslo";
const MOST: u8 = 14;
const ORDERS: [&str; 2] = ["asc", "desc"];

/// Says how many arguments it has.
#[tool]
fn none() -> String {
    "none".to_owned()
}

/// Takes arguments named like keywords.
#[tool]
fn r#match(r#type: String, mut r#in: Option<String>) -> String {
    r#in.take().unwrap_or(r#type)
}

/// Takes optional arguments.
#[tool]
fn some(
    list: Vec<String>,
    nested: Vec<Vec<i64>>,
    maybe: Option<f64>,
    maybe_list: Option<Vec<bool>>,
    std_path: std::string::String,
) -> usize {
    list.len() + nested.len() + maybe.iter().len() + maybe_list.iter().len() + std_path.len()
}

/// Takes arguments with every kind of default.
#[tool]
#[allow(clippy::too_many_arguments, reason = "every kind of argument at once")]
fn defaults(
    #[arg(default = "Ada")] text: String,
    #[arg(default = CITY)] constant: String,
    #[arg(default = format!("{CITY}!"))] formatted: String,
    #[arg(default = 5)] number: u8,
    #[arg(default = 5u8)] suffixed: u8,
    #[arg(default = 0xff)] hexadecimal: u8,
    #[arg(default = -5)] negative: i8,
    #[arg(default = -9223372036854775808)] least: i64,
    #[arg(default = i64::MIN)] least_by_name: i64,
    #[arg(default = 18446744073709551615)] greatest: u64,
    #[arg(default = 0.5)] fraction: f64,
    #[arg(default = -2.5e3f32)] suffixed_fraction: f32,
    #[arg(default = true)] truth: bool,
    #[arg(default = 2 + 3)] sum: u8,
    #[arg(default = MOST - 1)] computed: u8,
    #[arg(default = vec!["a".to_owned()])] list: Vec<String>,
    #[arg(default = Vec::new())] empty: Vec<u8>,
    #[arg(default = Some(3))] option: Option<u8>,
) -> String {
    format!(
        "{text} {constant} {formatted} {number} {suffixed} {hexadecimal} {negative} {least} {least_by_name} {greatest} \
         {fraction} {suffixed_fraction} {truth} {sum} {computed} {list:?} {empty:?} {option:?}"
    )
}

/// Takes arguments with every kind of bound.
#[tool]
fn bounds(
    #[arg(range = -5..=5)] number: i32,
    #[arg(range = 0.5..=1.5)] fraction: f64,
    #[arg(range = 1..)] open: u32,
    #[arg(range = ..=MOST)] constant: u8,
    #[arg(range = MOST + 1..=100)] computed: u8,
    #[arg(length = 1..=80)] text: String,
    #[arg(length = 1..=3)] list: Vec<u8>,
    #[arg(length = ..=3)] maybe_list: Option<Vec<u8>>,
    #[arg(one_of = ["asc", "desc"], default = "asc")] order: String,
    #[arg(one_of = [1, -2])] step: Option<i8>,
    #[arg(one_of = ORDERS)] listed: Option<String>,
    #[arg(format = "date")] day: Option<String>,
) -> usize {
    let _ = (number, fraction, open, constant, computed, order, step, listed, day);
    text.len() + list.len() + maybe_list.iter().len()
}

/// A person as an argument.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Person {
    name: String,
}

/// Takes the author's own types.
#[tool]
fn own(person: Person, #[arg(length = 1..=3)] people: Vec<Person>, boss: Option<Person>) -> usize {
    person.name.len() + people.len() + boss.iter().len()
}

/// Takes the whole input as one struct.
#[tool(assess = assess_whole)]
fn whole(stage: &Stage, #[args] person: Person) -> String {
    stage.progress(&person.name);
    person.name
}

fn assess_whole(person: Person) -> Option<Concern> {
    person.name.is_empty().then(|| Concern::new("nobody", "Nobody is named."))
}

/// Destructures the whole input.
#[tool]
fn destructured(#[args] Person { name }: Person) -> String {
    name
}

/// Borrows the stage for a named lifetime.
#[tool]
fn named<'a>(stage: &'a Stage, #[allow(unused_variables, reason = "an attribute of the author stays")] unused: u8) -> String {
    let stage: &'a Stage = stage;
    stage.locale()
}

plugin!(
    manifest: none,
    tools: [none, r#match, some, defaults, bounds, own, whole, destructured, named],
);

fn main() {
    use footlight_sdk::testing;

    let stage = testing::stage();
    let run = |tool, input| testing::run::<FootlightPlugin>(&stage, tool, input).expect("runs").data;
    assert_eq!(run("none", "{}"), r#"{"content":"none"}"#);
    assert_eq!(run("match", r#"{"type":"a","in":"b"}"#), r#"{"content":"b"}"#);
    assert_eq!(
        run("some", r#"{"list":["a","b"],"nested":[[1],[]],"maybe_list":[true],"std_path":"c"}"#),
        "6"
    );
    assert_eq!(
        run("defaults", "{}"),
        "{\"content\":\"Ada Oslo Oslo! 5 5 255 -5 -9223372036854775808 -9223372036854775808 18446744073709551615 \
         0.5 -2500 true 5 13 [\\\"a\\\"] [] Some(3)\"}"
    );
    assert_eq!(run("own", r#"{"person":{"name":"Ada"},"people":[{"name":"Bob"}]}"#), "4");
    assert_eq!(run("whole", r#"{"name":"Ada"}"#), r#"{"content":"Ada"}"#);
    assert_eq!(run("destructured", r#"{"name":"Ada"}"#), r#"{"content":"Ada"}"#);
    assert_eq!(run("named", r#"{"unused":1}"#), r#"{"content":"en-GB"}"#);
    assert!(testing::assess::<FootlightPlugin>("whole", r#"{"name":""}"#).expect("assesses").is_some());
}
