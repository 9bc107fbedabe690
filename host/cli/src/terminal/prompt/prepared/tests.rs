//! Which flag is for what, and what becomes of flags that are for nothing.

use super::*;
use crate::exit::Exit;
use crate::terminal::prompt::{FolderNaming, Person, PersonReply};
use crate::terminal::ui::Ui;
use serde_json::json;

fn plugin(id: &str, tools: &[&str], actions: &[&str]) -> ApprovablePlugin {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    ApprovablePlugin {
        id: id.to_owned(),
        tools: owned(tools),
        actions: owned(actions),
    }
}

fn mail() -> ApprovablePlugin {
    plugin(
        "mail",
        &["send", "list"],
        &["mail.deliver", "mail.send", "post.pay"],
    )
}

/// A plugin that would like to be taken for `mail`.
fn post() -> ApprovablePlugin {
    plugin("post", &["send"], &["mail.deliver", "pay"])
}

fn flags(answers: &[&str], allow: &[&str], deny: &[&str]) -> PreparedAnswers {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    PreparedAnswers {
        answers: answers
            .iter()
            .map(|word| field_and_value(word).expect("a pair"))
            .collect(),
        allow: owned(allow),
        deny: owned(deny),
    }
}

fn request(tool: &str, action: Option<&str>) -> ApprovalRequest {
    let binding = json!({ "session": "s", "call": "c", "inputHash": "", "digest": "", "tool": tool, "action": action });
    let request =
        json!({ "binding": binding, "needs": [], "quotes": [], "offers": [], "facts": [] });
    serde_json::from_value(request).expect("a request")
}

#[test]
fn a_verdict_is_for_the_tools_and_actions_of_the_plugin_it_names() {
    const BOTH: fn() -> Vec<ApprovablePlugin> = || vec![mail(), post()];
    const ALONE: fn() -> Vec<ApprovablePlugin> = || vec![mail()];
    for (plugins, name, asks, tool, action, is_meant) in [
        (BOTH, "mail.send", "mail", "send", None, true),
        (BOTH, "mail.send", "mail", "send", Some("mail.send"), true),
        (BOTH, "mail.send", "post", "send", None, false),
        (
            BOTH,
            "mail.send",
            "mail",
            "send",
            Some("mail.deliver"),
            false,
        ),
        (
            BOTH,
            "mail.deliver",
            "mail",
            "send",
            Some("mail.deliver"),
            true,
        ),
        (BOTH, "mail.deliver", "mail", "send", None, false),
        // An action that is named after another plugin.
        (
            BOTH,
            "mail.deliver",
            "post",
            "send",
            Some("mail.deliver"),
            false,
        ),
        (
            BOTH,
            "post.mail.deliver",
            "post",
            "send",
            Some("mail.deliver"),
            true,
        ),
        (BOTH, "post.pay", "post", "send", Some("pay"), true),
        (BOTH, "post.pay", "mail", "send", Some("post.pay"), false),
        (
            BOTH,
            "mail.post.pay",
            "mail",
            "send",
            Some("post.pay"),
            true,
        ),
        // The plugin can be left out where there is one.
        (ALONE, "send", "mail", "send", None, true),
        (ALONE, "post.pay", "mail", "send", Some("post.pay"), true),
        (ALONE, "mail.list", "mail", "send", None, false),
    ] {
        for is_denial in [false, true] {
            let flags = match is_denial {
                true => flags(&[], &[name], &[name]),
                false => flags(&[], &[name], &[]),
            };
            let replies = flags.for_plugins(&plugins()).expect("names something");
            let mut person = Person::new(replies, None);
            let reply = person
                .approve(asks, &request(tool, action), FolderNaming::Elsewhere)
                .expect("decides");
            let expected = match (is_meant, is_denial) {
                (false, _) => PersonReply::Nobody,
                (true, false) => PersonReply::Verdict(Verdict::Once, None),
                (true, true) => PersonReply::Verdict(Verdict::Deny, None),
            };
            assert_eq!(reply, expected, "{name} {asks} {tool} {action:?}");
        }
    }
}

#[test]
fn a_denial_can_carry_words_for_the_model() {
    let flags = flags(&[], &[], &["mail.send=not before Friday, please"]);
    let replies = flags
        .for_plugins(&[mail(), post()])
        .expect("names something");
    let reply =
        Person::new(replies, None).approve("mail", &request("send", None), FolderNaming::Elsewhere);
    let words = Some("not before Friday, please".to_owned());
    assert_eq!(
        reply.expect("decides"),
        PersonReply::Verdict(Verdict::Deny, words)
    );
}

