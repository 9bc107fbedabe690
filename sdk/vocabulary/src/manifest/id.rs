//! The id of a plugin: its form, the reserved names, and the namespace of plugins without a
//! manifest.
//!
//! A plugin's id selects its state, its settings and the rules of the person, and it is what people
//! and models see as the author of a question or a tool. So an id must not read as somebody else's.

use crate::function::is_id;
use crate::toml_reader::quoted;

/// Begins the id of a plugin without a manifest, which is made from its file name. A manifest cannot
/// claim such an id, so that naming a file after a plugin does not give it that plugin's state.
pub const FILE_PREFIX: &str = "file_";

/// The host's name. Every id that begins with it is reserved, and so is one that lacks a letter of it.
const HOST: &str = "footlight";

/// Ids that read as the host, the person, the model or a part of their protocol. They are compared as
/// [`readings`].
const RESERVED: &[&str] = &[
    "admin",
    "administrator",
    "agent",
    "ai",
    "approval",
    "approvals",
    "assistant",
    "builtin",
    "cli",
    "consent",
    "developer",
    "function",
    "functions",
    "host",
    "human",
    "kernel",
    "llm",
    "me",
    "model",
    "operator",
    "owner",
    "person",
    "plugin",
    "plugins",
    "policy",
    "root",
    "security",
    "shell",
    "sudo",
    "supervisor",
    "sysadmin",
    "system",
    "terminal",
    "tool",
    "tools",
    "user",
    "you",
];

/// Why a word cannot be the id of a plugin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PluginIdError {
    /// Not an [id](is_id), or one that ends in `_`.
    #[error(
        "`{0}` is not an id; write a lower-case letter and up to 30 letters, digits and single `_` between them, such as \"weather\""
    )]
    Malformed(String),
    /// An id that reads as the host, the person or the model.
    #[error(
        "`{0}` is reserved, because it reads as the host, the person or the model; choose another id"
    )]
    Reserved(String),
    /// An id of the namespace of plugins without a manifest.
    #[error(
        "`{0}` begins with `{FILE_PREFIX}`, which marks plugins without a manifest; choose another id"
    )]
    FileNamespace(String),
}

/// Checks an id that a manifest declares: an [id](is_id) that does not end in `_`, is not reserved
/// and does not begin with [`FILE_PREFIX`].
///
/// # Errors
/// When it is none of these.
pub fn check_plugin_id(id: &str) -> Result<(), PluginIdError> {
    check_any(id)?;
    match id.starts_with(FILE_PREFIX) {
        true => Err(PluginIdError::FileNamespace(quoted(id))),
        false => Ok(()),
    }
}

/// Checks an id of either namespace.
pub(super) fn check_any(id: &str) -> Result<(), PluginIdError> {
    // `a_` and the tool `b` would be `a___b` on a model's wire, which models misspell.
    if !is_id(id) || id.ends_with('_') {
        return Err(PluginIdError::Malformed(quoted(id)));
    }
    let is_reserved = |reading: String| {
        reading.starts_with(HOST)
            || lacks_one_letter(&reading, HOST)
            || RESERVED.contains(&&*reading)
    };
    match readings(id).into_iter().any(is_reserved) {
        true => Err(PluginIdError::Reserved(quoted(id))),
        false => Ok(()),
    }
}

/// Returns what an id reads as at a glance: without `_` and a leading `the_`, with digits as the letters
/// that they resemble, and with and without a number at the end. `1` resembles two letters.
fn readings(id: &str) -> [String; 4] {
    let word = id.strip_prefix("the_").unwrap_or(id).replace('_', "");
    let unnumbered = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let letters = |word: &str, one| word.replace('0', "o").replace('1', one);
    [
        letters(&word, "l"),
        letters(&word, "i"),
        letters(unnumbered, "l"),
        letters(unnumbered, "i"),
    ]
}

/// Reports whether a word is another one without one of its letters.
fn lacks_one_letter(word: &str, whole: &str) -> bool {
    let without = |at: usize| [&whole[..at], &whole[at + 1..]].concat();
    word.len() + 1 == whole.len() && (0..whole.len()).any(|at| without(at) == word)
}

