//! The approval card: a request for approval, as a person at a terminal reads it.
//!
//! What will happen and to what comes first, then the host's other facts, then the plugin's words as
//! quotes, then what each verdict covers. The last row repeats who asks and is the prompt. Details that
//! are a list of lines, such as a change of a file, stay lines.
//!
//! Invariant: a card fits its terminal, whatever a plugin writes: rows are counted at the terminal's
//! width, and each text has a share of them. A row that continues the one above is marked. Characters
//! that cannot be seen, or pass for others, are shown by their number.
//!
//! Invariant: each row begins with a heavy line, which no other output contains: whatever else is
//! printed passes [`without_card_frame`].

mod consent;
mod frame;
mod power;
mod rows;

pub use consent::{ConsentCard, ConsentGroup};
pub use frame::{control_sequence, without_card_frame};
pub use power::CardPower;

use super::{Drawing, Terminal};
use crate::filter::{json_line, visible, visible_json, visible_line};
use crate::format::short_digest;
use rows::{Section, rows};
use serde_json::Value;

/// The most rows of a card, on a screen of any height: those of a small screen, and one row that shows
/// what was before.
pub const MAX_CARD_ROWS: usize = 23;

/// The columns that the person has for the verdict beside the prompt.
const ROOM_TO_TYPE: usize = 10;

/// A request for approval. All of its texts can be hostile.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ApprovalCard {
    /// The plugin's id.
    pub plugin: String,
    /// The called tool.
    pub tool: String,
    /// The action that the running call requests approval for; none if the call itself needs it.
    pub action: Option<String>,
    /// Whether the manifest calls the action critical.
    pub is_critical: bool,
    /// What the action applies to, in the plugin's words.
    pub subject: Option<String>,
    /// The folder or the request that the plugin needs; none if a call or an action needs approval.
    pub power: Option<CardPower>,
    /// The input of the call.
    pub input: Value,
    /// The digest of the plugin's bytes.
    pub build: String,
    /// Further facts that the host knows, each with a name of at most 8 letters.
    pub facts: Vec<(String, String)>,
    /// Why a person is asked, in the host's words.
    pub reasons: Vec<String>,
    /// Statements of the plugin and its author.
    pub quotes: Vec<String>,
    /// Further information from the plugin.
    pub details: Option<Value>,
    /// The possible verdicts.
    pub options: Vec<CardOption>,
    /// What the person types.
    pub prompt: CardPrompt,
}

/// What the person types below a card.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CardPrompt {
    /// A verdict, which without a word is a denial.
    #[default]
    Verdict,
    /// A folder, without which the request is denied.
    Folder,
    /// A folder, by default the offered one.
    OfferedFolder,
}

impl CardPrompt {
    fn text(self) -> &'static str {
        match self {
            Self::Verdict => "verdict [deny]:",
            Self::Folder => "your folder [deny]:",
            Self::OfferedFolder => "your folder [as offered]:",
        }
    }
}

/// A verdict that a person can choose.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CardOption {
    /// The key to type.
    pub key: String,
    /// What the verdict covers, in a few words.
    pub text: String,
    /// The same in full.
    pub in_full: String,
}

impl Terminal {
    /// Draws a card for a screen with this many rows. The last row is the prompt: the cursor belongs
    /// behind it.
    pub fn draw_approval(&self, card: &ApprovalCard, height: usize) -> Drawing {
        let columns = self.card_columns();
        let options = card.options.iter();
        let options = options.flat_map(|option| self.option_rows(option, &option.text));
        let (options, prompt) = (options.collect::<Vec<_>>(), card.prompt_rows(columns));
        let others = 1 + options.len() + prompt.len();
        let room = height.min(MAX_CARD_ROWS).saturating_sub(others);
        let sections = rows::share(card.sections(), room, columns);
        self.card_drawing(card.is_critical, &sections, &options, &prompt)
    }

