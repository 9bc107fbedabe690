//! Questions of the host about what a stranger placed: a project's file, a crate to build, a component
//! under a known id.
//!
//! Invariant: a question fits its terminal, whatever the stranger writes: rows are counted at the
//! terminal's width, and what has no room is counted in the title of its group. The last group is the
//! gravest: it stands beside the prompt and is the first to get rows.
//!
//! Invariant: a stranger's text never begins a row, and a row that continues the one above is marked.

use super::MAX_CARD_ROWS;
use super::rows::{rows, shortened};
use crate::filter::visible;
use crate::terminal::Terminal;

/// The most rows of the head, and of an item that can lose its middle.
const MAX_ROWS: usize = 3;

/// The longest word and the longest quotation of an item that is shown whole, in characters.
const MAX_WORD: usize = 40;

/// The columns that the person has for a word beside the prompt.
const ROOM_TO_TYPE: usize = 4;

/// The columns before each row.
const INDENTATION: usize = 6;

/// What a person is asked to agree to. All of its texts can be hostile.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConsentCard {
    /// Who wants something. The first words are the host's.
    pub head: String,
    /// What would happen, the gravest last.
    pub groups: Vec<ConsentGroup>,
    /// The question, in the host's words.
    pub question: String,
}

/// Things of one kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConsentGroup {
    /// What would happen to them, in the host's words. It is never left out.
    pub title: String,
    /// A stranger's texts.
    pub items: Vec<String>,
    /// Whether an item is shown whole or not at all, because its end matters as much as its
    /// beginning. Only long words and quotations lose their middle.
    pub is_whole: bool,
}

impl Terminal {
    /// Draws a question for a screen with this many rows. The last row is the prompt: the cursor
    /// belongs behind it.
    #[must_use]
    pub fn draw_consent(&self, card: &ConsentCard, height: usize) -> String {
        let columns = self.card_columns();
        let head = shortened(&visible(&card.head), MAX_ROWS, columns - INDENTATION);
        let prompt = format!("{} [y/N] (v shows all)", visible(&card.question));
        let prompt = rows(&prompt, columns - ROOM_TO_TYPE);
        let groups = card.groups.iter().map(|group| self.group(group, columns));
        let groups: Vec<Group> = groups.collect();
        let titles: usize = groups.iter().map(|group| group.title_rows).sum();
        let others = head.len() + titles + prompt.len();
        let mut room = height.min(MAX_CARD_ROWS).saturating_sub(others);
        let mut shown = vec![0; groups.len()];
        // One item of each group, and then as many as there is room for.
        for most in [1, usize::MAX] {
            for (shown, group) in shown.iter_mut().zip(&groups).rev() {
                while let Some(item) = group.items.get(*shown)
                    && *shown < most
                    && item.len() <= room
                {
                    room -= item.len();
                    *shown += 1;
                }
            }
        }
        let mut all = self.indented("", "  ", head);
        for (group, shown) in groups.iter().zip(shown) {
            all.extend(self.indented("  ", "  ", rows(&group.title(shown), columns - INDENTATION)));
            let items = group.items.iter().take(shown).cloned();
            all.extend(items.flat_map(|item| self.indented("    - ", "    ", item)));
        }
        all.extend(prompt);
        all.join("\n")
    }

    /// Draws everything, in as many rows as that takes and without the prompt.
    #[must_use]
    pub fn draw_consent_in_full(&self, card: &ConsentCard) -> String {
        let columns = self.card_columns() - INDENTATION;
        let mut all = self.indented("", "  ", rows(&visible(&card.head), columns));
        for group in &card.groups {
            let title = format!("{} ({}):", visible(&group.title), group.items.len());
            all.extend(self.indented("  ", "  ", rows(&title, columns)));
            for item in &group.items {
                all.extend(self.indented("    - ", "    ", rows(&visible(item), columns)));
            }
        }
        all.push(String::new());
        all.join("\n")
    }

    fn group(&self, group: &ConsentGroup, columns: usize) -> Group {
        let columns = columns - INDENTATION;
        let title = visible(&group.title);
        let items: Vec<String> = group.items.iter().map(|item| visible(item)).collect();
        let beside = format!("{title}: {}", items.concat());
        if let [_] = items[..]
            && rows(&beside, columns).len() == 1
        {
            return Group {
                title: beside,
                title_rows: 1,
                items: Vec::new(),
            };
        }
        let item = |item: &String| match group.is_whole {
            true => rows(&without_long_words(item), columns),
            false => shortened(item, MAX_ROWS, columns),
        };
        let mut group = Group {
            title,
            title_rows: 0,
            items: items.iter().map(item).collect(),
        };
        // With some left out it is the longest.
        let titles = [0, group.items.len()].map(|shown| rows(&group.title(shown), columns).len());
        group.title_rows = titles[0].max(titles[1]);
        group
    }

    /// Puts `first` before the first row, and `more` and a mark before the others.
    fn indented(&self, first: &str, more: &str, rows: Vec<String>) -> Vec<String> {
        let mark = if self.unicode { "⋮" } else { ":" };
        let rows = rows.into_iter().enumerate();
        let rows = rows.map(|(n, row)| match n {
            0 => format!("{first}{row}"),
            _ => format!("{more}{mark} {row}"),
        });
        rows.collect()
    }
}

/// A group in rows.
struct Group {
    title: String,
    /// The rows of the title at most.
    title_rows: usize,
    items: Vec<Vec<String>>,
}

impl Group {
    /// Returns the title, which says how many items are left out.
    fn title(&self, shown: usize) -> String {
        match self.items.len() {
            0 => self.title.clone(),
            all if all == shown => format!("{}:", self.title),
            all => format!("{} ({shown} of {all} shown, v shows all):", self.title),
        }
    }
}

/// Shortens quotations and long words, such as the name of a host, but not what stands between them.
fn without_long_words(text: &str) -> String {
    let (first, last) = (text.find('"'), text.rfind('"'));
    let quotation = first.zip(last).filter(|(first, last)| first < last);
    if let Some((first, last)) = quotation {
        let quoted = without_middle(&text[first + 1..last]);
        let (before, after) = (&text[..first], &text[last + 1..]);
        return format!(
            "{}\"{quoted}\"{}",
            without_long_words(before),
            without_long_words(after)
        );
    }
    let words: Vec<String> = text.split(' ').map(without_middle).collect();
    words.join(" ")
}

fn without_middle(text: &str) -> String {
    let all: Vec<char> = text.chars().collect();
    if all.len() <= MAX_WORD {
        return text.to_owned();
    }
    let (head, tail) = (MAX_WORD / 3, MAX_WORD / 3);
    let before: String = all.iter().take(head).collect();
    let after: String = all.iter().skip(all.len() - tail).collect();
    format!("{before}...{}...{after}", all.len() - head - tail)
}
