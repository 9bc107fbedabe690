//! The survey of a component: what can be known without running it.
//!
//! That is its manifest, its imports and exports, and whether it is a component at all. The bytes
//! are untrusted: everything here is bounded.

use super::other_host::OtherHost;
use footlight_vocabulary::manifest::{CONTRACT, Manifest, PluginIdError, SECTION};
use wasmparser::{Encoding, Parser, Payload};

/// The size of the largest component.
pub const MAX_BYTES: usize = 32 << 20;

/// How many modules and components a component can contain. Python's has fourteen.
const MAX_PARTS: usize = 64;

/// Why bytes are not a plugin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidPluginError {
    /// Larger than [`MAX_BYTES`].
    #[error("the component has {0} bytes; the most is {MAX_BYTES}")]
    TooLarge(usize),
    /// Machine code, such as a precompiled component.
    #[error("this is machine code and no component: give the .wasm it was made from")]
    Native,
    /// No WebAssembly.
    #[error("this is no WebAssembly component: build the plugin for the target `wasm32-wasip2`")]
    NotWasm,
    /// A core module.
    #[error(
        "this is a core module and no component: build the plugin for the target `wasm32-wasip2`"
    )]
    Module,
    /// Malformed WebAssembly.
    #[error("the component is malformed: {0}")]
    Malformed(String),
    /// More than one manifest.
    #[error("the component carries {0} manifests; there must be exactly one")]
    Manifests(usize),
    /// A malformed manifest.
    #[error("the manifest in the component is wrong: {0}")]
    Manifest(String),
    /// No manifest, and no id from the name of the file either.
    #[error("the component has no manifest, and its name gives no id: {0}")]
    NoId(PluginIdError),
    /// No export of the contract's `tools`.
    #[error(
        "the component does not export `footlight:plugin/tools@{CONTRACT}.0`: is it a plugin for Footlight?"
    )]
    NoTools,
    /// WebAssembly that belongs to another host.
    #[error("this is {0}")]
    OtherHost(OtherHost),
    /// Another version of the contract.
    #[error(
        "the plugin was built for contract {0}, this host speaks {CONTRACT}: {advice}", advice = contract_advice(.0)
    )]
    OtherContract(String),
    /// An import that this host does not have.
    #[error(
        "the plugin wants `{0}`, which this host does not have: update the host, or build without it"
    )]
    UnknownImport(String),
    /// An export of `tools` whose types are not the contract's.
    #[error("the plugin's `tools` do not have the contract's types: {0}")]
    TypeMismatch(String),
    /// Too costly to compile.
    #[error(
        "the component is too much to compile: it has at least {count} {what}, and the most is {most}"
    )]
    #[non_exhaustive]
    TooCostly {
        /// The quantity that is too large.
        what: &'static str,
        /// Its value, at least.
        count: u64,
        /// Its limit.
        most: u64,
    },
    /// An error of the compiler.
    #[error("the component cannot be compiled: {0}")]
    Compile(String),
}

/// What a component says of itself without being run: its manifest, what it imports and exports, and its
/// size. Made by [`survey`], for whoever decides whether to load it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Survey {
    /// The manifest, if there is one.
    pub manifest: Option<Manifest>,
    /// The names of the imports.
    pub imports: Vec<String>,
    /// The names of the exports.
    pub exports: Vec<String>,
}

/// Surveys a component without running it.
///
/// # Errors
/// When the bytes are not a component, or its manifest is malformed, or there is more than one.
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
            } if index == 0 => {
                let other = OtherHost::of_module(bytes).map(InvalidPluginError::OtherHost);
                return Err(other.unwrap_or(InvalidPluginError::Module));
            }
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
    /// Checks that the component is a plugin of the contract of this host.
    ///
    /// # Errors
    /// When it exports no `tools`, or those of another version.
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
            return Ok(());
        }
        let other = OtherHost::of_component(&self.imports, &self.exports);
        let other = other.map(InvalidPluginError::OtherHost);
        Err(other.unwrap_or(InvalidPluginError::NoTools))
    }
}

/// Returns what to do about a plugin for another version of the contract.
fn contract_advice(version: &str) -> &'static str {
    let numbers = |version: &str| {
        let mut parts = version
            .split('.')
            .map(|part| part.parse::<u64>().unwrap_or(0));
        (parts.next().unwrap_or(0), parts.next().unwrap_or(0))
    };
    match numbers(version) < numbers(CONTRACT) {
        true => "rebuild the plugin with the SDK of this host",
        false => "update the host",
    }
}

/// Escapes and shortens an untrusted name for a message.
pub(crate) fn shown(name: &str) -> String {
    name.chars()
        .take(120)
        .flat_map(char::escape_debug)
        .collect()
}
