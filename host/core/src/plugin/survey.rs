//! What can be known of a component without running it.
//!
//! Its manifest, its imports, and whether it is a component at all. Everything here reads bytes of
//! a stranger, with wasmparser and bounds.

use footlight_vocabulary::manifest::{CONTRACT, Manifest, SECTION};
use std::fmt;
use wasmparser::{Encoding, Parser, Payload};

/// The largest component that is looked at.
pub const MAX_BYTES: usize = 32 << 20;

/// How many modules and components a component may be made of. Python's has fourteen.
const MAX_PARTS: usize = 64;

/// Why bytes are not a plugin. One sentence each.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidPluginError {
    /// Larger than [`MAX_BYTES`].
    TooLarge(usize),
    /// Machine code, such as a precompiled component.
    Native,
    /// No WebAssembly.
    NotWasm,
    /// A core module.
    Module,
    /// Broken WebAssembly, and how.
    Malformed(String),
    /// More than one manifest.
    Manifests(usize),
    /// A manifest that cannot be read, and why.
    Manifest(String),
    /// It does not export the contract's `tools`.
    NoTools,
    /// It was built for another contract, which one.
    OtherContract(String),
    /// It imports what this host does not have.
    UnknownImport(String),
    /// It exports `tools` with other types than the contract's, and how.
    TypeMismatch(String),
    /// It would take too long to compile, or too much memory.
    #[non_exhaustive]
    TooCostly {
        /// What there is too much of.
        what: &'static str,
        /// How much there is, at least.
        count: u64,
        /// How much there may be.
        most: u64,
    },
    /// It could not be compiled, and why.
    Compile(String),
}

impl fmt::Display for InvalidPluginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(bytes) => write!(f, "the component has {bytes} bytes; the most is {MAX_BYTES}"),
            Self::Native => f.write_str("this is machine code and no component: give the .wasm it was made from"),
            Self::NotWasm => f.write_str("this is no WebAssembly component: build the plugin with `--target wasm32-wasip2`"),
            Self::Module => f.write_str(
                "this is a core module and no component: build the plugin with `--target wasm32-wasip2`",
            ),
            Self::Malformed(how) => write!(f, "the component is malformed: {how}"),
            Self::Manifests(count) => write!(f, "the component carries {count} manifests; there must be exactly one"),
            Self::Manifest(why) => write!(f, "the manifest in the component is wrong: {why}"),
            Self::NoTools => write!(
                f,
                "the component does not export `footlight:plugin/tools@{CONTRACT}.0`: is it a plugin for Footlight?"
            ),
            Self::OtherContract(version) => write!(
                f,
                "the plugin was built for contract {version}, this host speaks {CONTRACT}: update the host or rebuild the plugin"
            ),
            Self::UnknownImport(name) => {
                write!(f, "the plugin wants `{name}`, which this host does not have: update the host, or build without it")
            }
            Self::TypeMismatch(how) => write!(f, "the plugin's `tools` do not have the contract's types: {how}"),
            Self::TooCostly { what, count, most } => write!(
                f,
                "the component is too much to compile: it has at least {count} {what}, and the most is {most}"
            ),
            Self::Compile(why) => write!(f, "the component cannot be compiled: {why}"),
        }
    }
}

impl std::error::Error for InvalidPluginError {}

/// A component, as far as it can be known without running it.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    /// Its manifest, if it carries one.
    pub manifest: Option<Manifest>,
    /// What it imports, by name.
    pub imports: Vec<String>,
    /// What it exports, by name.
    pub exports: Vec<String>,
}

/// Reads what can be known of a component without running it.
///
/// # Errors
/// When it is no component, or its manifest is wrong, or there are two.
pub fn survey(bytes: &[u8]) -> Result<Survey, InvalidPluginError> {
    if bytes.len() > MAX_BYTES {
        return Err(InvalidPluginError::TooLarge(bytes.len()));
    }
    if bytes.starts_with(b"\x7fELF") {
        return Err(InvalidPluginError::Native);
    }
    if !bytes.starts_with(b"\0asm") {
        return Err(InvalidPluginError::NotWasm);
    }
    let malformed = |error: wasmparser::BinaryReaderError| {
        InvalidPluginError::Malformed(error.message().to_owned())
    };
    let mut survey = Survey {
        manifest: None,
        imports: Vec::new(),
        exports: Vec::new(),
    };
    let mut manifests: Vec<&[u8]> = Vec::new();
    let (mut depth, mut parts) = (0_usize, 0_usize);
    for (index, payload) in Parser::new(0).parse_all(bytes).enumerate() {
        match payload.map_err(malformed)? {
            Payload::Version {
                encoding: Encoding::Module,
                ..
            } if index == 0 => return Err(InvalidPluginError::Module),
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => {
                depth += 1;
                parts += 1;
                if parts > MAX_PARTS {
                    let how = format!("it is made of more than {MAX_PARTS} modules");
                    return Err(InvalidPluginError::Malformed(how));
                }
            }
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::CustomSection(section) if section.name() == SECTION => {
                manifests.push(section.data())
            }
            Payload::ComponentImportSection(section) if depth == 0 => {
                for import in section {
                    survey
                        .imports
                        .push(import.map_err(malformed)?.name.name.to_owned());
                }
            }
            Payload::ComponentExportSection(section) if depth == 0 => {
                for export in section {
                    survey
                        .exports
                        .push(export.map_err(malformed)?.name.name.to_owned());
                }
            }
            _ => {}
        }
    }
    survey.manifest = match manifests.as_slice() {
        [] => None,
        [one] => {
            let text = std::str::from_utf8(one)
                .map_err(|_| InvalidPluginError::Manifest("it is not UTF-8".to_owned()))?;
            Some(
                Manifest::parse(text)
                    .map_err(|error| InvalidPluginError::Manifest(error.to_string()))?,
            )
        }
        many => return Err(InvalidPluginError::Manifests(many.len())),
    };
    Ok(survey)
}

impl Survey {
    /// Whether it is a plugin of the contract this host speaks.
    ///
    /// # Errors
    /// When it exports no `tools`, or those of another contract.
    pub fn check_contract(&self) -> Result<(), InvalidPluginError> {
        // 0.1.0 and 0.1.7 are compatible; 0.2.0 is not.
        let ours = |version: &str| {
            version
                .strip_prefix(CONTRACT)
                .is_some_and(|rest| rest.starts_with('.'))
        };
        let names = self.exports.iter().chain(&self.imports);
        let versions =
            names.filter_map(|name| name.strip_prefix("footlight:plugin/")?.split_once('@'));
        for (_, version) in versions {
            if !ours(version) {
                return Err(InvalidPluginError::OtherContract(shown(version)));
            }
        }
        let tools = |name: &String| name.starts_with("footlight:plugin/tools@");
        if self.exports.iter().any(tools) {
            Ok(())
        } else {
            Err(InvalidPluginError::NoTools)
        }
    }
}

/// A name as a sentence may carry it: a stranger wrote it.
pub(crate) fn shown(name: &str) -> String {
    name.chars()
        .take(120)
        .flat_map(char::escape_debug)
        .collect()
}
