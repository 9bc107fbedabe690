//! The powers a manifest asks for, as sentences for a person.
//!
//! Invariant: the sentences are made from the data that the host enforces. The author's text
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
    let approval = match &rule.approval {
        Some(action) => format!(", each time only with your approval of `{action}`"),
        None => String::new(),
    };
    format!(
        "reach {place}{whose}{clear} ({}){approval}",
        methods.join(", ")
    )
}

fn send(secret: &Secret) -> String {
    let quote = quote(secret.description.as_deref());
    format!(
        "send your secret `{}` to {}{quote}",
        secret.name,
        secret.authority()
    )
}

fn open(folder: &Folder) -> String {
    let verb = match folder.mode {
        Mode::ReadOnly => "read",
        Mode::ReadWrite => "read, change and delete in",
    };
    let approval = match &folder.approval {
        Some(action) => format!(", writing only with your approval of `{action}`"),
        None => String::new(),
    };
    let quote = quote(folder.description.as_deref());
    let path = &folder.path;
    format!("{verb} the folder you bind to {path}{approval}{quote}")
}

fn ask(approval: &Approval) -> String {
    let quote = quote(Some(&approval.description));
    format!(
        "ask for your approval of `{}`{quote} ({})",
        approval.action,
        approval.severity.as_str()
    )
}

/// Quotes the author's text, which must not contain a quotation mark itself.
fn quote(text: Option<&str>) -> String {
    text.map_or_else(String::new, |text| {
        format!(": \"{}\"", text.replace('"', "'"))
    })
}
