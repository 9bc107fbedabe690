//! Requests for approval as cards: what the host knows, then the plugin's words as quotes, then a button
//! for each verdict that can be given here. A decided one is a line that says who decided what.

use super::card::{badge, button, caption, card, exact_text, row, title};
use super::press::{OFFERED, Pressed};
use crate::access::Permission;
use footlight::policy::ApprovalRequest;
use footlight::store::RequestRow;
use footlight_render::filter::exact;
use footlight_vocabulary::item::{Power, Receipt, Verdict};
use serde_json::{Value, json};

/// Returns the card of a pending request; none if what is stored cannot be read.
pub(super) fn approval_card(request: &RequestRow, may: Permission) -> Option<Value> {
    let asked: ApprovalRequest = serde_json::from_value(request.body.clone()).ok()?;
    let mut children = vec![title(&format!("Allow {}?", subject_of(request, &asked)))];
    if let Some(subject) = &asked.subject {
        children.push(fact("subject", "to", &format!("\"{subject}\"")));
    }
    let facts = asked.facts.iter().enumerate();
    children.extend(facts.map(|(n, it)| fact(&format!("fact{n}"), &it.name, &it.value)));
    let reasons = asked.reasons.iter().map(ToString::to_string);
    let reasons = reasons.collect::<Vec<_>>().join("; ");
    if !reasons.is_empty() {
        children.push(fact("reasons", "because", &reasons));
    }
    children.push(json!({ "type": "Divider" }));
    for (n, quote) in asked.quotes.iter().enumerate() {
        children.push(caption(&format!("in the words of {}:", quote.by)));
        children.push(quoted(&format!("quote{n}"), &quote.text));
    }
    if let Some(details) = &asked.details {
        children.push(caption("details, in the words of the plugin:"));
        children.push(quoted("details", &exact(details)));
    }
    children.extend(buttons(request, &asked, may));
    Some(card(children))
}

/// Returns the buttons, each with what its verdict covers.
fn buttons(request: &RequestRow, asked: &ApprovalRequest, may: Permission) -> Vec<Value> {
    if may < Permission::Approve {
        return vec![caption("this waits for somebody who may approve it")];
    }
    let needs_folder = |folder: &footlight::policy::FolderRequest| folder.offered.is_none();
    let needs_folder = asked.folder.as_ref().is_some_and(needs_folder);
    let mut out = Vec::new();
    for (verdict, _) in OFFERED {
        let option = asked.options.iter().find(|it| it.verdict == verdict);
        let Some(option) = option.filter(|_| verdict == Verdict::Deny || !needs_folder) else {
            continue;
        };
        let (label, color) = match verdict {
            Verdict::Deny => ("Deny", "secondary"),
            Verdict::Once => ("Approve once", "primary"),
            _ => ("This session", "warning"),
        };
        let pressed = Pressed::Verdict {
            request: request.id.clone(),
            verdict,
        };
        let button = button(label, color, pressed.settling_action());
        out.push(row(vec![button, caption(&option.covers)]));
    }
    if needs_folder {
        out.push(caption(
            "a folder of the machine is named where the server runs",
        ));
    }
    out
}

fn fact(id: &str, name: &str, value: &str) -> Value {
    row(vec![caption(name), exact_text(id, value)])
}

fn quoted(id: &str, words: &str) -> Value {
    let mut text = exact_text(id, &format!("“{words}”"));
    text["italic"] = true.into();
    text
}

/// Returns what is approved or denied, in the host's words.
fn subject_of(request: &RequestRow, asked: &ApprovalRequest) -> String {
    let binding = &asked.binding;
    match (&asked.folder, &asked.network, &binding.action) {
        (Some(folder), _, _) => format!("{} to use the folder {}", request.plugin, folder.path),
        (None, Some(network), _) => format!("{} to reach {}", request.plugin, network.host),
        (None, None, Some(action)) => action.clone(),
        (None, None, None) => format!("{}.{}", request.plugin, binding.tool),
    }
}

/// A decision on a request.
pub(super) struct Decision {
    what: String,
    verdict: Verdict,
    by: Option<String>,
}

impl Decision {
    /// Returns the decision on a request.
    pub(super) fn on(request: &RequestRow, verdict: Verdict, by: Option<String>) -> Option<Self> {
        let asked: ApprovalRequest = serde_json::from_value(request.body.clone()).ok()?;
        Some(Self {
            what: subject_of(request, &asked),
            verdict,
            by,
        })
    }

    /// Returns the decision that a receipt of a call records.
    pub(super) fn of(receipt: &Receipt, function: &str) -> Self {
        let subject = receipt.subject.as_deref().unwrap_or_default();
        let plugin = function.split('.').next().unwrap_or_default();
        let what = match (&receipt.power, &receipt.action) {
            (Some(Power::Folder), _) => format!("{plugin} to use the folder {subject}"),
            (Some(Power::Network), _) => format!("{plugin} to reach {subject}"),
            (_, Some(action)) => action.clone(),
            (_, None) => function.to_owned(),
        };
        Self {
            what,
            verdict: receipt.decision,
            by: receipt.by.clone(),
        }
    }

    /// Returns the card, which has nothing to press.
    pub(super) fn card(&self) -> Value {
        let (word, color) = match self.verdict {
            Verdict::Deny => ("denied", "danger"),
            Verdict::Once => ("approved once", "success"),
            Verdict::Session => ("approved for this session", "success"),
            Verdict::Always => ("always approved", "success"),
        };
        let mut line = vec![badge(word, color), exact_text("what", &self.what)];
        line.extend(self.by.as_deref().map(|by| caption(&format!("by {by}"))));
        card(vec![row(line)])
    }
}
