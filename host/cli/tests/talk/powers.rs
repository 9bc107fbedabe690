//! Flags that grant folders, hosts and secrets, and what happens without them.

use crate::machine::{Machine, json_of};
use std::fs;
use std::os::unix::fs::symlink;

pub(crate) const FOLDER: &str =
    "[[fs]]\npath = \"/data\"\nmode = \"ro\"\ndescription = \"The files to greet\"\n";
const NET: &str = "[[net]]\nhost = \"api.example.com\"\n[[net]]\nhost = \"localhost:8080\"\nscheme = \"http\"\n[[secret]]\nname = \"token\"\nhost = \"api.example.com\"\nheader = \"authorization\"\n";

#[test]
fn a_flag_grants_a_folder_for_one_run() {
    let machine = Machine::new();
    let files = machine.asking_for("hello", "files", FOLDER);
    let docs = machine.folder("docs");
    fs::create_dir_all(machine.path("home/notes")).expect("is made");
    symlink(&docs, machine.path("work/link")).expect("is made");
    for flag in [
        "/data=docs".to_owned(),
        "/data=./docs/".to_owned(),
        "/data=docs:ro".to_owned(),
        "/data=link".to_owned(),
        "files./data=docs".to_owned(),
        "/data=~/notes".to_owned(),
        format!("/data={docs}"),
    ] {
        let mut command = machine.command(&["call", &files, "name=Ada", "--dir", &flag]);
        command.env("HOME", machine.path("home"));
        let called = crate::machine::ended(command.output().expect("the binary is built"));
        assert_eq!(called.code, Some(0), "{flag}: {}", called.stderr);
        assert!(called.stdout.contains("Ada"), "{flag}: {}", called.stdout);
    }
    for words in [
        vec!["run", &files, "/greet name=Ada", "--dir", "/data=docs"],
        vec![
            "sessions",
            "resume",
            "last",
            "/greet name=Bob",
            "--dir",
            "/data=docs",
        ],
    ] {
        let ran = machine.run(&words);
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
    }
    let chat = machine.fed(
        &["chat", &files, "--dir", "/data=docs"],
        "/greet name=Ada\n",
    );
    assert_eq!(chat.code, Some(0), "{}", chat.stderr);
    // Nothing of it lasts.
    assert!(!machine.path("config/rules.toml").exists());
    assert_eq!(machine.run(&["call", &files, "name=Ada"]).code, Some(4));
    assert_eq!(
        machine
            .run(&["sessions", "resume", "last", "/greet name=Ada"])
            .code,
        Some(4)
    );
}

