//! Rules about language: retired names, numbers of requirements, and where the command line may be mentioned.

use super::source::{Token, tokens, words};
use super::{files, read, relative};

/// Words that are retired from every identifier: `put_down` stands for `put_down_once` and `PutDown` too. The glossary in
/// `ARCHITECTURE.md` has the terms that replaced them.
const WORDS: &[&str] = &[
    "book", "briefly", "drawer", "leave", "patience", "put_down", "recorder", "trouble", "unheard",
];

/// Identifiers that are retired as a whole; as a part of another one they may have their usual meaning.
const NAMES: &[&str] = &[
    "Came",
    "Effort",
    "Following",
    "Happening",
    "No",
    "NotBegun",
    "NotPressed",
    "NotTaken",
    "Notes",
    "Places",
    "Refusal",
    "aside",
    "effort",
    "go_on",
    "those",
];

/// Modules that are retired below `host/`.
const MODULES: &[&str] = &[
    "book",
    "drawer",
    "effort",
    "following",
    "found",
    "leave",
    "notes",
    "places",
    "recorder",
    "reply",
    "suspended",
    "trouble",
    "waiting",
];

/// Uses of a retired word that mean something else, as (end of the path, identifier). `Refusal` is the contract's.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("core/src/call/approval.rs", "Refusal"),
    ("core/src/native/call.rs", "Refusal"),
    ("core/src/sandbox/imports/answer.rs", "Refusal"),
    ("core/src/sandbox/imports/approval.rs", "Refusal"),
    ("sdk/src/backend/wasm.rs", "Refusal"),
    ("tests/src/bare/imports.rs", "Refusal"),
    (
        "validation/references.rs",
        "references_that_leave_or_hide_are_refused",
    ),
    (
        "vocabulary/src/outcome.rs",
        "no_hints_leave_nothing_on_the_wire",
    ),
];

fn contains_word(identifier: &str, word: &str) -> bool {
    let sought = words(word);
    words(identifier)
        .windows(sought.len())
        .any(|window| window == sought)
}

fn is_retired(identifier: &str) -> bool {
    WORDS.iter().any(|word| contains_word(identifier, word)) || NAMES.contains(&identifier)
}

#[test]
fn retired_names_are_not_used_again() {
    let mut found = Vec::new();
    for path in files("rs") {
        let name = relative(&path);
        let module = path.file_stem().unwrap_or_default().to_string_lossy();
        if name.starts_with("host/") && MODULES.contains(&&*module) {
            found.push(name.clone());
        }
        for (line, token) in tokens(&read(&path)) {
            let Token::Word(identifier) = token else {
                continue;
            };
            let is_exception = EXCEPTIONS
                .iter()
                .any(|(file, exception)| name.ends_with(file) && *exception == identifier);
            if is_retired(identifier) && !is_exception {
                found.push(format!("{name}:{line}: {identifier}"));
            }
        }
    }
    assert!(found.is_empty(), "retired names: {found:#?}");
}

#[test]
fn retired_words_are_found_whatever_their_case() {
    for identifier in ["put_down", "PutDown", "PUT_DOWN_ONCE"] {
        assert!(contains_word(identifier, "put_down"), "{identifier}");
    }
    assert!(!contains_word("leaves", "leave") && !contains_word("put_it_down", "put_down"));
}

#[test]
fn numbers_of_requirements_are_only_in_the_table_of_promises() {
    let is_number = |word: &str| {
        let bytes = word.as_bytes();
        matches!(bytes, [letter, b'-', tens, ones]
            if b"WRAKOX".contains(letter) && tens.is_ascii_digit() && ones.is_ascii_digit())
    };
    let mut found = Vec::new();
    for path in files("rs") {
        let name = relative(&path);
        if name.starts_with("tests/promises") {
            continue;
        }
        for (line, text) in read(&path).lines().enumerate() {
            let mut parts =
                text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_');
            if parts.any(is_number) {
                found.push(format!("{name}:{}: {}", line + 1, text.trim()));
            }
        }
    }
    assert!(found.is_empty(), "say it in words: {found:#?}");
}

/// Reports whether a text mentions the command `footlight` or one of its flags, such as `--yes`. `--target` is
/// cargo's, and `--fl-` begins our CSS properties.
fn mentions_command_line(text: &str) -> bool {
    let flag = text.split(['`', ' ', '"', '\'']).any(|part| {
        part.strip_prefix("--").is_some_and(|name| {
            name != "target"
                && !name.starts_with("fl-")
                && name.starts_with(|c: char| c.is_ascii_lowercase())
        })
    });
    flag || text.contains("`footlight ")
}

#[test]
fn the_libraries_do_not_mention_the_command_line() {
    let mut found = Vec::new();
    for path in files("rs") {
        let name = relative(&path);
        let is_library = ["host/core/src/", "host/render/src/"]
            .iter()
            .any(|of| name.starts_with(of));
        let is_test = name.contains("/tests/");
        if !is_library || is_test {
            continue;
        }
        for (line, token) in tokens(&read(&path)) {
            match token {
                Token::Text(text) if mentions_command_line(text) => {
                    found.push(format!("{name}:{line}: {text}"));
                }
                _ => {}
            }
        }
    }
    assert!(
        found.is_empty(),
        "return a typed error and let host/cli add the remedy: {found:#?}"
    );
}

#[test]
fn commands_and_flags_are_recognised() {
    for text in ["run `footlight doctor`", "pass --yes", "`--model`"] {
        assert!(mentions_command_line(text), "{text}");
    }
    for text in [
        "footlight.ask",
        "a -- b",
        "---",
        "a--b",
        "`--target wasm32-wasip2`",
        "var(--fl-bg)",
    ] {
        assert!(!mentions_command_line(text), "{text}");
    }
}
