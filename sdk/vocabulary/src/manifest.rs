//! `plugin.toml`: what a plugin is called, and the ceiling of what a person can grant it.
//!
//! [`Manifest::parse`] is strict: a key it does not know, a value off its pattern or a rule that
//! contradicts another refuses the whole text, at a line and column, and the plugin does not
//! load. The text is embedded in the component in the custom section [`SECTION`], so that a host
//! reads it without running the plugin; the SDK's macro reads it while the plugin compiles.
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
//! Invariant: a [`Manifest`] is made here or not at all, so whoever holds one need not check it
//! again. It grants nothing; it only bounds what can be granted.
//!
//! To add a key: the section's file under `manifest/`, its `KEYS`, and a line in
//! `manifest/tests/powers.txt`.

mod error;

mod name;

mod reader;

mod host;

mod limits;

mod approval;

mod net;

mod secret;

mod fs;

mod powers;

pub use crate::function::is_id;
pub use approval::{Approval, Remember, Severity};
pub use error::ManifestError;
pub use fs::{Folder, Mode};
pub use host::{HostPattern, InvalidHost};
pub use limits::Limits;
pub use name::is_action;
pub use net::{Method, NetRule, Scheme};
pub use secret::Secret;

use error::{Checked, Problem, is_hidden, shown};
use reader::Table;
use serde::Serialize;
use std::fmt;
use toml::de::DeTable;

/// The custom section of a component that holds the manifest's text.
pub const SECTION: &str = "footlight:manifest";

/// The version of the contract that this version of the host speaks.
pub const CONTRACT: &str = "0.1";

/// The most bytes a manifest may have.
pub const MAX_BYTES: usize = 64 * 1024;

/// The most characters a description may have.
pub const MAX_DESCRIPTION: usize = 300;

/// What a plugin is called, and the most that a person can grant it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Manifest {
    /// The plugin's id, such as `weather`, see [`is_id`].
    pub id: String,
    /// The plugin's own version, such as `0.1.0`.
    pub version: String,
    /// The version of the contract it was built for.
    pub api: String,
    /// What it does, in the author's words; empty only where there is no manifest.
    pub description: String,
    /// Where to read more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    /// Under which terms it may be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Which hosts it would like to reach.
    pub net: Vec<NetRule>,
    /// Which folders it would like to have.
    pub fs: Vec<Folder>,
    /// Which secrets it would like to have sent.
    pub secrets: Vec<Secret>,
    /// What it will ask leave for.
    pub approvals: Vec<Approval>,
    /// What a call of it may use.
    pub limits: Limits,
}

const DOCUMENT: &[&str] = &["plugin", "net", "fs", "secret", "approval", "limits"];
const PLUGIN: &[&str] = &["id", "version", "api", "description", "homepage", "license"];

impl Manifest {
    /// Reads the text of a `plugin.toml`.
    ///
    /// # Errors
    /// At the first thing that is not as it must be, with its line and column.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        read(text).map_err(|problem| ManifestError::new(text, problem))
    }

    /// What a plugin without a manifest has: an id that its host chose, and no powers.
    ///
    /// # Errors
    /// When `id` is not an [id](is_id).
    pub fn powerless(id: &str) -> Result<Self, InvalidId> {
        if !is_id(id) {
            return Err(InvalidId(shown(id)));
        }
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

    /// The rule for a request: of those that admit it the one that says most about the host, so
    /// that a guarded host stays guarded under an unguarded wildcard. None means no.
    #[must_use]
    pub fn net_rule(
        &self,
        method: Method,
        scheme: Scheme,
        host: &str,
        port: u16,
    ) -> Option<&NetRule> {
        let admitting = self
            .net
            .iter()
            .filter(|rule| rule.admits(method, scheme, host, port));
        admitting.max_by_key(|rule| rule.host.precision())
    }

    /// The secrets that requests to this place carry.
    pub fn secrets_for(
        &self,
        scheme: Scheme,
        host: &str,
        port: u16,
    ) -> impl Iterator<Item = &Secret> {
        let secrets = self.secrets.iter();
        secrets.filter(move |secret| secret.matches(scheme, host, port))
    }

    /// The declared action of this name.
    #[must_use]
    pub fn approval(&self, action: &str) -> Option<&Approval> {
        self.approvals
            .iter()
            .find(|approval| approval.action == action)
    }

    /// Everything it could be granted, as sentences for a person, such as `reach
    /// api.open-meteo.com (GET)`. Empty when it asks for nothing.
    #[must_use]
    pub fn powers(&self) -> Vec<String> {
        powers::of(self)
    }
}