/// Returns the id of a plugin without a manifest from its file name without extension: `file_todo`
/// for `todo`. Hyphens become underscores.
///
/// # Errors
/// When the result is not an [id](is_id), or too long.
pub fn file_plugin_id(stem: &str) -> Result<String, PluginIdError> {
    let id = format!("{FILE_PREFIX}{}", stem.replace('-', "_"));
    match check_any(&id) {
        Ok(()) => Ok(id),
        Err(_) => Err(PluginIdError::Malformed(quoted(stem))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ids_of_plugins_are_accepted_or_refused_for_a_reason() {
        type Reason = fn(String) -> PluginIdError;
        let malformed: Reason = PluginIdError::Malformed;
        let reserved: Reason = PluginIdError::Reserved;
        let longest = "a".repeat(31);
        for id in [
            "weather",
            "a",
            "a_b",
            "system_monitor",
            "users",
            "file",
            "files",
            "hosts",
            "models",
            "profile_x",
            "theme",
            "the_weather",
            "todo2",
            "h264",
            "footnotes",
            "spotlight",
            &longest,
        ] {
            assert_eq!(check_plugin_id(id), Ok(()), "{id}");
        }
        for (id, reason) in [
            ("", malformed),
            ("_", malformed),
            ("a_", malformed),
            ("todo_", malformed),
            ("a__b", malformed),
            ("_a", malformed),
            ("Footlight", malformed),
            ("fооtlight", malformed),
            ("system ", malformed),
            ("footlight", reserved),
            ("foot_light", reserved),
            ("footlight_result", reserved),
            ("footlight2", reserved),
            ("sys_tem", reserved),
            ("foot1ight", reserved),
            ("f00tlight", reserved),
            ("footl1ght_2", reserved),
            ("footligh", reserved),
            ("fotlight", reserved),
            ("the_system", reserved),
            ("the_host", reserved),
            ("system1", reserved),
            ("admin2", reserved),
            ("adm1n", reserved),
            ("too1", reserved),
            ("mode1", reserved),
            ("r00t_1", reserved),
            ("file_todo", PluginIdError::FileNamespace as Reason),
        ] {
            assert_eq!(check_plugin_id(id), Err(reason(quoted(id))), "{id}");
        }
        for id in RESERVED {
            assert_eq!(check_plugin_id(id), Err(reserved((*id).to_owned())), "{id}");
        }
    }

    #[test]
    fn file_names_become_ids_that_no_manifest_can_claim() {
        assert_eq!(file_plugin_id("todo").as_deref(), Ok("file_todo"));
        assert_eq!(file_plugin_id("my-tool-2").as_deref(), Ok("file_my_tool_2"));
        assert_eq!(file_plugin_id("system").as_deref(), Ok("file_system"));
        for stem in ["", "_a", "a_", "a--b", "A b", "a.b", &"a".repeat(27)] {
            let error = file_plugin_id(stem).expect_err(stem);
            assert_eq!(error, PluginIdError::Malformed(quoted(stem)), "{stem}");
        }
    }

    proptest! {
        #[test]
        fn no_file_name_yields_the_id_of_a_manifest(stem in "[a-z_-]{0,40}|\\PC{0,8}") {
            if let Ok(id) = file_plugin_id(&stem) {
                prop_assert!(is_id(&id) && check_plugin_id(&id).is_err(), "{}", id);
            }
        }

        #[test]
        fn wire_names_of_accepted_ids_are_unambiguous(id in "[a-z_]{1,5}", tool in "[a-z_]{1,5}") {
            use crate::function::FunctionName;
            if check_plugin_id(&id).is_ok() && is_id(&tool) {
                let name = FunctionName::new(&*id, &*tool).expect("two ids");
                prop_assert_eq!(FunctionName::from_wire(&name.wire()), Ok(name.clone()));
                // The first separator and the last one are the same place.
                let wire = name.wire();
                prop_assert_eq!(wire.split_once("__"), Some((&*id, &*tool)));
            }
        }
    }
}
