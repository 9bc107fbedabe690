//! A tool as the router sees it: its words, its slots, and the shapes of its examples.
//!
//! The weight of a word depends on its place: highest in the name, then in an example, the plugin's
//! id and the description, lowest in the description of a parameter. In an example, words that fill
//! a slot (`Oslo`, `milk`) do not count; they are capitalised, or occur nowhere else.

use super::prompt::{Kind as Token, tokens};
use super::slot::{self, Kind, Slot};
use super::words;
use footlight::model::ToolSpec;
use footlight_vocabulary::function::FunctionName;
use std::collections::{BTreeMap, BTreeSet};

/// Limits, so that no plugin can make a prompt slow: bytes of a description, bytes of an example or
/// of a slot's description, examples, and choices of a slot.
const MAX_DESCRIPTION: usize = 1024;
const MAX_LINE: usize = 200;
const MAX_EXAMPLES: usize = 8;
const MAX_CHOICES: usize = 24;

/// A tool that may be called.
#[derive(Debug)]
pub(super) struct Tool<'a> {
    pub(super) spec: &'a ToolSpec,
    /// The plugin's id; empty if the name on the wire is not that of a plugin's tool.
    pub(super) plugin: String,
    /// The tool's name within its plugin.
    pub(super) name: String,
    pub(super) slots: Vec<Slot>,
    /// The weight of each stem, summed over its places.
    pub(super) weights: BTreeMap<String, f64>,
    /// The stems outside its examples.
    pub(super) core: BTreeSet<String>,
    /// Of those, the stems of its own name and description.
    own: BTreeSet<String>,
    pub(super) shapes: Vec<Shape>,
    /// Values that its descriptions and examples mention, in lower case.
    pub(super) samples: BTreeSet<String>,
}

/// An example with its values taken out.
#[derive(Debug, Clone, Default)]
pub(super) struct Shape {
    /// The stems of all words, with [`Shape::VALUE`] in place of a value.
    pub(super) all: Vec<String>,
    /// The stop words before the first content word.
    pub(super) lead: Vec<String>,
    /// The content words before the value.
    pub(super) before: Vec<String>,
    /// The stop words between `before` and the value.
    pub(super) gap: Vec<String>,
    /// The stop word that must precede the value: `remind me TO`.
    pub(super) link: Option<String>,
    /// The content words after the value.
    pub(super) after: Vec<String>,
    /// Whether the example has a value.
    pub(super) has_value: bool,
    /// Whether that value was a proper name.
    pub(super) is_name: bool,
}

impl Shape {
    /// The placeholder of a value among stems.
    pub(super) const VALUE: &'static str = "\u{0}";
}

impl<'a> Tool<'a> {
    pub(super) fn new(spec: &'a ToolSpec) -> Self {
        let (plugin, name) = match FunctionName::from_wire(&spec.name) {
            Ok(name) => (name.plugin().to_owned(), name.tool().to_owned()),
            Err(_) => (String::new(), spec.name.clone()),
        };
        let mut tool = Self {
            spec,
            plugin: plugin.clone(),
            name: name.clone(),
            slots: Vec::new(),
            weights: BTreeMap::new(),
            core: BTreeSet::new(),
            own: BTreeSet::new(),
            shapes: Vec::new(),
            samples: BTreeSet::new(),
        };
        let slots = slot::slots(&spec.input_schema);
        tool.count(&name, 3.0);
        tool.count(start(&spec.description, MAX_DESCRIPTION), 1.0);
        tool.own = tool.weights.keys().cloned().collect();
        tool.count(&plugin, 1.5);
        for slot in &slots {
            tool.count(&slot.name, 0.75);
            if let Kind::Choice(choices) = &slot.kind {
                let choices = choices.iter().take(MAX_CHOICES);
                choices.for_each(|choice| tool.count(start(choice, MAX_LINE), 0.75));
            }
        }
        tool.core = tool.weights.keys().cloned().collect();
        for slot in &slots {
            let description = start(&slot.description, MAX_LINE);
            let (said, samples) = without_samples(description);
            tool.samples.extend(samples);
            tool.count(&said, 0.4);
        }
        tool.slots = slots;
        for example in spec.examples.iter().take(MAX_EXAMPLES) {
            tool.learn(start(example, MAX_LINE));
        }
        tool
    }

    /// Returns the name that a person knows it by: `weather.forecast`.
    pub(super) fn title(&self) -> String {
        title(&self.spec.name)
    }

    /// Reports whether its name or description has this stem.
    pub(super) fn says(&self, stem: &str) -> bool {
        self.own.contains(stem)
    }

