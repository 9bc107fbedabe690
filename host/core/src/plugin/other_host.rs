//! Recognises WebAssembly that belongs to another host, by the names of its imports and exports.
//!
//! The names are a stranger's words: they decide which sentence a person reads, and nothing else.

use std::fmt;
use wasmparser::{Parser, Payload};

/// A host, or a platform, that WebAssembly was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OtherHost {
    /// A core module that exchanges bytes with an Extism host; hyper-mcp and mcp.run use them too.
    Extism,
    /// A component for Spin.
    Spin,
    /// A component for wasmCloud.
    WasmCloud,
    /// A component for Golem.
    Golem,
    /// A component of Agent Component Tools.
    Act,
    /// A server of the Model Context Protocol, made of components.
    Mcp,
    /// A tool for IronClaw.
    IronClaw,
    /// An extension of the editor Zed.
    Zed,
    /// A component that answers HTTP requests, as `wasi:http/proxy` describes.
    HttpServer,
    /// A program for a command line.
    CommandLine,
    /// A component whose exported functions are its tools, as Wassette takes them.
    Functions,
    /// A core module for WASI 0.1.
    Preview1,
    /// A core module for a web page, made by wasm-bindgen.
    Browser,
    /// A core module for a web page, made by Emscripten.
    Emscripten,
    /// A core module for the JavaScript glue of Go.
    GoJs,
}

/// The first part of the names of interfaces, before the colon.
const NAMESPACES: &[(&str, OtherHost)] = &[
    ("act", OtherHost::Act),
    ("fermyon", OtherHost::Spin),
    ("golem", OtherHost::Golem),
    ("mcp", OtherHost::Mcp),
    ("near", OtherHost::IronClaw),
    ("spin", OtherHost::Spin),
    ("wasmcloud", OtherHost::WasmCloud),
    ("wasmcp", OtherHost::Mcp),
    ("wrpc", OtherHost::WasmCloud),
    ("zed", OtherHost::Zed),
];

/// What a core module imports from: a prefix of the module's name.
const MODULES: &[(&str, OtherHost)] = &[
    ("extism:host/", OtherHost::Extism),
    ("__wbindgen_", OtherHost::Browser),
    ("wbg", OtherHost::Browser),
    ("gojs", OtherHost::GoJs),
    ("wasi_snapshot_preview1", OtherHost::Preview1),
    ("wasi_unstable", OtherHost::Preview1),
];

/// The most imports of a module that are looked at.
const MAX_IMPORTS: usize = 10_000;

impl OtherHost {
    /// Recognises a component without the export of our contract.
    pub(super) fn of_component(imports: &[String], exports: &[String]) -> Option<Self> {
        let names = || imports.iter().chain(exports);
        let namespace = |name: &str| {
            let (namespace, _) = name.split_once(':')?;
            NAMESPACES.iter().find(|(known, _)| *known == namespace)
        };
        if let Some((_, host)) = names().find_map(|name| namespace(name)) {
            return Some(*host);
        }
        let exports_one = |interface: &str| {
            let is = |name: &String| {
                let rest = name.strip_prefix(interface);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('@'))
            };
            exports.iter().any(is)
        };
        if exports_one("wasi:http/incoming-handler") || exports_one("wasi:http/handler") {
            return Some(Self::HttpServer);
        }
        if exports_one("wasi:cli/run") {
            return Some(Self::CommandLine);
        }
        // A component with a part of our contract is a plugin that went wrong.
        let is_ours = |name: &String| name.starts_with("footlight:");
        let is_foreign = !exports.is_empty() && !names().any(is_ours);
        is_foreign.then_some(Self::Functions)
    }

    /// Recognises a core module.
    pub(super) fn of_module(bytes: &[u8]) -> Option<Self> {
        let mut found = None;
        for payload in Parser::new(0).parse_all(bytes) {
            let Payload::ImportSection(imports) = payload.ok()? else {
                continue;
            };
            for import in imports.into_imports().take(MAX_IMPORTS) {
                let import = import.ok()?;
                if import.module == "env" && import.name.starts_with("emscripten_") {
                    return Some(Self::Emscripten);
                }
                let host = MODULES
                    .iter()
                    .find(|(prefix, _)| import.module.starts_with(prefix));
                match host {
                    // A module for another host often imports WASI as well.
                    Some((_, Self::Preview1)) => found = Some(Self::Preview1),
                    Some((_, host)) => return Some(*host),
                    None => {}
                }
            }
        }
        found
    }

    /// Returns what the bytes are.
    #[must_use]
    pub fn what(self) -> &'static str {
        match self {
            Self::Extism => "a plugin for Extism, as hyper-mcp and mcp.run take them",
            Self::Spin => "a component for Spin",
            Self::WasmCloud => "a component for wasmCloud",
            Self::Golem => "a component for Golem",
            Self::Act => "a component of Agent Component Tools (ACT)",
            Self::Mcp => "a server of the Model Context Protocol, made of components",
            Self::IronClaw => "a tool for IronClaw",
            Self::Zed => "an extension of the editor Zed",
            Self::HttpServer => "a component that answers HTTP requests (`wasi:http/proxy`)",
            Self::CommandLine => "a program for a command line (`wasi:cli/run`)",
            Self::Functions => "a component with functions of its own, as Wassette takes them",
            Self::Preview1 => "a core module for WASI 0.1",
            Self::Browser => "a module for a web page, made by wasm-bindgen",
            Self::Emscripten => "a module for a web page, made by Emscripten",
            Self::GoJs => "a module of Go for JavaScript (`GOOS=js`)",
        }
    }

    /// Returns what to do about it.
    #[must_use]
    pub fn advice(self) -> &'static str {
        match self {
            Self::Preview1 => "build the plugin for the target `wasm32-wasip2`",
            Self::Spin | Self::WasmCloud | Self::HttpServer => {
                "run it with a server for such components, and write a plugin that sends requests to it"
            }
            Self::CommandLine => {
                "a plugin is a library that exports tools; with the SDK, its crate has the type `cdylib`"
            }
            Self::Browser | Self::Emscripten | Self::GoJs => {
                "build a component with the SDK, for the target `wasm32-wasip2`"
            }
            _ => "run it with that host, or write its tools with the SDK of Footlight",
        }
    }
}

