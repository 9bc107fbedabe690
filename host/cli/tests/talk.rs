//! `run`, `chat` and what belongs to them, as a person runs them: nobody at a terminal, the data in a
//! folder of its own.

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Ended {
    /// What `--json` wrote.
    fn lines(&self) -> Vec<Value> {
        self.stdout.lines().map(json_of).collect()
    }
}

fn ended(output: Output) -> Ended {
    Ended {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("stdout is text"),
        stderr: String::from_utf8(output.stderr).expect("stderr is text"),
    }
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace is there")
}

/// A plugin of the workspace, built once.
fn plugin(name: &str) -> String {
    static BUILT: OnceLock<Vec<(String, String)>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        ["weather", "todo"]
            .map(|name| {
                let mut command = Command::new(env!("CARGO_BIN_EXE_footlight"));
                let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugins");
                command
                    .args(["build", "--json"])
                    .arg(root().join("plugins").join(name))
                    .env("CARGO_TARGET_DIR", target)
                    .current_dir(root());
                let built = ended(command.output().expect("the binary is built"));
                let path = json_of(&built.stdout)["path"].clone();
                let path = path.as_str().expect("a path").to_owned();
                (name.to_owned(), path)
            })
            .to_vec()
    });
    let found = built.iter().find(|(known, _)| known == name);
    found.expect("is one of them").1.clone()
}