#[test]
fn a_flag_that_names_nothing_is_an_error_that_lists_what_is_declared() {
    let machine = Machine::new();
    let all = machine.asking_for("hello", "files", &format!("{FOLDER}{NET}"));
    let none = machine.asking_for("hello", "none", "");
    machine.folder("docs");
    machine.file("file.txt", "");
    let root = machine.path("").to_str().expect("is text").to_owned();
    let data = format!("/data={root}data");
    let config = format!("/data={root}config");
    let above = format!("/data={root}");
    fs::create_dir_all(machine.path("data")).expect("is made");
    for (flag, value, said) in [
        ("--dir", "/data", "names no folder of this machine"),
        ("--dir", "docs", "names no folder of this machine"),
        ("--dir", "data=docs", "does not begin with a path"),
        (
            "--dir",
            "/dta=docs",
            "did you mean `/data`?; the manifests declare `/data`",
        ),
        (
            "--dir",
            "other./data=docs",
            "no loaded plugin asks for this folder",
        ),
        ("--dir", "/data=nowhere", "there is no folder"),
        ("--dir", "/data=file.txt", "is not a folder"),
        ("--dir", "/data=/", "belongs to the operating system"),
        (
            "--dir",
            "/data=/proc/self",
            "belongs to the operating system",
        ),
        ("--dir", data.as_str(), "where the host keeps its own files"),
        ("--dir", &config, "where the host keeps its own files"),
        ("--dir", &above, "where the host keeps its own files"),
        (
            "--allow-net",
            "example.com",
            "the manifests declare `api.example.com`, `localhost:8080`",
        ),
        ("--allow-net", "localhost", "the manifests declare"),
        ("--allow-net", "https://api.example.com", "has a scheme"),
        ("--allow-net", "*.example.com", "a pattern names no host"),
        (
            "--secret",
            "tokne",
            "did you mean `token`?; the manifests declare `token`",
        ),
        (
            "--secret",
            "token=canary",
            "other users can read a command line",
        ),
        ("--secret", "token=", "other users can read a command line"),
        ("--secret", "token=@", "other users can read a command line"),
    ] {
        for words in [
            vec!["call", &all, "name=Ada", flag, value],
            vec!["run", &all, "/greet name=Ada", flag, value],
            vec!["chat", &all, flag, value],
        ] {
            let refused = machine.run(&words);
            assert_eq!(refused.code, Some(2), "{words:?}: {}", refused.stderr);
            let text = format!("{}{}", refused.stdout, refused.stderr);
            assert!(text.contains(said), "{words:?}: {text}");
            assert!(!text.contains("canary"), "{text}");
        }
    }
    let twice = [
        "call",
        &all,
        "name=Ada",
        "--dir",
        "/data=docs",
        "--dir",
        "files./data=docs",
    ];
    let twice = machine.run(&twice);
    assert_eq!(twice.code, Some(2), "{}", twice.stderr);
    assert!(twice.stderr.contains("is given twice"), "{}", twice.stderr);
    for (flag, value) in [
        ("--dir", "/data=docs"),
        ("--allow-net", "a.example"),
        ("--secret", "x"),
    ] {
        let refused = machine.run(&["call", &none, "name=Ada", flag, value]);
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(
            refused.stderr.contains("no loaded plugin asks for a"),
            "{}",
            refused.stderr
        );
    }
}

#[test]
fn with_several_plugins_a_flag_names_the_one_it_means() {
    let machine = Machine::new();
    let one = machine.asking_for("hello", "one", FOLDER);
    let two = machine.asking_for("hello", "two", FOLDER);
    machine.folder("docs");
    let run = |flags: &[&str]| {
        let words = [&["run", &one, &two, "/one.greet name=Ada"], flags].concat();
        machine.run(&words)
    };
    let both = run(&["--dir", "/data=docs"]);
    assert_eq!(both.code, Some(2), "{}", both.stderr);
    assert!(
        both.stderr.contains("`one./data`, `two./data`"),
        "{}",
        both.stderr
    );
    let meant = run(&["--dir", "one./data=docs"]);
    assert_eq!(meant.code, Some(0), "{}", meant.stderr);
    // What is granted to one is not granted to the other.
    let other = run(&["--dir", "two./data=docs"]);
    assert_eq!(other.code, Some(4), "{}", other.stderr);
    assert!(
        other.stderr.contains("add --dir one./data=FOLDER"),
        "{}",
        other.stderr
    );
}

