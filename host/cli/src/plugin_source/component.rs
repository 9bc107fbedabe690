//! Embeds a manifest in the bytes of a component. `footlight::survey` reads it.

use anyhow::{Context, Result};
use footlight_vocabulary::manifest::SECTION;
use wasm_encoder::ComponentSection;

/// Embeds a manifest, replacing one at the top level. Returns the bytes, and whether one was replaced.
pub(crate) fn with_manifest(bytes: &[u8], manifest: &str) -> Result<(Vec<u8>, bool)> {
    let mut out = Vec::with_capacity(bytes.len() + manifest.len() + 32);
    let (head, mut rest) = bytes.split_at_checked(8).context("not WebAssembly")?;
    out.extend_from_slice(head);
    let mut replaced = false;
    while !rest.is_empty() {
        let size = section(rest).context("not a valid component")?;
        let (section, after) = rest.split_at(size);
        if is_manifest(section) {
            replaced = true;
        } else {
            out.extend_from_slice(section);
        }
        rest = after;
    }
    let section = wasm_encoder::CustomSection {
        name: SECTION.into(),
        data: manifest.as_bytes().into(),
    };
    section.append_to_component(&mut out);
    Ok((out, replaced))
}

/// Returns the length of the first section, with its header.
fn section(bytes: &[u8]) -> Option<usize> {
    let (size, head) = leb128(bytes.get(1..)?)?;
    let end = size.checked_add(head + 1)?;
    (end <= bytes.len()).then_some(end)
}

fn is_manifest(section: &[u8]) -> bool {
    let name = || {
        let (_, head) = leb128(section.get(1..)?)?;
        let body = section.get(1 + head..)?;
        let (length, head) = leb128(body)?;
        body.get(head..head.checked_add(length)?)
    };
    section.first() == Some(&0) && name() == Some(SECTION.as_bytes())
}

/// Decodes a number of at most 32 bits. Returns it with its length in bytes.
fn leb128(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0_u64;
    for (at, byte) in bytes.iter().take(5).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((usize::try_from(value).ok()?, at + 1));
        }
    }
    None
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
