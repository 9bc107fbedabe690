//! Prompts for folders: what is typed, what is checked, and what comes of it.

use super::*;
use footlight::FolderError;
use footlight::policy::Rule;
use std::path::Path;

fn asked(writable: bool, offered: Option<&str>) -> ApprovalRequest {
    let mut wanted = wanted(&json!({}));
    let folder = json!({ "path": "/data", "writable": writable, "offered": offered });
    wanted.folder = Some(serde_json::from_value(folder).expect("a folder"));
    wanted.options = offers(&[ALL, &[(Verdict::Always, "yes, until you revoke it")]].concat());
    wanted
}

/// Accepts every folder but one.
fn check(folder: &Path) -> Result<String, FolderError> {
    match folder.ends_with("private") {
        true => Err(FolderError::Home {
            path: folder.to_owned(),
        }),
        false => Ok(format!("/real{}", folder.display())),
    }
}

fn decided(typed: &str, offered: Option<&str>) -> (PersonReply, String) {
    let (mut person, screen) = person(PreparedReplies::default(), typed);
    let naming = FolderNaming::Here(&check);
    let reply = person.approve("files", &asked(false, offered), naming);
    (reply.expect("asks"), screen.text())
}

#[test]
fn a_folder_is_named_first_and_then_decided_about() {
    let folder = |verdict, path: &str| PersonReply::Folder(verdict, path.into(), Mode::ReadOnly);
    let deny = |words: Option<&str>| PersonReply::Verdict(Verdict::Deny, words.map(str::to_owned));
    let offered = Some("/project/docs");
    for (typed, offered, expected) in [
        ("/a\no\n", None, folder(Verdict::Once, "/real/a")),
        ("/a b\ns\n", None, folder(Verdict::Session, "/real/a b")),
        ("/a\nalways\n", offered, folder(Verdict::Always, "/real/a")),
        (
            "\no\n",
            offered,
            folder(Verdict::Once, "/real/project/docs"),
        ),
        (
            "v\n\nv\no\n",
            offered,
            folder(Verdict::Once, "/real/project/docs"),
        ),
        ("/private\n/a\no\n", None, folder(Verdict::Once, "/real/a")),
        // Everything but a clear yes is a no.
        ("", None, deny(None)),
        ("\n", None, deny(None)),
        ("", offered, deny(None)),
        ("\n", offered, deny(None)),
        ("\n\n", offered, deny(None)),
        ("d not today\n", None, deny(Some("not today"))),
        ("no\n", offered, deny(None)),
        ("/a\n", None, deny(None)),
        ("/a\n\n", None, deny(None)),
        ("/a\nd another one\n", None, deny(Some("another one"))),
        ("/a\nperhaps\n\n", None, deny(None)),
        ("/private\n", None, deny(None)),
    ] {
        let (reply, screen) = decided(typed, offered);
        assert_eq!(reply, expected, "{typed:?}: {screen}");
    }
}

#[test]
fn a_folder_that_cannot_be_granted_is_refused_with_the_reason_and_a_new_try() {
    let (_, screen) = decided("/private\n/a\nd\n", None);
    let why = "┃ `/private` contains everything of yours, keys included; choose a folder in it\n";
    assert!(screen.contains(why), "{screen}");
    assert_eq!(screen.matches("your folder [deny]:").count(), 2, "{screen}");
    // The verdict is about the folder as it is without links.
    let last = screen.rfind("┏━").expect("a card");
    assert!(screen[last..].contains("┃ folder   /real/a\n"), "{screen}");
    assert!(
        screen[last..].contains("┃ a  always: this folder, every call\n"),
        "{screen}"
    );
}

#[test]
fn elsewhere_only_the_offered_folder_can_be_accepted() {
    for (typed, expected) in [
        ("o\n", given(Verdict::Once)),
        ("\n", given(Verdict::Deny)),
        ("/etc\n\n", given(Verdict::Deny)),
    ] {
        let (mut person, screen) = person(PreparedReplies::default(), typed);
        let asked = asked(true, Some("/project/docs"));
        let reply = person.approve("files", &asked, FolderNaming::Elsewhere);
        assert_eq!(reply.expect("asks"), expected);
        let screen = screen.text();
        assert!(screen.contains("┃ offered  /project/docs\n"), "{screen}");
        assert!(!screen.contains("your folder"), "{screen}");
    }
}

fn rule(target: Value, folder: Value) -> Rule {
    let rule = json!({ "effect": "allow", "plugin": "files", "build": "any", "target": target,
                       "subject": "any", "folder": folder });
    serde_json::from_value(rule).expect("a rule")
}

