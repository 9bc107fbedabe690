//! Tests of the two files: what each says, and what a project's file may change.

use super::*;
use proptest::prelude::*;
use serde_json::json;
use std::fs;

const FULL: &str = "plugins = [\"weather\"]\nmodel = \"offline\"\nlevel = \"deny\"\nask = \"always\"\n[settings.weather]\nfahrenheit = true\n[limits]\nsteps = 3\n";

fn own(text: &str) -> Config {
    let home = tempfile::tempdir().expect("a folder for the test");
    let path = home.path().join(NAME);
    fs::write(&path, text).expect("is written");
    let mut config = Config::default();
    config.add_own(&path).expect("is valid");
    config
}

fn project(text: &str) -> ProjectFile {
    ProjectFile::parse(Path::new("/project/footlight.toml"), text).expect("is valid")
}

fn with_project(own: &Config, project: &ProjectFile, accepted: bool) -> Config {
    let mut config = own.clone();
    config.add_project(project, accepted);
    config
}

#[test]
fn an_accepted_file_is_merged_and_plugin_paths_are_relative_to_their_file() {
    let own = own(FULL);
    let text =
        "plugins = [\"b.wasm\"]\nmodel = \"m\"\n[settings.todo]\nx = 1\n[limits]\nsteps = 9\n";
    let config = with_project(&own, &project(text), true);
    let plugin = |argument, cause| ConfiguredPlugin { argument, cause };
    let folder = own.files[0].parent().expect("a folder");
    let weather = PluginArgument::Word {
        name: "weather".to_owned(),
        path: folder.join("weather"),
    };
    let b = PluginArgument::Path("/project/b.wasm".into());
    assert_eq!(
        config.plugins,
        [
            plugin(weather, BuildCause::Named),
            plugin(b, BuildCause::Project)
        ]
    );
    assert_eq!(config.model.as_deref(), Some("m"));
    assert_eq!(config.settings["weather"], json!({ "fahrenheit": true }));
    assert_eq!(config.settings["todo"], json!({ "x": 1 }));
    assert_eq!(config.limits.steps, Some(9));
    assert_eq!(config.files.len(), 2);
}

