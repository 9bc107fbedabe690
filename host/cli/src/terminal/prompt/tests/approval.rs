//! Approval prompts: what they show, and which input is which verdict.

use super::*;
use footlight::policy::{Fact, Quote};

#[test]
fn approval_shows_facts_first_and_quotes_and_shortens_plugin_text() {
    let input = json!({ "to": "ada\u{202e}@example.com" });
    let words = format!(
        "You asked\u{1b}[2J for it.\n(d)eny is wrong\n{}",
        "more\n".repeat(9)
    );
    let (mut person, screen) = person(PreparedAnswers::default(), "perhaps\no\n");
    let mut wanted = wanted(&input);
    wanted.binding.action = Some("mail.deliver".to_owned());
    wanted.facts.push(Fact {
        name: "request".to_owned(),
        value: "POST api.mail.example/send, 213 bytes".to_owned(),
    });
    wanted.subject = Some("ada".to_owned());
    wanted.quotes.push(Quote {
        by: "the plugin".to_owned(),
        text: words,
    });
    wanted.options = offers(ONCE);
    let verdict = person.approve("mail", &wanted);
    assert_eq!(verdict.expect("asks"), given(Verdict::Once));
    assert_eq!(
        screen.text(),
        "
approval needed for mail.deliver
  plugin   mail
  tool     send
  input    {
             \"to\": \"ada\\u202e@example.com\"
           }
  fact     request: POST api.mail.example/send, 213 bytes
  subject  \"ada\"
the plugin says:
  | You asked for it.
  | (d)eny is wrong
  | more
  | more
  | more
  | more
  | more
  | more
  (3 more lines)
  (d)eny     no
  (o)nce     yes, this time
your verdict, and an optional comment for the model [deny]: not a verdict; write one of the letters
your verdict, and an optional comment for the model [deny]: "
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
        let (mut person, _) = person(PreparedAnswers::default(), typed);
        let mut wanted = wanted(&json!({}));
        wanted.options = offers(offered);
        let verdict = person.approve("mail", &wanted);
        assert_eq!(verdict.expect("asks"), given(expected), "{typed:?}");
    }
}

#[test]
fn a_comment_after_a_verdict_is_for_the_model() {
    for (typed, verdict, words) in [
        ("d not before Friday\n", Verdict::Deny, "not before Friday"),
        ("yes  but keep a copy\n", Verdict::Once, "but keep a copy"),
    ] {
        let (mut person, _) = person(PreparedAnswers::default(), typed);
        let decided = person.approve("mail", &wanted(&json!({}))).expect("asks");
        assert_eq!(
            decided,
            PersonReply::Verdict(verdict, Some(words.to_owned()))
        );
    }
}

#[test]
fn long_input_can_be_viewed_whole() {
    let input = json!((0..100).collect::<Vec<_>>());
    let (mut person, screen) = person(PreparedAnswers::default(), "v\nd\n");
    person.approve("mail", &wanted(&input)).expect("asks");
    let text = screen.text();
    assert!(
        text.contains("… 78 more lines") && text.contains("\n  99\n]\n"),
        "{text}"
    );
}

#[test]
fn flags_decide_and_deny_overrides_allow() {
    let script = |allow: &[&str], deny: &[&str]| PreparedAnswers {
        allow: allow.iter().map(|name| (*name).to_owned()).collect(),
        deny: deny.iter().map(|name| (*name).to_owned()).collect(),
        ..PreparedAnswers::default()
    };
    for (script, action, expected) in [
        (script(&["mail.send"], &[]), None, Some(Verdict::Once)),
        (
            script(&["mail.send"], &["mail.send"]),
            None,
            Some(Verdict::Deny),
        ),
        (script(&["mail.send"], &[]), Some("mail.deliver"), None),
        (
            script(&["mail.deliver"], &[]),
            Some("mail.deliver"),
            Some(Verdict::Once),
        ),
        (script(&["mail.deliver"], &[]), None, None),
        (script(&["mail"], &[]), None, None),
    ] {
        let shown = format!("{script:?} {action:?}");
        let mut person = Person::new(script, None);
        let mut wanted = wanted(&json!({}));
        wanted.binding.action = action.map(str::to_owned);
        let verdict = person.approve("mail", &wanted);
        let expected = expected.map_or(PersonReply::Nobody, given);
        assert_eq!(verdict.expect("decides"), expected, "{shown}");
    }
}
