//! `write`: creates or replaces a file, after the person has seen the change and approved it.
//!
//! Until the approval, the host keeps the folder read-only for this call.

use crate::change::{self, MAX_BYTES};
use crate::folder::{Folder, Place};
use crate::text::whole;
use footlight_sdk::kinds::Hunk;
use footlight_sdk::prelude::*;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

/// The most lines of the change that go with the request for approval.
const MAX_PREVIEW: usize = 400;

pub(crate) fn run(stage: &Stage, folder: &Folder, path: &str, content: &str) -> Result<Diff> {
    with_approval(folder, path, content, |request| Ok(stage.approve(request)?))
}

/// Writes the file once `approve` has returned.
pub(crate) fn with_approval(
    folder: &Folder,
    path: &str,
    content: &str,
    approve: impl FnOnce(Approval) -> Result<()>,
) -> Result<Diff> {
    if content.len() as u64 > MAX_BYTES {
        return Err(invalid!("more than {MAX_BYTES} bytes at once"));
    }
    let file = folder.file(path)?;
    let before = current(&file)?;
    if before.as_deref() == Some(content) {
        return Ok(Diff::hunks(&file.name, []).summary(format!("{} is unchanged", file.name)));
    }
    let hunks = change::hunks(before.as_deref().unwrap_or_default(), content);
    approve(request(&file, before.is_none(), &hunks))?;
    // The person approved this change of this text, and may have taken their time.
    if current(&file)? != before {
        return Err(unavailable!(
            "`{}` was changed meanwhile, and nothing was written: read it again",
            file.name
        ));
    }
    replace(&file, content)?;
    let for_model = format!("{} is written", file.name);
    let diff = match before {
        None => Diff::created(&file.name, content),
        Some(_) => Diff::hunks(&file.name, hunks),
    };
    Ok(diff.for_model(for_model))
}

/// Returns the text of the file, or `None` if there is no such file.
///
/// # Errors
/// If the path leads through a link: the person approves the file that the path names, and no other.
fn current(file: &Place) -> Result<Option<String>> {
    let folders = file.name.matches('/').count();
    for folder in file.path.ancestors().skip(1).take(folders) {
        if std::fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.is_symlink()) {
            let name = &file.name;
            return Err(invalid!(
                "`{name}` leads through a link: write to its target"
            ));
        }
    }
    match std::fs::symlink_metadata(&file.path) {
        // A link would be replaced by a file, or lead elsewhere.
        Ok(metadata) if metadata.is_symlink() => {
            Err(invalid!("`{}` is a link: write to its target", file.name))
        }
        Ok(_) => whole(file, MAX_BYTES).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(file.failure(&error)),
    }
}

fn request(file: &Place, is_new: bool, hunks: &[Hunk]) -> Approval {
    let count = |sign: char| {
        let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
        lines.filter(|line| line.starts_with(sign)).count()
    };
    let (added, removed) = (count('+'), count('-'));
    let reason = match is_new {
        true => format!("Creates the file, with {added} lines."),
        false => format!("Changes the file: {added} lines added, {removed} removed."),
    };
    let mut preview = change::lines(hunks);
    if let Some(more) = preview.len().checked_sub(MAX_PREVIEW).filter(|n| *n > 0) {
        preview.truncate(MAX_PREVIEW);
        preview.push(format!("… and {more} more lines"));
    }
    Approval::new("files.write")
        .subject(&file.name)
        .reason(reason)
        .details(&preview)
}

/// Writes the content beside the file first, so that it is whole somewhere at any time. A file that is
/// there is then written itself, which keeps its permissions.
pub(crate) fn replace(file: &Place, content: &str) -> Result<()> {
    let failure = |error: std::io::Error| file.failure(&error);
    if let Some(parent) = file.path.parent() {
        std::fs::create_dir_all(parent).map_err(failure)?;
    }
    let name = file.path.file_name().unwrap_or_default().to_string_lossy();
    // A name has 255 bytes at most.
    let name = &name[..name.floor_char_boundary(200)];
    let beside = file.path.with_file_name(format!(".{name}.footlight-new"));
    // Whatever stands there, such as a link to another file, is not written through.
    let _ = std::fs::remove_file(&beside);
    let written = write_new(&beside, content).and_then(|()| match file.path.exists() {
        true => std::fs::write(&file.path, content),
        false => std::fs::rename(&beside, &file.path),
    });
    // What is left of it must not stay; the first error is the one that matters.
    let _ = std::fs::remove_file(&beside);
    written.map_err(failure)
}

/// Writes a file that is not there yet.
fn write_new(path: &Path, content: &str) -> std::io::Result<()> {
    let mut file = std::fs::File::options()
        .write(true)
        .create_new(true)
        .open(path)?;
    file.write_all(content.as_bytes())
}
