//! `plugin.toml`: the plugin's name and the most that a person can grant it.
//!
//! [`Manifest::parse`] is strict: an unknown key, an invalid value or two rules that contradict
//! each other are an error with line and column, and the plugin does not load. The component
//! carries the text in the custom section [`SECTION`], so that a host reads it without running
//! the plugin; the SDK's macro reads it while the plugin compiles.
//!
//! ```
//! # use footlight_vocabulary::manifest::Manifest;
//! let manifest = Manifest::parse(
//!     r#"
//!     [plugin]
//!     id = "weather"
//!     version = "0.1.0"
//!     api = "0.1"
//!     description = "Forecasts, day by day"
//!
//!     [[net]]
//!     host = "api.open-meteo.com"
//!     "#,
//! )?;
//! assert_eq!(manifest.powers(), ["reach api.open-meteo.com (GET)"]);
//! # Ok::<(), footlight_vocabulary::manifest::ManifestError>(())
//! ```
//!
//! Invariant: a [`Manifest`] exists only if it passed every check. It grants nothing; it bounds
//! what can be granted.
//!
//! To add a key: the section's file under `manifest/`, its `KEYS`, and a case in
//! `manifest/tests/powers.txt`.

mod approval;
mod error;
mod fs;
mod host;
mod id;
mod limits;
mod name;
mod net;
mod powers;
mod secret;

pub use crate::function::is_id;
pub use approval::{Approval, Remember, Severity};
pub use error::ManifestError;
pub use fs::{Folder, Mode};
pub use host::{HostPattern, HostPatternError};
pub use id::{FILE_PREFIX, PluginIdError, check_plugin_id, file_plugin_id};
pub use limits::Limits;
pub use name::is_action;
pub use net::{Method, NetRule, Scheme, authority};
pub use secret::Secret;

use crate::toml_reader::{self, Checked, Table, TomlError, is_hidden, quoted};
use serde::Serialize;
use toml::de::DeTable;

/// The custom section of a component that holds the manifest's text.
pub const SECTION: &str = "footlight:manifest";

/// The version of the contract that this version of the host implements.
pub const CONTRACT: &str = "0.1";

/// The most bytes a manifest may have.
pub const MAX_BYTES: usize = 64 * 1024;

/// The most characters a description may have.
pub const MAX_DESCRIPTION: usize = 300;

/// The most entries of a list; nobody reads a longer one before granting it.
const MAX_ENTRIES: usize = 64;

/// The plugin's name and the most that a person can grant it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Manifest {
    /// The plugin's id, such as `weather`, see [`check_plugin_id`].
    pub id: String,
    /// The plugin's own version, such as `0.1.0`.
    pub version: String,
    /// The version of the contract that the plugin was built for.
    pub api: String,
    /// What the plugin does, in the author's words; empty only without a manifest.
    pub description: String,
    /// The address of a page about the plugin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    /// The license.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Hosts that the plugin asks to reach.
    pub net: Vec<NetRule>,
    /// Folders that the plugin asks for.
    pub fs: Vec<Folder>,
    /// Secrets that the host adds to requests.
    pub secrets: Vec<Secret>,
    /// Actions that need approval.
    pub approvals: Vec<Approval>,
    /// Limits of a call.
    pub limits: Limits,
}

const DOCUMENT: &[&str] = &["plugin", "net", "fs", "secret", "approval", "limits"];
const PLUGIN: &[&str] = &["id", "version", "api", "description", "homepage", "license"];

impl Manifest {
    /// Parses the text of a `plugin.toml`.
    ///
    /// # Errors
    /// At the first mistake, with its line and column.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        read(text).map_err(|problem| ManifestError::new(text, problem))
    }

    /// Makes the manifest of a plugin that has none: an id chosen by the host, and no powers.
    ///
    /// # Errors
    /// When `id` is not an [id](is_id), or is reserved. It may begin with [`FILE_PREFIX`].
    pub fn powerless(id: &str) -> Result<Self, PluginIdError> {
        id::check_any(id)?;
        Ok(Self {
            id: id.to_owned(),
            version: "0.0.0".to_owned(),
            api: CONTRACT.to_owned(),
            description: String::new(),
            homepage: None,
            license: None,
            net: Vec::new(),
            fs: Vec::new(),
            secrets: Vec::new(),
            approvals: Vec::new(),
            limits: Limits::DEFAULT,
        })
    }

    /// Returns the rule for a request, or `None` if no rule admits it. Of several the most precise
    /// host counts, so that a wildcard does not lift the approval that a single host needs.
    #[must_use]
    pub fn net_rule(
        &self,
        method: Method,
        scheme: Scheme,
        host: &str,
        port: u16,
    ) -> Option<&NetRule> {
        let rules = self.net.iter();
        let admitting = rules.filter(|rule| rule.admits(method, scheme, host, port));
        admitting.max_by_key(|rule| rule.host.precision())
    }

    /// Returns the secrets that requests to this origin carry.
    pub fn secrets_for(
        &self,
        scheme: Scheme,
        host: &str,
        port: u16,
    ) -> impl Iterator<Item = &Secret> {
        let secrets = self.secrets.iter();
        secrets.filter(move |secret| secret.matches(scheme, host, port))
    }

    /// Returns the declared action of this name.
    #[must_use]
    pub fn approval(&self, action: &str) -> Option<&Approval> {
        let mut approvals = self.approvals.iter();
        approvals.find(|approval| approval.action == action)
    }

    /// Reports whether requests to a host, or changes in a folder, need an approval of this action.
    #[must_use]
    pub fn guards_power(&self, action: &str) -> bool {
        let mut hosts = self.net.iter().map(|net| &net.approval);
        let mut folders = self.fs.iter().map(|folder| &folder.approval);
        let is_action = |guard: &Option<String>| guard.as_deref() == Some(action);
        hosts.any(is_action) || folders.any(is_action)
    }

    /// Returns everything that can be granted, as sentences for a person, such as `reach
    /// api.open-meteo.com (GET)`.
    #[must_use]
    pub fn powers(&self) -> Vec<String> {
        powers::of(self)
    }
}

