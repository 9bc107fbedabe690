//! `footlight new`: every template builds, passes its tests, and is called with what was printed.

#[path = "../../../tests/src/programs.rs"]
#[expect(unreachable_pub, reason = "the file is a module of a library too")]
mod programs;
mod shared;

use serde_json::json;
use shared::{Ended, ended, folder, json, prepared, target};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The profile that `new` writes, for the root of a workspace of plugins.
const PROFILE: &str = include_str!("../template/rust/profile.toml.txt");

/// The first chapter of the guide for authors.
const FIRST_PLUGIN: &str = include_str!("../../../docs/authors/first-plugin.md");

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = prepared(env!("CARGO_BIN_EXE_footlight"), folder, folder);
    command.args(words);
    command
}

fn footlight(folder: &Path, words: &[&str]) -> Ended {
    ended(
        command(folder, words)
            .output()
            .expect("the binary is built"),
    )
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace is there")
}

#[test]
fn new_plugin_passes_its_test_builds_and_can_be_inspected() {
    let home = folder();
    let sdk = root().join("sdk");
    let sdk = sdk.to_str().expect("is text");
    let new = footlight(home.path(), &["new", "my-demo", "--sdk", sdk]);
    assert_eq!(new.code, Some(0), "{}", new.stderr);
    assert!(
        new.stdout
            .contains("cd my-demo\n  cargo test\n  footlight call . greet name=Ada"),
        "{}",
        new.stdout
    );
    let demo = home.path().join("my-demo");
    // The workspace's versions, so that nothing is fetched.
    fs::copy(root().join("Cargo.lock"), demo.join("Cargo.lock")).expect("is copied");

    let test = Command::new(env!("CARGO"))
        .args(["test", "--quiet"])
        .env("CARGO_TARGET_DIR", target())
        .current_dir(&demo)
        .output();
    let test = ended(test.expect("cargo runs"));
    assert_eq!(test.code, Some(0), "{}{}", test.stdout, test.stderr);
    assert!(test.stdout.contains("1 passed"), "{}", test.stdout);

    let built = footlight(&demo, &["build", "--json"]);
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    assert_eq!(built.stderr, "");
    let built = json(&built.stdout);
    let path = built["path"].as_str().expect("a path");
    assert!(
        path.ends_with("my_demo.wasm") && path.contains("/plugin/"),
        "{path}"
    );
    let size = built["size"].as_u64().expect("a size");
    assert!(size < 120_000, "{size} bytes");

    let seen = footlight(&demo, &["inspect", ".", "--static", "--json", "--yes"]);
    assert_eq!(seen.code, Some(0), "{}", seen.stderr);
    let seen = json(&seen.stdout);
    assert_eq!(seen["manifest"]["id"], "my_demo");
    assert_eq!(seen["size"], built["size"]);
    assert_eq!(seen["powers"], serde_json::json!([]));
    let packed = footlight(&demo, &["pack", path, "--replace"]);
    assert_eq!(packed.code, Some(1), "{}", packed.stdout);
    assert!(
        packed.stderr.contains("where it cannot be replaced"),
        "{}",
        packed.stderr
    );
}

#[test]
fn new_plugin_inside_a_foreign_workspace_gets_its_own_and_a_member_does_not() {
    let home = folder();
    let workspace = "[workspace]\nresolver = \"3\"\nmembers = [\"plugins/*\"]\n";
    fs::write(home.path().join("Cargo.toml"), workspace).expect("is written");
    fs::create_dir(home.path().join("plugins")).expect("is made");
    let made = |name: &str, place: &str| {
        let new = footlight(home.path(), &["new", name, place]);
        assert_eq!(new.code, Some(0), "{}", new.stderr);
        fs::read_to_string(home.path().join(place).join("Cargo.toml")).expect("is there")
    };
    let stray = made("stray", "stray");
    assert!(
        stray.contains("\n[workspace]\n") && stray.contains("[profile.plugin]"),
        "{stray}"
    );
    let member = made("member", "plugins/member");
    assert!(
        !member.contains("[workspace]") && !member.contains("[profile"),
        "{member}"
    );
    // The checkout around this program, because nothing names another.
    let sdk = format!("footlight-sdk = {{ path = {} }}", json!(root().join("sdk")));
    assert!(member.contains(&sdk), "{member}");
}

