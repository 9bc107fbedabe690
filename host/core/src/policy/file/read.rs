//! Parses the file's text into rules with their positions.
//!
//! Invariant: nothing is skipped or guessed. An unknown key, word or name makes the text invalid,
//! since a denial that silently matches nothing is worse than none.

use super::RulesFile;
use super::entry::{Entry, RuleId};
use crate::policy::rules::{
    AskMode, Build, Effect, FolderBinding, Level, Pattern, Rule, Rules, Subject, Target,
};
use footlight_vocabulary::escape::escape_short;
use footlight_vocabulary::manifest::{HostPattern, is_action, is_id};
use footlight_vocabulary::toml_reader::{self, Checked, Table, TomlError, Value, listed, string};
use std::collections::HashMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::DeValue;

pub(super) const ANY: &str = "any";
pub(super) const NONE: &str = "none";
pub(super) const EXACTLY: &str = "exactly";
pub(super) const SHA256: &str = "sha256:";
pub(super) const RO: &str = "ro";
pub(super) const RW: &str = "rw";

const LEVELS: &[(&str, Level)] = &[
    ("deny", Level::Deny),
    ("allowlist", Level::Allowlist),
    ("full", Level::Full),
];
const ASK_MODES: &[(&str, AskMode)] = &[
    ("off", AskMode::Off),
    ("on-miss", AskMode::OnMiss),
    ("always", AskMode::Always),
];

const DOCUMENT: &[&str] = &["level", "ask", "allow", "deny"];
const RULE: &[&str] = &[
    "plugin", "build", "tool", "action", "host", "folder", "secret", "subject", "path", "mode",
];

/// A kind of target: key, constructor, check of a name, example.
type Kind = (
    &'static str,
    fn(Pattern) -> Target,
    fn(&str) -> bool,
    &'static str,
);

const KINDS: &[Kind] = &[
    ("tool", Target::Tool, is_id, "draft"),
    ("action", Target::Action, is_action, "mail.send"),
    ("host", Target::Host, is_host, "api.example.com"),
    ("folder", Target::Folder, is_path, "/data"),
    ("secret", Target::Secret, is_id, "token"),
];

/// The parsed text.
#[derive(Debug, Clone, Default)]
pub(super) struct Contents {
    pub(super) rules: Rules,
    /// One for each of the rules, in the order of the text.
    pub(super) entries: Vec<Entry>,
}

pub(super) fn read(text: &str) -> Checked<Contents> {
    const MAX_BYTES: usize = RulesFile::MAX_BYTES;
    const MAX_RULES: usize = RulesFile::MAX_RULES;
    if text.len() > MAX_BYTES {
        let message = format!("more than {MAX_BYTES} bytes; remove rules no longer needed");
        return Err(TomlError::new(0..0, message));
    }
    let document = toml_reader::parse(text)?;
    let document = Table::document("a rules file", &document, DOCUMENT)?;
    let mut contents = Contents::default();
    if let Some(word) = document.text("level")? {
        contents.rules.level = word.one_of("level", LEVELS)?;
    }
    if let Some(word) = document.text("ask")? {
        contents.rules.ask = word.one_of("ask", ASK_MODES)?;
    }
    let mut tables = Vec::new();
    for (key, header, effect) in [
        ("allow", "[[allow]]", Effect::Allow),
        ("deny", "[[deny]]", Effect::Deny),
    ] {
        let under = rule_tables(text, &document, key, header)?;
        tables.extend(under.into_iter().map(|table| (effect, table)));
    }
    tables.sort_by_key(|(_, table)| table.span().start);
    if let Some((_, beyond)) = tables.get(MAX_RULES) {
        let message = format!("more than {MAX_RULES} rules; remove those no longer needed");
        return Err(beyond.error(message));
    }
    let mut lines: HashMap<Rule, usize> = HashMap::with_capacity(tables.len());
    let (mut line, mut counted) = (1, 0);
    for (effect, table) in &tables {
        let rule = rule(text, *effect, table)?;
        let start = table.span().start;
        line += text[counted..start].matches('\n').count();
        counted = start;
        if let Some(first) = lines.insert(rule.clone(), line) {
            let message = format!("this rule stands on line {first} already; remove one");
            return Err(table.error(message));
        }
        let floor = contents.entries.last().map_or(0, |entry| entry.block.end);
        let (block, note) = block(text, table, floor);
        contents.rules.rules.push(rule.clone());
        contents.entries.push(Entry {
            id: RuleId::of(&rule),
            rule,
            line,
            note,
            block,
        });
    }
    Ok(contents)
}

