//! A manifest's powers as sentences for a person.
//!
//! Invariant: the words are ours and come from the data that is enforced. What the author wrote
//! appears only in quotation marks, so it cannot pass for a sentence of the host.

use super::net::Scheme;
use super::{Approval, Folder, Manifest, Mode, NetRule, Secret};

pub(super) fn of(manifest: &Manifest) -> Vec<String> {
    let mut powers: Vec<String> = manifest.net.iter().map(reach).collect();
    powers.extend(manifest.secrets.iter().map(send));
    powers.extend(manifest.fs.iter().map(open));
    powers.extend(manifest.approvals.iter().map(ask));
    powers
}

fn reach(rule: &NetRule) -> String {
    let methods: Vec<_> = rule.methods.iter().map(|method| method.as_str()).collect();
    let place = match rule.host.suffix() {
        Some(suffix) if rule.port == rule.scheme.default_port() => {
            format!("any host under {suffix}")
        }
        Some(suffix) => format!("any host under {suffix}, port {}", rule.port),
        None => rule.authority(),
    };
    let whose = if rule.host.is_loopback() {
        " on this machine"
    } else if rule.host.is_address() {
        " by its address"
    } else {
        ""
    };
    let clear = match rule.scheme {
        Scheme::Https => "",
        Scheme::Http => " without encryption",
    };
    let leave = match &rule.approval {
        Some(action) => format!(", each time only with your leave for `{action}`"),
        None => String::new(),
    };
    format!(
        "reach {place}{whose}{clear} ({}){leave}",
        methods.join(", ")
    )
}

fn send(secret: &Secret) -> String {
    let said = said(secret.description.as_deref());
    format!(
        "send your secret `{}` to {}{said}",
        secret.name,
        secret.authority()
    )
}

fn open(folder: &Folder) -> String {
    let verb = match folder.mode {
        Mode::ReadOnly => "read",
        Mode::ReadWrite => "read, change and delete in",
    };
    let said = said(folder.description.as_deref());
    format!("{verb} the folder you bind to {}{said}", folder.path)
}

fn ask(approval: &Approval) -> String {
    let said = said(Some(&approval.description));
    format!(
        "ask leave for `{}`{said} ({})",
        approval.action,
        approval.severity.as_str()
    )
}

/// The author's words, which cannot leave their quotation marks.
fn said(words: Option<&str>) -> String {
    words.map_or_else(String::new, |words| {
        format!(": \"{}\"", words.replace('"', "'"))
    })
}
