//! `footlight.lock`: what is installed, from where, and which bytes it has to be.
//!
//! The file is in the data folder beside the components, and only `footlight plugins` writes it. A file of
//! this name elsewhere, such as in a project, means nothing.

use super::digest::Sha256;
use super::signature::PublicKey;
use super::source::Source;
use crate::data::{self, display_path};
use anyhow::{Context, Result, anyhow, bail};
use footlight_render::filter;
use footlight_vocabulary::item::Timestamp;
use footlight_vocabulary::manifest::check_plugin_id;
use serde::Deserialize;
use std::fmt::Write as _;
use std::path::Path;

/// The file name.
pub(crate) const NAME: &str = "footlight.lock";

/// The largest file in bytes, and the most plugins.
const MAX_BYTES: usize = 1 << 20;
const MAX_PLUGINS: usize = 500;

/// The format that this version reads and writes.
const FORMAT: u32 = 1;

const HEAD: &str = "# The plugins that `footlight plugins add` installed, and the bytes that each has to be.\n\
    # Changed by `footlight plugins`; a component that differs from its digest is not loaded.\n";

/// An installed plugin.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    /// The name, which is the id in its manifest.
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) source: Source,
    /// The digest of the registry's manifest, if it came from a registry.
    pub(crate) manifest: Option<Sha256>,
    /// The digest of the component.
    pub(crate) component: Sha256,
    /// The key that it was signed with.
    pub(crate) key: Option<PublicKey>,
    pub(crate) installed: Timestamp,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    format: u32,
    #[serde(default)]
    plugin: Vec<RawEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawEntry {
    name: String,
    version: String,
    source: String,
    #[serde(default)]
    plain_http: bool,
    manifest: Option<String>,
    component: String,
    key: Option<String>,
    installed: Timestamp,
}

/// Reads the file; a missing one has no plugins.
pub(super) fn read(path: &Path) -> Result<Vec<Entry>> {
    let Some(text) = data::read_own(path, MAX_BYTES)? else {
        return Ok(Vec::new());
    };
    parse(&text).with_context(|| {
        format!(
            "`{}` is damaged; correct it, or remove it and add the plugins again",
            display_path(path)
        )
    })
}

fn parse(text: &str) -> Result<Vec<Entry>> {
    let file: RawFile =
        toml::from_str(text).map_err(|error| anyhow!("{}", filter::line(error.message(), 200)))?;
    if file.format != FORMAT {
        bail!(
            "it has the format {}, and this version reads {FORMAT}",
            file.format
        );
    }
    if file.plugin.len() > MAX_PLUGINS {
        bail!("it has more than {MAX_PLUGINS} plugins");
    }
    let mut entries: Vec<Entry> = Vec::new();
    for raw in file.plugin {
        let name = filter::line(&raw.name, 60);
        let entry = entry(raw).with_context(|| format!("the plugin `{name}`"))?;
        if entries.iter().any(|other| other.name == entry.name) {
            bail!("the plugin `{name}` is there twice");
        }
        entries.push(entry);
    }
    Ok(entries)
}

fn entry(raw: RawEntry) -> Result<Entry> {
    check_plugin_id(&raw.name)?;
    let digest = |text: &str| Sha256::parse(text).context("a digest is malformed");
    let key = raw
        .key
        .map(|key| PublicKey::parse(&key).context("its key is malformed"));
    Ok(Entry {
        source: Source::parse(&raw.source, raw.plain_http)?,
        manifest: raw.manifest.as_deref().map(digest).transpose()?,
        component: digest(&raw.component)?,
        key: key.transpose()?,
        version: filter::line(&raw.version, 64),
        name: raw.name,
        installed: raw.installed,
    })
}

/// Formats the file.
///
/// # Errors
/// When it could not be read again: no plugin could be used any more.
pub(super) fn text(entries: &[Entry]) -> Result<String> {
    let text = formatted(entries);
    let read = parse(&text).context("the list of installed plugins cannot hold this one")?;
    if read != entries || text.len() > MAX_BYTES {
        bail!("the list of installed plugins cannot hold this one");
    }
    Ok(text)
}

