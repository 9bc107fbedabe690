//! Rules that bind folders of the machine to guest paths.

use footlight::policy::{FolderBinding, Level, Pattern, Rule, Rules, Target};
use std::path::Path;

/// Returns a rule that binds a guest path of `probe` to a folder of the machine.
///
/// # Panics
/// If one of the paths is not Unicode, or not a guest path.
#[must_use]
pub fn binding(guest: &str, folder: &Path, writable: bool) -> Rule {
    let path = folder.to_str().expect("Unicode");
    let target = Target::Folder(Pattern::parse(guest).expect("a path"));
    Rule::allow("probe", target).folder(FolderBinding::new(path, writable))
}

/// Returns rules with these bindings, under which nobody is asked before a call.
#[must_use]
pub fn rules(bindings: Vec<Rule>) -> Rules {
    let mut rules = Rules::from(bindings);
    rules.level = Level::Full;
    rules
}
