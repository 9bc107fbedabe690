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

/// The host's name. Every id that contains it is reserved, and so is one that begins with it but for one typing error.
const HOST: &str = "footlight";

/// Words that no part of an id may be, because they say who speaks whatever stands beside them.
const SPEAKERS: &[&str] = &["host", "verdict", "approval"];

/// Words that change nothing about whom an id reads as, such as in `your_system` and `user_note`.
const FILLERS: &[&str] = &[
    "a", "alert", "an", "asks", "card", "info", "message", "messages", "msg", "my", "needed",
    "note", "notes", "notice", "official", "our", "prompt", "real", "request", "required", "said",
    "says", "secure", "the", "this", "trusted", "verified", "warning", "your",
];

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
    "host",
    "human",
    "kernel",
    "llm",
    "local",
    "localhost",
    "me",
    "model",
    "operator",
    "owner",
    "permission",
    "permissions",
    "person",
    "policy",
    "root",
    "security",
    "shell",
    "sudo",
    "superuser",
    "supervisor",
    "sysadmin",
    "system",
    "terminal",
    "user",
    "verdict",
    "verdicts",
    "you",
];

/// Words for what every plugin is or has. Alone they read as a part of the protocol; among others, as in `my_tool`,
/// they do not.
const GENERIC: &[&str] = &[
    "function",
    "functions",
    "plugin",
    "plugins",
    "tool",
    "tools",
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
    match reads_as_another(id) {
        true => Err(PluginIdError::Reserved(quoted(id))),
        false => Ok(()),
    }
}

/// Reports whether an id reads as the host, the person, the model or a part of their protocol.
fn reads_as_another(id: &str) -> bool {
    let words = id.split('_');
    let meaningful: Vec<&str> = words
        .clone()
        .filter(|word| !FILLERS.contains(word))
        .collect();
    let is_reserved = |reading: &String| RESERVED.contains(&reading.as_str());
    let is_generic = |reading: &String| GENERIC.contains(&reading.as_str());
    let is_host = |reading: &String| reading.contains(HOST) || begins_almost_with(reading, HOST);
    let whole = readings(&words.clone().collect::<String>());
    let rest = readings(&meaningful.concat());
    let mut each = meaningful.iter().map(|word| readings(word));
    let is_of_reserved_words =
        !meaningful.is_empty() && each.all(|readings| readings.iter().any(is_reserved));
    whole
        .iter()
        .any(|reading| is_host(reading) || is_reserved(reading) || is_generic(reading))
        || rest.iter().any(is_reserved)
        || is_of_reserved_words
        || words
            .flat_map(readings)
            .any(|reading| is_host(&reading) || SPEAKERS.contains(&reading.as_str()))
}

/// Returns what a word reads as at a glance: with digits and pairs of letters as the letters that they resemble, and
/// with and without a number at the end. `1` resembles two letters.
fn readings(word: &str) -> Vec<String> {
    let unnumbered = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let mut readings = Vec::new();
    // The first digits at the end may be letters, and the others a number.
    for word in (unnumbered.len()..=word.len()).map(|end| &word[..end]) {
        for one in ['l', 'i'] {
            let letter = |c| match c {
                '0' => 'o',
                '1' => one,
                '2' => 'z',
                '3' => 'e',
                '4' => 'a',
                '5' => 's',
                '6' | '9' => 'g',
                '7' => 't',
                '8' => 'b',
                c => c,
            };
            let letters: String = word.chars().map(letter).collect();
            readings.push(
                letters
                    .replace("rn", "m")
                    .replace("vv", "w")
                    .replace("cl", "d"),
            );
            readings.push(letters);
        }
    }
    readings
}

/// Reports whether a word begins with another one but for one typing error: a letter that is missing, added or wrong,
/// or two that changed places.
fn begins_almost_with(word: &str, whole: &str) -> bool {
    let lengths = whole.len() - 1..=whole.len() + 1;
    let mut beginnings = lengths.filter_map(|length| word.get(..length));
    beginnings.any(|beginning| is_one_error_away(beginning.as_bytes(), whole.as_bytes()))
}