#[test]
fn without_a_person_a_folder_is_denied_at_once_with_the_flag_that_would_grant_it() {
    let machine = Machine::new();
    let files = machine.asking_for("hello", "files", FOLDER);
    let model = machine.script(
        "steps: [{ calls: [{ tool: files.greet, input: { name: Ada } }] }, { text: Well. }]",
    );
    for words in [
        vec!["call", &files, "name=Ada"],
        vec!["call", &files, "name=Ada", "--no-input", "--json"],
        vec!["run", &files, "/greet name=Ada"],
        vec!["run", &files, "/greet name=Ada", "--wait=1h"],
        vec!["run", &files, "/greet name=Ada", "--allow", "files.greet"],
        vec!["run", &files, "Hello!", "--model", &model],
    ] {
        let denied = machine.run(&words);
        assert_eq!(
            denied.code,
            Some(4),
            "{words:?}: {}{}",
            denied.stdout,
            denied.stderr
        );
        let flags = denied.stderr.matches("add --dir /data=FOLDER").count();
        assert_eq!(flags, 1, "{words:?}: {}", denied.stderr);
    }
    // At the level that never asks, what nobody granted is denied as well.
    fs::write(machine.path("config/rules.toml"), "level = \"full\"\n").expect("is written");
    let denied = machine.run(&["call", &files, "name=Ada"]);
    assert_eq!(denied.code, Some(3), "{}", denied.stderr);
    assert!(
        denied.stderr.contains("add --dir /data=FOLDER"),
        "{}",
        denied.stderr
    );
    machine.folder("docs");
    let granted = machine.run(&["call", &files, "name=Ada", "--dir", "/data=docs"]);
    assert_eq!(granted.code, Some(0), "{}", granted.stderr);
    // Where every call asks, the flag is the answer, as `--allow` is.
    fs::write(machine.path("config/rules.toml"), "ask = \"always\"\n").expect("is written");
    for command in ["call", "run"] {
        let prompt = if command == "call" {
            "name=Ada"
        } else {
            "/greet name=Ada"
        };
        let words = [
            command,
            &files,
            prompt,
            "--dir",
            "/data=docs",
            "--allow",
            "files.greet",
        ];
        let granted = machine.run(&words);
        assert_eq!(granted.code, Some(0), "{words:?}: {}", granted.stderr);
    }
}

