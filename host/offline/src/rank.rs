//! Which tool a prompt means, by its words.
//!
//! Two questions are asked apart. *Is the prompt about this tool at all?* That wants evidence (words
//! of the tool, weighted as BM25 weights them, against the words of other plugins) and coverage
//! (nearly everything that is said is a word of the tool or a value of a slot), or the shape of an
//! example. *Which of the tools that are meant is it?* That is a ranking, in which the likeness to an
//! example and the slots that could be filled count as well.
//!
//! Invariant: the same prompt and tools give the same answer, and where two tools are as good as
//! each other none is called.

use super::day::Day;
use super::fill::{Filled, fill};
use super::prompt::{Kind, Token};
use super::slot;
use super::tool::{Shape, Tool};
use super::words;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// How soon more of the same word stops counting (k1 of BM25).
const SATURATION: f64 = 1.2;
/// What a word counts that stands in the description of many tools.
const WEAK: f64 = 0.3;
/// The least evidence for calling, and for asking about what is missing.
const ENOUGH: f64 = 0.4;
const ENOUGH_TO_ASK: f64 = 0.62;
/// The least share of what is said that must be explained.
const COVERED: f64 = 0.7;
/// How alike a prompt and an example must be to need no other evidence.
const ALIKE: f64 = 0.9;
/// Below this distance two tools are as good as each other.
const TIE: f64 = 0.03;
/// For how many tools slots are filled.
const MOST_FILLED: usize = 12;

/// What a prompt means.
#[derive(Debug)]
pub(super) enum Meaning {
    /// This tool, with this much of its input.
    One(usize, Filled),
    /// One of these, as likely as each other.
    Several(Vec<usize>),
    /// None; these are the nearest.
    None(Vec<usize>),
}

/// What a prompt means.
pub(super) fn meaning(tools: &[&Tool<'_>], text: &str, tokens: &[Token], today: Day) -> Meaning {
    let index = Index::new(tools);
    let mut near: Vec<(usize, f64)> = (0..tools.len())
        .map(|at| {
            let score = index.score(tools[at], tokens, &[], Scale::Tools);
            (at, score + likeness(tools[at], tokens, &[]))
        })
        .filter(|(_, score)| *score > 0.0)
        .collect();
    near.sort_by(|a, b| descending(a.1, b.1));
    let mut judged: Vec<Judged> = near
        .iter()
        .take(MOST_FILLED)
        .map(|(at, _)| judge(&index, *at, tools[*at], text, tokens, today))
        .collect();
    judged.sort_by(|a, b| descending(a.rank, b.rank));
    let nearest = || near.iter().take(3).map(|(at, _)| *at).collect();
    let is_denied = |judged: &Judged| {
        let denied = tokens.iter().zip(&judged.filled.used);
        denied
            .into_iter()
            .any(|(t, used)| !used && words::is_negation(&t.lower))
    };
    let mut meant = judged
        .into_iter()
        .filter(|one| one.is_meant && !is_denied(one));
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
    let missing = slot::missing(&tool.slots, &filled.input).len() + filled.misfits.len();
    let free = || tokens.iter().zip(&filled.used).filter(|(_, used)| !**used);
    // A person is only asked where the tool's own words were said, not merely its plugin's.
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

/// Among what a word is rare.
#[derive(Clone, Copy)]
enum Scale {
    /// A word that one plugin says in all its tools is still that plugin's word.
    Plugins,
    Tools,
}

/// In how many tools, and in how many plugins, each stem stands.
struct Index<'a> {
    tools: BTreeMap<&'a str, usize>,
    plugins: BTreeMap<&'a str, BTreeSet<&'a str>>,
    tool_count: usize,
    plugin_count: usize,
}

impl<'a> Index<'a> {
    fn new(tools: &[&'a Tool<'a>]) -> Self {
        let mut index = Self {
            tools: BTreeMap::new(),
            plugins: BTreeMap::new(),
            tool_count: tools.len(),
            plugin_count: tools
                .iter()
                .map(|tool| tool.plugin.as_str())
                .collect::<BTreeSet<_>>()
                .len(),
        };
        for tool in tools {
            for stem in tool.weights.keys() {
                *index.tools.entry(stem).or_default() += 1;
                index.plugins.entry(stem).or_default().insert(&tool.plugin);
            }
        }
        index
    }

    /// How rare a stem is: 1 where it stands once, less the more often it does.
    fn rarity(&self, stem: &str, scale: Scale) -> f64 {
        let (all, with) = match scale {
            Scale::Tools => (self.tool_count, self.tools.get(stem).copied()),
            Scale::Plugins => (self.plugin_count, self.plugins.get(stem).map(BTreeSet::len)),
        };
        let (all, with) = (count(all), count(with.unwrap_or(1)));
        (1.0 + all / with.max(1.0)).ln() / (1.0 + all).ln()
    }

    /// How much the words that fill no slot speak for a tool.
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

/// How much of what is said a tool explains, from 0 to 1.
fn coverage(tool: &Tool<'_>, tokens: &[Token], used: &[bool]) -> f64 {
    let (mut said, mut explained) = (0.0, 0.0);
    for (token, used) in tokens.iter().zip(used) {
        if !token.is_content() {
            continue;
        }
        let weight = if words::is_weak(&token.lower) {
            0.5
        } else {
            1.0
        };
        said += weight;
        if *used || tool.weights.contains_key(&token.stem) {
            explained += weight;
        }
    }
    if said == 0.0 { 0.0 } else { explained / said }
}

/// How alike a prompt is to the most alike example, small words included, from 0 to 1 (the
/// coefficient of Dice). A value is like any other value, and like the word itself.
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

fn descending(a: f64, b: f64) -> Ordering {
    b.total_cmp(&a)
}
