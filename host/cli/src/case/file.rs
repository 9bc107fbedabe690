//! Cases as TOML.
//!
//! Written by hand (`write`), because strings of several lines stay readable that way.

mod read;
mod write;

pub(crate) use read::parse;

use super::{Case, Expected, MAX_BYTES};
use crate::data;
use anyhow::{Context, Result, bail};
use footlight::HttpFailure;
use footlight_vocabulary::item::Verdict;
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// The header above the expectation, which is the last table of a file.
const EXPECT: &str = "[expect]";

/// The words for why a request has no response.
const FAILURES: [(&str, HttpFailure); 6] = [
    ("unreachable", HttpFailure::Unreachable),
    ("timed-out", HttpFailure::TimedOut),
    ("unanswered", HttpFailure::Unanswered),
    ("closed", HttpFailure::Closed),
    ("malformed", HttpFailure::Malformed),
    ("too-large", HttpFailure::TooLarge),
];

/// The words for decisions; none for nobody.
const VERDICTS: [(&str, Option<Verdict>); 5] = [
    ("deny", Some(Verdict::Deny)),
    ("once", Some(Verdict::Once)),
    ("session", Some(Verdict::Session)),
    ("always", Some(Verdict::Always)),
    ("nobody", None),
];

/// Reads a case from a file.
pub(crate) fn read(path: &Path) -> Result<Case> {
    let text = data::read_text(path, MAX_BYTES)?;
    parse(&text).with_context(|| format!("`{}`", data::display_path(path)))
}

/// Returns the text of a case with another expectation. Every other byte stays.
pub(crate) fn with_expectation(text: &str, expected: &Expected) -> Result<String> {
    // A line that reads like the header can stand in a string, where what comes before is not TOML.
    let mut starts = text.match_indices(EXPECT).map(|(at, _)| at);
    let is_header = |at: &usize| {
        (*at == 0 || text[..*at].ends_with('\n'))
            && toml::from_str::<toml::Table>(&text[..*at]).is_ok()
    };
    let head = match starts.find(is_header) {
        Some(at) => &text[..at],
        None => text,
    };
    let new = format!("{}\n\n{}", head.trim_end(), expected.to_toml());
    let (before, after) = (parse(text)?, parse(&new)?);
    let is_same = Case {
        expect: before.expect.clone(),
        ..after.clone()
    } == before;
    if !is_same || after.expect != *expected {
        bail!("{EXPECT} is not the last table of the file; move it to the end");
    }
    Ok(new)
}

/// Replaces a file at once, or not at all.
pub(crate) fn replace(path: &Path, text: &str) -> Result<()> {
    check_size(text)?;
    let folder = folder_of(path);
    let replaced = || -> std::io::Result<()> {
        let mode = fs::metadata(path)?.permissions();
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().set_permissions(mode)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    replaced().with_context(|| format!("cannot write `{}`", data::display_path(path)))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Writes a new file at once, or not at all. One that exists is left alone.
pub(crate) fn create(path: &Path, text: &str) -> Result<()> {
    check_size(text)?;
    let created = || -> std::io::Result<()> {
        let folder = folder_of(path);
        fs::create_dir_all(folder)?;
        let mut builder = tempfile::Builder::new();
        // Like any other file of the plugin: the mask of the process says who can read it.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist_noclobber(path).map_err(|error| error.error)?;
        Ok(())
    };
    created().with_context(|| format!("cannot write `{}`", data::display_path(path)))
}

fn check_size(text: &str) -> Result<()> {
    if text.len() > MAX_BYTES {
        bail!(
            "the case has {} bytes, and a case can have {MAX_BYTES}; record a call that is answered less",
            text.len()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests;
