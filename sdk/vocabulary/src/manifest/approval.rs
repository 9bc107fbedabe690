//! `[[approval]]`: actions that need a person's approval.
//!
//! A plugin can request approval only for actions it declares. A [`NetRule`](super::NetRule) can
//! name one; then the host asks before each such request, whatever the plugin does.

use super::name::is_action;
use super::{MAX_DESCRIPTION, MAX_ENTRIES};
use crate::toml_reader::{Checked, Table, TomlError, word_of};
use serde::Serialize;

/// An action that needs approval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Approval {
    /// Its name, such as `mail.send`.
    pub action: String,
    /// What happens once it is approved, in the author's words.
    pub description: String,
    /// The severity.
    pub severity: Severity,
    /// The durations a person can choose, shortest first; `once` is always one of them.
    pub remember: Vec<Remember>,
}

impl Approval {
    /// Declares an action that is remembered for as long as its severity permits.
    pub fn new(
        action: impl Into<String>,
        description: impl Into<String>,
        severity: Severity,
    ) -> Self {
        Self {
            action: action.into(),
            description: description.into(),
            severity,
            remember: severity.remember(),
        }
    }
}

/// How much is at stake. A closed set: surfaces draw each severity differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Easily undone, or of no consequence.
    Low,
    /// Neither low nor critical.
    #[default]
    Normal,
    /// Cannot be undone, costs money, or acts in the person's name.
    Critical,
}

/// How long an approval is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Remember {
    /// For one operation.
    Once,
    /// For the rest of the session.
    Session,
    /// Until a person revokes it.
    Always,
}

impl Severity {
    const WORDS: &[(&'static str, Self)] = &[
        ("low", Self::Low),
        ("normal", Self::Normal),
        ("critical", Self::Critical),
    ];

    /// Returns the word as the manifest writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        word_of(Self::WORDS, self)
    }

    /// Returns the durations for a manifest that lists none: a critical action is not remembered
    /// beyond the session.
    fn remember(self) -> Vec<Remember> {
        match self {
            Self::Low | Self::Normal => vec![Remember::Once, Remember::Session, Remember::Always],
            Self::Critical => vec![Remember::Once, Remember::Session],
        }
    }
}

impl Remember {
    const WORDS: &[(&str, Self)] = &[
        ("once", Self::Once),
        ("session", Self::Session),
        ("always", Self::Always),
    ];
}

pub(super) const KEYS: &[&str] = &["action", "description", "severity", "remember"];

pub(super) fn read(tables: &[Table<'_>]) -> Checked<Vec<Approval>> {
    let mut approvals: Vec<Approval> = Vec::new();
    for table in tables {
        let action = table.require_text("action", "mail.send")?;
        if !is_action(action.value) {
            return Err(action.refused(
                "is not an action; write lower-case words joined by dots, such as \"mail.send\"",
            ));
        }
        if approvals.iter().any(|other| other.action == action.value) {
            let message = format!("the action `{}` stands twice; keep one", action.value);
            return Err(action.error(message));
        }
        let description = table.require_text("description", "Send mail in your name")?;
        let severity = match table.text("severity")? {
            Some(word) => word.one_of("severity", Severity::WORDS)?,
            None => Severity::default(),
        };
        approvals.push(Approval {
            action: action.value.to_owned(),
            description: description.sentence("description", MAX_DESCRIPTION)?,
            severity,
            remember: remember(table, severity)?,
        });
    }
    Ok(approvals)
}

fn remember(table: &Table<'_>, severity: Severity) -> Checked<Vec<Remember>> {
    let Some((at, words)) = table.texts("remember", MAX_ENTRIES)? else {
        return Ok(severity.remember());
    };
    let remember = words
        .iter()
        .map(|word| word.one_of("remember", Remember::WORDS));
    let mut remember = remember.collect::<Checked<Vec<_>>>()?;
    remember.sort_unstable();
    // Without `once` a person could only deny, or approve more than the screen shows.
    if !remember.contains(&Remember::Once) {
        return Err(TomlError::new(at, "`remember` lacks `once`; add it"));
    }
    Ok(remember)
}