fn read(text: &str) -> Checked<Manifest> {
    let bytes = text.len();
    if bytes > MAX_BYTES {
        let message = format!("the manifest has {bytes} bytes; it may have at most {MAX_BYTES}");
        return Err(TomlError::new(0..0, message));
    }
    // Refused in comments too: a person must read what the host parses.
    let mut characters = text.char_indices();
    if let Some((at, c)) =
        characters.find(|&(_, c)| is_hidden(c) && !matches!(c, '\n' | '\r' | '\t'))
    {
        let message = format!("invisible character U+{:04X}; remove it", u32::from(c));
        return Err(TomlError::new(at..at, message));
    }
    let document = toml_reader::parse(text)?;
    check_contract(&document)?;
    let document = Table::document("a manifest", &document, DOCUMENT)?;
    let Some(plugin) = document.table("plugin", "[plugin]", PLUGIN)? else {
        return Err(document.error(
            "the manifest lacks [plugin]; add it with `id`, `version`, `api` and `description`",
        ));
    };
    let id = plugin.require_text("id", "weather")?;
    if let Err(why) = check_plugin_id(id.value) {
        return Err(id.error(why.to_string()));
    }
    let version = plugin.require_text("version", "0.1.0")?;
    if !name::is_version(version.value) {
        return Err(version.refused(
            "is not a version; write three numbers such as \"0.1.0\", perhaps with a pre-release such as \"0.1.0-rc.1\"",
        ));
    }
    let api = plugin.require_text("api", CONTRACT)?;
    let description = plugin.require_text("description", "What it does, in one line")?;
    let description = description.sentence("description", MAX_DESCRIPTION)?;
    let homepage = match plugin.text("homepage")? {
        Some(url) if !is_homepage(url.value) => {
            let why = "is not a page's address; write one such as \"https://example.com/weather\"";
            return Err(url.refused(why));
        }
        url => url.map(|url| url.value.to_owned()),
    };
    let license = plugin.sentence("license", 100)?;
    let tables = |key, title, known| document.tables(key, title, known, MAX_ENTRIES);
    let approvals = approval::read(&tables("approval", "[[approval]]", approval::KEYS)?)?;
    let net = net::read(&tables("net", "[[net]]", net::KEYS)?, &approvals)?;
    let secrets = secret::read(&tables("secret", "[[secret]]", secret::KEYS)?, &net)?;
    let fs = fs::read(&tables("fs", "[[fs]]", fs::KEYS)?, &approvals)?;
    let limits = match document.table("limits", "[limits]", limits::KEYS)? {
        Some(table) => Limits::read(&table)?,
        None => Limits::DEFAULT,
    };
    Ok(Manifest {
        id: id.value.to_owned(),
        version: version.value.to_owned(),
        api: api.value.to_owned(),
        description,
        homepage,
        license,
        net,
        fs,
        secrets,
        approvals,
        limits,
    })
}

/// Checks `api` before all else: "unknown key" would be the wrong message for a manifest of a newer
/// contract.
fn check_contract(document: &toml::Spanned<DeTable<'_>>) -> Checked<()> {
    let plugin = document.get_ref().get("plugin");
    let Some(api) = plugin.and_then(|plugin| plugin.get_ref().as_table()?.get("api")) else {
        return Ok(());
    };
    let Some(wanted) = api.get_ref().as_str().filter(|wanted| *wanted != CONTRACT) else {
        return Ok(());
    };
    let is_contract = wanted.split('.').count() == 2 && wanted.split('.').all(name::is_number);
    let message = if is_contract {
        format!(
            "this plugin needs contract {wanted}, this host implements {CONTRACT}; update the host, or rebuild the plugin for contract {CONTRACT}"
        )
    } else {
        format!(
            "`{}` is not a version of the contract; write \"{CONTRACT}\"",
            quoted(wanted)
        )
    };
    Err(TomlError::new(api.span(), message))
}

/// Reports whether `url` is an https address that a page can link to and a person can read.
fn is_homepage(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("https://") else {
        return false;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = HostPattern::parse(&host.to_ascii_lowercase());
    let is_plain = |b: u8| b.is_ascii_graphic() && !b"\"'<>\\^`{|}".contains(&b);
    url.len() <= 256 && url.bytes().all(is_plain) && host.is_ok_and(|host| host.is_exact())
}

#[cfg(test)]
mod tests;
