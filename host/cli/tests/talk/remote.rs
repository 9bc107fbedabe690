//! `run` and `chat` with `--server`: the same words on the screen as without, whoever answers.

mod refused;

use crate::machine::{Ended, Machine, ended, interrupt, json_of, plugin};
use crate::serve::Served;
use crate::terminal::Terminal;
use serde_json::{Value, json};
use std::process::Stdio;

/// A script whose calls show a bit of everything.
const SCRIPT: &str = "steps:
  - text: [\"Let me \", \"look.\"]
    calls:
      - tool: gallery.table
        input: {}
      - tool: gallery.buttons
        input: {}
  - calls:
      - tool: todo.add
        input: { title: Buy milk }
      - tool: todo.done
        input: { task: 9 }
  - text: [\"There is **one** thing \", \"to do.\"]
";

/// Replaces what differs from run to run: ids, times and the path of the data.
fn without_chance(value: &mut Value) {
    const KINDS: [&str; 6] = ["ses_", "turn_", "call_", "itm_", "out_", "txt_"];
    match value {
        Value::String(text) => {
            if let Some(kind) = KINDS.iter().find(|kind| text.starts_with(**kind)) {
                *text = (*kind).to_owned();
            }
        }
        Value::Array(values) => values.iter_mut().for_each(without_chance),
        Value::Object(members) => {
            for time in ["at", "start", "end", "millis", "rev"] {
                members.shift_remove(time);
            }
            members.values_mut().for_each(without_chance);
        }
        _ => {}
    }
}

/// The items that the last line of `--json` has, without what is different each time. How often an item
/// changes on its way depends on how fast the machine is.
fn items(ran: &Ended) -> Value {
    let lines = ran.lines();
    let seqs: Vec<u64> = lines
        .iter()
        .filter_map(|line| line["seq"].as_u64())
        .collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
    let mut last = lines.last().expect("a line").clone();
    assert_eq!(last["type"], "turn_finished");
    last.as_object_mut().expect("an object").shift_remove("seq");
    without_chance(&mut last);
    last
}

/// Replaces how long calls took.
fn timeless(text: &str) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    for at in 1..words.len() {
        if words[at].starts_with("ms") && words[at - 1].parse::<u64>().is_ok() {
            words[at - 1] = "0";
        }
    }
    words.join(" ")
}

/// Runs the same words on a host of its own, and in a server.
fn both(local: &[&str], more: &[&str], prompt: &str, script: Option<&str>) -> (Ended, Ended) {
    let (here, there) = (Machine::new(), Machine::new());
    let paths: Vec<String> = local.iter().map(|name| plugin(name)).collect();
    let mut words = vec!["run"];
    words.extend(paths.iter().map(String::as_str));
    words.push(prompt);
    words.extend_from_slice(more);
    let model = script.map(|script| here.script(script));
    if let Some(model) = &model {
        words.extend(["--model", model]);
    }
    let ran = here.run(&words);
    let model = script.map(|script| there.script(script));
    let mut flags = Vec::new();
    if let Some(model) = &model {
        flags.extend(["--model", model]);
    }
    let served = Served::start(&there, local, &flags);
    let url = served.url();
    let mut words = vec!["run", prompt, "--server", &url];
    words.extend_from_slice(more);
    let ran = (ran, there.run(&words));
    served.end();
    ran
}

#[test]
fn a_run_in_a_server_prints_what_a_run_of_its_own_prints() {
    let plugins = ["gallery", "todo"];
    for more in [
        &[][..],
        &["--output", "markdown"],
        &["--plain"],
        &["--json"],
    ] {
        let (local, remote) = both(&plugins, more, "What is there to do?", Some(SCRIPT));
        assert_eq!(
            (local.code, remote.code),
            (Some(0), Some(0)),
            "{}",
            remote.stderr
        );
        match more {
            ["--json"] => assert_eq!(items(&local), items(&remote)),
            _ => {
                assert_eq!(timeless(&local.stdout), timeless(&remote.stdout));
                assert_eq!(timeless(&local.stderr), timeless(&remote.stderr));
            }
        }
    }
    // Without a language model, and with every way in which a call ends.
    for (prompt, more, code) in [
        ("/table", &[][..], 0),
        ("/text", &["--output", "markdown"], 0),
        ("/tabel", &[], 2),
        ("/strike", &["--allow", "gallery.strike"], 0),
        ("/strike", &["--deny", "gallery.strike=not today"], 3),
        ("/strike", &[], 4),
        ("/ask_text", &["--allow", "gallery.strike"], 4),
    ] {
        let (local, remote) = both(&["gallery"], more, prompt, None);
        assert_eq!(
            (local.code, remote.code),
            (Some(code), Some(code)),
            "{prompt}"
        );
        assert_eq!(
            timeless(&local.stdout),
            timeless(&remote.stdout),
            "{prompt}"
        );
        // The server says which model it uses, and where its plugins are is not for others.
        let notes = |ran: &Ended| -> Vec<String> {
            let is_own = |line: &&str| {
                !line.contains("is no language model") && !line.contains("`footlight call ")
            };
            // A server knows its person by a token, not by the name of an account, and names the surface.
            let stderr = timeless(&ran.stderr);
            let stderr = stderr.replace("denied by ada", "denied");
            let stderr = stderr.replace("denied by local via http", "denied");
            stderr.lines().filter(is_own).map(str::to_owned).collect()
        };
        assert_eq!(notes(&local), notes(&remote), "{prompt}");
    }
}

#[test]
fn a_power_that_nobody_granted_is_named_with_where_it_is_granted() {
    let (local, remote) = both(&["weather"], &[], "/forecast city=Oslo days=2", None);
    assert_eq!(local.code, remote.code, "{}", remote.stderr);
    assert_eq!(timeless(&local.stdout), timeless(&remote.stdout));
    let flag = "--allow-net api.open-meteo.com";
    for ran in [&local, &remote] {
        assert!(ran.stderr.contains(flag), "{}", ran.stderr);
    }
    let place = "powers are granted where the server is started:";
    assert!(remote.stderr.contains(place), "{}", remote.stderr);
    assert!(!local.stderr.contains(place), "{}", local.stderr);
}

#[test]
fn a_terminal_shows_a_turn_of_a_server_like_one_of_its_own() {
    let (here, there) = (Machine::new(), Machine::new());
    let (gallery, todo) = (plugin("gallery"), plugin("todo"));
    let model = here.script(SCRIPT);
    let words = [
        "run",
        &gallery,
        &todo,
        "What is there to do?",
        "--model",
        &model,
    ];
    let mut local = Terminal::run(here.command(&words), 90, 60);
    assert!(local.end().success());
    let served = Served::start(
        &there,
        &["gallery", "todo"],
        &["--model", &there.script(SCRIPT)],
    );
    let words = ["run", "What is there to do?", "--server", &served.url()];
    let mut remote = Terminal::run(there.command(&words), 90, 60);
    assert!(remote.end().success());
    assert_eq!(timeless(&local.screen()), timeless(&remote.screen()));
    assert!(remote.screen().contains("todo-list"), "{}", remote.screen());
    served.end();
}

#[test]
fn questions_approvals_and_presses_of_a_server_are_answered_at_the_terminal() {
    let machine = Machine::new();
    let served = Served::start(&machine, &["gallery", "todo"], &[]);
    let chat = machine.command(&["chat", "--server", &served.url()]);
    let mut terminal = Terminal::run(chat, 90, 60);
    terminal.expect("offline; type /help");
    terminal.keys("/tools\r");
    terminal.expect("todo.clear");
    terminal.keys("/model other\r");
    terminal.expect("the server chooses the model");
    terminal.keys("/ask_buttons\r");
    terminal.expect("gallery asks:");
    terminal.keys("1\r");
    terminal.expect("\n>");
    terminal.keys("/strike\r");
    let card = terminal.expect("[deny]: ");
    assert!(!card.contains("always"), "a server keeps no rules: {card}");
    terminal.keys("y\r");
    terminal.expect("gallery.strike: allowed once");
    terminal.keys("/add title='Buy milk'\r");
    terminal.expect("Added #1 Buy milk.\n>");
    terminal.keys("/do\r");
    terminal.expect("Add, with a form");
    let screen = terminal.screen();
    let number = screen.lines().rev().find_map(|line| {
        let line = line.trim().strip_prefix('[')?;
        let (number, label) = line.split_once(']')?;
        label
            .contains("Add, with a form")
            .then(|| number.to_owned())
    });
    let number = number.expect("a number");
    terminal.keys(&format!("/do {number} title='Walk the dog'\r"));
    terminal.expect("Added #2 Walk the dog.\n>");
    terminal.keys("/quit\r");
    assert!(terminal.end().success());
    let screen = terminal.screen();
    let session = screen.rsplit_once("--session ").expect("how to continue").1;
    let session = session.trim().to_owned();

    // The session goes on elsewhere.
    let words = [
        "run",
        "/add title=Tea",
        "--server",
        &served.url(),
        "--session",
        &session,
    ];
    let added = machine.run(&words);
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    assert_eq!(added.stdout, "Added #3 Tea.\n");
    served.end();
}

/// Returns the only thing that waits.
fn pending(served: &Served) -> Option<String> {
    let (_, body) = served.own("GET", "/api/pending", None);
    let pending = json_of(&body);
    let id = &pending["pending"][0]["request"]["id"];
    id.as_str().map(str::to_owned)
}

#[test]
fn an_answer_from_elsewhere_ends_the_prompt_and_says_who_gave_it() {
    let machine = Machine::new();
    let served = Served::start(&machine, &["gallery"], &[]);
    let chat = machine.command(&["chat", "--server", &served.url()]);
    let mut terminal = Terminal::run(chat, 90, 60);
    terminal.expect("> ");
    // From another terminal, over HTTP, and an answer to a question.
    terminal.keys("/strike\r");
    terminal.expect("[deny]: ");
    let id = pending(&served).expect("it waits");
    let answered = machine.run(&["pending", "answer", &id, "allow"]);
    assert_eq!(answered.code, Some(0), "{}", answered.stderr);
    terminal.expect(&format!("allowed once elsewhere by ada ({id})"));
    terminal.expect("\n>");
    terminal.keys("/strike\r");
    terminal.expect("[deny]: ");
    let id = pending(&served).expect("it waits");
    let path = format!("/api/approvals/{id}");
    assert_eq!(
        served
            .own("POST", &path, Some(json!({ "approved": false })))
            .0,
        204
    );
    terminal.expect(&format!("denied elsewhere by local via http ({id})"));
    terminal.expect("\n>");
    terminal.keys("/ask_text\r");
    terminal.expect("gallery asks:");
    let id = pending(&served).expect("it waits");
    let path = format!("/api/asks/{id}");
    assert_eq!(
        served.own("POST", &path, Some(json!({ "value": "Ada" }))).0,
        204
    );
    terminal.expect(&format!("elsewhere by local via http ({id})"));
    terminal.keys("/quit\r");
    assert!(terminal.end().success());
    served.end();
}

#[test]
fn a_second_terminal_joins_a_running_turn_and_answers_for_the_first() {
    let machine = Machine::new();
    let served = Served::start(&machine, &["gallery", "todo"], &[]);
    let url = served.url();
    let mut first = Terminal::run(machine.command(&["chat", "--server", &url]), 90, 60);
    first.expect("> ");
    first.keys("/add title='Buy milk'\r");
    first.expect("Added #1 Buy milk.\n>");
    first.keys("/strike\r");
    first.expect("[deny]: ");
    let (_, sessions) = served.own("GET", "/api/sessions", None);
    let id = json_of(&sessions)["sessions"][0]["id"].clone();
    let id = id.as_str().expect("an id");
    let words = ["chat", "--server", &url, "--session", id];
    let mut second = Terminal::run(machine.command(&words), 90, 60);
    let screen = second.expect("[deny]: ");
    assert!(
        screen.contains("Buy milk"),
        "an earlier card can be pressed: {screen}"
    );
    second.keys("y\r");
    // The call is redrawn where it stands.
    second.expect("The set is gone.");
    second.expect("\n>");
    first.expect("allowed once elsewhere");
    first.expect("The set is gone.\n>");
    // Both go on, one after the other.
    first.keys("/add title=Tea\r");
    first.expect("Added #2 Tea.\n>");
    second.keys("/add title=Bread\r");
    second.expect("Added #3 Bread.\n>");
    for terminal in [&mut first, &mut second] {
        terminal.keys("/quit\r");
        assert!(terminal.end().success(), "{}", terminal.screen());
    }
    served.end();
}

#[test]
fn a_chat_that_waits_goes_on_after_its_server_was_killed_and_started_again() {
    let machine = Machine::new();
    let mut served = Served::start(&machine, &["gallery", "todo"], &[]);
    let port = served.port();
    let restart = || Served::start(&machine, &["gallery", "todo"], &["--port", &port]);
    let chat = machine.command(&["chat", "--server", &served.url()]);
    let mut terminal = Terminal::run(chat, 90, 60);
    terminal.expect("> ");
    terminal.keys("/add title='Buy milk'\r");
    terminal.expect("Added #1 Buy milk.\n>");
    // While a person is asked: the approval is still pending, and counts once.
    terminal.keys("/strike\r");
    terminal.expect("[deny]: ");
    served.kill();
    let mut served = restart();
    assert!(pending(&served).is_some(), "it still waits");
    terminal.keys("y\r");
    terminal.expect("connected to");
    terminal.expect("gallery.strike: allowed once");
    terminal.expect("The set is gone.");
    // While nothing runs.
    served.kill();
    let served = restart();
    terminal.keys("/add title=Tea\r");
    terminal.expect("Added #2 Tea.");
    terminal.keys("/quit\r");
    assert!(terminal.end().success(), "{}", terminal.screen());
    assert_eq!(pending(&served), None);
    served.end();
}

#[test]
fn ctrl_c_cancels_the_turn_in_the_server() {
    let machine = Machine::new();
    let served = Served::start(&machine, &["gallery"], &[]);
    let words = [
        "run",
        "/strike",
        "--wait",
        "--json",
        "--server",
        &served.url(),
    ];
    let mut run = machine.command(&words).spawn().expect("starts");
    let id = machine.waiting(&mut run);
    assert_eq!(pending(&served), Some(id));
    assert!(interrupt(run.id()));
    let ran = ended(run.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert_eq!(pending(&served), None, "no request stays");
    // How long a request waits is up to whoever started the turn.
    let words = ["run", "/strike", "--wait=1s", "--server", &served.url()];
    let remote = machine.run(&words);
    let local = machine.run(&["run", &plugin("gallery"), "/strike", "--wait=1s"]);
    assert_eq!(remote.code, local.code, "{}", remote.stderr);
    assert!(remote.stderr.contains("expired"), "{}", remote.stderr);
    served.end();
}

#[test]
fn what_is_piped_in_reaches_the_model_of_the_server_and_a_closed_pipe_is_no_error() {
    let machine = Machine::new();
    let script = machine.script("steps: [{ text: Read. }]");
    let log = machine.path("requests");
    let log = log.to_str().expect("is text");
    let flags = ["--model", &script, "--log-requests", log];
    let served = Served::start(&machine, &["todo"], &flags);
    let ran = machine.fed(
        &["run", "What is it?", "--server", &served.url()],
        "a diff\n",
    );
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "Read.\n"),
        "{}",
        ran.stderr
    );
    let sent = std::fs::read_to_string(log).expect("a log");
    assert!(sent.contains("a diff\\n\\nWhat is it?"), "{sent}");
    let mut command = machine.command(&["run", "Again", "--server", &served.url()]);
    let mut run = command.stdout(Stdio::piped()).spawn().expect("starts");
    drop(run.stdout.take());
    assert_eq!(run.wait().expect("it ends").code(), Some(0));
    served.end();
}

