//! `footlight publish`: signs a plugin and pushes it to a registry, or writes it with its signature.

use crate::conversation::host::now;
use crate::data::{self, display_path};
use crate::exit::{Exit, ExitError};
use crate::plugin_source::component::with_manifest;
use crate::plugin_source::{self, BuildCause};
use crate::plugins::digest::Sha256;
use crate::plugins::fetch::SIGNATURE_ENDING;
use crate::plugins::registry::{Credentials, Published, Registry};
use crate::plugins::signing::{SigningKey, make_key};
use crate::plugins::source::{DEFAULT_TAG, Reference, Source, SourceError, is_tag};
use crate::terminal::ui::Ui;
use anyhow::{Context, Result};
use clap::Args;
use footlight::{Survey, bounded_file};
use footlight_vocabulary::manifest::{self, Manifest};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Sign a plugin and push it to a registry.
#[derive(Debug, Args)]
#[command(override_usage = "footlight publish [OPTIONS] [DIR|FILE] <REFERENCE>")]
#[command(after_help = "Examples:
  footlight publish --new-key weather.key                    a key pair, once
  footlight publish registry.example/acme/weather --key weather.key
  footlight publish plugins/weather registry.example/acme/weather:1.2.0 --key weather.key
  footlight publish weather.wasm -o dist/weather.wasm --key weather.key

The folder of a plugin, `.` by default, is built first. Without a tag, the plugin is pushed under its version,
and as `latest` unless that is a pre-release. A version that the registry has with other bytes is not written
over. With -o nothing is pushed: the component is written with its signature beside it, for a web server or
`minisign -V`.

Keys have minisign's format. Publish the file that ends with .pub where people find it; keep the other
one. The password of an encrypted key is typed, or read from --password-file or FOOTLIGHT_KEY_PASSWORD.
Logins are those that `docker login` keeps in config.json.")]
pub(crate) struct Publish {
    /// The folder of a plugin or a component file, and the reference HOST/PATH[:TAG]
    #[arg(value_name = "DIR|FILE | REFERENCE", num_args = 0..=2)]
    words: Vec<String>,
    /// Sign with this secret key
    #[arg(long, value_name = "FILE", required_unless_present = "new_key")]
    key: Option<PathBuf>,
    /// Read the password of the key from a file
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Embed this manifest first, as `footlight pack` does
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// Write the component here and its signature beside it, and push nothing
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Allow a connection without encryption to another machine
    #[arg(long)]
    plain_http: bool,
    /// Write over this version if the registry has it with other bytes
    #[arg(long, conflicts_with = "output")]
    replace: bool,
    /// Make a key pair in FILE and beside it, ending with .pub, and do nothing else
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["words", "key", "manifest", "output", "plain_http", "replace"])]
    new_key: Option<PathBuf>,
}

/// A component that is ready to be signed.
struct Plugin {
    component: Vec<u8>,
    survey: Survey,
    manifest: Manifest,
}

impl Publish {
    pub(crate) fn run(&self, ui: &Ui) -> Result<Exit> {
        if let Some(path) = &self.new_key {
            return self.make_key(path, ui);
        }
        let key = self.key.as_deref().context("missing `--key`")?;
        let (what, reference) = self.arguments()?;
        let plugin = self.plugin(&what, ui)?;
        let (id, version) = (&plugin.manifest.id, &plugin.manifest.version);
        let key = SigningKey::open(key, self.password_file.as_deref(), ui)?;
        let time = now();
        let comment = format!(
            "timestamp:{}\tfile:{id}.wasm\tversion:{version}",
            time.millis() / 1000
        );
        let signature = key.sign(&plugin.component, &comment)?;
        let digest = Sha256::of(&plugin.component);
        let Some(reference) = reference else {
            let path = self.output.as_deref().context("missing `--output`")?;
            return write(path, &plugin, &signature, &digest, &key, ui);
        };
        let (id, version) = (id.clone(), version.clone());
        let tags = match &reference.tag {
            Some(tag) => vec![tag.clone()],
            // Whoever names no version wants no pre-release.
            None if version.contains('-') => vec![version.clone()],
            None => vec![version.clone(), DEFAULT_TAG.to_owned()],
        };
        // A version is a tag, unless it is one that no manifest can have.
        debug_assert!(tags.iter().all(|tag| is_tag(tag)), "{tags:?}");
        let survey = plugin.survey;
        let made = Published::new(
            plugin.component,
            &survey,
            &plugin.manifest,
            &signature,
            time,
        );
        let credentials = Credentials::find(&reference.host)?;
        let mut registry = Registry::new(&reference, credentials)?;
        let runtime = data::runtime()?;
        if tags.contains(&version) && !self.replace {
            let found = runtime.block_on(registry.component_of(&version))?;
            if found.is_some_and(|found| found != digest) {
                let taken = reference.with_tag(&version);
                return Err(ExitError::denied(format!(
                    "`{taken}` is published with other bytes; raise the version in plugin.toml, or write over it with `--replace`"
                )));
            }
        }
        let pushed = runtime.block_on(registry.push(&made, &tags))?;
        let names = tags.iter().map(|tag| reference.with_tag(tag).to_string());
        let names: Vec<String> = names.collect();
        if ui.json {
            ui.print_json(&json!({
                "type": "published", "name": id, "version": version, "references": names,
                "manifest": pushed.to_string(), "digest": digest.to_string(), "key": key.public().id(),
            }))?;
            return Ok(Exit::Done);
        }
        for name in &names {
            ui.print(&format!("{name}@{pushed}"))?;
        }
        ui.note(&format!(
            "published {id} {version} ({digest}), signed with {}; to install it:",
            key.public().id()
        ));
        let first = names.first().map_or("", String::as_str);
        let public = key.public().as_str();
        ui.note(&format!("  footlight plugins add {first} --key {public}"));
        Ok(Exit::Done)
    }

