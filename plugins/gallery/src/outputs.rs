//! Outputs: content for the person that the model does not see, one of each kind.

use crate::data::{CURTAIN, Show};
use footlight_sdk::prelude::*;
use std::io::Write;

/// Stores a file, a picture, what a program printed, and bytes.
#[tool(example = "Store some outputs for me")]
pub(crate) fn outputs(stage: &Stage, #[args] Show { with }: Show) -> Result<Text> {
    // The metadata of an output has at most 4 KiB.
    let title = |ending: &str| {
        let title: String = with.title(0).chars().take(200).collect();
        format!("{title}{ending}")
    };
    stage.output(Output::new(title(".txt")).kind("file"), with.prose())?;
    let picture = Output::new(title(".png"))
        .kind("image")
        .mime_type("image/png");
    stage.output(picture, CURTAIN)?;
    let shell = Output::new(title(" (terminal)"))
        .kind("terminal")
        .mime_type("text/x-ansi")
        .meta(&json!({ "columns": 80, "rows": 24 }));
    stage.output(shell, with.printed().join("\n"))?;
    // Written in pieces, as for content that does not fit in memory.
    let raw = Output::new(title(".bin"))
        .kind("raw")
        .mime_type("application/octet-stream");
    let mut writer = stage.begin_output(raw)?;
    for byte in 0..with.count(4, 4_096) {
        writer.write_all(&[byte as u8; 16])?;
    }
    writer.finish()?;
    Ok(Text::new("Four outputs are stored."))
}
