//! Edits of the file's text: one piece is inserted or removed, every other byte stays.
//!
//! Invariant: removing a rule that was just added restores the old text, except for a missing line
//! break at its end.

use super::entry::Entry;
use super::read;
use crate::policy::rules::{Build, FolderBinding, Rule, Subject, Target};
use footlight_vocabulary::escape::escape_short;
use footlight_vocabulary::item::Timestamp;
use std::fmt::Write as _;

/// The first lines of a file that this module creates.
const HEADER: &str = "\
# What plugins may do without asking, and what they may not do at all.
# Edit it as you like; a mistake in it denies everything until it is corrected.
";

/// The maximum length of a comment, in characters.
const MAX_NOTE: usize = 300;

/// Returns the text with a rule appended.
pub(super) fn with_rule(text: &str, rule: &Rule, at: Timestamp, shown: &str) -> String {
    let date = at.to_string();
    let day = &date[..10];
    let note = format!("# {day}: {}", escape_short(shown.trim(), MAX_NOTE));
    appended(text, &format!("{}\n{}", note.trim_end(), written(rule)))
}

/// Returns the text without a rule and its comment.
pub(super) fn without(text: &str, entry: &Entry) -> String {
    let (before, after) = (&text[..entry.block.start], &text[entry.block.end..]);
    // One of the empty lines around the rule goes with it.
    let closer = without_break(before).filter(|closer| closer.ends_with('\n'));
    match closer {
        Some(closer) => format!("{closer}{after}"),
        None if before.is_empty() => after.trim_start_matches(['\r', '\n']).to_owned(),
        None => format!("{before}{after}"),
    }
}

fn without_break(text: &str) -> Option<&str> {
    text.strip_suffix("\r\n")
        .or_else(|| text.strip_suffix('\n'))
}

fn appended(text: &str, block: &str) -> String {
    let text = if text.is_empty() { HEADER } else { text };
    let gap = if text.ends_with('\n') { "\n" } else { "\n\n" };
    format!("{text}{}", with_line_ends_of(text, format!("{gap}{block}")))
}

/// Converts line ends to those of the text.
fn with_line_ends_of(text: &str, new: String) -> String {
    if text.contains("\r\n") {
        new.replace('\n', "\r\n")
    } else {
        new
    }
}

fn written(rule: &Rule) -> String {
    let header = rule.effect;
    let build = match &rule.build {
        Build::Any => quoted(read::ANY),
        Build::Digest(digest) => quoted(&format!("{}{digest}", read::SHA256)),
    };
    let (key, name) = match &rule.target {
        Target::Tool(name) => ("tool", name),
        Target::Action(name) => ("action", name),
        Target::Host(name) => ("host", name),
        Target::Folder(name) => ("folder", name),
        Target::Secret(name) => ("secret", name),
    };
    let subject = match &rule.subject {
        Subject::Any => quoted(read::ANY),
        Subject::None => quoted(read::NONE),
        Subject::Exactly(subject) => format!("{{ {} = {} }}", read::EXACTLY, quoted(subject)),
    };
    let folder = match &rule.folder {
        None => String::new(),
        Some(FolderBinding { path, writable }) => {
            let mode = if *writable { read::RW } else { read::RO };
            format!("path = {}\nmode = {}\n", quoted(path), quoted(mode))
        }
    };
    format!(
        "[[{header}]]\nplugin = {}\nbuild = {build}\n{key} = {}\n{folder}subject = {subject}\n",
        quoted(&rule.plugin),
        quoted(&name.to_string()),
    )
}

/// Returns a TOML basic string in which every character is visible.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        let _ = match c {
            '"' | '\\' => write!(quoted, "\\{c}"),
            '\'' => write!(quoted, "{c}"),
            _ if c.escape_debug().eq([c]) => write!(quoted, "{c}"),
            _ if u32::from(c) <= 0xffff => write!(quoted, "\\u{:04X}", u32::from(c)),
            _ => write!(quoted, "\\U{:08X}", u32::from(c)),
        };
    }
    quoted.push('"');
    quoted
}