fn is_one_error_away(word: &[u8], whole: &[u8]) -> bool {
    let same = word.iter().zip(whole).take_while(|(a, b)| a == b).count();
    let (a, b) = (&word[same..], &whole[same..]);
    match (a, b) {
        ([], rest) | (rest, []) => rest.len() <= 1,
        ([a1, rest_a @ ..], [b1, rest_b @ ..]) => {
            let has_changed_places = match (rest_a, rest_b) {
                ([a2, rest_a @ ..], [b2, rest_b @ ..]) => a1 == b2 && a2 == b1 && rest_a == rest_b,
                _ => false,
            };
            rest_a == rest_b || a == rest_b || rest_a == b || has_changed_places
        }
    }
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
        Err(PluginIdError::Reserved(_)) => Err(PluginIdError::Reserved(quoted(stem))),
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
            "footman",
            "highlight",
            "ghost",
            "hostel",
            "localizer",
            "the_notes",
            "modern",
            "user_agent_parser",
            "my_tool",
            "my_plugin",
            "the_functions",
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
            ("host_note", reserved),
            ("your_host", reserved),
            ("the_the_host", reserved),
            ("web_h0st_2", reserved),
            ("my_real_user", reserved),
            ("system_message", reserved),
            ("us3r_prompt", reserved),
            ("verdict", reserved),
            ("verdict_of_host", reserved),
            ("local", reserved),
            ("local_user", reserved),
            ("plugin_footlight", reserved),
            ("file_todo", PluginIdError::FileNamespace as Reason),
        ] {
            assert_eq!(check_plugin_id(id), Err(reason(quoted(id))), "{id}");
        }
        for id in RESERVED.iter().chain(GENERIC) {
            assert_eq!(check_plugin_id(id), Err(reserved((*id).to_owned())), "{id}");
        }
    }

    #[test]
    fn every_typing_error_in_the_name_of_the_host_is_reserved_wherever_it_stands() {
        let letters: Vec<char> = HOST.chars().collect();
        let mut errors = Vec::new();
        for at in 0..letters.len() {
            let (before, after) = (&HOST[..at], &HOST[at + 1..]);
            errors.push(format!("{before}{after}"));
            for c in ('a'..='z').chain('0'..='9') {
                errors.push(format!("{before}{c}{}", &HOST[at..]));
                errors.push(format!("{before}{c}{after}"));
            }
            if at + 1 < letters.len() {
                errors.push(format!(
                    "{before}{}{}{}",
                    letters[at + 1],
                    letters[at],
                    &HOST[at + 2..]
                ));
            }
        }
        for error in errors {
            for id in [
                error.clone(),
                format!("{error}_result"),
                format!("my_{error}"),
                format!("{error}2"),
            ] {
                let found = check_plugin_id(&id);
                assert!(found.is_err() || !is_id(&id), "{id}: {found:?}");
            }
        }
    }

    #[test]
    fn reserved_words_are_recognised_in_look_alikes_and_among_fillers() {
        let look_alikes = [
            ("o", "0"),
            ("l", "1"),
            ("i", "1"),
            ("e", "3"),
            ("a", "4"),
            ("s", "5"),
            ("t", "7"),
            ("b", "8"),
            ("g", "9"),
            ("m", "rn"),
            ("w", "vv"),
            ("d", "cl"),
        ];
        for word in RESERVED {
            for (letter, other) in look_alikes {
                let disguised = word.replace(letter, other);
                for id in [
                    disguised.clone(),
                    format!("{disguised}_2"),
                    format!("the_{disguised}"),
                    format!("the_the_{disguised}"),
                    format!("your_{disguised}_note"),
                    format!("{disguised}_message"),
                ] {
                    let found = check_plugin_id(&id);
                    assert!(found.is_err() || !is_id(&id), "{id} reads as {word}");
                }
            }
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