#[test]
fn unknown_keys_are_rejected_with_their_position() {
    for (text, expected) in [
        ("model = 3\n", "line 1, column 9: "),
        ("\nmodle = \"x\"\n", "line 2, column 1: "),
        ("[limits]\nstep = 1\n", "line 2, column 1: "),
        ("level = \"lax\"\n", "line 1, column 9: "),
    ] {
        let error = parse(text).expect_err(text).to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}

#[test]
fn a_setting_that_json_does_not_have_is_refused_wherever_it_stands() {
    for (value, expected) in [
        ("2026-11-19", "no dates"),
        ("2026-11-19T20:00:00Z", "no dates"),
        ("2026-11-19T20:00:00", "no dates"),
        ("20:00:00", "no dates"),
        ("nan", "no numbers"),
        ("-nan", "no numbers"),
        ("inf", "no numbers"),
        ("-inf", "no numbers"),
    ] {
        for (before, after) in [("", ""), ("[1, ", "]"), ("{ a = [{ b = ", " }] }")] {
            let text = format!("[settings.todo]\nx = {before}{value}{after}\n");
            let error = parse(&text).expect_err(&text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
            assert!(error.starts_with("line 2, column "), "{text}: {error}");
        }
    }
    let text = "[settings.todo]\nx = [1, 1.5, true, \"2026-11-19\", { a = [] }]\n";
    assert!(parse(text).is_ok());
}

#[test]
fn what_a_project_widens_is_listed_and_what_narrows_is_not() {
    let own = own(FULL);
    for (text, expected) in [
        ("", vec![]),
        ("level = \"deny\"\nask = \"off\"\n", vec![]),
        ("[limits]\nsteps = 3\ncalls = 256\ntokens = 99\n", vec![]),
        ("model = \"offline\"\n", vec![]),
        ("[settings.weather]\nfahrenheit = true\n", vec![]),
        (
            "plugins = [\"weather\"]\n",
            vec!["load the installed plugin `weather`"],
        ),
        (
            "plugins = [\"a.wasm\", \"/b.wasm\", \"../c\"]\n",
            vec![
                "load the plugin `/project/a.wasm`",
                "load the plugin `/b.wasm`",
                "load the plugin `/project/../c`",
            ],
        ),
        (
            "model = \"chat:m@http://127.0.0.1:1/v1\"\n",
            vec!["use the model `chat:m@http://127.0.0.1:1/v1`, "],
        ),
        ("model = \"openai:x\"\n", vec!["use the model `openai:x`, "]),
        ("model = \"offline \"\n", vec!["use the model `offline`, "]),
        (
            "[settings.weather]\nfahrenheit = false\n",
            vec!["set the settings of `weather` to {\"fahrenheit\":false}"],
        ),
        (
            "[settings.todo]\n",
            vec!["set the settings of `todo` to {}"],
        ),
        (
            "[limits]\nsteps = 4\ncalls = 257\ntokens = 1\n",
            vec![
                "raise the limit of steps from 3 to 4",
                "raise the limit of calls from 256 to 257",
            ],
        ),
    ] {
        let listed = project(text).widenings(&own);
        let listed: Vec<String> = listed.iter().map(Widening::to_string).collect();
        assert_eq!(listed.len(), expected.len(), "{text}: {listed:?}");
        for (listed, expected) in listed.iter().zip(expected) {
            assert!(listed.starts_with(expected), "{text}: {listed}");
        }
    }
}

#[test]
fn a_project_cannot_loosen_the_policy_even_if_it_is_accepted() {
    let levels = [Level::Deny, Level::Allowlist, Level::Full];
    let asks = [AskMode::Off, AskMode::Always, AskMode::OnMiss];
    let rank = |config: &Config| {
        let rules = config.tighten(Rules::default());
        let level = levels.iter().position(|level| *level == rules.level);
        (level, asks.iter().position(|ask| *ask == rules.ask))
    };
    let level = ["", "level = \"deny\"\n", "level = \"allowlist\"\n"];
    let ask = [
        "",
        "ask = \"off\"\n",
        "ask = \"always\"\n",
        "ask = \"on-miss\"\n",
    ];
    for (level, ask) in level
        .iter()
        .flat_map(|level| ask.iter().map(move |ask| (level, ask)))
    {
        let project = project(&format!("{level}{ask}"));
        for text in ["", FULL, "level = \"full\"\n", "ask = \"off\"\n"] {
            let own = own(text);
            for accepted in [false, true] {
                let (before, after) = (rank(&own), rank(&with_project(&own, &project, accepted)));
                assert!(
                    after.0 <= before.0 && after.1 <= before.1,
                    "{text} {level} {ask}"
                );
            }
        }
    }
    let path = Path::new("/project/footlight.toml");
    assert!(ProjectFile::parse(path, "level = \"full\"").is_err());
}

#[test]
fn the_digest_covers_the_file_and_its_script() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let path = home.path().join(NAME);
    let script = home.path().join("s.yaml");
    let digest = |text: &str, steps: &str| {
        fs::write(&script, steps).expect("is written");
        let project = ProjectFile::parse(&path, text).expect("is valid");
        let config = with_project(&Config::default(), &project, true);
        let model = format!("script:{}", script.display());
        assert_eq!(config.model, Some(model), "relative to the file");
        assert_eq!(config.script.as_deref(), Some(steps));
        project.digest
    };
    let named = "model = \"script:s.yaml\"\n";
    let first = digest(named, "steps: []");
    assert_eq!(first, digest(named, "steps: []"));
    assert_ne!(first, digest(named, "steps: [{ text: x }]"));
    assert_ne!(first, digest(&format!("{named}#"), "steps: []"));
    fs::remove_file(&script).expect("is removed");
    assert!(ProjectFile::parse(&path, named).is_err());
}

#[test]
fn what_cannot_be_shown_whole_is_rejected() {
    let long = "x".repeat(301);
    for text in [
        format!("plugins = [\"{long}\"]"),
        format!("model = \"{long}\""),
        format!("[settings.a]\nb = \"{long}\""),
        format!("[settings.{long}]\nb = 1"),
    ] {
        let parsed = ProjectFile::parse(Path::new("/p/footlight.toml"), &text);
        let error = parsed.expect_err("is too long").to_string();
        assert!(error.contains("more than 300 characters"), "{error}");
    }
}

fn text() -> impl Strategy<Value = String> {
    let line = |lines: &'static [&'static str]| proptest::sample::select(lines);
    let limit = |name: &'static str| {
        proptest::option::of(0_u32..600).prop_map(move |value| match value {
            Some(value) => format!("{name} = {value}\n"),
            None => String::new(),
        })
    };
    (
        line(&["", "plugins = []\n", "plugins = [\"a\", \"/b.wasm\"]\n"]),
        line(&["", "model = \"offline\"\n", "model = \"openai:x\"\n"]),
        line(&["", "level = \"deny\"\n", "ask = \"always\"\n"]),
        line(&[
            "",
            "[settings.a]\nx = 1\n",
            "[settings.a]\nx = 2\n[settings.b]\n",
        ]),
        (limit("steps"), limit("calls"), limit("tokens")),
    )
        .prop_map(|(plugins, model, mode, settings, (steps, calls, tokens))| {
            format!("{plugins}{model}{mode}{settings}[limits]\n{steps}{calls}{tokens}")
        })
}

