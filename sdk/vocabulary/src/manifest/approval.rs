//! `[[approval]]`: what the plugin will ask leave for.
//!
//! An action is named here or it cannot be asked for. A [`NetRule`](super::NetRule) may be
//! guarded with one, and then the host asks at egress, whatever the plugin does.

use super::MAX_DESCRIPTION;
use super::error::{Checked, Problem, shown};
use super::name::is_action;
use super::reader::Table;
use serde::Serialize;

/// One action that needs a person's leave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Approval {
    /// Its name, such as `mail.send`.
    pub action: String,
    /// What happens on a yes, in the author's words.
    pub description: String,
    /// How much is at stake.
    pub severity: Severity,
    /// How long a yes may be remembered, shortest first; `once` is always among them.
    pub remember: Vec<Remember>,
}

/// How much is at stake. A closed set: a surface must know how to draw each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Easily undone, or of no consequence.
    Low,
    /// What is usual.
    #[default]
    Normal,
    /// Cannot be undone, costs money, or acts in the person's name.
    Critical,
}

/// How long a yes may be remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Remember {
    /// For one operation.
    Once,
    /// For the rest of the session.
    Session,
    /// Until it is revoked.
    Always,
}

impl Severity {
    const WORDS: &[(&str, Self)] = &[
        ("low", Self::Low),
        ("normal", Self::Normal),
        ("critical", Self::Critical),
    ];

    /// The word as the manifest writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Normal => "normal",
            Self::Critical => "critical",
        }
    }

    /// What may be remembered when the manifest does not say: everything, but of a critical
    /// action nothing beyond the session.
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
        let action = table.need("action", "mail.send")?;
        if !is_action(action.value) {
            return Err(action.refuse(format!(
                "`{}` is not an action; write lower-case words joined by dots, such as \"mail.send\"",
                shown(action.value)
            )));
        }
        if approvals.iter().any(|other| other.action == action.value) {
            return Err(action.refuse(format!(
                "the action `{}` stands twice; keep one",
                action.value
            )));
        }
        let description = table.need("description", "Send mail in your name")?;
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
    let Some((at, words)) = table.texts("remember")? else {
        return Ok(severity.remember());
    };
    let mut remember = words
        .iter()
        .map(|word| word.one_of("remember", Remember::WORDS))
        .collect::<Checked<Vec<_>>>()?;
    remember.sort_unstable();
    // Without it a person could only say no, or say yes to more than what is on the screen.
    if !remember.contains(&Remember::Once) {
        return Err(Problem::new(at, "`remember` lacks `once`; add it"));
    }
    Ok(remember)
}
