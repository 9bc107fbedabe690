//! The plugin of `tests/sampler-guest` in other languages, from `tests/languages` and the templates of `footlight new`.

#[path = "../../host/cli/src/plugin_source/componentize/tool.rs"]
mod tool;

use crate::programs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A language other than Rust.
#[derive(Debug, Clone, Copy)]
pub enum Language {
    /// Python, with `componentize-py`.
    Python,
    /// JavaScript, with `componentize-js`.
    JavaScript,
}

impl Language {
    /// Builds the plugin in a folder, which `footlight new` would lay out alike. Returns `None` where the tool is
    /// missing and the test may be skipped.
    ///
    /// # Panics
    /// If it does not build.
    #[must_use]
    pub fn build(self, folder: &Path) -> Option<PathBuf> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let template = root.join("../host/cli/template");
        let (tool, name, manager) = match self {
            Self::Python => (tool::PYTHON, "python", "pip"),
            Self::JavaScript => (tool::JAVASCRIPT, "js", "npm"),
        };
        let remedy = format!("`{manager} install {}`", tool.package);
        let program = programs::program(tool.name, &remedy)?;
        let library = folder.join("footlight");
        std::fs::create_dir_all(&library).expect("is made");
        let copy = |from: PathBuf, to: PathBuf| std::fs::copy(&from, to).expect("is copied");
        for file in std::fs::read_dir(template.join(name).join("footlight")).expect("is there") {
            let file = file.expect("is there");
            copy(file.path(), library.join(file.file_name()));
        }
        copy(
            template.join("footlight.wit"),
            library.join("footlight.wit"),
        );
        for file in ["plugin.py", "plugin.js"] {
            copy(root.join("languages").join(file), folder.join(file));
        }
        let component = folder.join("bare.wasm");
        let output = Command::new(program)
            .current_dir(folder)
            .args(tool.arguments)
            .arg(&component)
            .output()
            .expect("the tool runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{self:?}: {said}");
        Some(packed(&component, &root.join("sampler-guest/plugin.toml")))
    }
}

/// Appends a manifest to a component, as `footlight pack` does.
fn packed(component: &Path, manifest: &Path) -> PathBuf {
    use wasm_encoder::ComponentSection as _;
    let mut bytes = std::fs::read(component).expect("is there");
    let section = wasm_encoder::CustomSection {
        name: footlight::vocabulary::manifest::SECTION.into(),
        data: std::fs::read(manifest).expect("is there").into(),
    };
    section.append_to_component(&mut bytes);
    let packed = component.with_file_name("sampler.wasm");
    std::fs::write(&packed, bytes).expect("is written");
    packed
}
