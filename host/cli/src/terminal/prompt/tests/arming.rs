//! What is typed before a person can have read a card decides nothing: keys that were meant for the prompt before it.

use super::*;
use footlight::FolderError;
use footlight_render::terminal::ConsentCard;
use std::collections::VecDeque;
use std::io::{BufReader, Read};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A keyboard at which somebody types far too fast: all of `hasty` before each prompt takes input, and one of
/// `deliberate` after that.
#[derive(Clone, Default)]
struct Hasty(Arc<Mutex<Keys>>);

#[derive(Default)]
struct Keys {
    typed: VecDeque<u8>,
    deliberate: VecDeque<&'static str>,
    /// What was on the screen each time when a prompt began to take input.
    armed_at: Vec<String>,
}

/// What says yes to any prompt.
const YES: &str = "o\ny\nalways\n/hasty\nhunter-hasty\n";

impl Hasty {
    fn arm(&self, screen: &TestScreen) {
        let mut keys = self.0.lock().expect("nobody panicked");
        keys.armed_at.push(screen.text());
        keys.typed.clear();
        let next = keys.deliberate.pop_front().unwrap_or_default();
        // Typed in one go: the answer, and what the next prompt must not take.
        keys.typed.extend(format!("{next}\n{YES}").bytes());
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        BufReader::with_capacity(1, self).read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }
}

impl Read for Hasty {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut keys = self.0.lock().expect("nobody panicked");
        match (keys.typed.pop_front(), buffer.first_mut()) {
            (Some(byte), Some(first)) => {
                *first = byte;
                Ok(1)
            }
            _ => Ok(0),
        }
    }
}

/// A person who types `deliberate`, one text for each prompt, and `YES` in between.
fn hasty(deliberate: &[&'static str]) -> (Person, TestScreen, Hasty) {
    let (mut person, screen) = person(PreparedReplies::default(), "");
    let keys = Hasty::default();
    {
        let mut all = keys.0.lock().expect("nobody panicked");
        all.typed.extend(YES.bytes());
        all.deliberate.extend(deliberate);
    }
    let terminal = person.terminal.as_mut().expect("a terminal");
    terminal.input = Box::new(BufReader::with_capacity(1, keys.clone()));
    let mut secrets = keys.clone();
    terminal.secret = Box::new(move || secrets.line());
    let (armed, seen) = (keys.clone(), screen.clone());
    terminal.arm = Box::new(move || armed.arm(&seen));
    (person, screen, keys)
}

fn consent() -> ConsentCard {
    ConsentCard {
        head: "The project would".to_owned(),
        groups: Vec::new(),
        question: "Accept this?".to_owned(),
    }
}

/// Accepts every folder but one.
fn check(folder: &Path) -> Result<String, FolderError> {
    match folder.ends_with("private") {
        true => Err(FolderError::Home {
            path: folder.to_owned(),
        }),
        false => Ok(folder.display().to_string()),
    }
}

fn folder_request() -> ApprovalRequest {
    let mut wanted = wanted(&json!({}));
    let folder = json!({ "path": "/data", "writable": false, "offered": null });
    wanted.folder = Some(serde_json::from_value(folder).expect("a folder"));
    wanted
}

/// A prompt that decides something, and what came of it.
type Prompt = fn(&mut Person) -> String;

const APPROVAL: Prompt = |person| {
    let reply = person.approve("mail", &wanted(&json!({})), FolderNaming::Elsewhere);
    format!("{:?}", reply.expect("asks"))
};

const FOLDER: Prompt = |person| {
    let reply = person.approve("files", &folder_request(), FolderNaming::Here(&check));
    format!("{:?}", reply.expect("asks"))
};

const CONSENT: Prompt = |person| format!("{:?}", person.agrees(&consent()).expect("asks"));

const SECRET_QUESTION: Prompt = |person| {
    let field = json!([{ "name": "key", "type": "secret" }]);
    match person.ask("demo", &question(field)).expect("asks") {
        PersonReply::Answer(answer) => format!("{}", answer.values()["key"]),
        other => format!("{other:?}"),
    }
};

const SECRET_VALUE: Prompt = |person| {
    let mut said = String::new();
    let mut accept = |text: &str| match text {
        "invalid" => Err("it is not valid".to_owned()),
        text => {
            said.push_str(text);
            Ok(())
        }
    };
    let reply = person.ask_for_secret("mail", "token", &mut accept);
    format!("{:?} {said}", reply.expect("asks"))
};

#[test]
fn only_what_is_typed_after_a_card_was_shown_counts() {
    for (prompt, deliberate, expected) in [
        (APPROVAL, &["d"][..], "Verdict(Deny, None)"),
        (APPROVAL, &[""], "Verdict(Deny, None)"),
        (APPROVAL, &["s"], "Verdict(Session, None)"),
        (APPROVAL, &["v", "d"], "Verdict(Deny, None)"),
        (APPROVAL, &["what?", "d"], "Verdict(Deny, None)"),
        (FOLDER, &["d"], "Verdict(Deny, None)"),
        (FOLDER, &["/a", "d"], "Verdict(Deny, None)"),
        (FOLDER, &["/private", "/a", "v", "d"], "Verdict(Deny, None)"),
        (CONSENT, &["n"], "false"),
        (CONSENT, &["v", "n"], "false"),
        (CONSENT, &["y"], "true"),
        (SECRET_QUESTION, &["typed"], "\"typed\""),
        (SECRET_VALUE, &["typed"], "Given typed"),
        (SECRET_VALUE, &["invalid", "typed"], "Given typed"),
        (SECRET_VALUE, &["invalid", ""], "Refused "),
    ] {
        let (mut person, screen, keys) = hasty(deliberate);
        let found = prompt(&mut person);
        assert_eq!(found, expected, "{deliberate:?}\n{}", screen.text());
        // Each prompt took input once, when its last row was written.
        let armed_at = &keys.0.lock().expect("nobody panicked").armed_at;
        assert_eq!(armed_at.len(), deliberate.len(), "{deliberate:?}");
        let is_prompt = |text: &String| {
            text.ends_with(": ") || text.ends_with("(v shows all) ") || text.ends_with("[y/N] ")
        };
        assert!(armed_at.iter().all(is_prompt), "{armed_at:?}");
    }
}

#[test]
fn the_keys_of_one_card_do_not_decide_about_the_next() {
    let (mut person, screen, _) = hasty(&["o", "d", "typed", "n"]);
    assert_eq!(APPROVAL(&mut person), "Verdict(Once, None)");
    assert_eq!(APPROVAL(&mut person), "Verdict(Deny, None)");
    assert_eq!(SECRET_QUESTION(&mut person), "\"typed\"");
    assert_eq!(CONSENT(&mut person), "false", "{}", screen.text());
}
