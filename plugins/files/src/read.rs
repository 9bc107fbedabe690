//! `read`: lines of a text file, for the model.

use crate::folder::Folder;
use crate::text::{Lines, Range};
use footlight_sdk::prelude::*;

/// The most bytes of one answer. A model reads 32 KiB of a result at once.
const MAX_BYTES: usize = 128 << 10;

pub(crate) fn run(folder: &Folder, path: &str, range: Range) -> Result<FileContent> {
    let file = folder.file(path)?;
    let lines = Lines::read(&file, range, MAX_BYTES)?;
    let mut said = format!("{}, {}", file.name, lines.in_words());
    if lines.is_cut {
        said.push_str(&format!(
            "; cut after {} KiB, read on from line {}",
            MAX_BYTES >> 10,
            lines.last + 1
        ));
    }
    let for_model = format!("{said}\n{}", lines.text);
    let mut content = FileContent::new(&file.name, lines.text);
    content.data.size = Some(lines.size);
    Ok(content.summary(said).for_model(for_model))
}
