//! A person at a terminal: redrawing, pressing, approvals and Ctrl-C.

use crate::machine::{Machine, interrupt, json_of, plugin};
use crate::terminal::Terminal;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Command;

#[test]
fn a_pressed_card_is_redrawn_in_place() {
    let machine = Machine::new();
    let chat = machine.command(&["chat", &plugin("todo")]);
    let mut terminal = Terminal::run(chat, 70, 40);
    terminal.expect("> ");
    terminal.keys("/add title='Buy milk'\r");
    terminal.expect("Added #1 Buy milk.\n>");
    terminal.keys("/do 3\r");
    terminal.expect("such as Something else to do: ");
    terminal.keys("Walk the dog\r");
    terminal.expect("Added #2 Walk the dog.\n>");
    terminal.keys("/do 1\r");
    let screen = terminal.expect("#1 Buy milk is done.\n>");
    // One card, with everything that was pressed in it, and what was typed below it.
    assert_eq!(screen.matches("todo-list").count(), 1, "{screen}");
    assert!(screen.contains("│ 1 task to do, 1 done.\n"), "{screen}");
    // It has moved to the end, and keeps its number.
    assert!(screen.contains("[1] [x] Buy milk"), "{screen}");
    let order = [
        "╰─",
        "Added #1",
        "> /do 3",
        "Add -> Walk the dog",
        "> /do 1",
    ];
    let places = order.map(|text| {
        screen
            .find(text)
            .unwrap_or_else(|| panic!("{text}: {screen}"))
    });
    assert!(places.is_sorted(), "{screen}");
    terminal.keys("/quit\r");
    assert!(terminal.end().success());
}

#[test]
fn a_live_widget_is_drawn_once_however_often_it_changes() {
    let machine = Machine::new();
    let gallery = plugin("gallery");
    let words = ["call", &gallery, "live", "pause=200"];
    let mut terminal = Terminal::run(machine.command(&words), 70, 40);
    assert!(terminal.end().success());
    let screen = terminal.screen();
    assert_eq!(screen.matches("gallery-live").count(), 1, "{screen}");
    assert!(screen.contains("100%  4/4"), "{screen}");
    let drawn = terminal.written.matches("gallery-live").count();
    assert!(drawn > 1, "{}", terminal.written);
    // Where nothing can be taken back it is shown once, as it is in the end.
    let piped = machine.run(&words);
    assert_eq!(
        piped.stderr.matches("gallery-live").count(),
        1,
        "{}",
        piped.stderr
    );
    assert!(piped.stderr.contains("4/4"), "{}", piped.stderr);
}

#[test]
fn text_of_a_model_is_streamed_and_then_drawn() {
    let machine = Machine::new();
    let model =
        machine.script("steps: [{ text: [\"It is \", \"**not** cold.\\n\\n\", \"- today\"] }]");
    let run = machine.command(&["run", &plugin("todo"), "Cold?", "--model", &model]);
    let mut terminal = Terminal::run(run, 70, 40);
    assert!(terminal.end().success());
    let screen = terminal.screen();
    assert!(screen.ends_with("It is not cold.\n\n• today"), "{screen}");
    assert!(
        terminal.written.contains("**not** cold."),
        "{}",
        terminal.written
    );
}

#[test]
fn reasoning_of_a_model_is_a_line_above_its_text() {
    let machine = Machine::new();
    let model = machine.script("steps: [{ reasoning: Hm., text: [\"It is \", \"warm.\"] }]");
    let run = machine.command(&["run", &plugin("todo"), "Cold?", "--model", &model]);
    let mut terminal = Terminal::run(run, 70, 40);
    assert!(terminal.end().success());
    let screen = terminal.screen();
    assert!(
        screen.ends_with("Thought for a moment\nIt is warm."),
        "{screen}"
    );
}

#[test]
fn an_approval_with_always_is_a_rule_until_revoked() {
    let machine = Machine::new();
    let gallery = plugin("gallery");
    let run = machine.command(&["run", &gallery, "/dim"]);
    let mut terminal = Terminal::run(run, 100, 60);
    terminal.expect("┃ a  always: this subject, this build");
    terminal.expect("[deny]: ");
    terminal.keys("always\r");
    assert!(terminal.end().success(), "{}", terminal.screen());
    let screen = terminal.screen();
    assert!(screen.contains("gallery.dim: allowed always"), "{screen}");
    assert!(screen.contains("rules.toml"), "{screen}");

    let listed = machine.run(&["grants", "list", "--json"]);
    let rule = json_of(listed.stdout.trim_end());
    assert_eq!(rule["rule"]["plugin"], "gallery", "{rule}");
    // Nobody is asked again.
    let again = machine.run(&["run", &gallery, "/dim", "--no-input"]);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert_eq!(again.stdout, "The house is dark.\n");
    let id = rule["id"].as_str().expect("an id");
    assert_eq!(machine.run(&["grants", "revoke", id]).code, Some(0));
    let asked = machine.run(&["run", &gallery, "/dim", "--no-input"]);
    assert_eq!(asked.code, Some(4), "{}", asked.stderr);
}

