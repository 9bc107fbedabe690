//! What a plugin is in a registry: the layout of the CNCF for WebAssembly, with our signature.
//!
//! The manifest has one layer, the component, because other tools refuse an artifact with a second one.
//! The signature is an annotation of the manifest: the text of the `.minisig` file.

use crate::plugins::digest::Sha256;
use crate::plugins::signature::MAX_SIGNATURE;
use footlight::Survey;
use footlight_vocabulary::item::Timestamp;
use footlight_vocabulary::manifest::Manifest;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) const MANIFEST_TYPE: &str = "application/vnd.oci.image.manifest.v1+json";
const CONFIG_TYPE: &str = "application/vnd.wasm.config.v0+json";
const LAYER_TYPE: &str = "application/wasm";

/// The annotation of the manifest with the signature.
const SIGNATURE: &str = "footlight.minisig";

/// The most bytes of a manifest and of a configuration.
pub(super) const MAX_MANIFEST: usize = 256 << 10;
pub(super) const MAX_CONFIG: usize = 1 << 20;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ImageManifest {
    schema_version: u32,
    #[serde(default)]
    media_type: Option<String>,
    config: Descriptor,
    layers: Vec<Descriptor>,
    #[serde(default)]
    annotations: BTreeMap<String, Value>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    media_type: String,
    digest: String,
    size: u64,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    annotations: BTreeMap<String, Value>,
}

impl Descriptor {
    fn new(media_type: &str, bytes: &[u8]) -> Self {
        Self {
            media_type: media_type.to_owned(),
            digest: Sha256::of(bytes).to_string(),
            size: bytes.len() as u64,
            annotations: BTreeMap::new(),
        }
    }

    fn blob(&self) -> Result<(Sha256, u64), String> {
        let digest = Sha256::parse(&self.digest).ok_or("a digest in its manifest is malformed")?;
        Ok((digest, self.size))
    }
}

/// What a manifest says: the digests and sizes of its blobs, and the signature.
#[derive(Debug, PartialEq)]
pub(super) struct Artifact {
    pub(super) config: (Sha256, u64),
    pub(super) component: (Sha256, u64),
    pub(super) signature: Option<String>,
}

impl Artifact {
    /// Reads a manifest, or says why it is none of a plugin.
    pub(super) fn read(bytes: &[u8], content_type: &str) -> Result<Self, String> {
        let content_type = content_type.split(';').next().unwrap_or_default().trim();
        if content_type != MANIFEST_TYPE {
            return Err("its manifest has another media type".to_owned());
        }
        let manifest: ImageManifest =
            serde_json::from_slice(bytes).map_err(|_| "its manifest cannot be read")?;
        let media_type = manifest.media_type.as_deref().unwrap_or(MANIFEST_TYPE);
        if media_type != MANIFEST_TYPE || manifest.schema_version != 2 {
            return Err("its manifest has another media type".to_owned());
        }
        if manifest.config.media_type != CONFIG_TYPE {
            return Err("its configuration is not that of a WebAssembly artifact".to_owned());
        }
        let [layer] = &manifest.layers[..] else {
            return Err(format!("it has {} layers, not one", manifest.layers.len()));
        };
        if layer.media_type != LAYER_TYPE {
            return Err("its layer is not WebAssembly".to_owned());
        }
        let signature = match manifest.annotations.get(SIGNATURE) {
            None => None,
            Some(Value::String(text)) if text.len() <= MAX_SIGNATURE => Some(text.clone()),
            Some(_) => return Err("its signature is no text, or too long".to_owned()),
        };
        Ok(Self {
            config: manifest.config.blob()?,
            component: layer.blob()?,
            signature,
        })
    }
}

/// The blobs and the manifest of an artifact that is pushed.
#[derive(Debug)]
pub(crate) struct Published {
    pub(super) config: Vec<u8>,
    pub(super) component: Vec<u8>,
    pub(super) manifest: Vec<u8>,
}

