//! What a rules file says, what it refuses, and what an edit leaves as it was.

mod disk;
mod explained;
mod properties;
mod refused;

use super::*;
use crate::policy::rules::{Build, Effect, Pattern, Subject, Target};
use std::fs;

const BY_HAND: &str = r#"# Mine.
level = "allowlist" # not more

ask="on-miss"

  # Sent by hand until now.
  [[allow]] # for the time being
  plugin = 'mail'
  subject = { exactly = """
# not a comment""" }
build = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
  action = "mail.send" # why not
  # tool = "draft"

# A word between.

[[deny]]
plugin = "mail"
tool = "*"
build = "any"
subject = "none"
# Only about the next one.
[[allow]]
plugin = "todo"
tool = "add"
build = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
subject = "any"

# The end.
"#;

/// 2026-11-16.
const DAY: i64 = 1_794_787_200_000;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("rules.toml")
    }

    fn holding(text: &str) -> Self {
        let folder = Self::new();
        fs::write(folder.path(), text).expect("writes");
        folder
    }

    fn open(&self) -> RulesFile {
        RulesFile::open(self.path()).expect("a file that is understood")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.path()).expect("there")
    }
}

fn rule(tool: &str) -> Rule {
    Rule {
        effect: Effect::Allow,
        plugin: "weather".into(),
        build: Build::Any,
        target: Target::Tool(Pattern::parse(tool).expect("a name")),
        subject: Subject::Any,
        folder: None,
    }
}

fn day() -> Timestamp {
    Timestamp::from_millis(DAY)
}

fn add(file: &mut RulesFile, rule: &Rule) {
    assert!(file.add(rule, day(), "asked for").expect("writes"));
}

#[test]
fn a_file_that_is_not_there_means_the_defaults_and_is_not_made() {
    let folder = Folder::new();
    let file = folder.open();
    assert_eq!(*file.rules(), Rules::default());
    assert!(file.entries().is_empty());
    assert!(!folder.path().exists());
}

#[test]
fn what_is_written_by_hand_is_read_as_it_says() {
    let folder = Folder::holding(BY_HAND);
    let file = folder.open();
    let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    let pattern = |text| Pattern::parse(text).expect("a pattern");
    let [send, all, todo] = file.entries() else {
        panic!("three rules");
    };
    assert_eq!(
        send.rule,
        Rule {
            effect: Effect::Allow,
            plugin: "mail".into(),
            build: Build::Digest(digest.into()),
            target: Target::Action(pattern("mail.send")),
            subject: Subject::Exactly("# not a comment".into()),
            folder: None,
        }
    );
    assert_eq!(
        all.rule,
        Rule {
            effect: Effect::Deny,
            plugin: "mail".into(),
            build: Build::Any,
            target: Target::Tool(Pattern::ANY),
            subject: Subject::None,
            folder: None,
        }
    );
    assert_eq!(todo.rule.build, Build::Digest(digest.into()));
    assert_eq!((send.line, all.line, todo.line), (7, 17, 23));
    assert_eq!(send.note.as_deref(), Some("Sent by hand until now."));
    assert_eq!(all.note, None);
    assert_eq!(todo.note.as_deref(), Some("Only about the next one."));
}

#[test]
fn a_file_too_large_is_refused_and_never_grows_so_large() {
    let room = RulesFile::MAX_BYTES - 10;
    let folder = Folder::holding(&"#".repeat(room));
    let mut file = folder.open();
    let error = file.add(&rule("a"), day(), "").expect_err("no room");
    assert!(matches!(error, RulesError::InvalidEdit { .. }), "{error}");
    assert_eq!(folder.text().len(), room);

    let folder = Folder::holding(&"#".repeat(RulesFile::MAX_BYTES + 1));
    let error = RulesFile::open(folder.path()).expect_err("too large");
    assert!(
        error.to_string().contains("more than 262144 bytes"),
        "{error}"
    );

    let many: String = (0..=RulesFile::MAX_RULES)
        .map(|n| format!("[[deny]]\nplugin='a'\ntool='t{n}'\nbuild='any'\nsubject='any'\n"))
        .collect();
    let folder = Folder::holding(&many);
    let error = RulesFile::open(folder.path()).expect_err("too many");
    assert!(
        error
            .to_string()
            .contains("line 5001, column 1: more than 1000 rules"),
        "{error}"
    );
}

#[test]
fn an_added_rule_says_when_and_what_was_shown_on_one_line() {
    let folder = Folder::new();
    let mut file = folder.open();
    let rule = Rule {
        effect: Effect::Allow,
        plugin: "mail".into(),
        build: Build::Digest("a".repeat(64)),
        target: Target::Action(Pattern::parse("mail.send").expect("a name")),
        subject: Subject::Exactly("b\"o\\b\u{202e}\n".into()),
        folder: None,
    };
    let shown = "asked for by mail.draft:\n[[deny]]\u{1b}[2J 'so' it \"said\"\n";
    assert!(file.add(&rule, day(), shown).expect("writes"));
    assert_eq!(
        folder.text(),
        r#"# What plugins may do without asking, and what they may not do at all.
# Edit it as you like; a mistake in it denies everything until it is corrected.

# 2026-11-16: asked for by mail.draft:\n[[deny]]\u{1b}[2J 'so' it "said"
[[allow]]
plugin = "mail"
build = "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
action = "mail.send"
subject = { exactly = "b\"o\\b\u202E\u000A" }
"#
    );
    assert_eq!(folder.open().rules().rules, [rule]);
}