/// Returns the tables under `key`, each below its own header.
fn rule_tables<'t>(
    text: &str,
    document: &Table<'t>,
    key: &str,
    header: &'static str,
) -> Checked<Vec<Table<'t>>> {
    let Some(value) = document.value(key) else {
        return Ok(Vec::new());
    };
    let no_header = |value: &Value<'_>| {
        let message = format!("`{key}` holds rules; write {header} above each of them");
        TomlError::new(value.span(), message)
    };
    // A list in brackets, even an empty one, cannot be edited by whole lines.
    let values = match value.get_ref() {
        DeValue::Array(values) if !values.is_empty() => values,
        _ => return Err(no_header(value)),
    };
    let open = |value: &'t Value<'t>| {
        let entries = match value.get_ref() {
            DeValue::Table(entries) if text[value.span().start..].starts_with('[') => entries,
            _ => return Err(no_header(value)),
        };
        let is_setting =
            |key: &&Spanned<_>| matches!(AsRef::<str>::as_ref(key.get_ref()), "level" | "ask");
        if let Some(key) = entries.keys().find(is_setting) {
            let name = key.get_ref();
            let message = format!("`{name}` stands below {header}; move it to the top");
            return Err(TomlError::new(key.span(), message));
        }
        Table::open(header, value, RULE)
    };
    values.iter().map(open).collect()
}

fn rule(text: &str, effect: Effect, table: &Table<'_>) -> Checked<Rule> {
    let value = table.require_value("plugin", "\"mail\"")?;
    let plugin = string("plugin", value)?;
    if !is_id(plugin) {
        return Err(invalid_name("plugin", plugin, "mail", value));
    }
    let target = target(effect, table)?;
    Ok(Rule {
        effect,
        plugin: plugin.to_owned(),
        build: build(table.require_value("build", "\"any\"")?)?,
        folder: folder(effect, &target, table)?,
        target,
        subject: subject(text, table)?,
    })
}

/// Reads the folder of the machine, which a rule has if and only if it allows one folder of the guest.
fn folder(effect: Effect, target: &Target, table: &Table<'_>) -> Checked<Option<FolderBinding>> {
    let allowed = match (effect, target) {
        (Effect::Allow, Target::Folder(guest)) => Some(guest),
        _ => None,
    };
    let Some(guest) = allowed else {
        return match table.value("path").or_else(|| table.value("mode")) {
            None => Ok(None),
            Some(value) => Err(TomlError::new(
                value.span(),
                "`path` and `mode` belong to a rule that allows a `folder`; remove them",
            )),
        };
    };
    if *guest == Pattern::ANY {
        let message = "a rule that allows a `folder` names one, such as \"/data\"";
        return Err(table.error(message));
    }
    let value = table.require_value("path", "\"/srv/ada/notes\"")?;
    let path = string("path", value)?;
    if !std::path::Path::new(path).is_absolute() {
        let message = "`path` is not absolute; write the whole path of a folder of this machine";
        return Err(TomlError::new(value.span(), message));
    }
    let mode = table.require_text("mode", RO)?;
    let writable = mode.one_of("mode", &[(RO, false), (RW, true)])?;
    let path = path.to_owned();
    Ok(Some(FolderBinding { path, writable }))
}

fn build(value: &Value<'_>) -> Checked<Build> {
    let text = string("build", value)?;
    if text == ANY {
        return Ok(Build::Any);
    }
    let digest = text.strip_prefix(SHA256).unwrap_or(text);
    let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    if digest.len() == 64 && digest.bytes().all(is_digit) {
        return Ok(Build::Digest(digest.to_owned()));
    }
    let message = format!(
        "`{}` is not a build; write \"any\", or \"{SHA256}\" and the 64 digits of a digest",
        escape_short(text, 80)
    );
    Err(TomlError::new(value.span(), message))
}