    fn make_key(&self, path: &Path, ui: &Ui) -> Result<Exit> {
        let public = make_key(path, self.password_file.as_deref(), ui)?;
        let public_path = path.with_extension("pub");
        if ui.json {
            ui.print_json(&json!({
                "type": "key", "path": data::path_text(path), "publicPath": data::path_text(&public_path),
                "id": public.id(), "publicKey": public.as_str(),
            }))?;
            return Ok(Exit::Done);
        }
        ui.print(public.as_str())?;
        ui.note(&format!(
            "the secret key is in `{}`, which nobody else may see; publish the key above, or `{}`",
            display_path(path),
            display_path(&public_path)
        ));
        Ok(Exit::Done)
    }

    /// Returns what is published, and where.
    fn arguments(&self) -> Result<(PathBuf, Option<Reference>)> {
        let here = || PathBuf::from(".");
        let (what, reference) = match (&self.words[..], &self.output) {
            ([], Some(_)) => return Ok((here(), None)),
            ([what], Some(_)) => return Ok((what.into(), None)),
            ([reference], None) => (here(), reference),
            ([what, reference], None) => (PathBuf::from(what), reference),
            ([], None) => {
                return Err(ExitError::usage(
                    "missing reference; write where to push, such as registry.example/acme/weather, or name a file with `--output`",
                ));
            }
            _ => {
                return Err(ExitError::usage(
                    "with `--output` nothing is pushed; leave the reference out",
                ));
            }
        };
        let source = Source::parse(reference, self.plain_http);
        match source.map_err(|error| ExitError::usage(error.to_string()))? {
            Source::Registry(reference) if reference.digest.is_none() => {
                Ok((what, Some(reference)))
            }
            Source::Registry(_) => Err(ExitError::usage(
                "the digest is what comes of publishing; name a tag, or neither",
            )),
            other => {
                let error = SourceError::Malformed(other.to_string());
                Err(ExitError::usage(format!(
                    "{error}; a plugin is pushed to a registry"
                )))
            }
        }
    }

    /// Builds or reads the component, and checks what can be checked without running it.
    fn plugin(&self, what: &Path, ui: &Ui) -> Result<Plugin> {
        let source = plugin_source::resolve_path(what, BuildCause::Named, ui)?;
        let name = display_path(&source.component);
        let named = || format!("`{name}`");
        let bytes = bounded_file::read(&source.component, footlight::MAX_BYTES);
        let mut component = bytes.with_context(|| format!("cannot read `{name}`"))?;
        if let Some(path) = &self.manifest {
            let text = bounded_file::read_to_string(path, manifest::MAX_BYTES);
            let path = display_path(path);
            let text = text.with_context(|| format!("cannot read the manifest `{path}`"))?;
            Manifest::parse(&text).with_context(|| format!("invalid manifest `{path}`"))?;
            (component, _) = with_manifest(&component, &text).with_context(named)?;
        }
        let survey = footlight::survey(&component).with_context(named)?;
        let manifest = survey.manifest.clone().ok_or_else(|| {
            ExitError::usage(format!(
                "`{name}` has no manifest; name its plugin.toml with `--manifest`"
            ))
        })?;
        Ok(Plugin {
            component,
            survey,
            manifest,
        })
    }
}

/// Writes a component and its signature.
fn write(
    path: &Path,
    plugin: &Plugin,
    signature: &str,
    digest: &Sha256,
    key: &SigningKey,
    ui: &Ui,
) -> Result<Exit> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(SIGNATURE_ENDING);
    let beside = PathBuf::from(beside);
    let both: [(&Path, &[u8]); 2] = [(path, &plugin.component), (&beside, signature.as_bytes())];
    for (path, bytes) in both {
        footlight::private_file::replace(path, &[bytes])
            .with_context(|| format!("cannot write `{}`", display_path(path)))?;
    }
    if ui.json {
        ui.print_json(&json!({
            "type": "written", "name": plugin.manifest.id, "version": plugin.manifest.version,
            "path": data::path_text(path), "signature": data::path_text(&beside), "digest": digest.to_string(), "key": key.public().id(),
        }))?;
    } else {
        ui.print(&data::file_line(path, plugin.component.len() as u64))?;
        ui.print(&data::file_line(&beside, signature.len() as u64))?;
    }
    Ok(Exit::Done)
}