#[test]
fn adding_what_is_there_changes_nothing() {
    let folder = Folder::holding(BY_HAND);
    let mut file = folder.open();
    let known = file.rules().rules[0].clone();
    assert!(!file.add(&known, day(), "again").expect("reads"));
    assert_eq!(folder.text(), BY_HAND);
}

#[test]
fn a_rule_that_would_read_back_as_another_is_not_written() {
    let folder = Folder::holding(BY_HAND);
    let mut file = folder.open();
    let star = Rule {
        target: Target::Tool(Pattern::exactly("*")),
        ..rule("a")
    };
    let no_digest = Rule {
        build: Build::Digest("any".into()),
        ..rule("a")
    };
    for rule in [star, no_digest] {
        let error = file.add(&rule, day(), "").expect_err("is refused");
        assert!(matches!(error, RulesError::InvalidEdit { .. }), "{error}");
    }
    assert_eq!(folder.text(), BY_HAND);
}

// What is listed can be taken back, and nothing else goes with it.
#[test]
fn a_rule_is_taken_out_with_its_comments_and_no_others() {
    let cut = |n: usize| {
        let folder = Folder::holding(BY_HAND);
        let mut file = folder.open();
        let entry = file.entries()[n].clone();
        let removed = file.remove(&entry.id.to_string()).expect("there");
        assert_eq!(removed, entry);
        assert_eq!(file.entries(), folder.open().entries());
        folder.text()
    };
    let without = |from: &str, to: &str| {
        let start = BY_HAND.find(from).expect("there");
        let end = BY_HAND.find(to).expect("there");
        format!("{}{}", &BY_HAND[..start], &BY_HAND[end..])
    };
    assert_eq!(cut(0), without("\n  # Sent", "\n# A word"));
    assert_eq!(cut(1), without("\n[[deny]]", "# Only"));
    assert_eq!(cut(2), without("# Only", "\n# The end"));
}

#[test]
fn an_id_means_the_same_rule_however_the_file_changed_meanwhile() {
    let folder = Folder::new();
    let mut file = folder.open();
    for tool in ["a", "b", "c"] {
        add(&mut file, &rule(tool));
    }
    let id = RuleId::of(&rule("b")).to_string();
    let mut other = folder.open();
    let removed = other.remove(&RuleId::of(&rule("a")).to_string());
    assert_eq!(removed.expect("writes").rule, rule("a"));

    assert_eq!(file.remove(&id[..4]).expect("there").rule, rule("b"));
    assert_eq!(folder.open().rules().rules, [rule("c")]);
    let error = file.remove(&id).expect_err("gone");
    assert!(
        error.to_string().contains(&format!("no rule `{id}`")),
        "{error}"
    );
    let error = file.remove(&id[..3]).expect_err("too short");
    assert!(error.to_string().contains("at least 4 letters"), "{error}");
    // People note them down: they stay the same from version to version.
    assert_eq!(RuleId::of(&rule("forecast")).to_string(), "twybpjqw");
}

#[test]
fn an_id_that_could_be_two_rules_is_none() {
    // Found by trying: the first two of these that share four letters.
    let mut seen = std::collections::HashMap::new();
    let (one, other) = (0..)
        .find_map(|n| {
            let rule = rule(&format!("t{n}"));
            let start = RuleId::of(&rule).to_string()[..4].to_owned();
            Some((seen.insert(start, rule.clone())?, rule))
        })
        .expect("there are only so many");
    let folder = Folder::new();
    let mut file = folder.open();
    add(&mut file, &one);
    add(&mut file, &other);
    let before = folder.text();
    let id = RuleId::of(&one).to_string();
    let error = file.remove(&id[..4]).expect_err("two");
    assert!(error.to_string().contains("write more letters"), "{error}");
    assert_eq!(folder.text(), before);
    assert_eq!(file.remove(&id).expect("one").rule, one);
}

#[test]
fn a_rule_is_described_in_a_sentence() {
    let pattern = |text| Pattern::parse(text).expect("a pattern");
    let say = |effect, build, target, subject| {
        describe(&Rule {
            effect,
            plugin: "mail".into(),
            build,
            target,
            subject,
            folder: None,
        })
    };
    let digest = || Build::Digest("0123456789abcdef".into());
    assert_eq!(
        say(
            Effect::Allow,
            digest(),
            Target::Tool(pattern("draft")),
            Subject::None
        ),
        "allows without asking calls of the tool `draft` of `mail`, from the build 0123456789ab… only, as long as it raises no concern"
    );
    assert_eq!(
        say(
            Effect::Deny,
            Build::Any,
            Target::Tool(Pattern::ANY),
            Subject::None
        ),
        "denies calls of every tool of `mail`, from every build, whatever it is about"
    );
    assert_eq!(
        say(
            Effect::Deny,
            Build::Any,
            Target::Host(pattern("a.example")),
            Subject::Any
        ),
        "denies requests of `mail` to the host `a.example`, from every build, whatever it is about"
    );
    assert_eq!(
        say(
            Effect::Deny,
            Build::Any,
            Target::Secret(Pattern::ANY),
            Subject::Exactly("a\nb".into())
        ),
        "denies use of every secret by `mail`, from every build, about \"a\\nb\" and nothing else"
    );
    assert_eq!(
        say(
            Effect::Deny,
            Build::Any,
            Target::Folder(pattern("/data")),
            Subject::Any
        ),
        "denies use of the folder `/data` by `mail`, from every build, whatever it is about"
    );
}
