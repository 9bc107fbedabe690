//! What the router makes of prompts that people might type, over the example plugins.

use super::*;
use footlight_vocabulary::json::canonical;
use serde_json::Value;
use std::collections::BTreeMap;

/// What must come out, every row.
const TABLE: &str = include_str!("table.txt");
/// Prompts written before the router was tuned, with what a person would want.
const HELD_OUT: &str = include_str!("held_out.txt");
/// Those of them that it gets wrong, with what it does instead.
const KNOWN: &str = include_str!("known.txt");

/// The same over other tools.
const OTHERS: &str = include_str!("others.txt");

fn others() -> Vec<ToolSpec> {
    let mut all: Vec<ToolSpec> = serde_json::from_str(include_str!("others.json")).expect("tools");
    all.extend(tools().into_iter().filter(|tool| tool.name == ask::TOOL));
    all
}

/// The rows of a table: a prompt, and what is wanted.
fn rows(table: &str) -> impl Iterator<Item = (String, &str)> {
    let lines = table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let (prompt, wanted) = line.split_once(" => ").expect("a row");
        (prompt.replace("\\n", "\n"), wanted)
    })
}

/// What the router does, written as in the tables.
fn done(tools: Vec<ToolSpec>, prompt: &str) -> String {
    let parts = answer(&request(tools, vec![person(prompt)]), today());
    let waiting = parts.iter().find_map(|part| match part {
        ModelPart::Opaque { part, .. } => Some(part),
        _ => None,
    });
    if let Some(part) = waiting {
        let plan: Plan = serde_json::from_str(part).expect("a plan");
        let [call] = plan.calls.as_slice() else {
            panic!("a row asks for one call");
        };
        return format!("ask {} {}", tool::title(&call.tool), plan.asked.join(" "));
    }
    let made: Vec<String> = calls(&parts)
        .iter()
        .map(|call| {
            let input: Value = serde_json::from_str(&call.arguments).expect("JSON");
            format!("{} {}", tool::title(&call.name), canonical(&input))
        })
        .collect();
    if made.is_empty() {
        "nothing".to_owned()
    } else {
        made.join(" & ")
    }
}

fn wrong(tools: &[ToolSpec], rows: impl Iterator<Item = (String, &'static str)>) -> Vec<String> {
    rows.filter_map(|(prompt, wanted)| {
        let done = done(tools.to_vec(), &prompt);
        (done != wanted).then(|| format!("{prompt}\n   wanted {wanted}\n   got    {done}"))
    })
    .collect()
}

#[test]
fn every_prompt_of_the_table_does_what_it_says() {
    let wrong = wrong(&tools(), rows(TABLE));
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn the_table_is_large_and_a_good_part_of_it_calls_nothing() {
    let all = rows(TABLE).count();
    let nothing = rows(TABLE).filter(|(_, wanted)| *wanted == "nothing");
    assert!(all >= 80 && nothing.count() >= 25);
}

#[test]
fn prompts_that_were_held_out_do_what_is_wanted_or_what_is_known() {
    let known: BTreeMap<String, &str> = rows(KNOWN).collect();
    let held_out = || rows(HELD_OUT);
    let expected = held_out().map(|(prompt, wanted)| {
        let instead = known.get(&prompt).copied();
        assert_ne!(instead, Some(wanted), "{prompt} is not wrong any more");
        (prompt, instead.unwrap_or(wanted))
    });
    let wrong = wrong(&tools(), expected);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let names: Vec<String> = held_out().map(|(prompt, _)| prompt).collect();
    assert_eq!(names.len(), 30);
    assert!(known.keys().all(|prompt| names.contains(prompt)));
}

#[test]
fn tools_of_other_kinds_are_served_as_well() {
    let wrong = wrong(&others(), rows(OTHERS));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
