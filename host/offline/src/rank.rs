//! Chooses the tool that a prompt describes.
//!
//! Two questions are separate. *Is the prompt about this tool at all?* requires evidence (words of
//! the tool, weighted as in BM25, compared with other plugins) and coverage (nearly every word of
//! the prompt is a word of the tool or a value of a slot), or the likeness to an example. *Which of
//! the matching tools is best?* is a ranking, which also counts filled slots.
//!
//! Invariant: the same prompt and tools give the same result, and a tie calls no tool.

use super::day::Day;
use super::fill::{Filled, fill};
use super::prompt::{Kind, Token};
use super::tool::{Shape, Tool};
use super::words;
use std::collections::{BTreeMap, BTreeSet};

/// The saturation of repeated words (k1 of BM25).
const SATURATION: f64 = 1.2;
/// The weight of a word that is common in descriptions.
const WEAK: f64 = 0.3;
/// The least evidence for a call, and for a question about missing input.
const ENOUGH: f64 = 0.4;
const ENOUGH_TO_ASK: f64 = 0.62;
/// The least coverage for a call.
const COVERED: f64 = 0.7;
/// The likeness to an example that needs no other evidence.
const ALIKE: f64 = 0.9;
/// The difference in rank below which two tools tie.
const TIE: f64 = 0.03;
/// The number of tools whose slots are filled.
const MOST_FILLED: usize = 12;

/// The tools that a prompt matches, as indices.
#[derive(Debug)]
pub(super) enum Meaning {
    /// One tool, with the input found in the prompt.
    One(usize, Filled),
    /// Several tools, tied.
    Several(Vec<usize>),
    /// No tool; these are the nearest.
    None(Vec<usize>),
}

/// Matches a prompt against tools.
pub(super) fn meaning(tools: &[&Tool<'_>], text: &str, tokens: &[Token], today: Day) -> Meaning {
    let index = Index::new(tools);
    let scores = tools
        .iter()
        .map(|tool| index.score(tool, tokens, &[], Scale::Tools) + likeness(tool, tokens, &[]));
    let near = scores.enumerate().filter(|(_, score)| *score > 0.0);
    let mut near: Vec<(usize, f64)> = near.collect();
    near.sort_by(|a, b| b.1.total_cmp(&a.1));
    let judged = near.iter().take(MOST_FILLED);
    let judged = judged.map(|(at, _)| judge(&index, *at, tools[*at], text, tokens, today));
    let mut judged: Vec<Judged> = judged.collect();
    judged.sort_by(|a, b| b.rank.total_cmp(&a.rank));
    let nearest = || near.iter().take(3).map(|(at, _)| *at).collect();
    let is_denied = |judged: &Judged| {
        let mut said = tokens.iter().zip(&judged.filled.used);
        said.any(|(token, used)| !used && words::is_negation(&token.lower))
    };
    let judged = judged.into_iter();
    let mut meant = judged.filter(|one| one.is_meant && !is_denied(one));
    let Some(best) = meant.next() else {
        return Meaning::None(nearest());
    };
    match meant.next() {
        Some(second) if best.rank - second.rank < TIE => {
            let (one, other) = (tools[best.at], tools[second.at]);
            if one.is_plainer_than(other) {
                Meaning::One(best.at, best.filled)
            } else if other.is_plainer_than(one) {
                Meaning::One(second.at, second.filled)
            } else {
                Meaning::Several(vec![best.at, second.at])
            }
        }
        _ => Meaning::One(best.at, best.filled),
    }
}

struct Judged {
    at: usize,
    rank: f64,
    is_meant: bool,
    filled: Filled,
}

fn judge(
    index: &Index<'_>,
    at: usize,
    tool: &Tool<'_>,
    text: &str,
    tokens: &[Token],
    today: Day,
) -> Judged {
    let filled = fill(tool, text, tokens, today);
    let evidence = index.score(tool, tokens, &filled.used, Scale::Plugins);
    let likeness = likeness(tool, tokens, &filled.used);
    let coverage = coverage(tool, tokens, &filled.used);
    let missing = tool.slots.iter().filter(|s| s.is_missing(&filled.input));
    let missing = missing.count() + filled.misfits.len();
    let free = || tokens.iter().zip(&filled.used).filter(|(_, used)| !**used);
    // A question needs a word of the tool itself, not only one of its plugin.
    let may_ask = free().any(|(token, _)| token.is_content() && tool.says(&token.stem));
    let is_enough = match missing {
        0 => evidence >= ENOUGH,
        _ => evidence >= ENOUGH_TO_ASK && may_ask,
    };
    let is_meant = likeness >= ALIKE || (is_enough && coverage >= COVERED);
    let incomplete = if missing > 0 { 0.4 } else { 0.0 };
    let example = if likeness >= ALIKE { 0.5 } else { 0.0 };
    let rank = index.score(tool, tokens, &filled.used, Scale::Tools)
        + 0.4 * likeness
        + 0.5 * coverage
        + 0.6 * tool.named(tokens)
        + example
        - incomplete;
    Judged {
        at,
        rank,
        is_meant,
        filled,
    }
}

/// What the rarity of a word is counted over.
#[derive(Clone, Copy)]
enum Scale {
    /// A word in all tools of one plugin is still specific to that plugin.
    Plugins,
    Tools,
}

/// The number of tools and plugins that use each stem.
struct Index<'a> {
    tools: BTreeMap<&'a str, usize>,
    plugins: BTreeMap<&'a str, BTreeSet<&'a str>>,
    tool_count: usize,
    plugin_count: usize,
}

