//! What the manifests of loaded plugins declare, and how a flag names it.
//!
//! The name is that of the manifest: a path, a host or a secret. Where several plugins declare the
//! same, the id of the plugin and a dot stand before it, as in `--allow` and `--answer`.

use crate::exit::ExitError;
use crate::suggest::{did_you_mean, quoted_list};
use anyhow::Result;
use footlight_render::filter;
use footlight_vocabulary::manifest::{HostPattern, Manifest, NetRule, Scheme, authority};

/// A kind of power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PowerKind {
    Folder,
    Host,
    Secret,
}

impl PowerKind {
    fn noun(self) -> &'static str {
        match self {
            Self::Folder => "folder",
            Self::Host => "host",
            Self::Secret => "secret",
        }
    }

    /// Returns the name under which a manifest declares what was typed.
    fn find(self, manifest: &Manifest, typed: &str) -> Option<String> {
        match self {
            Self::Folder => {
                let mut folders = manifest.fs.iter();
                let folder = folders.find(|folder| folder.path == typed);
                folder.map(|folder| folder.path.clone())
            }
            Self::Host => {
                let mut rules = manifest.net.iter();
                rules.find_map(|rule| granted_host(rule, typed))
            }
            Self::Secret => {
                let mut secrets = manifest.secrets.iter();
                let secret = secrets.find(|secret| secret.name == typed);
                secret.map(|secret| secret.name.clone())
            }
        }
    }

    fn declared(self, manifest: &Manifest) -> Vec<String> {
        let mut names: Vec<String> = match self {
            Self::Folder => manifest.fs.iter().map(|f| f.path.clone()).collect(),
            Self::Host => manifest.net.iter().map(NetRule::authority).collect(),
            Self::Secret => manifest.secrets.iter().map(|s| s.name.clone()).collect(),
        };
        names.dedup();
        names
    }
}

/// Returns the host that a rule grants, if it is the one that was typed. Without a port, the default one
/// of `https` is meant.
fn granted_host(rule: &NetRule, typed: &str) -> Option<String> {
    let (host, port) = split_port(typed);
    let default = Scheme::Https.default_port();
    let port = port.map_or(Some(default), parse_port)?;
    let is_exact = HostPattern::parse(host).is_ok_and(|host| host.is_exact());
    if !is_exact || rule.port != port || !rule.host.matches(host) {
        return None;
    }
    Some(authority(&host, port, rule.scheme))
}

/// Reads a port as it is written in an address: `+80` and `080` are none.
fn parse_port(text: &str) -> Option<u16> {
    let port: u16 = text.parse().ok()?;
    (port.to_string() == text).then_some(port)
}

/// Splits a port off a host. The colons of an address in brackets, and of a URL, are something else.
pub(crate) fn split_port(typed: &str) -> (&str, Option<&str>) {
    match typed.rsplit_once(':') {
        Some((host, port)) if !port.contains([']', '/']) => (host, Some(port)),
        _ => (typed, None),
    }
}

/// Returns the plugin and the name that a flag means.
///
/// # Errors
/// When no loaded plugin declares it, or what was typed can mean several things.
pub(crate) fn require(
    kind: PowerKind,
    flag: &str,
    typed: &str,
    plugins: &[&Manifest],
) -> Result<(String, String)> {
    let mut meant = meant(kind, typed, plugins);
    let (noun, shown) = (kind.noun(), filter::line(typed, 120));
    match meant.len() {
        1 => Ok(meant.remove(0)),
        0 => Err(undeclared(kind, flag, typed, plugins)),
        _ => {
            let names = meant.iter().map(|(id, name)| format!("{id}.{name}"));
            let names: Vec<String> = names.collect();
            // An id and a host can read as another host.
            let remedy = match names.iter().any(|name| name == typed) {
                true => ", or name the plugin apart with `footlight grants add`",
                false => "",
            };
            let names = filter::line(&quoted_list(names.iter().map(String::as_str)), 300);
            Err(ExitError::usage(format!(
                "`{flag} {shown}`: several plugins ask for this {noun}; write one of {names}{remedy}"
            )))
        }
    }
}

