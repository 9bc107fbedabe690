//! However a process ends in the middle of a prompt, its terminal shows what is typed afterwards.

use crate::machine::{Machine, plugin};
use crate::terminal::Terminal;
use rustix::process::{Pid, Signal, kill_process};

/// A command at a prompt, and what stands there.
type AtPrompt = (&'static str, fn(&Machine) -> Vec<String>, &'static str);

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|word| (*word).to_owned()).collect()
}

/// Every command that changes the mode of its terminal.
const PROMPTS: [AtPrompt; 6] = [
    (
        "secrets set",
        |_| words(&["secrets", "set", "mail", "token"]),
        "what you type is not shown",
    ),
    (
        "--secret NAME",
        |machine| words(&["call", &mail(machine), "--secret", "token", "fetch"]),
        "what you type is not shown",
    ),
    (
        "publish --new-key",
        |_| words(&["publish", "--new-key", "mail.key"]),
        "a password for the new key",
    ),
    (
        "a secret question of a plugin",
        |_| words(&["call", &plugin("gallery"), "ask_secret"]),
        "not shown as you type:",
    ),
    (
        "an approval that takes no input yet",
        |_| words(&["call", &plugin("gallery"), "dim"]),
        "verdict [deny]:",
    ),
    ("chat", |_| words(&["chat", &plugin("hello")]), "> "),
];

fn mail(machine: &Machine) -> String {
    let powers = "[[net]]\nhost = \"127.0.0.1:9\"\nscheme = \"http\"\n[[secret]]\nname = \"token\"\nhost = \"127.0.0.1:9\"\nheader = \"authorization\"\n";
    machine.sending("mail", powers)
}

#[test]
fn the_terminal_shows_what_is_typed_however_a_process_ends_at_a_prompt() {
    for (name, words, prompt) in PROMPTS {
        for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT] {
            let machine = Machine::new();
            let words = words(&machine);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let mut terminal = Terminal::run(machine.command(&words), 80, 24);
            assert!(terminal.echoes(), "{name}");
            terminal.expect(prompt);
            let id = Pid::from_raw(i32::try_from(terminal.id()).expect("is small"));
            let id = id.expect("is not 0");
            // The first Ctrl-C may cancel what runs; the second ends the process.
            while kill_process(id, signal).is_ok() && terminal.has_not_ended() {}
            terminal.end();
            assert!(terminal.echoes(), "{name}, {signal:?}");
        }
    }
}