#[test]
fn flags_that_grant_a_power_answer_for_it_and_for_nothing_else() {
    let reply = |plugin: &str, request: &ApprovalRequest| {
        let mut script = PreparedReplies::default();
        script.grant(vec![
            rule(
                json!({ "folder": "/data" }),
                json!({ "path": "/a", "writable": false }),
            ),
            rule(json!({ "host": "api.example.com" }), Value::Null),
            rule(json!({ "secret": "token" }), Value::Null),
        ]);
        let mut person = Person::new(script, None);
        person
            .approve(plugin, request, FolderNaming::Elsewhere)
            .expect("asks")
    };
    let folder = PersonReply::Folder(Verdict::Once, "/a".into(), Mode::ReadOnly);
    assert_eq!(reply("files", &asked(false, None)), folder);
    // The flag lets the plugin only read, whatever it asks for.
    assert_eq!(reply("files", &asked(true, None)), folder);
    assert_eq!(reply("other", &asked(false, None)), PersonReply::Nobody);
    let request = |host: &str, secrets: &[&str], action: Option<&str>| {
        let mut wanted = wanted(&json!({}));
        let network =
            json!({ "method": "GET", "host": host, "url": "", "bytes": 0, "secrets": secrets });
        wanted.network = Some(serde_json::from_value(network).expect("a request"));
        wanted.binding.action = action.map(str::to_owned);
        wanted
    };
    for (host, secrets, action, expected) in [
        ("api.example.com", &[][..], None, given(Verdict::Once)),
        ("api.example.com", &["token"], None, given(Verdict::Once)),
        (
            "api.example.com",
            &["token", "other"],
            None,
            PersonReply::Nobody,
        ),
        ("example.com", &[], None, PersonReply::Nobody),
        (
            "api.example.com",
            &[],
            Some("mail.send"),
            PersonReply::Nobody,
        ),
    ] {
        assert_eq!(
            reply("files", &request(host, secrets, action)),
            expected,
            "{host} {secrets:?}"
        );
    }
}

#[test]
fn allowing_a_tool_grants_no_folder_and_no_host() {
    let plugin = ApprovablePlugin {
        id: "mail".to_owned(),
        tools: vec!["send".to_owned()],
        actions: vec!["mail.deliver".to_owned()],
    };
    let flags = PreparedAnswers {
        allow: vec!["mail.send".to_owned(), "mail.deliver".to_owned()],
        ..PreparedAnswers::default()
    };
    let reply = |request: &ApprovalRequest| {
        let script = flags
            .for_plugins(std::slice::from_ref(&plugin))
            .expect("is known");
        let mut person = Person::new(script, None);
        person
            .approve("mail", request, FolderNaming::Elsewhere)
            .expect("asks")
    };
    assert_eq!(
        reply(&asked(false, Some("/project/docs"))),
        PersonReply::Nobody
    );
    let mut request = wanted(&json!({}));
    let network = json!({ "method": "POST", "host": "a.example.com", "url": "", "bytes": 0 });
    request.network = Some(serde_json::from_value(network).expect("a request"));
    assert_eq!(reply(&request), PersonReply::Nobody);
    // Of a request that needs both, the action alone is not enough.
    request.binding.action = Some("mail.deliver".to_owned());
    request.reasons = vec![footlight::policy::AskReason::NotGranted];
    assert_eq!(reply(&request), PersonReply::Nobody);
    request.reasons.clear();
    assert_eq!(reply(&request), given(Verdict::Once));
}

#[test]
fn a_plugin_that_asks_to_write_can_be_given_a_folder_to_read_only() {
    let offered = Some("/project/docs");
    for (typed, offered, path, mode) in [
        ("/a\no\n", None, "/real/a", Mode::ReadWrite),
        ("/a:ro\no\n", None, "/real/a", Mode::ReadOnly),
        (":ro\n/a:ro\no\n", None, "/real/a", Mode::ReadOnly),
        ("\no\n", offered, "/real/project/docs", Mode::ReadWrite),
        (":ro\no\n", offered, "/real/project/docs", Mode::ReadOnly),
    ] {
        let (mut person, screen) = person(PreparedReplies::default(), typed);
        let naming = FolderNaming::Here(&check);
        let reply = person.approve("files", &asked(true, offered), naming);
        let expected = PersonReply::Folder(Verdict::Once, path.into(), mode);
        let screen = screen.text();
        assert_eq!(reply.expect("asks"), expected, "{typed:?}: {screen}");
        assert!(
            screen.contains(":ro  after a folder: the plugin can only read"),
            "{screen}"
        );
        // The card with the verdict says what the yes covers.
        let last = screen.rfind("┏━").expect("a card");
        let writes = screen[last..].contains("change");
        assert_eq!(writes, mode == Mode::ReadWrite, "{}", &screen[last..]);
    }
}