    /// Returns the share of its name's words that are among these tokens, from 0 to 1.
    pub(super) fn named(&self, tokens: &[super::prompt::Token]) -> f64 {
        let words: Vec<String> = self.name.split('_').map(words::stem).collect();
        let said = words
            .iter()
            .filter(|word| tokens.iter().any(|token| token.stem == **word));
        let share = |count: usize| u32::try_from(count).map_or(0.0, f64::from);
        share(said.count()) / share(words.len()).max(1.0)
    }

    /// Reports whether its name is part of another's in the same plugin, as `forecast` is of
    /// `show_forecast`.
    pub(super) fn is_plainer_than(&self, other: &Self) -> bool {
        let words = |tool: &Self| tool.name.split('_').map(words::stem).collect::<Vec<_>>();
        let (own, others) = (words(self), words(other));
        self.plugin == other.plugin
            && own.len() < others.len()
            && own.iter().all(|word| others.contains(word))
    }

    /// Reports whether its name has this stem.
    pub(super) fn is_called(&self, stem: &str) -> bool {
        self.name.split('_').any(|word| words::stem(word) == stem)
    }

    /// Reports whether one of its slots accepts free text.
    pub(super) fn takes_words(&self) -> bool {
        self.slots.iter().any(|slot| match &slot.kind {
            Kind::Text(_) => true,
            Kind::List(of, ..) => matches!(**of, Kind::Text(_)),
            _ => false,
        })
    }

    fn count(&mut self, text: &str, weight: f64) {
        for token in tokens(&text.replace('_', " ")) {
            if token.is_content() && token.kind == Token::Word {
                *self.weights.entry(token.stem).or_default() += weight;
            }
        }
    }

    /// Learns from an example: its shape, its words, and the values it mentions.
    fn learn(&mut self, example: &str) {
        let mut found = tokens(example);
        found.retain(|token| token.kind != Token::Mark);
        let first = found.iter().position(super::prompt::Token::is_content);
        let is_known = |at: usize| self.core.contains(&found[at].stem) || Some(at) == first;
        let is_free = |at: usize| found[at].is_content() && !is_known(at);
        let mut is_value = vec![false; found.len()];
        if self.takes_words() {
            for at in 0..found.len() {
                is_value[at] = match found[at].kind {
                    Token::Word => at > 0 && found[at].is_name() && is_free(at),
                    _ => true,
                };
                // `call Ada` is one value: unknown words right before a name belong to it.
                let mut before = at;
                while is_value[at] && before > 0 && is_free(before - 1) {
                    before -= 1;
                    is_value[before] = true;
                }
            }
            if !is_value.contains(&true) {
                is_value = (0..found.len()).map(is_free).collect();
            }
        }
        let mut shape = Shape::default();
        for (at, token) in found.iter().enumerate() {
            if is_value[at] {
                self.samples.insert(token.lower.clone());
                if shape.all.last().is_none_or(|last| last != Shape::VALUE) {
                    shape.all.push(Shape::VALUE.to_owned());
                }
                if token.kind == Token::Word && !shape.has_value {
                    shape.is_name = token.capital;
                }
                shape.has_value |= matches!(token.kind, Token::Word | Token::Quoted);
                continue;
            }
            if words::is_time(&token.lower) {
                continue;
            }
            shape.all.push(token.stem.clone());
            if token.is_content() {
                *self.weights.entry(token.stem.clone()).or_default() += 1.5;
                if shape.has_value {
                    shape.after.push(token.stem.clone());
                } else {
                    shape.link = None;
                    shape.gap.clear();
                    shape.before.push(token.stem.clone());
                }
            } else if shape.before.is_empty() {
                shape.lead.push(token.stem.clone());
            } else if !shape.has_value {
                shape.gap.push(token.lower.clone());
                shape.link = words::leads_to_name(&token.lower).then(|| token.lower.clone());
            }
        }
        self.shapes.push(shape);
    }
}

/// Returns the name that a person knows a tool by: `weather.forecast` for `weather__forecast`.
pub(super) fn title(wire: &str) -> String {
    FunctionName::from_wire(wire).map_or_else(|_| wire.to_owned(), |name| name.to_string())
}

/// Splits a text into what is outside backticks, and the lower-case contents of backticks.
fn without_samples(text: &str) -> (String, Vec<String>) {
    let mut said = String::new();
    let mut samples = Vec::new();
    for (at, part) in text.split('`').enumerate() {
        if at % 2 == 0 {
            said.push_str(part);
        } else if !part.trim().is_empty() {
            samples.push(part.to_lowercase());
        }
    }
    (said, samples)
}

/// Returns the start of a text, at most `most` bytes.
pub(super) fn start(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}
