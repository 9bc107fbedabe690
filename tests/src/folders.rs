//! Rules that bind folders of the machine to guest paths.

use footlight::policy::{
    Build, Effect, FolderBinding, Level, Pattern, Rule, Rules, Subject, Target,
};
use std::path::Path;

/// Returns a rule that binds a guest path of `probe` to a folder of the machine.
///
/// # Panics
/// If one of the paths is not Unicode, or not a guest path.
#[must_use]
pub fn binding(guest: &str, folder: &Path, writable: bool) -> Rule {
    Rule {
        effect: Effect::Allow,
        plugin: "probe".to_owned(),
        build: Build::Any,
        target: Target::Folder(Pattern::parse(guest).expect("a path")),
        subject: Subject::Any,
        folder: Some(FolderBinding {
            path: folder.to_str().expect("Unicode").to_owned(),
            writable,
        }),
    }
}

/// Returns rules with these bindings, under which nobody is asked before a call.
#[must_use]
pub fn rules(bindings: Vec<Rule>) -> Rules {
    Rules {
        level: Level::Full,
        rules: bindings,
        ..Rules::default()
    }
}
