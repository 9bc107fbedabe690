//! What holds for every rule and every text.

use super::*;
use crate::policy::FolderBinding;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

fn patterns(names: impl Strategy<Value = String>) -> impl Strategy<Value = Pattern> {
    prop_oneof![
        4 => names.prop_map(|name| Pattern::parse(&name).expect("a name")),
        1 => Just(Pattern::ANY),
    ]
}

fn targets() -> impl Strategy<Value = Target> {
    prop_oneof![
        patterns("[a-z][a-z0-9]{0,30}".boxed()).prop_map(Target::Tool),
        patterns("[a-z]{1,8}\\.[a-z]{1,8}".boxed()).prop_map(Target::Action),
        patterns("[a-z]{1,8}\\.example(:[1-9][0-9]{0,3})?".boxed()).prop_map(Target::Host),
        patterns("/[a-z]{1,8}".boxed()).prop_map(Target::Folder),
        patterns("[a-z]{1,8}".boxed()).prop_map(Target::Secret),
    ]
}

fn rules() -> impl Strategy<Value = Rule> {
    let subjects = prop_oneof![
        Just(Subject::Any),
        Just(Subject::None),
        select(
            &[
                "any", "none", "*", "", "\r\n", "\"\"\"", "'''", "#", "\\u0041"
            ][..]
        )
        .prop_map(|subject| Subject::Exactly(subject.into())),
        any::<String>().prop_map(Subject::Exactly),
    ];
    let builds = prop_oneof![Just(Build::Any), "[0-9a-f]{64}".prop_map(Build::Digest),];
    let effects = select(&[Effect::Allow, Effect::Deny][..]);
    let folders = ("/.{0,12}", any::<bool>());
    let plugins = "[a-z][a-z0-9]{0,8}";
    (effects, plugins, builds, targets(), subjects, folders).prop_map(
        |(effect, plugin, build, target, subject, (path, writable))| {
            let is_all = target == Target::Folder(Pattern::ANY);
            let effect = if is_all { Effect::Deny } else { effect };
            let is_bound = matches!((effect, &target), (Effect::Allow, Target::Folder(_)));
            Rule {
                effect,
                plugin,
                build,
                target,
                subject,
                folder: is_bound.then_some(FolderBinding { path, writable }),
            }
        },
    )
}

/// The pieces in a row, each about a plugin of its own: no rule may stand twice.
fn numbered(pieces: &[String]) -> String {
    let number = |(n, piece): (usize, &String)| piece.replace("PLUGIN", &format!("n{n}_"));
    pieces.iter().enumerate().map(number).collect()
}

/// A file as people leave them: pieces in any order, with or without a mark, an end, CRLF.
fn texts() -> impl Strategy<Value = String> {
    let settings = select(
        &[
            "",
            "level = 'deny' # c\n",
            "# a\n\nask = \"off\"\n\n",
            "# a",
        ][..],
    );
    let odd = (0..4usize, any::<bool>(), any::<bool>()).prop_map(|(style, allow, note)| {
        let header = if allow { "allow" } else { "deny" };
        let note = if note { "# note\n" } else { "" };
        let keys = match style {
            0 => "  plugin='PLUGIN'\n\n  # within\n  build='any' # c\n  tool='b'\n  subject='any'\n# below\n\n",
            1 => "subject={exactly='''\n# x\n\n[[deny]]\n# y'''}\nplugin=\"PLUGIN\"\nsecret='*'\nbuild='any'\n",
            2 => "tool='b'\nplugin='PLUGIN'\nsubject='none'\nbuild='any'\n\n\n\n",
            _ => "action='b.c'\nplugin='PLUGIN'\nbuild='any'\nsubject={ exactly = \"\"\"\n# z\"\"\" }\n",
        };
        format!("{note}[[{header}]] # h\n{keys}")
    });
    let pieces = proptest::collection::vec(odd, 0..5);
    (
        settings,
        pieces,
        any::<[bool; 3]>(),
        select(&["", "# end", "# end\n", "\n\n"][..]),
    )
        .prop_map(|(settings, pieces, [mark, crlf, cut], end)| {
            let mut text = format!("{settings}\n{}{end}", numbered(&pieces));
            if crlf {
                text = text.replace('\n', "\r\n");
            }
            if mark {
                text.insert(0, '\u{feff}');
            }
            if cut {
                text.truncate(text.trim_end().len());
            }
            text
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn rules_written_are_read_back_the_same(
        rules in proptest::collection::hash_set(rules(), 0..8),
        level in select(&[Level::Deny, Level::Allowlist, Level::Full][..]),
        ask in select(&[AskMode::Off, AskMode::OnMiss, AskMode::Always][..]),
        shown in any::<String>(),
    ) {
        let word = |value| serde_json::to_string(&value).expect("a word");
        let (level_word, ask_word) = (word(json!(level)), word(json!(ask)));
        let mut text = format!("level = {level_word}\nask = {ask_word}\n");
        let rules: Vec<Rule> = rules.into_iter().collect();
        for rule in &rules {
            text = edit::with_rule(&text, rule, day(), &shown);
        }
        let contents = read::read(&text).map_err(|refusal| TestCaseError::fail(format!("{refusal:?}\n{text}")))?;
        prop_assert_eq!(&contents.rules, &Rules { level, ask, rules });
        for entry in &contents.entries {
            prop_assert!(entry.note.as_ref().is_some_and(|note| note.starts_with("2026-11-16:")));
        }
    }

    #[test]
    fn adding_and_taking_out_again_leaves_the_text_as_it_was(
        text in texts(),
        rule in rules(),
        shown in any::<String>(),
    ) {
        // What is begun by a program begins with a word about itself, which stays.
        prop_assume!(!text.is_empty());
        let added = edit::with_rule(&text, &rule, day(), &shown);
        prop_assert!(added.starts_with(&text));
        let now = read::read(&added).expect("one rule more");
        let entry = now.entries.last().expect("the new one");
        prop_assert_eq!(&entry.rule, &rule);
        let after = edit::without(&added, entry);
        let rest = after.strip_prefix(&text).expect("what was there");
        prop_assert!(matches!(rest, "" | "\n" | "\r\n"), "{:?}", rest);
    }

    #[test]
    fn any_rule_can_be_taken_out_of_any_text(text in texts()) {
        let contents = read::read(&text).expect("as people leave them");
        for pair in contents.entries.windows(2) {
            prop_assert!(pair[0].block.end <= pair[1].block.start);
        }
        for (n, entry) in contents.entries.iter().enumerate() {
            let after = edit::without(&text, entry);
            let after = read::read(&after)
                .map_err(|refusal| TestCaseError::fail(format!("{refusal:?}\n{after}")))?;
            let mut rules = contents.rules.clone();
            rules.rules.remove(n);
            prop_assert_eq!(after.rules, rules);
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(level|ask|\\[\\[allow\\]\\]|\\[\\[deny|plugin|build|subject|exactly|[\\[\\]{}='\"#\\\\\n\r\u{feff}é., a]){0,40}") {
        if let Err(refusal) = read::read(&text) {
            let error = RulesError::invalid(Path::new("rules.toml"), &text, refusal).to_string();
            prop_assert!(!error.contains('\n'), "{}", error);
        }
    }
}