    /// Draws everything that is known of a request, in as many rows as that takes and without the
    /// prompt.
    pub fn draw_approval_in_full(&self, card: &ApprovalCard) -> Drawing {
        let columns = self.card_columns();
        let options = card.options.iter();
        let options = options.flat_map(|option| self.option_rows(option, &option.in_full));
        let sections = card.sections().map(|section| section.in_full(columns));
        let (sections, options) = (sections.collect::<Vec<_>>(), options.collect::<Vec<_>>());
        self.card_drawing(card.is_critical, &sections, &options, &[])
    }

    /// Returns the rows of an option, with its key before the first.
    fn option_rows(&self, option: &CardOption, text: &str) -> Vec<String> {
        let more = if self.unicode { "⋮" } else { ":" };
        let rows = rows(&visible(text), self.card_columns() - 3).into_iter();
        let rows = rows.enumerate().map(|(n, row)| {
            let key = if n == 0 { option.key.as_str() } else { more };
            format!("{key}  {row}")
        });
        rows.collect()
    }
}

impl ApprovalCard {
    /// Returns what the card says, in order of importance.
    fn sections(&self) -> impl Iterator<Item = Section> {
        let function = visible(&format!("{}.{}", self.plugin, self.tool));
        let short = short_digest(&self.build);
        let by = |build: &str| match (&self.action, &self.power) {
            (None, None) => format!("build {}", visible(build)),
            _ => format!("{function}, build {}", visible(build)),
        };
        let mut all = match (&self.power, &self.action) {
            (Some(power), action) => {
                let mut sections = power.sections(&self.plugin);
                let action = action.as_deref().map(visible);
                sections.extend(action.map(|action| Section::fact("action", action)));
                sections
            }
            (None, Some(action)) => vec![Section::fact("what", visible(action)).uncut().in_bold()],
            (None, None) => {
                let what = format!("run {function}");
                vec![Section::fact("what", what).uncut().in_bold()]
            }
        };
        let subject = self.subject.as_deref().map(|subject| {
            // The quotes show where it begins and ends.
            let escaped = subject.replace('\\', "\\\\").replace('"', "\\\"");
            let subject = format!("\"{}\"", visible(&escaped));
            Section::fact("to", subject).of_at_least(2).in_bold()
        });
        let input = Section::fact("input", visible(&json_line(&self.input)));
        let facts = self.facts.iter().map(|(name, value)| {
            let name = visible(name)
                .chars()
                .take(rows::LABELS - 1)
                .collect::<String>();
            Section::fact(&name, visible(value))
        });
        let quotes = self.quotes.iter().flat_map(|quote| quote.lines());
        let quotes = quotes.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        let quotes = quotes.filter(|line| !line.is_empty());
        let quotes: Vec<String> = quotes.map(|line| visible(&line)).collect();
        let details = self.details.as_ref().map(details_section);
        let quotes = (!quotes.is_empty()).then(|| Section::quote("it says", quotes));
        all.extend(subject);
        all.push(input.with_full(visible_json(&self.input)));
        if !self.reasons.is_empty() {
            all.push(Section::fact("because", self.reasons.join("; ")));
        }
        all.push(Section::fact("by", by(&short)).with_full(vec![by(&self.build)]));
        all.extend(facts);
        all.extend(quotes);
        all.extend(details);
        all.into_iter()
    }

    /// Returns the rows of the prompt, which repeats the plugin and the tool.
    fn prompt_rows(&self, columns: usize) -> Vec<String> {
        let function = visible(&format!("{}.{}", self.plugin, self.tool));
        let prompt = self.prompt.text();
        let beside = format!("{function}: {prompt}");
        if beside.len() + ROOM_TO_TYPE <= columns {
            return vec![beside];
        }
        let mut all = rows(&function, columns);
        all.push(prompt.to_owned());
        all
    }
}

/// Returns the details of a plugin: a list of lines line by line, and anything else as JSON.
fn details_section(details: &Value) -> Section {
    let lines = details.as_array().filter(|lines| !lines.is_empty());
    let lines: Option<Vec<String>> = lines.and_then(|lines| {
        lines
            .iter()
            .map(|line| line.as_str().map(visible_line))
            .collect()
    });
    match lines {
        Some(lines) => Section::list("details", lines),
        None => Section::quote("details", vec![visible(&json_line(details))])
            .with_full(visible_json(details)),
    }
}

#[cfg(test)]
mod tests;