impl<'a> Index<'a> {
    fn new(tools: &[&'a Tool<'a>]) -> Self {
        let plugins: BTreeSet<&str> = tools.iter().map(|tool| tool.plugin.as_str()).collect();
        let mut index = Self {
            tools: BTreeMap::new(),
            plugins: BTreeMap::new(),
            tool_count: tools.len(),
            plugin_count: plugins.len(),
        };
        for tool in tools {
            for stem in tool.weights.keys() {
                *index.tools.entry(stem).or_default() += 1;
                index.plugins.entry(stem).or_default().insert(&tool.plugin);
            }
        }
        index
    }

    /// Returns the rarity of a stem: 1 if it occurs once, less the more often it occurs.
    fn rarity(&self, stem: &str, scale: Scale) -> f64 {
        let (all, with) = match scale {
            Scale::Tools => (self.tool_count, self.tools.get(stem).copied()),
            Scale::Plugins => (self.plugin_count, self.plugins.get(stem).map(BTreeSet::len)),
        };
        let (all, with) = (count(all), count(with.unwrap_or(1)));
        (1.0 + all / with.max(1.0)).ln() / (1.0 + all).ln()
    }

    /// Returns the evidence for a tool from the words that fill no slot.
    fn score(&self, tool: &Tool<'_>, tokens: &[Token], used: &[bool], scale: Scale) -> f64 {
        let mut seen = BTreeSet::new();
        let mut score = 0.0;
        for (at, token) in tokens.iter().enumerate() {
            let is_used = used.get(at).copied().unwrap_or_default();
            if is_used || !token.is_content() || !seen.insert(&token.stem) {
                continue;
            }
            let Some(weight) = tool.weights.get(&token.stem) else {
                continue;
            };
            let weak = words::is_weak(&token.lower) && !tool.is_called(&token.stem);
            let weak = if weak { WEAK } else { 1.0 };
            score += weak * self.rarity(&token.stem, scale) * weight / (weight + SATURATION);
        }
        score
    }
}

/// Returns the share of a prompt's words that a tool explains, from 0 to 1.
fn coverage(tool: &Tool<'_>, tokens: &[Token], used: &[bool]) -> f64 {
    let (mut said, mut explained) = (0.0, 0.0);
    for (token, used) in tokens.iter().zip(used) {
        if !token.is_content() {
            continue;
        }
        let is_weak = words::is_weak(&token.lower);
        let weight = if is_weak { 0.5 } else { 1.0 };
        said += weight;
        if *used || tool.weights.contains_key(&token.stem) {
            explained += weight;
        }
    }
    if said == 0.0 { 0.0 } else { explained / said }
}

/// Returns the likeness of a prompt to the most similar example, stop words included, from 0 to 1
/// (Dice's coefficient). A value equals any other value, and its own word.
fn likeness(tool: &Tool<'_>, tokens: &[Token], used: &[bool]) -> f64 {
    let mut said: Vec<Vec<&str>> = Vec::new();
    let mut in_value = false;
    for (at, token) in tokens.iter().enumerate() {
        let is_used = used.get(at) == Some(&true);
        if !is_used && (token.kind == Kind::Mark || words::is_time(&token.lower)) {
            continue;
        }
        match said.last_mut() {
            Some(value) if is_used && in_value => value.push(&token.stem),
            _ if is_used => said.push(vec![&token.stem, Shape::VALUE]),
            _ => said.push(vec![&token.stem]),
        }
        in_value = is_used;
    }
    let alike = tool.shapes.iter().map(|shape| {
        let mut left: Vec<&str> = shape.all.iter().map(String::as_str).collect();
        let shared = said.iter().filter(|words| {
            let place = left.iter().position(|other| words.contains(other));
            place.map(|at| left.remove(at)).is_some()
        });
        let shared = count(shared.count());
        2.0 * shared / count((said.len() + shape.all.len()).max(1))
    });
    alike.fold(0.0, f64::max)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of tools and words are small"
)]
fn count(number: usize) -> f64 {
    number as f64
}
