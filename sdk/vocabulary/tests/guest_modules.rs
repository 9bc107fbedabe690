//! The generated modules of plugins in Python and JavaScript are those that the vocabulary generates today.

#[path = "../examples/guest_modules/generate.rs"]
mod generate;

use std::path::Path;

#[test]
fn generated_modules_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (path, text) in generate::files(&root).expect("the contract is there") {
        let stored = std::fs::read_to_string(root.join(&path)).unwrap_or_default();
        assert!(
            stored == text,
            "`{path}` is not what the vocabulary generates: write it anew with \
             `cargo run -p footlight-vocabulary --example guest_modules`"
        );
    }
}