impl Published {
    /// Makes the artifact of a component. Equal arguments make equal bytes.
    pub(crate) fn new(
        component: Vec<u8>,
        survey: &Survey,
        plugin: &Manifest,
        signature: &str,
        created: Timestamp,
    ) -> Self {
        let config = json!({
            "created": created,
            "architecture": "wasm",
            "os": "wasip2",
            "layerDigests": [Sha256::of(&component).to_string()],
            "component": { "exports": survey.exports, "imports": survey.imports },
        });
        let config = config.to_string().into_bytes();
        let mut layer = Descriptor::new(LAYER_TYPE, &component);
        let title = format!("{}.wasm", plugin.id);
        layer
            .annotations
            .insert("org.opencontainers.image.title".to_owned(), title.into());
        let annotations = [
            (SIGNATURE, Some(signature.to_owned())),
            ("org.opencontainers.image.title", Some(plugin.id.clone())),
            (
                "org.opencontainers.image.version",
                Some(plugin.version.clone()),
            ),
            (
                "org.opencontainers.image.description",
                Some(plugin.description.clone()),
            ),
            ("org.opencontainers.image.licenses", plugin.license.clone()),
            ("org.opencontainers.image.url", plugin.homepage.clone()),
            (
                "org.opencontainers.image.created",
                Some(created.to_string()),
            ),
        ];
        let annotations = annotations.into_iter();
        let annotations = annotations
            .filter_map(|(name, value)| value.map(|value| (name.to_owned(), value.into())));
        let manifest = ImageManifest {
            schema_version: 2,
            media_type: Some(MANIFEST_TYPE.to_owned()),
            config: Descriptor::new(CONFIG_TYPE, &config),
            layers: vec![layer],
            annotations: annotations.collect(),
        };
        let manifest = serde_json::to_vec(&manifest).unwrap_or_default();
        Self {
            config,
            component,
            manifest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin_source::component::with_manifest;
    use proptest::prelude::*;

    fn manifest() -> Value {
        let blob = |media_type: &str, text: &str| json!({ "mediaType": media_type, "digest": Sha256::of(text.as_bytes()).to_string(), "size": text.len() });
        json!({
            "schemaVersion": 2,
            "mediaType": MANIFEST_TYPE,
            "config": blob(CONFIG_TYPE, "{}"),
            "layers": [blob(LAYER_TYPE, "wasm")],
            "annotations": { SIGNATURE: "signature", "other": "x" },
        })
    }

    fn read(manifest: &Value) -> Result<Artifact, String> {
        Artifact::read(manifest.to_string().as_bytes(), MANIFEST_TYPE)
    }

    #[test]
    fn a_manifest_names_one_component_and_its_signature() {
        let artifact = read(&manifest()).expect("is one");
        assert_eq!(artifact.component, (Sha256::of(b"wasm"), 4));
        assert_eq!(artifact.signature.as_deref(), Some("signature"));
        let charset = format!("{MANIFEST_TYPE}; charset=utf-8");
        let bytes = manifest().to_string();
        assert!(Artifact::read(bytes.as_bytes(), &charset).is_ok());
    }

    #[test]
    fn what_is_published_is_read_back_and_equal_for_equal_plugins() {
        let text = "[plugin]\nid = \"mail\"\nversion = \"1.0.0\"\napi = \"0.1\"\ndescription = \"Sends\"\n";
        let empty = wasm_encoder::Component::new().finish();
        let (component, _) = with_manifest(&empty, text).expect("packs");
        let survey = footlight::survey(&component).expect("is a component");
        let plugin = Manifest::parse(text).expect("is valid");
        let time = Timestamp::from_millis(0);
        let made = || Published::new(component.clone(), &survey, &plugin, "signature", time);
        let artifact = Artifact::read(&made().manifest, MANIFEST_TYPE).expect("is one");
        let blob = |bytes: &[u8]| (Sha256::of(bytes), bytes.len() as u64);
        let expected = Artifact {
            config: blob(&made().config),
            component: blob(&component),
            signature: Some("signature".to_owned()),
        };
        assert_eq!(artifact, expected);
        assert_eq!(made().manifest, made().manifest);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..64), text in "[\\[{\"a-z:,0-9}\\]]{0,64}") {
            let _ = Artifact::read(&bytes, MANIFEST_TYPE);
            let _ = Artifact::read(text.as_bytes(), MANIFEST_TYPE);
        }
    }

    #[test]
    fn any_other_layout_is_refused() {
        let index = "application/vnd.oci.image.index.v1+json";
        for (pointer, value) in [
            ("/schemaVersion", json!(1)),
            ("/mediaType", json!(index)),
            (
                "/config/mediaType",
                json!("application/vnd.oci.image.config.v1+json"),
            ),
            ("/config/digest", json!("sha512:00")),
            ("/layers", json!([])),
            (
                "/layers/0/mediaType",
                json!("application/vnd.oci.image.layer.v1.tar+gzip"),
            ),
            ("/layers/0/digest", json!("sha256:../../x")),
            ("/layers/0/size", json!(-1)),
            ("/annotations/footlight.minisig", json!(1)),
            (
                "/annotations/footlight.minisig",
                json!("x".repeat(MAX_SIGNATURE + 1)),
            ),
        ] {
            let mut changed = manifest();
            *changed.pointer_mut(pointer).expect("is there") = value;
            assert!(read(&changed).is_err(), "{changed}");
        }
        let mut two = manifest();
        let layers = two["layers"].as_array_mut().expect("is a list");
        layers.push(layers[0].clone());
        assert!(read(&two).is_err(), "two layers");
        let bytes = manifest().to_string();
        assert!(Artifact::read(bytes.as_bytes(), index).is_err());
        assert!(Artifact::read(b"[]", MANIFEST_TYPE).is_err());
    }
}
