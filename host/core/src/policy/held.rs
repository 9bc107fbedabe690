//! The powers that a call holds before it runs, from which follows whether its tool is effectful.
//!
//! What a person has to approve again in the running call does not count: a folder that is read-only
//! until then, a request that needs a verdict of its own.

use super::grants::Grants;
use super::request::Powers;
use super::rules::{Build, Effect, Pattern, Rules, Target};
use footlight_vocabulary::item::SessionId;
use footlight_vocabulary::manifest::{Manifest, Method, NetRule, Secret};

/// A call, as far as its powers depend on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PowerHolder<'a> {
    pub(crate) manifest: &'a Manifest,
    pub(crate) digest: &'a str,
    pub(crate) session: &'a SessionId,
    pub(crate) person: &'a str,
    /// Whether the tool says that it only reads, which is enforced.
    pub(crate) read_only: bool,
    /// For each folder of the call, whether it can write without another approval.
    pub(crate) folders: &'a [bool],
}

impl PowerHolder<'_> {
    /// Returns the powers that rules and grants give to the call.
    pub(crate) fn powers(&self, rules: &Rules, grants: &Grants) -> Powers {
        let targets = || {
            let rules = rules.rules.iter().filter(|rule| {
                let build = match &rule.build {
                    Build::Any => true,
                    Build::Digest(digest) => digest == self.digest,
                };
                rule.effect == Effect::Allow && rule.plugin == self.manifest.id && build
            });
            let grants = grants
                .of(self.session)
                .iter()
                .filter(|grant| grant.person == self.person && grant.scope.digest == self.digest);
            let granted = grants.map(|grant| &grant.scope.target);
            rules.map(|rule| &rule.target).chain(granted)
        };
        let reaches = |net: &&NetRule| {
            targets().any(|target| matches!(target, Target::Host(host) if admits(net, host)))
        };
        let knows = |secret: &Secret| {
            targets()
                .any(|target| matches!(target, Target::Secret(name) if name.matches(&secret.name)))
        };
        let sends = |net: &NetRule| {
            let is_write = |method: &Method| !matches!(method, Method::Get | Method::Head);
            net.approval.is_none() && net.methods.iter().any(is_write)
        };
        let mut hosts = self.manifest.net.iter().filter(reaches).peekable();
        Powers {
            folder: !self.folders.is_empty(),
            writable_folder: self.folders.contains(&true),
            network: hosts.peek().is_some(),
            non_get_network: !self.read_only && hosts.any(sends),
            secrets: self.manifest.secrets.iter().any(knows),
        }
    }
}

/// Reports whether a granted host is one that the manifest entry is about.
fn admits(net: &NetRule, granted: &Pattern) -> bool {
    let Some(granted) = granted.name() else {
        return true;
    };
    let with_port = granted.rsplit_once(':').and_then(|(host, port)| {
        let port: u16 = port.parse().ok()?;
        Some((host, port))
    });
    let (host, port) = with_port.unwrap_or((granted, net.scheme.default_port()));
    net.matches(net.scheme, host, port)
}
