//! Writes what the templates for plugins in Python and JavaScript have of the vocabulary: the components, the
//! kinds of results, the fields of questions, and the contract in one file.
//!
//! `cargo run -p footlight-vocabulary --example guest_modules` writes the files anew. A test compares them with what
//! this program would write.

mod generate;

use std::path::Path;

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (path, text) in generate::files(&root)? {
        std::fs::write(root.join(path), text)?;
    }
    Ok(())
}