fn target(effect: Effect, table: &Table<'_>) -> Checked<Target> {
    let kinds = KINDS.iter();
    let mut targets = kinds.filter_map(|kind| Some((kind, table.value(kind.0)?)));
    let Some((&(key, make, fits, example), value)) = targets.next() else {
        let keys = listed(KINDS.iter().map(|kind| kind.0));
        let message = format!("[[{effect}]] does not say what it is about; add one of {keys}");
        return Err(table.error(message));
    };
    if let Some((other, beside)) = targets.next() {
        let other = other.0;
        let message = format!("a rule is about one thing, not `{key}` and `{other}`; write two");
        return Err(TomlError::new(beside.span(), message));
    }
    let text = string(key, value)?;
    let pattern =
        Pattern::parse(text).map_err(|error| TomlError::new(value.span(), error.to_string()))?;
    if pattern != Pattern::ANY && !fits(text) {
        return Err(invalid_name(key, text, example, value));
    }
    Ok(make(pattern))
}

fn subject(text: &str, table: &Table<'_>) -> Checked<Subject> {
    let value = table.require_value("subject", "\"any\"")?;
    match value.get_ref() {
        DeValue::String(word) if word == ANY => Ok(Subject::Any),
        DeValue::String(word) if word == NONE => Ok(Subject::None),
        // In braces: a table below its own header could be far from the rule.
        DeValue::Table(_) if text[value.span().start..].starts_with('{') => {
            let exactly = Table::open("`subject`", value, &[EXACTLY])?;
            let exactly = exactly.require_value(EXACTLY, "\"bob@example.com\"")?;
            Ok(Subject::Exactly(string(EXACTLY, exactly)?.to_owned()))
        }
        // Another word is not read as a subject: "any" and "none" would be ambiguous.
        _ => Err(TomlError::new(
            value.span(),
            "`subject` must be \"any\", \"none\" or { exactly = \"...\" }",
        )),
    }
}

fn invalid_name(key: &str, text: &str, example: &str, value: &Value<'_>) -> TomlError {
    let shown = escape_short(text, 80);
    let message = format!("`{shown}` is not a valid {key} name; write it like \"{example}\"");
    TomlError::new(value.span(), message)
}

/// Accepts one exact host, perhaps with a port. The host is spelled as requests spell it: a rule with
/// another spelling would match nothing, and a rule that denies would deny nothing.
fn is_host(name: &str) -> bool {
    let is_exact = |name: &str| {
        let host = HostPattern::parse(name);
        host.is_ok_and(|host| host.is_exact() && host.to_string() == name)
    };
    let with_port = name
        .rsplit_once(':')
        .filter(|(_, port)| !port.contains(']'));
    is_exact(name)
        || with_port.is_some_and(|(host, port)| {
            let is_plain = port.bytes().all(|b| b.is_ascii_digit()) && !port.starts_with('0');
            is_plain && port.parse::<u16>().is_ok() && is_exact(host)
        })
}

fn is_path(name: &str) -> bool {
    name.starts_with('/') && !name.ends_with('/')
}

/// Returns the byte range of a rule, and the comment above it. The range covers that comment, the
/// header, the keys, and a comment directly below them unless the next header follows it. The
/// previous rule ends at `floor`; its last line may look like a comment.
fn block(text: &str, table: &Table<'_>, floor: usize) -> (Range<usize>, Option<String>) {
    let mut start = line_start(text, table.span().start);
    let mut note = Vec::new();
    while start > floor {
        let line = line_start(text, start - 1);
        let Some(comment) = comment(&text[line..start]) else {
            break;
        };
        note.push(comment);
        start = line;
    }
    let values = table.entries().iter().map(|(_, value)| value.span().end);
    let end = line_end(text, values.fold(table.span().end, usize::max));
    let mut below = end;
    while comment(&text[below..line_end(text, below)]).is_some() {
        below = line_end(text, below);
    }
    let next = text[below..].trim_start_matches([' ', '\t']);
    let end = if next.starts_with('[') { end } else { below };
    note.reverse();
    (start..end, (!note.is_empty()).then(|| note.join("\n")))
}

/// Returns the text of a line that is only a comment.
fn comment(line: &str) -> Option<&str> {
    Some(line.trim().strip_prefix('#')?.trim())
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Returns the end of the line of a byte, after the line break.
fn line_end(text: &str, at: usize) -> usize {
    let newline = text[at..].find('\n');
    newline.map_or(text.len(), |newline| at + newline + 1)
}
