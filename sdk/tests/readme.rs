//! Checks the parts of the authoring guide that are not doctests.

use footlight_vocabulary::manifest::Manifest;

const GUIDE: &str = include_str!("../README.md");

/// Returns the contents of the code blocks in this language.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let blocks = GUIDE.split(fence.as_str()).skip(1);
    blocks.filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn the_first_plugin_is_hello_verbatim() {
    let hello = include_str!("../../plugins/hello/src/lib.rs");
    assert_eq!(blocks("rust,ignore"), [hello]);
    let manifest = include_str!("../../plugins/hello/plugin.toml");
    assert_eq!(blocks("toml").first(), Some(&manifest));
}

#[test]
fn the_manifest_with_all_keys_is_accepted() {
    let manifests: Vec<&str> = blocks("toml")
        .into_iter()
        .filter(|block| block.contains("[plugin]"))
        .collect();
    for text in &manifests {
        if let Err(wrong) = Manifest::parse(text) {
            panic!("{wrong}");
        }
    }
    assert_eq!(manifests.len(), 2);
}
