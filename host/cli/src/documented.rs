//! The command lines of the documents are ones that this program accepts.

use crate::Cli;
use clap::error::ErrorKind;
use clap::{Command, CommandFactory};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the documents that show command lines.
fn documents() -> Vec<PathBuf> {
    fn walk(path: PathBuf, found: &mut Vec<PathBuf>) {
        if path.is_dir() {
            for entry in std::fs::read_dir(path).expect("a folder") {
                walk(entry.expect("an entry").path(), found);
            }
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    let mut found = Vec::new();
    for document in [
        "README.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "docs",
        "sdk/README.md",
        "sdk/guide",
    ] {
        walk(root().join(document), &mut found);
    }
    found
}

/// Splits a line as a shell does, into commands of words. What a redirection or a comment says is left out.
fn commands(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let (mut word, mut quote) = (None::<String>, None);
    for letter in line.chars().chain([' ']) {
        match (letter, quote) {
            (letter, Some(open)) if letter == open => quote = None,
            (letter, Some(_)) => word.get_or_insert_default().push(letter),
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            ('#', None) if word.is_none() => break,
            (' ', None) => {
                let last = commands.last_mut().expect("there is one");
                match word.take() {
                    Some(word) if ["&&", "|", "||", ";", ">"].contains(&word.as_str()) => {
                        commands.push(Vec::new())
                    }
                    Some(word) => last.push(word),
                    None => {}
                }
            }
            (letter, None) => word.get_or_insert_default().push(letter),
        }
    }
    commands.retain(|words| words.first().is_some_and(|word| word == "footlight"));
    commands
}

/// Returns the lines of code and the pieces of code in prose that begin with the program's name.
fn lines(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut lines, mut pieces) = (Vec::new(), Vec::new());
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if is_code || line.starts_with("    ") {
            lines.push(line.trim());
        } else {
            pieces.extend(line.split('`').skip(1).step_by(2));
        }
    }
    let is_ours = |line: &&str| line.starts_with("footlight ");
    lines.retain(is_ours);
    pieces.retain(is_ours);
    (lines, pieces)
}

/// Says what is wrong with a command line whose values can be placeholders: a command or a flag that is not there.
fn unknown(program: &Command, words: &[String]) -> Option<String> {
    let mut command = program;
    let mut words = words
        .iter()
        .skip(1)
        .filter(|word| *word != "…" && *word != "...")
        .peekable();
    while command.has_subcommands() {
        match words.peek().and_then(|word| command.find_subcommand(word)) {
            Some(found) => command = found,
            None => {
                return Some(format!(
                    "no command {:?} of `{}`",
                    words.peek(),
                    command.get_name()
                ));
            }
        }
        words.next();
        words.peek()?;
    }
    let flags = words
        .filter_map(|word| word.strip_prefix("--"))
        .map(|flag| flag.split('=').next().unwrap_or(flag));
    let is_known = |flag: &str| {
        let mut arguments = command.get_arguments();
        arguments.any(|argument| {
            argument
                .get_long_and_visible_aliases()
                .is_some_and(|names| names.contains(&flag))
        })
    };
    flags
        .filter(|flag| !flag.is_empty())
        .find(|flag| !is_known(flag))
        .map(|flag| format!("no flag `--{flag}`"))
}

#[test]
fn every_command_line_of_the_documents_is_accepted() {
    let mut program = Cli::command();
    program.build();
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for document in documents() {
        let text = std::fs::read_to_string(&document).expect("text");
        let (lines, pieces) = lines(&text);
        let parsed = lines
            .iter()
            .flat_map(|line| commands(line))
            .map(|words| (words, true));
        let named = pieces
            .iter()
            .flat_map(|piece| commands(piece))
            .map(|words| (words, false));
        for (words, is_line) in parsed.chain(named) {
            checked += 1;
            let mut complaint = unknown(&program, &words);
            if is_line && complaint.is_none() {
                let refused = Cli::command().try_get_matches_from(&words).err();
                // A value can be shortened: `sha256:51bd...`.
                let refused = refused.filter(|error| error.kind() != ErrorKind::ValueValidation);
                complaint = refused.map(|error| error.to_string());
            }
            wrong.extend(complaint.map(|why| format!("{}: {words:?}: {why}", document.display())));
        }
    }
    assert!(checked > 100, "{checked} command lines were found");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn mistakes_in_command_lines_are_found() {
    let mut program = Cli::command();
    program.build();
    let complaint = |line: &str| {
        commands(line)
            .iter()
            .find_map(|words| unknown(&program, words))
    };
    assert_eq!(
        complaint("footlight call . greet \"name=Ada B\" --log=warn > x # --no"),
        None
    );
    assert_eq!(
        complaint("cd demo && footlight grants explain PLUGIN --dir /data"),
        None
    );
    assert!(complaint("footlight grants shout").is_some());
    assert!(complaint("footlight call . greet --loud").is_some());
}
