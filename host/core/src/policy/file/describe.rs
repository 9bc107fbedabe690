//! Rules in plain sentences.

use crate::policy::rules::{Build, Effect, FolderBinding, Pattern, Rule, Subject, Target};
use footlight_vocabulary::escape::escape_short;

/// Returns a sentence that says what a rule covers.
#[must_use]
pub fn describe(rule: &Rule) -> String {
    let effect = match rule.effect {
        Effect::Allow => "allows without asking",
        Effect::Deny => "denies",
    };
    let plugin = escape_short(&rule.plugin, SHORT);
    let what = match &rule.target {
        Target::Tool(name) => format!("calls of {} of `{plugin}`", named("tool", name)),
        Target::Action(name) => {
            let action = named("action", name);
            format!("requests of `{plugin}` for approval of {action}")
        }
        Target::Host(name) => format!("requests of `{plugin}` to {}", named("host", name)),
        Target::Folder(name) => {
            let machine = match &rule.folder {
                None => String::new(),
                Some(FolderBinding { path, writable }) => {
                    let access = if *writable { "read and change" } else { "read" };
                    let path = escape_short(path, LONG);
                    format!(", which is \"{path}\", to {access} files")
                }
            };
            format!("use of {}{machine} by `{plugin}`", named("folder", name))
        }
        Target::Secret(name) => format!("use of {} by `{plugin}`", named("secret", name)),
    };
    let build = match &rule.build {
        Build::Any => "from every build".to_owned(),
        Build::Digest(digest) => format!("from the build {} only", short(digest)),
    };
    let subject = match (&rule.subject, rule.effect) {
        // A rule that denies calls without a concern denies those with one as well.
        (Subject::Any, _) | (Subject::None, Effect::Deny) => "whatever it is about".to_owned(),
        (Subject::None, Effect::Allow) => "as long as it raises no concern".to_owned(),
        (Subject::Exactly(subject), _) => {
            format!("about \"{}\" and nothing else", escape_short(subject, LONG))
        }
    };
    format!("{effect} {what}, {build}, {subject}")
}

const SHORT: usize = 64;
const LONG: usize = 200;

fn named(kind: &str, name: &Pattern) -> String {
    if *name == Pattern::ANY {
        format!("every {kind}")
    } else {
        format!("the {kind} `{}`", escape_short(&name.to_string(), SHORT))
    }
}

/// Returns the start of a digest, enough for a person to tell builds apart.
pub(super) fn short(digest: &str) -> String {
    escape_short(digest, 12)
}