#[test]
fn an_optional_folder_can_be_missing_and_its_denial_is_on_the_record() {
    let machine = Machine::new();
    let optional = FOLDER.replace("mode", "optional = true\nmode");
    let files = machine.asking_for("hello", "files", &optional);
    let ran = machine.run(&["run", &files, "/greet name=Ada"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("add --dir /data=FOLDER"),
        "{}",
        ran.stderr
    );
    let shown = machine.run(&["sessions", "show", "last", "--powers"]);
    assert_eq!(
        shown.stdout,
        "turn 1  files.greet\n  denied folder /data (ro): nobody could be asked\n"
    );
    let shown = json_of(
        machine
            .run(&["sessions", "show", "last", "--powers", "--json"])
            .stdout
            .trim_end(),
    );
    assert_eq!(shown["function"], "files.greet", "{shown}");
    assert_eq!(shown["use"]["denied"], "no_person", "{shown}");
    // The transcript has a line, too.
    let shown = machine.run(&["sessions", "show", "last"]);
    assert!(
        shown
            .stdout
            .contains("denied folder /data (ro): nobody could be asked"),
        "{}",
        shown.stdout
    );
    let hello = machine.run(&["run", &crate::machine::plugin("hello"), "/greet name=Ada"]);
    assert_eq!(hello.code, Some(0), "{}", hello.stderr);
    let none = machine.run(&["sessions", "show", "last", "--powers"]);
    assert_eq!(none.stdout, "");
}

#[test]
fn rules_about_powers_are_added_explained_applied_and_revoked() {
    let machine = Machine::new();
    let files = machine.asking_for("hello", "files", &format!("{FOLDER}{NET}"));
    let docs = fs::canonicalize(machine.folder("docs")).expect("is there");
    let explain = |flags: &[&str]| {
        let words = [&["grants", "explain", &files], flags].concat();
        let explained = machine.run(&words);
        assert_eq!(explained.code, Some(0), "{words:?}: {}", explained.stderr);
        explained.stdout
    };
    let add = |words: &[&str]| {
        let words = [&["grants", "add"], words].concat();
        let added = machine.run(&words);
        assert_eq!(added.code, Some(0), "{words:?}: {}", added.stderr);
    };
    let asks = "would wait for your verdict";
    let (dir, net, secret) = (
        ["--dir", "/data"],
        ["--net", "api.example.com"],
        ["--secret", "token"],
    );
    for named in [dir, net, secret] {
        let text = explain(&named);
        assert!(
            text.contains(asks) && text.contains("you have not granted it"),
            "{text}"
        );
    }
    for undeclared in [
        ["--dir", "/other"],
        ["--net", "example.com"],
        ["--secret", "other"],
    ] {
        let text = explain(&undeclared);
        assert!(
            text.contains("would be denied") && text.contains("not in the plugin's manifest"),
            "{text}"
        );
    }
    let post = explain(&["--net", "api.example.com", "--method", "POST"]);
    assert!(post.contains("would be denied"), "{post}");
    add(&["allow", "files", "--dir", "/data=docs:ro"]);
    add(&["allow", "files", "--net", "api.example.com"]);
    add(&["allow", "files", "--secret", "token"]);
    for named in [dir, net, secret] {
        let text = explain(&named);
        assert!(text.contains("would be allowed\nrule `"), "{text}");
    }
    let text = fs::read_to_string(machine.path("config/rules.toml")).expect("is written");
    let path = format!("folder = \"/data\"\npath = {docs:?}\nmode = \"ro\"\n");
    assert!(text.contains(&path), "{text}");
    // A plugin that holds a secret can act in the person's name, so that its calls need approval.
    let words = ["call", &files, "name=Ada", "--allow", "files.greet"];
    let called = machine.run(&words);
    assert_eq!(called.code, Some(0), "{}", called.stderr);
    add(&["deny", "files", "--dir", "/data"]);
    let text = explain(&dir);
    assert!(
        text.contains("would be denied\nrule `")
            && text.contains("denies use of the folder `/data`"),
        "{text}"
    );
    let denied = machine.run(&["call", &files, "name=Ada", "--dir", "/data=docs"]);
    assert_eq!(
        denied.code,
        Some(3),
        "a denial comes first: {}",
        denied.stderr
    );
    let listed = machine.run(&["grants", "list", "--json"]).lines();
    assert_eq!(listed.len(), 4);
    for row in listed {
        let id = row["id"].as_str().expect("an id");
        assert_eq!(machine.run(&["grants", "revoke", id]).code, Some(0));
    }
    assert_eq!(machine.run(&["call", &files, "name=Ada"]).code, Some(4));
    for refused in [
        vec!["allow", "files", "--dir", "/data"],
        vec!["allow", "files", "--dir", "/data=nowhere"],
        vec!["allow", "files", "--dir", "/data=../data"],
        vec!["deny", "files", "--dir", "/data=docs"],
        vec![
            "allow",
            "files",
            "--net",
            "api.example.com",
            "--subject",
            "x",
        ],
        vec![
            "allow",
            "files",
            "--net",
            "api.example.com",
            "--secret",
            "token",
        ],
        vec!["allow", "files"],
    ] {
        let words = [vec!["grants", "add"], refused].concat();
        let refused = machine.run(&words);
        assert_eq!(refused.code, Some(2), "{words:?}: {}", refused.stderr);
    }
    assert_eq!(machine.run(&["grants", "list"]).stdout, "");
}

#[test]
fn a_new_version_that_wants_more_asks_again_and_shows_the_difference() {
    let machine = Machine::new();
    machine.folder("docs");
    let files = machine.asking_for("hello", "files", FOLDER);
    let words = ["call", &files, "name=Ada", "--dir", "/data=docs"];
    assert_eq!(machine.run(&words).code, Some(0));
    let more = format!("{}{NET}", FOLDER.replace("\"ro\"", "\"rw\""));
    machine.asking_for("hello", "files", &more);
    let refused = machine.run(&words);
    assert_eq!(refused.code, Some(4), "{}", refused.stderr);
    for said in [
        "new powers: ",
        "reach api.example.com (GET)",
        "reach localhost:8080 on this machine without encryption (GET)",
        "send your secret `token` to api.example.com",
        "read, change and delete in the folder you bind to /data",
        "no longer the powers: read the folder you bind to /data",
        "`--accept-plugin files`",
    ] {
        assert!(refused.stderr.contains(said), "{said}: {}", refused.stderr);
    }
}