/// Returns the limits that apply, with a number for no limit.
fn bounds(config: &Config) -> [u64; 3] {
    let (set, default) = (config.limits, default_limits());
    [
        set.steps.or(default.steps).map_or(u64::MAX, u64::from),
        set.calls
            .or(default.calls)
            .map_or(u64::MAX, |calls| calls as u64),
        set.tokens.or(default.tokens).unwrap_or(u64::MAX),
    ]
}

proptest! {
    #[test]
    fn a_project_that_was_not_accepted_only_narrows(mine in text(), theirs in text()) {
        let (own, project) = (own(&mine), project(&theirs));
        let narrowed = with_project(&own, &project, false);
        prop_assert_eq!(&narrowed.plugins, &own.plugins);
        prop_assert_eq!(&narrowed.model, &own.model);
        prop_assert_eq!(&narrowed.settings, &own.settings);
        prop_assert_eq!(&narrowed.script, &None);
        for (after, before) in bounds(&narrowed).into_iter().zip(bounds(&own)) {
            prop_assert!(after <= before, "{} > {}", after, before);
        }
        // What is not listed makes no difference.
        if project.widenings(&own).is_empty() {
            prop_assert_eq!(narrowed, with_project(&own, &project, true));
        }
    }

    #[test]
    fn parsing_any_text_does_not_panic(text in "[a-z\\[\\]=\"\n .@:/]{0,200}") {
        let _ = ProjectFile::parse(Path::new("/p/footlight.toml"), &text);
    }
}

/// Returns the blocks of code of a document.
fn blocks<'a>(document: &'a str, language: &str) -> Vec<&'a str> {
    let mut blocks = Vec::new();
    let mut rest = document;
    while let Some((_, after)) = rest.split_once(&format!("```{language}\n")) {
        let (block, after) = after.split_once("```").expect("the block ends");
        blocks.push(block);
        rest = after;
    }
    blocks
}

#[test]
fn examples_in_the_documentation_are_valid() {
    let document = include_str!("../../../../docs/configuration.md");
    let toml = blocks(document, "toml");
    let [config, requests, rules] = toml[..] else {
        panic!("three examples: {toml:?}");
    };
    let config = own(config);
    assert!(config.plugins.len() == 2 && config.model.is_some() && !config.settings.is_empty());
    let home = tempfile::tempdir().expect("a folder for the test");
    fs::create_dir(home.path().join("docs")).expect("is made");
    let project = ProjectFile::parse(&home.path().join(NAME), requests).expect("is valid");
    assert_eq!(project.offers[0].guest_path, "/data");
    assert!(project.offers[0].folder.ends_with("/docs"));
    assert!(project.widenings(&Config::default()).is_empty());
    let path = home.path().join("rules.toml");
    fs::write(&path, rules).expect("is written");
    let file = footlight::policy::RulesFile::open(&path).expect("is valid");
    assert_eq!(file.entries().len(), 3);

    let document = include_str!("../../../../docs/script.md");
    for script in blocks(document, "yaml") {
        footlight::model::Script::parse("docs/script.md", script).expect("is valid");
    }
}
