//! What a person reads who wants to know why.

use super::*;
use crate::policy::{Assessment, Caller, Grants, Operation, Powers, Request, Traits};
use footlight_vocabulary::item::{CallId, SessionId};
use footlight_vocabulary::manifest::Manifest;

pub(super) struct Scene {
    pub(super) manifest: Manifest,
    session: SessionId,
    call: CallId,
    traits: Traits,
    powers: Powers,
}

pub(super) fn scene() -> Scene {
    Scene {
        manifest: Manifest::powerless("mail").expect("an id"),
        session: "s1".into(),
        call: "c1".into(),
        traits: Traits::default(),
        powers: Powers::default(),
    }
}

impl Scene {
    pub(super) fn request<'a>(&'a self, digest: &'a str) -> Request<'a> {
        Request {
            session: &self.session,
            person: "ada",
            call: &self.call,
            digest,
            tool: "draft",
            input: "{}",
            caller: Caller::Direct,
            powers: self.powers,
            tainted: false,
            reachable: true,
            approved: None,
            operation: Operation::Call {
                traits: &self.traits,
                assessment: Assessment::None,
            },
        }
    }

    fn explain(&self, text: &str, digest: &str) -> Explanation {
        let file = Folder::holding(text).open();
        explain(
            &self.manifest,
            &file,
            &Grants::default(),
            &self.request(digest),
        )
    }
}

fn effectful() -> Scene {
    Scene {
        powers: Powers {
            secrets: true,
            ..Powers::default()
        },
        ..scene()
    }
}

const RULE: &str = "\n[[allow]]\nplugin = 'mail'\nbuild = 'any'\ntool = 'draft'\nsubject = 'any'\n";
const NEED: &str = "a person is needed: the plugin can change things or act in your name";

#[test]
fn what_a_rule_decides_names_the_rule_and_its_line() {
    let allowed = effectful().explain(RULE, "d1");
    let id = allowed.rule.as_ref().expect("a rule decided").id;
    assert_eq!(
        allowed.to_string(),
        format!(
            "`mail.draft` would be allowed\nrule `{id}`, line 2: allows without asking calls of the tool `draft` of `mail`, from every build, whatever it is about\n{NEED}"
        )
    );
    let text = format!(
        "{RULE}{}",
        RULE.replace("allow", "deny").replace("draft", "*")
    );
    let denied = effectful().explain(&text, "d1");
    let id = denied.rule.as_ref().expect("a rule decided").id;
    assert_eq!(
        denied.to_string(),
        format!(
            "`mail.draft` would be denied\nrule `{id}`, line 8: denies calls of every tool of `mail`, from every build, whatever it is about"
        )
    );
}

#[test]
fn a_rule_that_misses_says_why() {
    let (old, new) = ("a".repeat(64), "b".repeat(64));
    let text = [
        RULE.replace("'any'\ntool", &format!("'{old}'\ntool")),
        RULE.replace("subject = 'any'", "subject = { exactly = 'bob' }"),
        RULE.replace("draft", "other"),
        RULE.replace("allow", "deny")
            .replace("subject = 'any'", "subject = { exactly = 'bob' }"),
    ]
    .concat();
    let asked = effectful().explain(&text, &new);
    let ids: Vec<_> = asked.others.iter().map(|(entry, _)| entry.id).collect();
    let [build, subject, deny] = ids[..] else {
        panic!("{asked}");
    };
    assert_eq!(
        asked.to_string(),
        format!(
            "`mail.draft` would wait for your verdict\n{NEED}\n\
             rule `{build}`, line 2, does not settle it: it is for the build aaaaaaaaaaaa…, and this is bbbbbbbbbbbb…\n\
             rule `{subject}`, line 8, does not settle it: it is about another subject\n\
             rule `{deny}`, line 20, does not settle it: it is about another subject"
        )
    );
    let text = format!("ask = 'always'\n{RULE}");
    let asked = effectful().explain(&text, "d1");
    let [(_, why)] = &asked.others[..] else {
        panic!("{asked}");
    };
    assert_eq!(why, "it is not enough here: the ask mode is `always`");
}

#[test]
fn what_needs_no_rule_says_so() {
    let harmless = scene().explain(RULE, "d1");
    assert_eq!(
        harmless.to_string(),
        "`mail.draft` would be allowed\nallowed: it can do no harm"
    );
    let off = effectful().explain("ask = 'off'", "d1");
    assert_eq!(
        off.to_string(),
        format!(
            "`mail.draft` would be denied\n`mail.draft` needs a person's approval and the ask mode is `off`; add a rule that allows it, or set the ask mode to `on-miss`\n{NEED}"
        )
    );
}
