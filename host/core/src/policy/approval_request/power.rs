//! Approval requests for folders, hosts and secrets.
//!
//! A standing yes to a power covers every build of the plugin: its manifest bounds what each build
//! can ask for, and a component under a known id is accepted by a person before it runs.

use super::{Fact, FolderRequest, NetworkRequest, VerdictOption};
use crate::policy::decision::AskReason;
use crate::policy::request::{NetRequest, Operation, Request};
use crate::policy::rules::{Build, Effect, Pattern, Rule, Subject, Target};
use footlight_vocabulary::item::Verdict;
use footlight_vocabulary::manifest::{Manifest, Mode};

/// Returns the use of a power that a verdict is bound to.
pub(super) fn bound_use(request: &Request<'_>) -> Option<String> {
    match &request.operation {
        Operation::Call { .. } | Operation::Approval { .. } => None,
        Operation::Net(net) => Some(format!(
            "{} {}{} {} bytes, secrets {:?}",
            net.method,
            net.origin(),
            net.path,
            net.bytes,
            net.secrets
        )),
        Operation::Folder {
            path,
            mode,
            offered,
        } => Some(format!("{path} {} as {offered:?}", mode.as_str())),
        Operation::Secret { name, host, .. } => Some(format!("{name} to {host}")),
    }
}

pub(super) fn folder(manifest: &Manifest, request: &Request<'_>) -> Option<FolderRequest> {
    match request.operation {
        Operation::Folder {
            path,
            mode,
            offered,
        } => Some(FolderRequest {
            path: path.to_owned(),
            writable: mode == Mode::ReadWrite,
            asks_to_write: manifest
                .fs
                .iter()
                .any(|folder| folder.path == path && folder.approval.is_some()),
            offered: offered.map(str::to_owned),
        }),
        _ => None,
    }
}

pub(super) fn network(request: &Request<'_>) -> Option<NetworkRequest> {
    match request.operation {
        Operation::Net(net) => Some(NetworkRequest {
            method: net.method.to_string(),
            host: net.authority(),
            url: format!("{}{}", net.origin(), net.path),
            bytes: net.bytes as u64,
            secrets: net.secrets.iter().map(|name| (*name).to_owned()).collect(),
        }),
        _ => None,
    }
}

/// Returns the host's facts about the use of a power.
pub(super) fn facts(request: &Request<'_>) -> Vec<Fact> {
    let fact = |name: &str, value: String| Fact {
        name: name.to_owned(),
        value,
    };
    match request.operation {
        Operation::Call { .. } | Operation::Approval { .. } => Vec::new(),
        Operation::Net(net) => {
            let url = format!("{} {}{}", net.method, net.origin(), net.path);
            let mut facts = vec![
                fact("request", url),
                fact("size", format!("{} bytes", net.bytes)),
            ];
            let secrets = net.secrets.iter();
            facts.extend(secrets.map(|name| fact("secret", (*name).to_owned())));
            facts
        }
        Operation::Folder {
            path,
            mode,
            offered,
        } => {
            let access = match mode {
                Mode::ReadOnly => "read files",
                Mode::ReadWrite => "read, change, add and delete files",
            };
            let mut facts = vec![
                fact("folder", path.to_owned()),
                fact("access", access.to_owned()),
            ];
            facts.extend(offered.map(|offered| fact("offered", offered.to_owned())));
            facts
        }
        Operation::Secret { name, host, .. } => vec![
            fact("secret", name.to_owned()),
            fact("host", host.to_owned()),
        ],
    }
}

/// Returns what the author says of the folder, or of the secrets.
pub(super) fn descriptions<'m>(manifest: &'m Manifest, request: &Request<'_>) -> Vec<&'m str> {
    match request.operation {
        Operation::Folder { path, .. } => {
            let folders = manifest.fs.iter().filter(|folder| folder.path == path);
            folders.filter_map(|f| f.description.as_deref()).collect()
        }
        Operation::Net(net) => {
            let carried = manifest.secrets_for(net.scheme, net.host, net.port);
            let new = carried.filter(|secret| net.secrets.contains(&secret.name.as_str()));
            new.filter_map(|s| s.description.as_deref()).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the possible verdicts. `always` is one of them unless each request needs its own verdict.
pub(super) fn options(
    manifest: &Manifest,
    request: &Request<'_>,
    reasons: &[AskReason],
) -> Vec<VerdictOption> {
    let plugin = &manifest.id;
    let (what, target) = match &request.operation {
        Operation::Net(net) => (
            with_secrets(
                format!("requests of `{plugin}` to `{}`", net.authority()),
                net,
            ),
            Target::Host(Pattern::exactly(&net.authority())),
        ),
        Operation::Folder { path, .. } => (
            format!("a folder for `{plugin}` at `{path}`"),
            Target::Folder(Pattern::exactly(path)),
        ),
        Operation::Secret { name, host, .. } => (
            format!("the secret `{name}` in requests of `{plugin}` to `{host}`"),
            Target::Secret(Pattern::exactly(name)),
        ),
        Operation::Call { .. } | Operation::Approval { .. } => return Vec::new(),
    };
    let once = match &request.operation {
        Operation::Net(_) => "yes to this one request".to_owned(),
        _ => format!("yes to {what}, for this call"),
    };
    let option = |verdict, covers| VerdictOption {
        verdict,
        covers,
        rule: None,
        secret_rules: Vec::new(),
    };
    let mut options = vec![
        option(Verdict::Deny, format!("no to {what}, this time")),
        option(Verdict::Once, once),
    ];
    // A lasting yes covers the secrets of the request, too.
    let is_lasting =
        |reason: &AskReason| *reason == AskReason::NewSecret || !reason.needs_new_verdict();
    if !reasons.iter().all(is_lasting) {
        return options;
    }
    let covers = format!("yes to {what}, for the rest of this session");
    options.push(option(Verdict::Session, covers));
    let rule = |target| Rule {
        effect: Effect::Allow,
        plugin: plugin.clone(),
        build: Build::Any,
        target,
        subject: Subject::Any,
        folder: None,
    };
    let secrets = match &request.operation {
        Operation::Net(net) => net.secrets,
        _ => &[],
    };
    let secrets = secrets.iter();
    options.push(VerdictOption {
        verdict: Verdict::Always,
        covers: format!("yes to {what}, until you revoke it"),
        rule: Some(rule(target)),
        secret_rules: secrets
            .map(|name| rule(Target::Secret(Pattern::exactly(name))))
            .collect(),
    });
    options
}

fn with_secrets(what: String, net: &NetRequest<'_>) -> String {
    match net.secrets {
        [] => what,
        [one] => format!("{what} with your secret `{one}`"),
        many => format!("{what} with your secrets `{}`", many.join("`, `")),
    }
}