impl fmt::Display for OtherHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} and no plugin for Footlight, which exports `footlight:plugin/tools`: {}",
            self.what(),
            self.advice()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin::survey::{InvalidPluginError, Survey, survey};
    use wasm_encoder::{EntityType, ImportSection, Module, TypeSection};

    fn component(imports: &[&str], exports: &[&str]) -> Result<(), InvalidPluginError> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let survey = Survey {
            manifest: None,
            imports: owned(imports),
            exports: owned(exports),
        };
        survey.check_contract()
    }

    #[test]
    fn components_of_other_hosts_are_named() {
        for (imports, exports, expected) in [
            (
                &["fermyon:spin/key-value"][..],
                &["wasi:http/incoming-handler@0.2.0"][..],
                OtherHost::Spin,
            ),
            (
                &["spin:postgres/postgres@4.2.0"],
                &["wasi:http/handler@0.3.0"],
                OtherHost::Spin,
            ),
            (
                &["wasi:http/types@0.2.3"],
                &["wasi:http/incoming-handler@0.2.3"],
                OtherHost::HttpServer,
            ),
            (&[], &["wasi:http/handler@0.3.0"], OtherHost::HttpServer),
            (
                &["wasi:cli/stdout@0.2.0"],
                &["wasi:cli/run@0.2.0"],
                OtherHost::CommandLine,
            ),
            (
                &["act:core/types@0.4.0"],
                &["act:tools/tool-provider@0.2.0"],
                OtherHost::Act,
            ),
            (
                &["wasmcp:mcp-v20251125/mcp@0.1.0"],
                &["wasi:http/incoming-handler@0.2.0"],
                OtherHost::Mcp,
            ),
            (
                &["near:agent/host@0.4.1"],
                &["near:agent/tool@0.4.1"],
                OtherHost::IronClaw,
            ),
            (&["zed:extension/lsp"], &["init-extension"], OtherHost::Zed),
            (
                &["wasmcloud:bus/lattice@1.0.0"],
                &["x:y/z"],
                OtherHost::WasmCloud,
            ),
            (&["golem:api/host@1.1.0"], &["x:y/z"], OtherHost::Golem),
            (
                &["wasi:io/poll@0.2.0"],
                &["get-weather"],
                OtherHost::Functions,
            ),
        ] {
            let found = component(imports, exports).expect_err("belongs to another host");
            assert_eq!(
                found,
                InvalidPluginError::OtherHost(expected),
                "{exports:?}"
            );
            assert!(found.to_string().contains(": "), "{found}");
        }
        assert_eq!(component(&[], &[]), Err(InvalidPluginError::NoTools));
        assert_eq!(
            component(&["spin:x/y"], &["footlight:plugin/tools@0.1.0"]),
            Ok(())
        );
    }

    #[test]
    fn another_contract_says_which_side_is_older() {
        for (version, advice) in [
            ("0.0.9", "rebuild the plugin"),
            ("0.2.0", "update the host"),
            ("1.0.0", "update the host"),
        ] {
            let export = format!("footlight:plugin/tools@{version}");
            let error = component(&[], &[&export]).expect_err("is another contract");
            assert!(error.to_string().contains(advice), "{error}");
        }
    }

    #[test]
    fn modules_of_other_hosts_are_named() {
        let module = |imports: &[(&str, &str)]| {
            let mut types = TypeSection::new();
            types.ty().function([], []);
            let mut section = ImportSection::new();
            for (module, name) in imports {
                section.import(module, name, EntityType::Function(0));
            }
            let mut module = Module::new();
            module.section(&types).section(&section);
            survey(&module.finish()).expect_err("is no component")
        };
        for (imports, expected) in [
            (
                &[
                    ("wasi_snapshot_preview1", "fd_write"),
                    ("extism:host/env", "input_length"),
                ][..],
                OtherHost::Extism,
            ),
            (
                &[("wasi_snapshot_preview1", "fd_write")],
                OtherHost::Preview1,
            ),
            (&[("wbg", "__wbg_log")], OtherHost::Browser),
            (&[("__wbindgen_placeholder__", "x")], OtherHost::Browser),
            (
                &[("env", "emscripten_notify_memory_growth")],
                OtherHost::Emscripten,
            ),
            (&[("gojs", "runtime.wasmExit")], OtherHost::GoJs),
        ] {
            assert_eq!(
                module(imports),
                InvalidPluginError::OtherHost(expected),
                "{imports:?}"
            );
        }
        assert_eq!(module(&[("env", "abort")]), InvalidPluginError::Module);
    }
}