/// A token, and the SHA-256 of it.
const TOKEN: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const TOKEN_HASH: &str = "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb";

#[test]
fn what_a_token_does_not_permit_waits_for_somebody_who_may() {
    let machine = Machine::new();
    let tokens = format!("[[token]]\nhash = \"{TOKEN_HASH}\"\nperson = \"local\"\nmay = \"use\"\n");
    let tokens = machine.file("tokens.toml", &tokens);
    let served = Served::start(&machine, &["gallery"], &["--tokens", &tokens]);
    let token = machine.file("token", TOKEN);
    let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(&token, private).expect("is ours");
    let words = [
        "run",
        "/strike",
        "--server",
        &served.url(),
        "--token-file",
        &token,
    ];
    let mut terminal = Terminal::run(machine.command(&words), 90, 60);
    terminal.expect("[deny]: ");
    let id = pending(&served).expect("it waits");
    terminal.keys("y\r");
    terminal.expect("it still waits for somebody who may");
    assert_eq!(pending(&served), Some(id.clone()));
    let answered = machine.run(&["pending", "answer", &id, "allow"]);
    assert_eq!(answered.code, Some(0), "{}", answered.stderr);
    assert!(terminal.end().success(), "{}", terminal.screen());
    assert!(terminal.screen().contains("The set is gone."));
    served.end();
}
