//! A component's bytes, read without running or compiling anything.
//!
//! [`Component::read`] walks all sections, those of nested modules and components too: a manifest
//! counts wherever it is embedded. [`with_manifest`] writes one.

use anyhow::{Context, Result, bail};
use footlight_vocabulary::manifest::{MAX_BYTES, Manifest, SECTION};
use wasm_encoder::ComponentSection;
use wasmparser::{Encoding, Parser, Payload};

/// What can be seen of a component from outside.
#[derive(Debug, Default)]
pub(crate) struct Component<'a> {
    /// What it needs from a host, by name.
    pub(crate) imports: Vec<String>,
    /// What it offers.
    pub(crate) exports: Vec<String>,
    /// The manifests embedded in it; more than one is one too many.
    pub(crate) manifests: Vec<Embedded<'a>>,
}

/// A manifest's section.
#[derive(Debug)]
pub(crate) struct Embedded<'a> {
    text: &'a [u8],
    /// Whether it belongs to the component itself and not to something within.
    pub(crate) is_top_level: bool,
}

impl<'a> Component<'a> {
    /// Reads a component, and nothing else.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self> {
        if !bytes.starts_with(b"\0asm") {
            bail!("this is no WebAssembly");
        }
        if Parser::is_core_wasm(bytes) {
            bail!("this is a core module, not a component; build it for the target wasm32-wasip2");
        }
        let mut found = Self::default();
        let mut depth = 0;
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload.context("this is no sound component")?;
            found.take(payload, &mut depth)?;
        }
        Ok(found)
    }

    fn take(&mut self, payload: Payload<'a>, depth: &mut usize) -> Result<()> {
        const UNSOUND: &str = "this is no sound component";
        match payload {
            Payload::Version { encoding, .. } if *depth == 0 => match encoding {
                Encoding::Component => *depth = 1,
                Encoding::Module => bail!(UNSOUND),
            },
            Payload::Version { .. } => *depth += 1,
            Payload::End(_) => *depth = depth.saturating_sub(1),
            Payload::ComponentImportSection(imports) if *depth == 1 => {
                for import in imports {
                    self.imports
                        .push(import.context(UNSOUND)?.name.name.to_owned());
                }
            }
            Payload::ComponentExportSection(exports) if *depth == 1 => {
                for export in exports {
                    self.exports
                        .push(export.context(UNSOUND)?.name.name.to_owned());
                }
            }
            Payload::CustomSection(section) if section.name() == SECTION => {
                self.manifests.push(Embedded {
                    text: section.data(),
                    is_top_level: *depth == 1,
                });
            }
            _ => {}
        }
        Ok(())
    }

    /// The one manifest, if there is any.
    pub(crate) fn manifest(&self) -> Result<Option<Manifest>> {
        let embedded = match self.manifests.as_slice() {
            [] => return Ok(None),
            [one] => one,
            several => bail!(
                "{} manifests are embedded in it; a plugin has exactly one",
                several.len()
            ),
        };
        if embedded.text.len() > MAX_BYTES {
            bail!(
                "its manifest has {} bytes; it may have at most {MAX_BYTES}",
                embedded.text.len()
            );
        }
        let text = std::str::from_utf8(embedded.text).context("its manifest is no text")?;
        let manifest = Manifest::parse(text).context("its manifest is refused")?;
        Ok(Some(manifest))
    }
}

/// The component with this manifest embedded, and without another at its top level.
pub(crate) fn with_manifest(bytes: &[u8], manifest: &str) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len() + manifest.len() + 32);
    let (head, mut rest) = bytes
        .split_at_checked(8)
        .context("this is no WebAssembly")?;
    out.extend_from_slice(head);
    while !rest.is_empty() {
        let size = section(rest).context("this is no sound component")?;
        let (section, after) = rest.split_at(size);
        if !is_manifest(section) {
            out.extend_from_slice(section);
        }
        rest = after;
    }
    let section = wasm_encoder::CustomSection {
        name: SECTION.into(),
        data: manifest.as_bytes().into(),
    };
    section.append_to_component(&mut out);
    Ok(out)
}

/// How many bytes the first section has, with its head.
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

/// A number of at most 32 bits and how many bytes it took.
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
    use proptest::prelude::*;

    const MANIFEST: &str =
        "[plugin]\nid = \"a\"\nversion = \"0.1.0\"\napi = \"0.1\"\ndescription = \"A\"\n";

    fn empty() -> Vec<u8> {
        wasm_encoder::Component::new().finish()
    }

    /// A component within which there is one with a manifest.
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
    fn what_is_embedded_is_read_back() {
        let packed = with_manifest(&empty(), MANIFEST).expect("packs");
        let component = Component::read(&packed).expect("is one");
        assert!(component.manifests[0].is_top_level);
        let manifest = component.manifest().expect("is sound").expect("is there");
        assert_eq!(manifest.id, "a");
    }

    #[test]
    fn embedding_again_replaces_and_keeps_the_rest() {
        let mut component = wasm_encoder::Component::new();
        component.section(&wasm_encoder::CustomSection {
            name: "name".into(),
            data: b"x"[..].into(),
        });
        let once = with_manifest(&component.finish(), MANIFEST).expect("packs");
        let twice = with_manifest(&once, MANIFEST).expect("packs");
        assert_eq!(once, twice);
    }

    #[test]
    fn nested_manifest_counts() {
        let bytes = nested();
        let component = Component::read(&bytes).expect("is one");
        assert!(!component.manifests[0].is_top_level);
        assert!(component.manifest().expect("is sound").is_some());
        let two = with_manifest(&bytes, MANIFEST).expect("packs");
        let two = Component::read(&two).expect("is one");
        let error = two.manifest().expect_err("is one too many");
        assert!(error.to_string().starts_with("2 manifests are embedded"));
    }

    #[test]
    fn what_is_no_component_is_refused_in_one_sentence() {
        let module = wasm_encoder::Module::new().finish();
        for (bytes, expected) in [
            (&b""[..], "this is no WebAssembly"),
            (b"#!/bin/sh", "this is no WebAssembly"),
            (&module, "this is a core module, not a component"),
            (&empty()[..6], "this is no sound component"),
            (b"\0asm\x0d\0\x01\0\xff\xff", "this is no sound component"),
        ] {
            let error = Component::read(bytes).expect_err("is none");
            assert!(error.to_string().starts_with(expected), "{error:#}");
        }
    }

    proptest! {
        #[test]
        fn odd_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..64), cut in 0_usize..80) {
            let mut odd = b"\0asm\x0d\0\x01\0".to_vec();
            odd.extend_from_slice(&bytes);
            let _ = Component::read(&odd);
            let _ = with_manifest(&odd, MANIFEST);
            let whole = nested();
            let _ = Component::read(&whole[..cut.min(whole.len())]);
        }
    }
}
