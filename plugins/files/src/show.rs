//! `show`: a file for the person, of which the model reads nothing.

use crate::folder::{Folder, Place};
use crate::text::{Lines, Range, open};
use footlight_sdk::prelude::*;
use std::io::Read;

/// The most bytes of text, and of a picture.
const MAX_TEXT: usize = 4 << 20;
const MAX_PICTURE: u64 = 8 << 20;

/// The bytes of a picture that are copied at once.
const PIECE: usize = 256 << 10;

/// The metadata of a text file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Meta<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    first_line: u64,
    last_line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_lines: Option<u64>,
}

pub(crate) fn run(stage: &Stage, folder: &Folder, path: &str, range: Range) -> Result<Text> {
    let file = folder.file(path)?;
    match picture_type(&file.name) {
        Some(mime_type) => picture(stage, &file, mime_type),
        None => text(stage, &file, range),
    }
}

fn text(stage: &Stage, file: &Place, range: Range) -> Result<Text> {
    let lines = Lines::read(file, range, MAX_TEXT)?;
    let output = Output::new(&file.name).kind("file").meta(&Meta {
        path: &file.name,
        language: footlight_sdk::kinds::language_of(&file.name),
        first_line: lines.first,
        last_line: lines.last,
        total_lines: lines.total,
    });
    let id = stage.output(output, &lines.text)?;
    Ok(shown(&file.name, &lines.in_words(), &id))
}

fn picture(stage: &Stage, file: &Place, mime_type: &str) -> Result<Text> {
    let mut opened = open(file)?;
    let size = opened
        .metadata()
        .map_err(|error| file.failure(&error))?
        .len();
    if size > MAX_PICTURE {
        return Err(invalid!(
            "`{}` has {size} bytes, and a picture can have {MAX_PICTURE}",
            file.name
        ));
    }
    let output = Output::new(&file.name).kind("image").mime_type(mime_type);
    // Nothing is stored unless the whole picture was read.
    let writer = stage.begin_output(output)?;
    let mut piece = vec![0; PIECE];
    let mut left = MAX_PICTURE as usize;
    loop {
        let read = opened.read(&mut piece);
        let length = read.map_err(|error| file.failure(&error))?;
        if length == 0 {
            break;
        }
        left = left
            .checked_sub(length)
            .ok_or_else(|| unavailable!("`{}` grew while it was read", file.name))?;
        writer.write_bytes(&piece[..length])?;
    }
    let id = writer.finish()?;
    Ok(shown(&file.name, &format!("{size} bytes"), &id))
}

/// Returns the short confirmation that is all the model reads.
fn shown(name: &str, what: &str, id: &str) -> Text {
    let name = crate::text::shortened(name, 60);
    Text::new(format!("Shown to the person: {name}, {what} [output:{id}]"))
}

/// Returns the media type of a picture, by the extension of its file.
fn picture_type(name: &str) -> Option<&'static str> {
    let (_, extension) = name.rsplit_once('.')?;
    Some(match extension.to_ascii_lowercase().as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        _ => return None,
    })
}