#[test]
fn ctrl_c_cancels_the_turn_and_twice_at_the_prompt_quits() {
    let machine = Machine::new();
    let chat = machine.command(&["chat", &plugin("gallery")]);
    let mut terminal = Terminal::run(chat, 70, 40);
    terminal.expect("> ");
    terminal.keys("/strike\r");
    terminal.expect("[deny]: ");
    assert!(interrupt(terminal.id()));
    terminal.expect("cancelled\n>");
    terminal.keys("\u{3}");
    // Only at the prompt is it a key: before, the terminal takes it for a signal, and swallows it.
    terminal.expect("(press Ctrl-C again, Ctrl-D, or type /quit to quit)\n>");
    terminal.keys("\u{3}");
    assert!(terminal.end().success());
    assert_eq!(machine.run(&["pending", "list"]).stdout, "");
}

#[test]
fn a_second_ctrl_c_quits_while_the_first_is_being_handled() {
    let machine = Machine::new();
    // It computes whatever is said to it, and is left two seconds for that once it is cancelled.
    let mut call = machine.command(&["call", &plugin("rogue"), "ignore_cancel", "--json"]);
    let mut run = call.spawn().expect("the binary is built");
    let mut stdout = BufReader::new(run.stdout.take().expect("is piped"));
    let mut line = String::new();
    while !line.contains("progress") {
        line.clear();
        let read = stdout.read_line(&mut line).expect("is text");
        assert_ne!(read, 0, "it ended before it began");
    }
    // Signals that come too close to each other are one.
    while run.try_wait().expect("is ours").is_none() {
        interrupt(run.id());
    }
    assert_eq!(run.wait().expect("it ended").code(), Some(130));
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).expect("is text");
    assert!(!rest.contains("turn_finished"), "{rest}");
}

#[test]
fn long_output_goes_through_the_pager_or_is_shortened() {
    let machine = Machine::new();
    let rows: Vec<_> = (0..100).map(|n| serde_json::json!({ "n": n })).collect();
    let table = serde_json::json!({ "kind": "table", "data": { "columns": [{ "key": "n" }], "rows": rows } });
    let file = machine.file("rows.json", &table.to_string());
    let mut terminal = Terminal::run(machine.command(&["render", &file]), 70, 20);
    assert!(terminal.end().success());
    let screen = terminal.screen();
    assert!(
        screen.contains("more lines; show all: --no-pager"),
        "{screen}"
    );
    // 100 rows and two lines of header, of which 18 are shown.
    assert!(screen.contains("… 84 more lines"), "{screen}");

    let mut paged = machine.command(&["render", &file]);
    // No shell: it would write `pwned`.
    paged.env("PAGER", "tail -n 3 ;echo pwned");
    let mut terminal = Terminal::run(paged, 70, 20);
    terminal.end();
    assert!(
        !terminal.screen().ends_with("pwned"),
        "{}",
        terminal.screen()
    );
    let mut paged = machine.command(&["render", &file]);
    paged.env("PAGER", "tail -n 3");
    let mut terminal = Terminal::run(paged, 70, 20);
    assert!(terminal.end().success());
    let screen = terminal.screen();
    assert!(screen.ends_with("97\n98\n99"), "{screen}");

    let all = machine.command(&["render", &file, "--no-pager"]);
    let mut terminal = Terminal::run(all, 70, 20);
    assert!(terminal.end().success());
    assert_eq!(terminal.written.matches('\n').count(), 103);
}

#[test]
fn the_result_of_a_call_is_never_shortened() {
    let machine = Machine::new();
    let words = ["call", &plugin("gallery"), "table", "with=huge", "--plain"];
    let whole = Terminal::run(
        machine.command(&[&words[..], &["--no-pager"]].concat()),
        70,
        20,
    );
    let written = |mut terminal: Terminal| {
        assert!(terminal.end().success(), "{}", terminal.screen());
        terminal.written.clone()
    };
    let whole = written(whole);
    assert!(whole.matches('\n').count() > 20, "{whole}");
    let unpaged = written(Terminal::run(machine.command(&words), 70, 20));
    assert_eq!(unpaged, whole);
    let mut failing = machine.command(&words);
    failing.env("PAGER", "false");
    let failing = written(Terminal::run(failing, 70, 20));
    assert!(failing.contains("the pager `false`"), "{failing}");
    assert!(failing.ends_with(&whole), "{failing}");
}

#[test]
fn the_recap_of_a_resumed_session_is_not_a_result() {
    let machine = Machine::new();
    let ran = machine.run(&["run", &plugin("todo"), "/add title='Buy milk'"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let mut json = Terminal::run(
        machine.command(&["sessions", "resume", "last", "--json"]),
        70,
        40,
    );
    json.expect("> ");
    json.keys("/quit\r");
    assert!(json.end().success());
    assert!(!json.written.contains("Buy milk"), "{}", json.written);

    // With stdout piped it stands beside it.
    let resume = machine.command(&["sessions", "resume", "last"]);
    let mut piped = Command::new("sh");
    piped.args(["-c", "exec \"$0\" \"$@\" > piped"]);
    piped.arg(resume.get_program()).args(resume.get_args());
    piped.current_dir(machine.path("work"));
    for (name, value) in resume.get_envs() {
        match value {
            Some(value) => piped.env(name, value),
            None => piped.env_remove(name),
        };
    }
    let mut piped = Terminal::run(piped, 70, 40);
    piped.expect("Buy milk");
    piped.expect("type /help");
    piped.keys("/quit\r");
    assert!(piped.end().success());
    let stdout = fs::read_to_string(machine.path("work/piped")).expect("is written");
    // The prompt is the editor's.
    assert!(!stdout.contains("Buy milk"), "{stdout}");
}