/// A word that cannot be an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidId(String);

impl fmt::Display for InvalidId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", not_an_id(&self.0))
    }
}

impl std::error::Error for InvalidId {}

fn not_an_id(shown: &str) -> String {
    format!(
        "`{shown}` is not an id; write a lower-case letter and up to 30 letters, digits and single `_`, such as \"weather\""
    )
}

fn read(text: &str) -> Checked<Manifest> {
    if text.len() > MAX_BYTES {
        return Err(Problem::new(
            0..0,
            format!(
                "the manifest has {} bytes; it may have at most {MAX_BYTES}",
                text.len()
            ),
        ));
    }
    // Also in comments: what a person reads must be what is parsed.
    let mut characters = text.char_indices();
    if let Some((at, c)) =
        characters.find(|&(_, c)| is_hidden(c) && !matches!(c, '\n' | '\r' | '\t'))
    {
        return Err(Problem::new(
            at..at,
            format!("invisible character U+{:04X}; remove it", u32::from(c)),
        ));
    }
    let document = DeTable::parse(text).map_err(|error| {
        // The parser's words are about syntax and have no remedy of ours.
        let message = error.message().lines().collect::<Vec<_>>().join("; ");
        Problem::new(
            error.span().unwrap_or_default(),
            format!("not TOML: {message}"),
        )
    })?;
    check_contract(&document)?;
    let document = Table::document(&document, DOCUMENT)?;
    let Some(plugin) = document.table("plugin", "[plugin]", PLUGIN)? else {
        return Err(document.refuse(
            "the manifest lacks [plugin]; add it with `id`, `version`, `api` and `description`",
        ));
    };
    let id = plugin.need("id", "weather")?;
    if !is_id(id.value) {
        return Err(id.refuse(not_an_id(&shown(id.value))));
    }
    let version = plugin.need("version", "0.1.0")?;
    if !name::is_version(version.value) {
        return Err(version.refuse(format!(
            "`{}` is not a version; write three numbers such as \"0.1.0\", perhaps with a pre-release such as \"0.1.0-rc.1\"",
            shown(version.value)
        )));
    }
    let api = plugin.need("api", CONTRACT)?;
    let description = plugin.need("description", "What it does, in one line")?;
    let description = description.sentence("description", MAX_DESCRIPTION)?;
    let homepage = match plugin.text("homepage")? {
        Some(url) if !is_homepage(url.value) => {
            return Err(url.refuse(format!(
                "`{}` is not a page's address; write one such as \"https://example.com/weather\"",
                shown(url.value)
            )));
        }
        url => url.map(|url| url.value.to_owned()),
    };
    let license = plugin.sentence("license", 100)?;
    let approvals =
        approval::read(&document.tables("approval", "[[approval]]", approval::KEYS)?)?;
    let net = net::read(&document.tables("net", "[[net]]", net::KEYS)?, &approvals)?;
    let secrets = secret::read(
        &document.tables("secret", "[[secret]]", secret::KEYS)?,
        &net,
    )?;
    let fs = fs::read(&document.tables("fs", "[[fs]]", fs::KEYS)?)?;
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

/// Looks at `api` before all else: what a newer contract's manifest says may make no sense to us,
/// and "unknown key" would be the wrong answer to it.
fn check_contract(document: &toml::Spanned<DeTable<'_>>) -> Checked<()> {
    let plugin = document
        .get_ref()
        .get("plugin")
        .and_then(|plugin| plugin.get_ref().as_table());
    let Some(api) = plugin.and_then(|plugin| plugin.get("api")) else {
        return Ok(());
    };
    let Some(wanted) = api.get_ref().as_str().filter(|wanted| *wanted != CONTRACT) else {
        return Ok(());
    };
    let is_contract = wanted.split('.').count() == 2 && wanted.split('.').all(name::is_number);
    let message = if is_contract {
        format!(
            "this plugin wants contract {wanted}, this host speaks {CONTRACT}; update the host, or rebuild the plugin for contract {CONTRACT}"
        )
    } else {
        format!(
            "`{}` is not a version of the contract; write \"{CONTRACT}\"",
            shown(wanted)
        )
    };
    Err(Problem::new(api.span(), message))
}

/// An https address that a page can link to and a person can read.
fn is_homepage(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("https://") else {
        return false;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = HostPattern::parse(&host.to_ascii_lowercase());
    url.len() <= 256
        && url
            .bytes()
            .all(|b| b.is_ascii_graphic() && !b"\"'<>\\^`{|}".contains(&b))
        && host.is_ok_and(|host| host.is_exact())
}

#[cfg(test)]
mod tests;