#[test]
fn a_flag_that_names_nothing_is_an_error_with_what_may_be_meant() {
    let both = [mail(), post()];
    for (plugins, flags, said) in [
        (
            &both[..],
            flags(&[], &["mail.snd"], &[]),
            "did you mean `mail.send`?",
        ),
        (
            &both,
            flags(&[], &[], &["mail.snd=no"]),
            "`--deny mail.snd`",
        ),
        (&both, flags(&[], &["send"], &[]), "write PLUGIN.NAME"),
        (&both, flags(&[], &["*"], &[]), "write PLUGIN.NAME"),
        (&both, flags(&[], &[""], &[]), "write PLUGIN.NAME"),
        (
            &both,
            flags(&["what=done"], &[], &[]),
            "one of `mail`, `post`, `model`",
        ),
        (
            &both,
            flags(&["male.what=done"], &[], &[]),
            "does not say whose question",
        ),
        (&[], flags(&["what=done"], &[], &[]), "with one of `model`"),
        (
            &both[..1],
            flags(&[], &["post.send"], &[]),
            "no loaded plugin",
        ),
    ] {
        let error = flags.for_plugins(plugins).expect_err("names nothing");
        assert_eq!(Exit::of_error(&error), Exit::Usage);
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn an_answer_is_for_the_plugin_it_names_and_is_used_once() {
    let both = [mail(), post()];
    let flags = flags(
        &["mail.to=a", "mail.to=b", "model.answer=c", "post.a.b=d"],
        &[],
        &[],
    );
    let mut replies = flags.for_plugins(&both).expect("names plugins");
    assert_eq!(replies.take_answer("post", "to"), None);
    assert_eq!(replies.take_answer("mail", "to").as_deref(), Some("a"));
    assert_eq!(replies.take_answer("mail", "to").as_deref(), Some("b"));
    assert_eq!(replies.take_answer("mail", "to"), None);
    assert_eq!(replies.take_answer("mail", "answer"), None);
    assert_eq!(
        replies.take_answer(THE_MODEL, "answer").as_deref(),
        Some("c")
    );
    assert_eq!(replies.take_answer("post", "a.b").as_deref(), Some("d"));
    assert_eq!(replies.unused(), None);

    let short = super::tests::flags(&["to=a", "mail.to=b", "x.y=c"], &[], &[]);
    let mut replies = short.for_plugins(&both[..1]).expect("one plugin");
    // It may be a secret, which only the plugin gets.
    assert_eq!(replies.take_answer(THE_MODEL, "to"), None);
    assert_eq!(replies.take_answer("post", "to"), None);
    assert_eq!(replies.take_answer("mail", "to").as_deref(), Some("a"));
    assert_eq!(replies.take_answer("mail", "to").as_deref(), Some("b"));
    assert_eq!(replies.take_answer("mail", "x.y").as_deref(), Some("c"));
}

#[test]
fn a_flag_that_was_not_needed_is_an_error_unless_something_else_went_wrong() {
    let flags = flags(&["mail.to=a"], &["mail.send"], &["mail.list"]);
    let replies = flags.for_plugins(&[mail()]).expect("names something");
    let (ui, _, err) = Ui::scripted(false);
    let mut person = Person::new(replies, None);
    let error = person.check_all_used(Exit::Done, &ui).expect_err("unused");
    assert_eq!(Exit::of_error(&error), Exit::Usage);
    assert!(
        error
            .to_string()
            .starts_with("not used: `--answer mail.to`, `--allow mail.send`;"),
        "{error}"
    );
    let exit = person
        .check_all_used(Exit::NeedsPerson, &ui)
        .expect("keeps the exit");
    assert_eq!(exit, Exit::NeedsPerson);
    assert!(
        err.text().contains("not used: `--answer mail.to`"),
        "{}",
        err.text()
    );
    person
        .approve("mail", &request("send", None), FolderNaming::Elsewhere)
        .expect("decides");
    person.script.take_answer("mail", "to");
    assert_eq!(
        person.check_all_used(Exit::Done, &ui).expect("all used"),
        Exit::Done
    );
}
