//! The manifest is embedded in the component and read without running it.

use footlight_tests::plugins;
use footlight_vocabulary::manifest::{Manifest, SECTION};
use wasmparser::{Parser, Payload};

/// Returns every custom section of this name, in the component and everything nested in it.
fn sections(component: &[u8]) -> Vec<Vec<u8>> {
    let payloads = Parser::new(0)
        .parse_all(component)
        .map(|payload| payload.expect("a valid component"));
    payloads
        .filter_map(|payload| match payload {
            Payload::CustomSection(section) if section.name() == SECTION => {
                Some(section.data().to_vec())
            }
            _ => None,
        })
        .collect()
}

#[test]
fn every_plugin_carries_its_manifest_exactly_once() {
    for (name, path) in plugins::ALL {
        let component = std::fs::read(path).expect("built by build.rs");
        let sections = sections(&component);
        assert_eq!(sections.len(), 1, "{name}");
        let text = String::from_utf8(sections.concat()).expect("UTF-8");
        assert_eq!(Manifest::parse(&text).expect("parses").id, *name);
    }
}