#[test]
fn new_overwrites_nothing_and_checks_the_name() {
    let home = folder();
    fs::create_dir(home.path().join("taken")).expect("is made");
    fs::write(home.path().join("taken/mine"), "x").expect("is written");
    let taken = footlight(home.path(), &["new", "taken"]);
    assert_eq!(taken.code, Some(2));
    assert_eq!(
        taken.stderr,
        "footlight: `taken` already exists; choose another folder\n"
    );
    let named = footlight(home.path(), &["new", "Not A Name"]);
    assert_eq!(named.code, Some(2));
    assert!(
        named.stderr.contains("is not a valid plugin name"),
        "{}",
        named.stderr
    );
    let sdk = footlight(home.path(), &["new", "demo", "--sdk", "taken"]);
    assert_eq!(sdk.code, Some(1));
    assert!(sdk.stderr.contains("is not the SDK"), "{}", sdk.stderr);
    assert!(!home.path().join("demo").exists());
    let published = footlight(home.path(), &["new", "demo", "--sdk", "registry"]);
    assert_eq!(published.code, Some(0), "{}", published.stderr);
    let text = fs::read_to_string(home.path().join("demo/Cargo.toml")).expect("is there");
    let version = format!("footlight-sdk = \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(text.contains(&version), "{text}");
    let python = footlight(
        home.path(),
        &["new", "x", "--lang", "python", "--template", "card"],
    );
    assert_eq!(python.code, Some(2), "{}", python.stderr);
}

/// Creates a plugin and returns what to type next.
fn created(home: &Path, name: &str, flags: &[&str]) -> Vec<String> {
    let words = [&["new", name, "--json"], flags].concat();
    let new = footlight(home, &words);
    assert_eq!(new.code, Some(0), "{}", new.stderr);
    let next = json(&new.stdout)["next"].clone();
    serde_json::from_value(next).expect("a list of commands")
}

/// Runs a line of a shell in a folder. `footlight` is the binary under test.
fn typed(line: &str, folder: &Path, home: &Path) -> Ended {
    let binary = Path::new(env!("CARGO_BIN_EXE_footlight"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let bin = binary.parent().expect("a folder").to_owned();
    let path = std::env::join_paths([bin].into_iter().chain(std::env::split_paths(&path)));
    let mut shell = prepared("sh", folder, home);
    shell.args(["-c", line]).env("PATH", path.expect("a path"));
    ended(shell.output().expect("there is a shell"))
}

#[test]
fn every_template_passes_its_tests_and_is_called_with_what_was_printed() {
    let home = folder();
    // One workspace, so that everything is compiled once.
    let workspace = format!("[workspace]\nresolver = \"3\"\nmembers = [\"my-*\"]\n{PROFILE}");
    fs::write(home.path().join("Cargo.toml"), workspace).expect("is written");
    fs::copy(root().join("Cargo.lock"), home.path().join("Cargo.lock")).expect("is copied");
    let templates = ["tool", "card", "ask", "http", "files"];
    let next: Vec<Vec<String>> = templates
        .iter()
        .map(|template| {
            created(
                home.path(),
                &format!("my-{template}"),
                &["--template", template],
            )
        })
        .collect();
    let tested = typed("cargo test --quiet --workspace", home.path(), home.path());
    assert_eq!(tested.code, Some(0), "{}{}", tested.stdout, tested.stderr);
    assert_eq!(
        tested.stdout.matches("test result: ok").count(),
        5,
        "{}",
        tested.stdout
    );

    for (template, next) in templates.iter().zip(next) {
        assert_eq!(next[0], "cargo test");
        let folder = home.path().join(format!("my-{template}"));
        for line in &next[1..] {
            let (flags, code, expected) = match *template {
                "tool" => ("", 0, "Hello, Ada!"),
                "card" => ("", 0, "2 so far"),
                "ask" => (
                    " --answer dish=soup --answer portions=2 --allow my_ask.order",
                    0,
                    "Ordered 2 × soup.",
                ),
                // Nobody is there to allow the host, and a test does not use the network.
                "http" => (" --no-input", 4, "date.nager.at"),
                _ => ("", 0, "README.md"),
            };
            let called = typed(&format!("{line}{flags}"), &folder, home.path());
            let said = format!("{}{}", called.stdout, called.stderr);
            assert_eq!(called.code, Some(code), "{template}: {said}");
            assert!(said.contains(expected), "{template}: {said}");
        }
    }
}

#[test]
fn plugin_in_python_passes_its_tests_builds_and_is_called() {
    let remedy = "`pip install componentize-py==0.25.1`";
    if programs::program("componentize-py", remedy).is_none() {
        return;
    }
    other_language("python", "python3 -m unittest");
}

#[test]
fn plugin_in_javascript_passes_its_tests_builds_and_is_called() {
    let remedy = "`npm install @bytecodealliance/componentize-js@0.23.0`";
    if programs::program("componentize-js", remedy).is_none() {
        return;
    }
    other_language("js", "npm test");
}

fn other_language(language: &str, test: &str) {
    let home = folder();
    let next = created(home.path(), "my-demo", &["--lang", language]);
    let demo = home.path().join("my-demo");
    assert!(next.iter().any(|line| line == test), "{next:?}");
    let tested = typed(test, &demo, home.path());
    assert_eq!(tested.code, Some(0), "{}{}", tested.stdout, tested.stderr);
    for line in next.iter().filter(|line| line.starts_with("footlight")) {
        let called = typed(line, &demo, home.path());
        let said = format!("{}{}", called.stdout, called.stderr);
        assert_eq!(called.code, Some(0), "{line}: {said}");
        let expected = if line.contains("greet") {
            "Hello, Ada!"
        } else {
            "2 so far"
        };
        assert!(called.stdout.contains(expected), "{line}: {said}");
    }
    let built = typed("footlight build --json", &demo, home.path());
    let component = json(&built.stdout)["path"].clone();
    let component = component.as_str().expect("a path");
    assert!(component.ends_with("build/my_demo.wasm"), "{component}");
    let time = || {
        fs::metadata(component)
            .and_then(|found| found.modified())
            .expect("is there")
    };
    let before = time();
    typed("footlight build", &demo, home.path());
    assert_eq!(time(), before, "nothing has changed since");
    let seen = typed(
        "footlight inspect build/my_demo.wasm --static",
        &demo,
        home.path(),
    );
    assert!(
        seen.stdout.starts_with("my_demo 0.1.0\n"),
        "{}",
        seen.stdout
    );
}

#[test]
fn without_the_tool_of_a_language_what_to_install_is_named() {
    for (language, expected) in [
        ("python", ".venv/bin/pip install componentize-py==0.25.1"),
        ("js", "npm install @bytecodealliance/componentize-js@0.23.0"),
    ] {
        let home = folder();
        created(home.path(), "my-demo", &["--lang", language]);
        let mut build = command(&home.path().join("my-demo"), &["build"]);
        let built = ended(build.env("PATH", "").output().expect("the binary is built"));
        assert_eq!(built.code, Some(1), "{}", built.stderr);
        assert!(built.stderr.contains(expected), "{}", built.stderr);
    }
}

#[test]
fn plugin_in_another_language_outside_the_project_is_not_built_without_asking() {
    let home = folder();
    created(home.path(), "theirs", &["--lang", "python"]);
    created(home.path(), "mine", &["--lang", "js"]);
    for words in [["build", "../theirs"], ["call", "../theirs"]] {
        let refused = footlight(&home.path().join("mine"), &words);
        assert_eq!(refused.code, Some(4), "{}", refused.stderr);
        let expected =
            "whose packages `plugin.py` can change) without a sandbox; build it with `--yes`";
        assert!(refused.stderr.contains(expected), "{}", refused.stderr);
    }
}

/// The commands of a chapter: the lines of its blocks for a shell.
fn commands(chapter: &str) -> Vec<&str> {
    let blocks = chapter.split("```sh\n").skip(1);
    let blocks = blocks.filter_map(|block| block.split("```").next());
    blocks
        .flat_map(str::lines)
        .filter(|line| !line.is_empty())
        .collect()
}

/// Starts the server of a line and opens the page, as a browser would that has the printed link.
fn opened(line: &str, folder: &Path, home: &Path) -> String {
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    let mut serve = prepared(env!("CARGO_BIN_EXE_footlight"), folder, home);
    serve.args(words).args(["--json", "--port", "0"]);
    let mut child = serve.stdout(Stdio::piped()).spawn().expect("starts");
    let mut serving = String::new();
    let stdout = child.stdout.take().expect("is piped");
    BufReader::new(stdout)
        .read_line(&mut serving)
        .expect("a line");
    let address = json(&serving)["url"]
        .as_str()
        .expect("an address")
        .replace("http://", "");
    let mut stream = TcpStream::connect(&address).expect("connects");
    write!(
        stream,
        "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )
    .expect("is sent");
    let mut page = String::new();
    stream.read_to_string(&mut page).expect("answers");
    child.kill().expect("is killed");
    child.wait().expect("ends");
    page
}

#[test]
fn first_chapter_leads_to_a_widget_on_terminal_and_page() {
    let home = folder();
    let mut folder = home.path().to_owned();
    let mut seen = Vec::new();
    for line in commands(FIRST_PLUGIN) {
        if let Some(name) = line.strip_prefix("cd ") {
            folder.push(name);
            // The workspace's versions, so that nothing is fetched.
            fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("is copied");
            continue;
        }
        if line.starts_with("footlight serve") {
            let page = opened(line, &folder, home.path());
            assert!(page.starts_with("HTTP/1.1 200"), "{page}");
            seen.push("serve");
            continue;
        }
        let ran = typed(line, &folder, home.path());
        assert_eq!(ran.code, Some(0), "{line}: {}{}", ran.stdout, ran.stderr);
        if line.starts_with("footlight call") && !line.contains('>') {
            assert!(
                format!("{}{}", ran.stdout, ran.stderr).contains("One more"),
                "{line}: {}",
                ran.stdout
            );
            seen.push("terminal");
        }
    }
    let page = fs::read_to_string(folder.join("counter.html")).expect("the chapter writes it");
    assert!(
        page.contains("3 so far") && page.contains("One more"),
        "{page}"
    );
    assert_eq!(seen, ["terminal", "serve"]);
}
