//! Fetches a component and its signature from where the person says, and changes nothing.

use super::digest::Sha256;
use super::registry::{Credentials, Registry};
use super::signature::MAX_SIGNATURE;
use super::source::Source;
use super::transfer::{self, TransferError};
use crate::data::{self, display_path};
use anyhow::{Context, Result};
use footlight::bounded_file;
use reqwest::Url;
use std::io;
use std::path::Path;

/// What the name of a signature's file ends with, after that of the component.
pub(crate) const SIGNATURE_ENDING: &str = ".minisig";

/// What was fetched.
#[derive(Debug)]
pub(crate) struct Fetched {
    pub(crate) component: Vec<u8>,
    /// The text of a signature that was not checked yet.
    pub(crate) signature: Option<String>,
    /// The digest of the registry's manifest.
    pub(crate) manifest: Option<Sha256>,
}

/// Fetches from a source.
pub(crate) fn fetch(source: &Source) -> Result<Fetched> {
    match source {
        Source::File(path) => from_file(path),
        Source::Url(url) => data::runtime()?.block_on(from_url(url)),
        Source::Registry(reference) => {
            let credentials = Credentials::find(&reference.host)?;
            let mut registry = Registry::new(reference, credentials)?;
            let pulled = data::runtime()?.block_on(registry.pull(reference))?;
            Ok(Fetched {
                component: pulled.component,
                signature: pulled.signature,
                manifest: Some(pulled.manifest),
            })
        }
    }
}

fn from_file(path: &Path) -> Result<Fetched> {
    let name = display_path(path);
    let component = bounded_file::read(path, footlight::MAX_BYTES);
    let component = component.with_context(|| format!("cannot read `{name}`"))?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(SIGNATURE_ENDING);
    let signature = match bounded_file::read_to_string(Path::new(&beside), MAX_SIGNATURE) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        // One that is there and cannot be read is not the same as none.
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read the signature of `{name}`"));
        }
    };
    Ok(Fetched {
        component,
        signature,
        manifest: None,
    })
}

async fn from_url(url: &Url) -> Result<Fetched> {
    let component = transfer::download(url, "the component", footlight::MAX_BYTES).await?;
    let mut beside = url.clone();
    beside.set_path(&format!("{}{SIGNATURE_ENDING}", url.path()));
    let signature = match transfer::download(&beside, "the signature", MAX_SIGNATURE).await {
        Ok(bytes) => Some(bytes),
        Err(TransferError::NotFound(_)) => None,
        Err(error) => return Err(error).context("the signature cannot be fetched"),
    };
    let signature = signature.map(String::from_utf8).transpose();
    let signature = signature.ok().context("the signature is not text")?;
    Ok(Fetched {
        component,
        signature,
        manifest: None,
    })
}