/// Returns everything that a name can mean.
fn meant(kind: PowerKind, typed: &str, plugins: &[&Manifest]) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for manifest in plugins {
        let qualified = typed.strip_prefix(manifest.id.as_str());
        let qualified = qualified.and_then(|rest| rest.strip_prefix('.'));
        for typed in [Some(typed), qualified].into_iter().flatten() {
            let name = kind.find(manifest, typed);
            found.extend(name.map(|name| (manifest.id.clone(), name)));
        }
    }
    found.dedup();
    found
}

/// Returns how a flag names a power of a loaded plugin: as short as possible.
pub(crate) fn flag_name(
    kind: PowerKind,
    plugin: &str,
    name: &str,
    plugins: &[&Manifest],
) -> String {
    match meant(kind, name, plugins).as_slice() {
        [(id, _)] if id == plugin => name.to_owned(),
        // A pattern of hosts, of which a flag names one.
        [] => name.to_owned(),
        _ => format!("{plugin}.{name}"),
    }
}

fn undeclared(kind: PowerKind, flag: &str, typed: &str, plugins: &[&Manifest]) -> anyhow::Error {
    let (noun, shown) = (kind.noun(), filter::line(typed, 120));
    let known = plugins.iter().flat_map(|manifest| {
        let names = kind.declared(manifest).into_iter();
        names.map(|name| flag_name(kind, &manifest.id, &name, plugins))
    });
    let known: Vec<String> = known.collect();
    let known_names = || known.iter().map(String::as_str);
    if known.is_empty() {
        return ExitError::usage(format!(
            "`{flag} {shown}`: no loaded plugin asks for a {noun}; leave it out"
        ));
    }
    let host = HostPattern::parse(split_port(typed).0);
    let why = match host {
        Err(error) if kind == PowerKind::Host => format!("{error}"),
        Ok(host) if kind == PowerKind::Host && !host.is_exact() => {
            "a pattern names no host; name one".to_owned()
        }
        _ => format!("no loaded plugin asks for this {noun}"),
    };
    let meant = did_you_mean(typed, known_names());
    let declared = filter::line(&quoted_list(known_names()), 600);
    ExitError::usage(filter::clean(&format!(
        "`{flag} {shown}`: {why}{meant}; the manifests declare {declared}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Exit;

    fn manifest(id: &str, more: &str) -> Manifest {
        let head = format!(
            "[plugin]\nid = \"{id}\"\nversion = \"0.1.0\"\napi = \"0.1\"\ndescription = \"A\"\n"
        );
        Manifest::parse(&format!("{head}{more}")).expect("is valid")
    }

    const FILES: &str =
        "[[fs]]\npath = \"/data\"\nmode = \"rw\"\n[[fs]]\npath = \"/out\"\nmode = \"rw\"\n";
    const NET: &str = "[[net]]\nhost = \"api.example.com\"\n[[net]]\nhost = \"*.example.org\"\n[[net]]\nhost = \"localhost:8080\"\nscheme = \"http\"\n[[net]]\nhost = \"[::1]:8080\"\nscheme = \"http\"\n[[secret]]\nname = \"token\"\nhost = \"api.example.com\"\nheader = \"authorization\"\n";

    #[test]
    fn a_short_name_is_enough_where_one_plugin_declares_it() {
        let (files, csv) = (
            manifest("files", FILES),
            manifest("csv", "[[fs]]\npath = \"/data\"\nmode = \"ro\"\n"),
        );
        let net = manifest("net", NET);
        let all = [&files, &csv, &net];
        let found = |kind, typed: &str| require(kind, "--x", typed, &all);
        for (kind, typed, plugin, name) in [
            (PowerKind::Folder, "/out", "files", "/out"),
            (PowerKind::Folder, "files./data", "files", "/data"),
            (PowerKind::Folder, "csv./data", "csv", "/data"),
            (PowerKind::Host, "api.example.com", "net", "api.example.com"),
            (
                PowerKind::Host,
                "api.example.com:443",
                "net",
                "api.example.com",
            ),
            (
                PowerKind::Host,
                "net.api.example.com",
                "net",
                "api.example.com",
            ),
            (PowerKind::Host, "a.example.org", "net", "a.example.org"),
            (PowerKind::Host, "localhost:8080", "net", "localhost:8080"),
            (
                PowerKind::Host,
                "net.localhost:8080",
                "net",
                "localhost:8080",
            ),
            (PowerKind::Host, "[::1]:8080", "net", "[::1]:8080"),
            (PowerKind::Secret, "token", "net", "token"),
            (PowerKind::Secret, "net.token", "net", "token"),
        ] {
            let expected = (plugin.to_owned(), name.to_owned());
            assert_eq!(found(kind, typed).expect(typed), expected, "{typed}");
        }
        for (kind, typed, words) in [
            (
                PowerKind::Folder,
                "/data",
                "write one of `files./data`, `csv./data`",
            ),
            (
                PowerKind::Folder,
                "/dat",
                "the manifests declare `files./data`, `/out`, `csv./data`",
            ),
            (
                PowerKind::Folder,
                "net./data",
                "no loaded plugin asks for this folder",
            ),
            (PowerKind::Folder, "/otu", "did you mean `/out`?"),
            (
                PowerKind::Host,
                "localhost",
                "the manifests declare `api.example.com`, `*.example.org`, `localhost:8080`",
            ),
            (
                PowerKind::Host,
                "localhost:+8080",
                "no loaded plugin asks for this host",
            ),
            (
                PowerKind::Host,
                "localhost:08080",
                "no loaded plugin asks for this host",
            ),
            (
                PowerKind::Host,
                "[::1]:+8080",
                "no loaded plugin asks for this host",
            ),
            (
                PowerKind::Host,
                "localhost:80",
                "no loaded plugin asks for this host",
            ),
            (
                PowerKind::Host,
                "api.example.com:0",
                "no loaded plugin asks for this host",
            ),
            (PowerKind::Host, "*.example.org", "a pattern names no host"),
            (PowerKind::Host, "https://api.example.com", "has a scheme"),
            (PowerKind::Host, "API.example.com", "has capital letters"),
            (PowerKind::Secret, "tokne", "did you mean `token`?"),
            (
                PowerKind::Secret,
                "",
                "no loaded plugin asks for this secret",
            ),
        ] {
            let error = found(kind, typed).expect_err(typed);
            assert_eq!(Exit::of_error(&error), Exit::Usage, "{typed}");
            assert!(error.to_string().contains(words), "{typed}: {error}");
        }
        let none = manifest("none", "");
        let error =
            require(PowerKind::Secret, "--secret", "token", &[&none]).expect_err("has none");
        assert!(
            error
                .to_string()
                .contains("no loaded plugin asks for a secret"),
            "{error}"
        );
    }

    #[test]
    fn a_name_that_can_mean_two_hosts_means_neither() {
        let one = manifest("weather", "[[net]]\nhost = \"example.com\"\n");
        let other = manifest("a", "[[net]]\nhost = \"weather.example.com\"\n");
        let both = [&one, &other];
        let error = require(PowerKind::Host, "--allow-net", "weather.example.com", &both);
        let error = error.expect_err("could be both").to_string();
        assert!(
            error.contains("`weather.example.com`, `a.weather.example.com`"),
            "{error}"
        );
        assert_eq!(
            flag_name(PowerKind::Host, "a", "weather.example.com", &both),
            "a.weather.example.com"
        );
    }
}