/// A machine on which nothing was done yet.
struct Machine {
    home: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        let home = tempfile::tempdir().expect("a folder for the test");
        for folder in ["config", "work"] {
            fs::create_dir(home.path().join(folder)).expect("is made");
        }
        Self { home }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_footlight"));
        // Compiled plugins are shared by all tests; nothing else is.
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
        command
            .args(words)
            .current_dir(self.path("work"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .env("FOOTLIGHT_DATA_DIR", self.path("data"))
            .env("FOOTLIGHT_CONFIG_DIR", self.path("config"))
            .env("XDG_CACHE_HOME", cache);
        for (name, _) in std::env::vars().filter(|(name, _)| name.ends_with("_API_KEY")) {
            command.env_remove(name);
        }
        command
    }

    fn run(&self, words: &[&str]) -> Ended {
        ended(self.command(words).output().expect("the binary is built"))
    }

    /// A script for a model.
    fn script(&self, text: &str) -> String {
        let path = self.path("work/script.yaml");
        fs::write(&path, text).expect("is written");
        format!("script:{}", path.display())
    }

    /// The only thing that waits, once something does.
    fn waiting(&self, run: &mut Child) -> String {
        let mut stderr = BufReader::new(run.stderr.take().expect("is piped"));
        let mut line = String::new();
        while !line.contains("footlight pending answer ") {
            line.clear();
            let read = stderr.read_line(&mut line).expect("is text");
            assert_ne!(read, 0, "it ended without waiting");
        }
        run.stderr = Some(stderr.into_inner());
        let id = line.split("footlight pending answer ").nth(1);
        let id = id.and_then(|rest| rest.split(' ').next());
        id.expect("an id").to_owned()
    }
}

const RAIN: &str = "What will the weather be in Oslo this week?";

#[test]
fn a_prompt_is_answered_offline_on_a_fresh_machine() {
    let machine = Machine::new();
    let ran = machine.run(&["run", &plugin("weather"), RAIN]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    // Piped, the answer alone: no colour, no word of the router's.
    assert!(ran.stdout.starts_with("date "), "{}", ran.stdout);
    assert_eq!(ran.stdout.lines().count(), 6, "{}", ran.stdout);
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'));
    let said = "-> weather.forecast city=\"Oslo\" days=5 (matched by words; no language model)\n";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    let by_hand = format!("`footlight call {} forecast city=Oslo`", plugin("weather"));
    assert!(ran.stderr.contains(&by_hand), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("using `offline`"), "{}", ran.stderr);

    let again = machine.run(&["run", &plugin("weather"), RAIN]);
    assert_eq!(again.stdout, ran.stdout);
    assert!(!again.stderr.contains("using"), "{}", again.stderr);
}

#[test]
fn with_json_every_event_is_a_line_and_the_last_has_the_items() {
    let machine = Machine::new();
    let ran = machine.run(&["run", &plugin("weather"), RAIN, "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let lines = ran.lines();
    assert_eq!(lines[0]["type"], "turn_started");
    let seqs: Vec<u64> = lines
        .iter()
        .filter_map(|line| line["seq"].as_u64())
        .collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
    let last = lines.last().expect("there are lines");
    assert_eq!(
        (&last["type"], &last["status"]),
        (&json!("turn_finished"), &json!("done"))
    );
    let types: Vec<&str> = last["output"]
        .as_array()
        .expect("items")
        .iter()
        .filter_map(|item| item["type"].as_str())
        .collect();
    assert_eq!(types, ["text", "tool", "widget"]);

    let shown = machine.run(&["sessions", "show", "last", "--json"]);
    let shown = json_of(&shown.stdout);
    assert_eq!(shown["id"], last["session"]);
    assert_eq!(shown["turns"][0]["prompt"], RAIN);
    assert_eq!(shown["turns"][0]["output"], last["output"]);
}

#[test]
fn what_nothing_fits_calls_nothing_and_names_the_nearest() {
    let machine = Machine::new();
    let ran = machine.run(&["run", &plugin("weather"), "Tell me a joke about lawyers"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("The nearest tools:\n- `weather."),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_language_model_has_the_last_word_and_recovers_from_a_failure() {
    let machine = Machine::new();
    let model = machine.script(
        "steps:
  - text: Let me see.
    calls:
      - { tool: weather.forecast, input: { city: Nowhere at all } }
  - text: [There is no such, \" city.\"]
",
    );
    let log = machine.path("requests.jsonl");
    let script = machine.path("recorded.yaml");
    let words = |extra: &[&str]| {
        let log = log.to_str().expect("is text").to_owned();
        let script = script.to_str().expect("is text").to_owned();
        let mut words: Vec<String> = ["run", &plugin("weather"), "Rain?", "--model", &model]
            .map(str::to_owned)
            .to_vec();
        words.extend([
            "--log-requests".to_owned(),
            log,
            "--record".to_owned(),
            script,
        ]);
        words.extend(extra.iter().map(|word| (*word).to_owned()));
        words
    };
    let plain = words(&[]);
    let ran = machine.run(&plain.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, "There is no such city.\n");
    assert!(
        ran.stderr
            .contains("✗ weather.forecast city=\"Nowhere at all\": "),
        "{}",
        ran.stderr
    );
    let requests = fs::read_to_string(&log).expect("was logged");
    let sent: Vec<Value> = requests.lines().map(json_of).collect();
    assert_eq!(sent.len(), 2);
    assert_eq!(sent[0]["messages"][0]["content"][0]["text"], "Rain?");
    // What was recorded says the same again.
    let again = format!("script:{}", script.display());
    let again = machine.run(&["run", &plugin("weather"), "Rain?", "--model", &again]);
    assert_eq!(
        (again.code, again.stdout.as_str()),
        (Some(0), "There is no such city.\n")
    );
}

#[test]
fn piped_stdin_stands_before_the_prompt() {
    let machine = Machine::new();
    let model = machine.script("steps: [{ text: Noted. }]");
    let log = machine.path("requests.jsonl");
    let log = log.to_str().expect("is text");
    let mut command = machine.command(&[
        "run",
        &plugin("weather"),
        "What is this?",
        "--model",
        &model,
    ]);
    command.args(["--log-requests", log]).stdin(Stdio::piped());
    let mut run = command.spawn().expect("the binary is built");
    let mut stdin = run.stdin.take().expect("is piped");
    stdin.write_all(b"a,b\n1,2\n").expect("is read");
    drop(stdin);
    let ran = ended(run.wait_with_output().expect("it ends"));
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "Noted.\n"),
        "{}",
        ran.stderr
    );
    let sent = json_of(fs::read_to_string(log).expect("was logged").trim_end());
    assert_eq!(
        sent["messages"][0]["content"][0]["text"],
        "a,b\n1,2\n\nWhat is this?"
    );
}

#[test]
fn every_end_has_its_exit_code() {
    let machine = Machine::new();
    let todo = plugin("todo");
    let add = machine.run(&["run", &todo, "/add title='Buy milk'"]);
    assert_eq!(add.code, Some(0), "{}", add.stderr);
    // with nobody to ask it comes to nothing at once.
    let nobody = machine.run(&["run", &todo, "/clear", "--no-input"]);
    assert_eq!(nobody.code, Some(4), "{}", nobody.stderr);
    assert!(
        nobody.stderr.contains("nobody can be asked"),
        "{}",
        nobody.stderr
    );
    let denied = machine.run(&["run", &todo, "/clear", "--deny", "todo.clear"]);
    assert_eq!(denied.code, Some(3), "{}", denied.stderr);
    let half = machine.run(&["run", &todo, "/clear", "--allow", "todo.clear"]);
    assert_eq!(half.code, Some(4), "{}", half.stderr);
    let unfit = machine.run(&[
        "run",
        &todo,
        "/clear",
        "--allow",
        "todo.clear",
        "--answer",
        "what=x",
    ]);
    assert_eq!(unfit.code, Some(2), "{}", unfit.stderr);

    let step = "  - calls: [{ tool: todo.list, input: {} }]\n";
    let looping = format!("steps:\n{}", step.repeat(4));
    let model = machine.script(&looping);
    fs::write(machine.path("work/footlight.toml"), "[limits]\nsteps = 2\n").expect("is written");
    let limit = machine.run(&["run", &todo, "x", "--model", &model]);
    assert_eq!(limit.code, Some(6), "{}", limit.stderr);
    let model = machine.script("steps: []");
    let broken = machine.run(&["run", &todo, "x", "--model", &model]);
    assert_eq!(broken.code, Some(1), "{}", broken.stderr);
    assert_eq!(machine.run(&["run", &todo]).code, Some(2));
    assert_eq!(
        machine
            .run(&["run", &todo, "x", "--model", "nobody:x"])
            .code,
        Some(2)
    );
    assert_eq!(machine.run(&["sessions", "show", "ses_no"]).code, Some(2));
}

#[test]
fn answers_and_leave_on_the_command_line_are_taken_and_state_lasts() {
    let machine = Machine::new();
    let todo = plugin("todo");
    for title in ["Buy milk", "Walk the dog"] {
        let added = machine.run(&["call", &todo, "add", &format!("title={title}")]);
        assert_eq!(added.code, Some(0), "{}", added.stderr);
    }
    let list = machine.run(&["call", &todo, "list"]);
    assert!(list.stdout.contains("Walk the dog"), "{}", list.stdout);
    let question = machine.run(&["run", &todo, "/clear", "--allow", "todo.clear", "--json"]);
    let asked = question
        .lines()
        .into_iter()
        .find(|line| line["item"]["type"] == "ask")
        .expect("it asks");
    let field = asked["item"]["widgets"][0]["name"]
        .as_str()
        .expect("a field");
    let answer = format!("{field}=everything");
    let cleared = machine.run(&[
        "run",
        &todo,
        "/clear",
        "--allow",
        "todo.clear",
        "--answer",
        &answer,
        "--no-input",
    ]);
    assert_eq!(cleared.code, Some(0), "{}", cleared.stderr);
    let list = machine.run(&["run", &todo, "/list"]);
    assert!(!list.stdout.contains("milk"), "{}", list.stdout);
}

#[test]
fn another_process_decides_what_a_run_waits_for() {
    let machine = Machine::new();
    let todo = plugin("todo");
    machine.run(&["call", &todo, "add", "title=Buy milk"]);
    for (verdict, code) in [("deny", 3), ("allow", 0)] {
        let words = ["run", &todo, "/clear", "--wait=1m", "--answer", "what=done"];
        let mut run = machine
            .command(&words)
            .spawn()
            .expect("the binary is built");
        let id = machine.waiting(&mut run);
        let listed = machine.run(&["pending", "list"]);
        assert!(
            listed.stdout.contains(&id) && listed.stdout.contains("todo.clear"),
            "{}",
            listed.stdout
        );
        // what is no verdict decides nothing.
        assert_eq!(
            machine.run(&["pending", "answer", &id, "perhaps"]).code,
            Some(2)
        );
        let answered = machine.run(&["pending", "answer", &id, verdict, "--words", "as you like"]);
        assert_eq!(answered.code, Some(0), "{}", answered.stderr);
        let again = machine.run(&["pending", "answer", &id, "allow"]);
        assert_eq!(again.code, Some(2), "A-21: the first one counts");
        let ran = ended(run.wait_with_output().expect("it ends"));
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
    }
    assert_eq!(
        machine.run(&["pending", "answer", "call_0", "allow"]).code,
        Some(2)
    );
}

#[test]
fn a_waiting_approval_survives_a_kill_and_is_gone_on_with() {
    let machine = Machine::new();
    let todo = plugin("todo");
    machine.run(&["call", &todo, "add", "title=Buy milk"]);
    let words = ["run", &todo, "/clear", "--wait", "--answer", "what=done"];
    let mut run = machine
        .command(&words)
        .spawn()
        .expect("the binary is built");
    let id = machine.waiting(&mut run);
    run.kill().expect("is killed");
    run.wait().expect("it ends");

    let answered = machine.run(&["pending", "answer", &id, "allow"]);
    assert_eq!(answered.code, Some(0), "{}", answered.stderr);
    let resumed = machine.run(&[
        "sessions",
        "resume",
        "last",
        "--answer",
        "what=done",
        "--json",
    ]);
    assert_eq!(
        resumed.code,
        Some(0),
        "{}{}",
        resumed.stdout,
        resumed.stderr
    );
    let lines = resumed.lines();
    let last = lines.last().expect("there are lines");
    assert_eq!(last["status"], "done");
    let tool = last["output"]
        .as_array()
        .and_then(|items| items.iter().find(|item| item["type"] == "tool"))
        .expect("the call is on the record");
    assert_eq!(tool["verdict"]["decision"], "once", "{tool}");
    assert_eq!(machine.run(&["pending", "list"]).stdout, "");

    let more = machine.run(&["sessions", "resume", "last", "/list"]);
    assert!(
        more.stdout.contains("Buy milk"),
        "{}{}",
        more.stdout,
        more.stderr
    );
    let nothing = machine.run(&["sessions", "resume", "last"]);
    assert_eq!(nothing.code, Some(2), "{}", nothing.stderr);
    let shown = machine.run(&["sessions", "show", "last"]);
    assert!(shown.stdout.starts_with("> /clear\n"), "{}", shown.stdout);
    let session = json_of(&machine.run(&["sessions", "list", "--json"]).stdout)["id"].clone();
    let deleted = machine.run(&["sessions", "delete", session.as_str().expect("an id")]);
    assert_eq!(deleted.code, Some(0), "{}", deleted.stderr);
    assert_eq!(machine.run(&["sessions", "list"]).stdout, "");
}

#[cfg(unix)]
#[test]
fn an_interrupt_cancels_the_turn_and_leaves_nothing_waiting() {
    let machine = Machine::new();
    let words = ["run", &plugin("todo"), "/clear", "--wait", "--json"];
    let mut run = machine
        .command(&words)
        .spawn()
        .expect("the binary is built");
    machine.waiting(&mut run);
    let mut kill = Command::new("kill");
    let killed = kill.args(["-INT", &run.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    let ran = ended(run.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    let last = json_of(ran.stdout.lines().last().expect("there are lines"));
    assert_eq!(last["status"], "cancelled");
    assert_eq!(machine.run(&["pending", "list"]).stdout, "");
}

#[test]
fn a_project_names_its_plugins_and_their_settings() {
    let machine = Machine::new();
    let config = format!(
        "plugins = [{:?}]\n[settings.weather]\nfahrenheit = true\n",
        plugin("weather")
    );
    fs::write(machine.path("work/footlight.toml"), config).expect("is written");
    let ran = machine.run(&["run", RAIN]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("°F"), "{}", ran.stdout);
    let called = machine.run(&["call", &plugin("weather"), "forecast", "city=Oslo"]);
    assert!(called.stdout.contains("°F"), "{}", called.stdout);

    fs::write(machine.path("work/footlight.toml"), "plugin = []\n").expect("is written");
    let wrong = machine.run(&["run", RAIN]);
    assert_eq!(wrong.code, Some(1));
    assert!(
        wrong
            .stderr
            .contains("footlight.toml`: line 1, column 1: unknown field `plugin`"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn rules_are_added_explained_heeded_and_revoked() {
    let machine = Machine::new();
    let todo = plugin("todo");
    let explain = || machine.run(&["grants", "explain", &todo, "clear"]).stdout;
    assert!(
        explain().contains("would wait for your verdict"),
        "{}",
        explain()
    );
    let added = machine.run(&["grants", "add", "deny", "todo", "--tool", "clear"]);
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    assert!(explain().contains("would be denied"), "{}", explain());
    let denied = machine.run(&["run", &todo, "/clear", "--allow", "todo.clear"]);
    assert_eq!(denied.code, Some(3), "{}", denied.stderr);
    let listed = json_of(machine.run(&["grants", "list", "--json"]).stdout.trim_end());
    let id = listed["id"].as_str().expect("an id");
    let revoked = machine.run(&["grants", "revoke", id]);
    assert_eq!(revoked.code, Some(0), "{}", revoked.stderr);
    assert_eq!(machine.run(&["grants", "list"]).stdout, "");

    fs::write(machine.path("config/rules.toml"), "levle = 1\n").expect("is written");
    let closed = machine.run(&["run", &todo, "/list"]);
    assert_eq!(
        closed.code,
        Some(1),
        "what is not understood allows nothing"
    );
    assert_eq!(machine.run(&["doctor"]).code, Some(1));
}

#[test]
fn every_line_of_a_piped_chat_is_a_prompt() {
    let machine = Machine::new();
    let mut command = machine.command(&["chat", &plugin("todo")]);
    let mut chat = command
        .stdin(Stdio::piped())
        .spawn()
        .expect("the binary is built");
    let mut stdin = chat.stdin.take().expect("is piped");
    stdin
        .write_all(b"/tools\n/add title='Buy milk'\n\n/list\n/quit\n/list\n")
        .expect("is read");
    drop(stdin);
    let ran = ended(chat.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("todo.clear: "), "{}", ran.stderr);
    assert!(ran.stdout.contains("Added #1 Buy milk."), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("priority").count(), 1, "{}", ran.stdout);
    let sessions = machine.run(&["sessions", "list", "--json"]);
    assert_eq!(json_of(&sessions.stdout)["turns"], 2);
}

#[test]
fn a_key_is_named_and_never_shown() {
    let machine = Machine::new();
    let secret = "sk-very-secret-indeed";
    let model = "chat:m@http://127.0.0.1:9/v1";
    for words in [
        vec!["models"],
        vec!["models", "--json"],
        vec!["doctor"],
        vec!["run", "PLUGIN", "hello", "--model", model],
        vec!["sessions", "show", "last", "--json"],
    ] {
        let weather = plugin("weather");
        let words: Vec<&str> = words
            .into_iter()
            .map(|word| {
                if word == "PLUGIN" {
                    weather.as_str()
                } else {
                    word
                }
            })
            .collect();
        let mut command = machine.command(&words);
        command
            .env("OPENAI_API_KEY", secret)
            .env("FOOTLIGHT_MODEL_KEY", secret);
        let ran = ended(command.output().expect("the binary is built"));
        assert!(
            !format!("{}{}", ran.stdout, ran.stderr).contains(secret),
            "{words:?}"
        );
        if words == ["models"] {
            assert!(
                ran.stdout.contains("the key in OPENAI_API_KEY"),
                "{}",
                ran.stdout
            );
        }
    }
    for entry in walk(&machine.path("data")) {
        let bytes = fs::read(&entry).expect("is read");
        let found = bytes
            .windows(secret.len())
            .any(|window| window == secret.as_bytes());
        assert!(!found, "{}", entry.display());
    }
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("is a folder") {
        let path = entry.expect("is there").path();
        if path.is_dir() {
            files.extend(walk(&path));
        } else {
            files.push(path);
        }
    }
    files
}

#[test]
fn every_command_has_examples() {
    let machine = Machine::new();
    for command in [
        "run", "chat", "sessions", "pending", "outputs", "grants", "models", "doctor",
    ] {
        let help = machine.run(&[command, "--help"]);
        assert_eq!(help.code, Some(0));
        assert!(help.stdout.contains("Example"), "{}", help.stdout);
    }
    let completions = machine.run(&["completions", "bash"]);
    assert!(
        completions.stdout.contains("--log-requests"),
        "they cover what is new"
    );
}