fn formatted(entries: &[Entry]) -> String {
    let mut text = format!("{HEAD}format = {FORMAT}\n");
    for entry in entries {
        let source = match &entry.source {
            // The other texts are shortened where they are shown.
            Source::File(path) => path.display().to_string(),
            Source::Url(url) => url.to_string(),
            Source::Registry(reference) => reference.to_string(),
        };
        let manifest = entry.manifest.as_ref().map(Sha256::to_string);
        let key = entry.key.as_ref().map(|key| key.as_str().to_owned());
        let fields = [
            ("name", Some(entry.name.clone())),
            ("version", Some(entry.version.clone())),
            ("source", Some(source)),
            ("manifest", manifest),
            ("component", Some(entry.component.to_string())),
            ("key", key),
            ("installed", Some(entry.installed.to_string())),
        ];
        text.push_str("\n[[plugin]]\n");
        for (name, value) in fields {
            if let Some(value) = value {
                // A JSON string without control characters is a TOML string.
                let value = serde_json::Value::String(value);
                let _ = writeln!(text, "{name} = {value}");
            }
        }
        if entry.source.is_plain_http() {
            text.push_str("plain-http = true\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Vec<Entry> {
        let entry = |name: &str, source: &str, plain| Entry {
            name: name.to_owned(),
            version: "1.2.0".to_owned(),
            source: Source::parse(source, plain).expect("is a source"),
            manifest: Some(Sha256::of(b"manifest")),
            component: Sha256::of(name.as_bytes()),
            key: None,
            installed: Timestamp::from_millis(0),
        };
        vec![
            entry("weather", "r.example/acme/weather:1", false),
            entry("mail", "r.example/acme/mail:1", true),
            entry("todo", "/a \"b\"\\c/todo.wasm", false),
            entry("csv", "https://a.example/csv.wasm?v=%22", false),
        ]
    }

    #[test]
    fn what_is_written_is_read_back() {
        let entries = entries();
        let text = |entries: &[Entry]| text(entries).expect("can be read again");
        assert_eq!(parse(&text(&entries)).expect("is read"), entries);
        assert_eq!(parse(&text(&[])).expect("is read"), []);
    }

    #[test]
    fn what_could_not_be_read_back_is_not_written() {
        let entry = entries().remove(0);
        let many = (0..=MAX_PLUGINS).map(|n| Entry {
            name: format!("p{n}"),
            ..entry.clone()
        });
        assert!(text(&many.collect::<Vec<_>>()).is_err(), "too many");
        for path in [
            "/a\u{7f}/x.wasm",
            "/a\n/x.wasm",
            &format!("/{}/x.wasm", "a".repeat(400)),
        ] {
            let source = Source::File(path.into());
            let entries = [Entry {
                source,
                ..entry.clone()
            }];
            assert!(text(&entries).is_err(), "{path:?}");
        }
    }

    #[test]
    fn a_source_that_has_become_a_folder_spoils_no_other_plugin() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("todo.wasm");
        std::fs::create_dir(&path).expect("is made");
        let mut entries = entries();
        entries[2].source = Source::File(path);
        let text = text(&entries).expect("can be read again");
        assert_eq!(parse(&text).expect("is read"), entries);
    }

    #[test]
    fn a_file_that_says_anything_else_is_refused() {
        let good = text(&entries()[..1]).expect("can be read again");
        for (old, new) in [
            ("format = 1", "format = 2"),
            ("name = \"weather\"", "name = \"../weather\""),
            ("name = \"weather\"", "name = \"system\""),
            ("component = \"sha256:", "component = \"sha256:../"),
            ("component = \"sha256:", "component = \"md5:"),
            ("manifest = ", "manifesto = "),
            ("source = \"r.example/", "source = \"http://r.example/"),
            ("installed = \"1970", "installed = \"x"),
        ] {
            let bad = good.replace(old, new);
            assert_ne!(bad, good, "{old}");
            assert!(parse(&bad).is_err(), "{bad}");
        }
        let entry = good.split_once("[[plugin]]").expect("has one").1;
        assert!(
            parse(&format!("{good}\n[[plugin]]{entry}")).is_err(),
            "twice"
        );
    }
}
