//! Embeds a manifest in the bytes of a component. `footlight::survey` reads it.

use anyhow::{Context, Result};
use footlight_vocabulary::manifest::SECTION;
use wasm_encoder::ComponentSection;
use wasmparser::BinaryReader;

/// Embeds a manifest, replacing one at the top level. Returns the bytes, and whether one was replaced.
pub(crate) fn with_manifest(bytes: &[u8], manifest: &str) -> Result<(Vec<u8>, bool)> {
    let mut out = Vec::with_capacity(bytes.len() + manifest.len() + 32);
    let mut reader = BinaryReader::new(bytes, 0);
    out.extend_from_slice(reader.read_bytes(8).context("not WebAssembly")?);
    let mut replaced = false;
    while !reader.eof() {
        let start = reader.original_position();
        let is_manifest = read_section(&mut reader).context("not a valid component")?;
        replaced |= is_manifest;
        if !is_manifest {
            out.extend_from_slice(&bytes[start..reader.original_position()]);
        }
    }
    let section = wasm_encoder::CustomSection {
        name: SECTION.into(),
        data: manifest.as_bytes().into(),
    };
    section.append_to_component(&mut out);
    Ok((out, replaced))
}

/// Reads a section, and reports whether it is the custom section of a manifest.
fn read_section(reader: &mut BinaryReader<'_>) -> wasmparser::Result<bool> {
    let is_custom = reader.read_u8()? == 0;
    let mut body = reader.read_reader()?;
    Ok(is_custom && body.read_string().is_ok_and(|name| name == SECTION))
}

#[cfg(test)]
mod tests {
    use super::*;
    use footlight::{InvalidPluginError, survey};
    use proptest::prelude::*;

    const MANIFEST: &str =
        "[plugin]\nid = \"a\"\nversion = \"0.1.0\"\napi = \"0.1\"\ndescription = \"A\"\n";

    fn empty() -> Vec<u8> {
        wasm_encoder::Component::new().finish()
    }

    /// Builds a component that contains a component with a manifest.
    fn nested() -> Vec<u8> {
        let mut inner = wasm_encoder::Component::new();
        inner.section(&wasm_encoder::CustomSection {
            name: SECTION.into(),
            data: MANIFEST.as_bytes().into(),
        });
        let mut outer = wasm_encoder::Component::new();
        outer.section(&wasm_encoder::NestedComponentSection(&inner));
        outer.finish()
    }

    #[test]
    fn an_embedded_manifest_is_read_back() {
        let (packed, replaced) = with_manifest(&empty(), MANIFEST).expect("packs");
        assert!(!replaced);
        let manifest = survey(&packed).expect("is one").manifest;
        assert_eq!(manifest.expect("is there").id, "a");
    }

    #[test]
    fn embedding_again_replaces_and_keeps_the_rest() {
        let mut component = wasm_encoder::Component::new();
        component.section(&wasm_encoder::CustomSection {
            name: "name".into(),
            data: b"x"[..].into(),
        });
        let (once, _) = with_manifest(&component.finish(), MANIFEST).expect("packs");
        assert_eq!(with_manifest(&once, MANIFEST).expect("packs"), (once, true));
    }

    #[test]
    fn a_nested_manifest_stays_and_a_second_is_an_error() {
        assert!(survey(&nested()).expect("is one").manifest.is_some());
        let (two, replaced) = with_manifest(&nested(), MANIFEST).expect("packs");
        assert!(!replaced);
        assert!(matches!(
            survey(&two),
            Err(InvalidPluginError::Manifests(2))
        ));
    }

    proptest! {
        #[test]
        fn odd_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..64), cut in 0_usize..80) {
            let mut odd = b"\0asm\x0d\0\x01\0".to_vec();
            odd.extend_from_slice(&bytes);
            let _ = with_manifest(&odd, MANIFEST);
            let whole = nested();
            let _ = with_manifest(&whole[..cut.min(whole.len())], MANIFEST);
        }
    }
}
