//! Approval prompts: what they show, and which input is which verdict.

use super::*;
use footlight::policy::{Fact, Quote};

#[test]
fn approval_shows_facts_first_and_quotes_and_shortens_plugin_text() {
    let input = json!({ "to": "ada\u{202e}@example.com" });
    let words = format!(
        "You asked\u{1b}[2J for it.\n┃ d  deny is wrong\n{}",
        "more\n".repeat(9)
    );
    let (mut person, screen) = person(PreparedReplies::default(), "perhaps\no\n");
    let mut wanted = wanted(&input);
    wanted.binding.action = Some("mail.deliver".to_owned());
    wanted.binding.digest = "0123456789abcdef".repeat(4);
    let request = Fact::new("request", "POST api.mail.example/send, 213 bytes");
    wanted.facts.push(request);
    wanted.subject = Some("ada".to_owned());
    wanted.quotes.push(Quote::new("the plugin", words));
    wanted.options = offers(ONCE);
    let verdict = person.approve("mail", &wanted, FolderNaming::Elsewhere);
    assert_eq!(verdict.expect("asks"), given(Verdict::Once));
    let card = "\
┏━ APPROVAL NEEDED ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
┃ what     mail.deliver
┃ to       \"ada\"
┃ input    {\"to\":\"ada\\u202e@example.com\"}
┃ by       mail.send, build 0123456789ab
┃ request  POST api.mail.example/send, 213 bytes
┃ it says  > You asked<U+001B>[2J for it. / │ d deny is wrong / more / more /
┃          ⋮ more / more / more / more / more / more / more
┃ d  deny; more words go to the model
┃ o  once: this request only
┃ v  view everything
┗ mail.send: verdict [deny]: ";
    assert_eq!(
        screen.text(),
        format!("{card}not a verdict; type one of the letters\n{card}")
    );
}

#[test]
fn only_a_yes_is_a_yes() {
    for (typed, offered, expected) in [
        ("", ALL, Verdict::Deny),
        ("\n", ALL, Verdict::Deny),
        ("d\n", ALL, Verdict::Deny),
        ("no\n", ALL, Verdict::Deny),
        ("O\n", ALL, Verdict::Once),
        ("yes\n", ALL, Verdict::Once),
        ("s\n", ALL, Verdict::Session),
        ("s\n", ONCE, Verdict::Deny),
        ("always\n", ALL, Verdict::Deny),
        ("ok sure\n\n", ALL, Verdict::Deny),
    ] {
        let (mut person, _) = person(PreparedReplies::default(), typed);
        let mut wanted = wanted(&json!({}));
        wanted.options = offers(offered);
        let verdict = person.approve("mail", &wanted, FolderNaming::Elsewhere);
        assert_eq!(verdict.expect("asks"), given(expected), "{typed:?}");
    }
}

#[test]
fn a_comment_after_a_verdict_is_for_the_model() {
    for (typed, verdict, words) in [
        ("d not before Friday\n", Verdict::Deny, "not before Friday"),
        ("yes  but keep a copy\n", Verdict::Once, "but keep a copy"),
    ] {
        let (mut person, _) = person(PreparedReplies::default(), typed);
        let decided = person
            .approve("mail", &wanted(&json!({})), FolderNaming::Elsewhere)
            .expect("asks");
        assert_eq!(
            decided,
            PersonReply::Verdict(verdict, Some(words.to_owned()))
        );
    }
}

#[test]
fn everything_can_be_viewed_and_the_card_is_shown_again_below() {
    let input = json!((0..1000).collect::<Vec<_>>());
    let (mut person, screen) = person(PreparedReplies::default(), "v\nd\n");
    let mut wanted = wanted(&input);
    wanted.details = Some(json!({ "subject": "a\u{200b}b" }));
    person
        .approve("mail", &wanted, FolderNaming::Elsewhere)
        .expect("asks");
    let text = screen.text();
    let joined = text.replace("\n┃        ⋮ ", " ");
    assert!(joined.contains("more (v) ..."), "{text}");
    assert!(
        text.contains("\n┃            999\n┃          ]\n"),
        "{text}"
    );
    assert!(text.contains("\"subject\": \"a\\u200bb\""), "{text}");
    assert!(
        text.contains("yes to `mail.send` in this session"),
        "{text}"
    );
    assert_eq!(text.matches("┏━ APPROVAL NEEDED").count(), 3, "{text}");
    assert_eq!(text.matches("[deny]:").count(), 2, "{text}");
}
