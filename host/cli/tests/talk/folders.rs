//! Folders that a person names at the terminal, that a project requests, and that wait for somebody.

use crate::machine::{Machine, ended, interrupt};
use crate::powers::FOLDER;
use crate::terminal::Terminal;
use std::fs;
use std::os::unix::fs::symlink;

fn call(files: &str) -> [&str; 3] {
    ["call", files, "name=Ada"]
}

#[test]
fn a_person_names_a_folder_at_the_terminal_on_small_screens() {
    for columns in [80, 40] {
        let machine = Machine::new();
        let files = machine.asking_for("hello", "files", FOLDER);
        machine.folder("docs");
        let mut terminal = Terminal::run(machine.command(&call(&files)), columns, 24);
        let screen = terminal.expect("your folder [deny]:");
        for said in [
            "┏━ APPROVAL NEEDED",
            "┃ what     read files in a folder",
            "┃ for      files, as /data",
            "> The files to greet",
            "┃ d  deny",
        ] {
            assert!(screen.contains(said), "{columns} {said}: {screen}");
        }
        terminal.keys("nowhere\r");
        let screen = terminal.expect("there is no folder");
        assert!(!screen.contains("verdict"), "{screen}");
        terminal.expect("your folder [deny]:");
        terminal.keys("docs\r");
        let screen = terminal.expect("verdict [deny]:");
        assert!(screen.contains("┃ folder   "), "{screen}");
        assert_eq!(screen.matches("APPROVAL NEEDED").count(), 1, "{screen}");
        for option in [
            "o  once: this call only",
            "s  session: this folder, every call",
            "a  always: this folder, every call",
        ] {
            assert!(screen.contains(option), "{option}: {screen}");
        }
        terminal.keys("o\r");
        assert!(terminal.end().success(), "{}", terminal.screen());
        let screen = terminal.screen();
        assert!(!screen.contains("APPROVAL"), "it folds: {screen}");
        let words = screen.replace("\n┃", "");
        assert!(words.contains("allowed once"), "{screen}");
        assert!(screen.contains("Ada"), "{screen}");
    }
}

#[test]
fn tab_completes_the_folder_and_nothing_else() {
    for columns in [80, 40] {
        let machine = Machine::new();
        let files = machine.asking_for("hello", "files", FOLDER);
        machine.folder("docs/english");
        machine.folder("docs/esperanto");
        machine.file("docs.txt", "");
        let mut terminal = Terminal::run(machine.command(&call(&files)), columns, 24);
        let screen = terminal.expect("your folder [deny]:");
        assert!(screen.contains("┃ Tab  complete a folder"), "{screen}");
        terminal.keys("d\t");
        terminal.expect("your folder [deny]: docs/");
        terminal.keys("\t");
        terminal.expect("your folder [deny]: docs/e");
        // Those that begin alike, one after the other.
        terminal.keys("\t");
        terminal.expect("your folder [deny]: docs/english/");
        terminal.keys("\t");
        terminal.expect("your folder [deny]: docs/esperanto/");
        // A line can be corrected, and arrows mean nothing.
        terminal.keys("x\u{7f}\u{1b}[D\u{17}en\t");
        terminal.expect("your folder [deny]: docs/english/");
        terminal.keys("\r");
        let screen = terminal.expect("verdict [deny]:");
        assert!(
            screen.replace("\n┃        ⋮ ", "").contains("docs/english"),
            "{screen}"
        );
        assert_eq!(screen.matches("APPROVAL NEEDED").count(), 1, "{screen}");
        terminal.keys("o\r");
        assert!(terminal.end().success(), "{}", terminal.screen());
        assert!(
            !terminal.screen().contains("APPROVAL"),
            "{}",
            terminal.screen()
        );
    }
}

#[test]
fn a_line_that_is_longer_than_the_screen_stays_in_its_row() {
    let machine = Machine::new();
    let files = machine.asking_for("hello", "files", FOLDER);
    let long = "a".repeat(120);
    let folder = machine.folder(&long);
    let mut terminal = Terminal::run(machine.command(&call(&files)), 80, 24);
    terminal.expect("your folder [deny]:");
    terminal.keys(&folder);
    let screen = terminal.expect(&"a".repeat(40));
    assert_eq!(screen.matches("your folder [deny]:").count(), 1, "{screen}");
    assert!(
        screen
            .lines()
            .last()
            .is_some_and(|row| row.contains("your folder")),
        "{screen}"
    );
    terminal.keys("\r");
    terminal.expect("verdict [deny]:");
    terminal.keys("o\r");
    assert!(terminal.end().success(), "{}", terminal.screen());
    assert!(
        !terminal.screen().contains("APPROVAL"),
        "{}",
        terminal.screen()
    );
}

#[test]
fn a_prompt_says_how_a_folder_is_only_read() {
    let machine = Machine::new();
    let files = machine.asking_for("hello", "files", &FOLDER.replace("\"ro\"", "\"rw\""));
    machine.folder("docs");
    let mut terminal = Terminal::run(machine.command(&call(&files)), 100, 24);
    let screen = terminal.expect("your folder [deny]:");
    assert!(screen.contains("┃ :ro  after a folder"), "{screen}");
    terminal.keys("docs:ro\r");
    terminal.expect("verdict [deny]:");
    terminal.keys("a\r");
    assert!(terminal.end().success(), "{}", terminal.screen());
    let screen = terminal.screen();
    assert!(screen.contains("allowed always to read only"), "{screen}");
    let rules = fs::read_to_string(machine.path("config/rules.toml")).expect("is written");
    assert!(rules.contains("mode = \"ro\""), "{rules}");
    // Where the plugin asks for no more, it is the folder.
    let files = machine.asking_for("hello", "reader", FOLDER);
    let mut terminal = Terminal::run(machine.command(&call(&files)), 80, 24);
    terminal.expect("your folder [deny]:");
    terminal.keys("docs:ro\r");
    terminal.expect("verdict [deny]:");
    terminal.keys("o\r");
    assert!(terminal.end().success(), "{}", terminal.screen());
}

#[test]
fn the_terminal_shows_what_is_typed_again_after_a_folder_was_named() {
    let machine = Machine::new();
    let files = machine.asking_for("hello", "files", FOLDER);
    let mut terminal = Terminal::run(machine.command(&call(&files)), 80, 24);
    terminal.expect("your folder [deny]:");
    assert!(!terminal.echoes());
    assert!(interrupt(terminal.id()));
    terminal.end();
    assert!(terminal.echoes());
}

#[test]
fn a_folder_that_is_always_granted_is_a_rule_until_it_is_revoked() {
    let machine = Machine::new();
    let files = machine.asking_for("hello", "files", FOLDER);
    let docs = fs::canonicalize(machine.folder("docs")).expect("is there");
    let mut terminal = Terminal::run(machine.command(&call(&files)), 100, 24);
    terminal.expect("your folder [deny]:");
    terminal.keys("./docs\r");
    terminal.expect("verdict [deny]:");
    terminal.keys("a\r");
    assert!(terminal.end().success(), "{}", terminal.screen());
    let text = fs::read_to_string(machine.path("config/rules.toml")).expect("is written");
    let rule = format!(
        "plugin = \"files\"\nbuild = \"any\"\nfolder = \"/data\"\npath = {docs:?}\nmode = \"ro\"\n"
    );
    assert!(text.contains(&rule), "{text}");
    for _ in 0..2 {
        assert_eq!(machine.run(&call(&files)).code, Some(0));
    }
    let listed = machine.run(&["grants", "list", "--json"]).lines();
    let id = listed[0]["id"].as_str().expect("an id");
    assert_eq!(machine.run(&["grants", "revoke", id]).code, Some(0));
    assert_eq!(machine.run(&call(&files)).code, Some(4));
}

#[test]
fn a_link_in_the_place_of_a_granted_folder_is_not_followed_by_later_processes() {
    for is_offered in [false, true] {
        for replaced in ["docs", "docs/deep"] {
            let machine = Machine::new();
            let files = machine.asking_for("hello", "files", FOLDER);
            machine.folder("docs/deep");
            machine.folder("keys/deep");
            if is_offered {
                let offer = "[dirs.files]\n\"/data\" = \"docs/deep\"\n";
                machine.file("footlight.toml", offer);
            }
            let mut terminal = Terminal::run(machine.command(&call(&files)), 100, 24);
            terminal.expect("your folder [");
            terminal.keys(if is_offered { "\r" } else { "./docs/deep\r" });
            terminal.expect("verdict [deny]:");
            terminal.keys("a\r");
            assert!(terminal.end().success(), "{}", terminal.screen());
            assert_eq!(machine.run(&call(&files)).code, Some(0));
            let place = machine.path("work").join(replaced);
            fs::rename(&place, machine.path("work/away")).expect("is moved");
            let target = replaced.replace("docs", "keys");
            symlink(machine.path("work").join(target), &place).expect("is made");
            let denied = machine.run(&call(&files));
            let case = format!("{replaced}, offered: {is_offered}");
            assert_eq!(denied.code, Some(3), "{case}: {}", denied.stderr);
        }
    }
}

#[test]
fn a_denied_folder_and_an_empty_line_grant_nothing() {
    let machine = Machine::new();
    let files = machine.asking_for("hello", "files", FOLDER);
    machine.folder("docs");
    for typed in [
        vec!["\r"],
        vec!["d not today\r"],
        vec!["docs\r", "\r"],
        vec!["docs\r", "d\r"],
    ] {
        let mut terminal = Terminal::run(machine.command(&call(&files)), 80, 24);
        for (prompt, line) in ["your folder [deny]:", "verdict [deny]:"]
            .into_iter()
            .zip(&typed)
        {
            terminal.expect(prompt);
            terminal.keys(line);
        }
        assert_eq!(
            terminal.end().code(),
            Some(3),
            "{typed:?}: {}",
            terminal.screen()
        );
    }
    assert!(!machine.path("config/rules.toml").exists());
}

#[test]
fn a_project_can_request_a_folder_of_its_own_and_the_person_still_decides() {
    let machine = Machine::new();
    let files = machine.asking_for("hello", "files", FOLDER);
    let docs = fs::canonicalize(machine.folder("docs")).expect("is there");
    let docs = docs.to_str().expect("is text");
    machine.file("footlight.toml", "[dirs.files]\n\"/data\" = \"docs\"\n");
    // No consent for the file, and no grant by it either.
    for words in [
        call(&files).to_vec(),
        [&call(&files)[..], &["--trust-project"]].concat(),
    ] {
        let denied = machine.run(&words);
        assert_eq!(denied.code, Some(4), "{}", denied.stderr);
        let flag = format!("add --dir /data={docs}");
        assert!(denied.stderr.contains(&flag), "{}", denied.stderr);
    }
    let mut terminal = Terminal::run(machine.command(&call(&files)), 200, 24);
    let screen = terminal.expect("your folder [as offered]:");
    assert!(screen.contains(&format!("┃ offered  {docs}")), "{screen}");
    terminal.keys("\r");
    let screen = terminal.expect("verdict [deny]:");
    assert!(screen.contains(&format!("┃ folder   {docs}")), "{screen}");
    terminal.keys("o\r");
    assert!(terminal.end().success(), "{}", terminal.screen());
    let unasked = machine.run(&[&call(&files)[..], &["--no-project"]].concat());
    assert!(
        unasked.stderr.contains("add --dir /data=FOLDER"),
        "{}",
        unasked.stderr
    );
}

#[test]
fn a_project_cannot_request_what_is_not_its_own() {
    let machine = Machine::new();
    let files = machine.asking_for("hello", "files", FOLDER);
    fs::create_dir_all(machine.path("outside/deep")).expect("is made");
    symlink(machine.path("outside"), machine.path("work/link")).expect("is made");
    machine.folder("docs");
    machine.file("file.txt", "");
    let outside = machine.path("outside");
    for folder in [
        "..",
        "../outside",
        "link",
        "link/deep",
        "docs/../..",
        "file.txt",
        "missing",
        "/",
        outside.to_str().expect("is text"),
    ] {
        machine.file(
            "footlight.toml",
            &format!("[dirs.files]\n\"/data\" = {folder:?}\n"),
        );
        for words in [
            call(&files).to_vec(),
            vec!["run", &files, "/greet name=Ada"],
            vec!["doctor"],
        ] {
            let refused = machine.run(&words);
            assert_eq!(
                refused.code,
                Some(1),
                "{folder} {words:?}: {}",
                refused.stderr
            );
            let text = format!("{}{}", refused.stdout, refused.stderr);
            assert!(
                text.contains("[dirs.files]: `/data` = "),
                "{folder}: {text}"
            );
        }
    }
    fs::remove_file(machine.path("work/footlight.toml")).expect("is there");
    fs::write(
        machine.path("config/footlight.toml"),
        "[dirs.files]\n\"/data\" = \"docs\"\n",
    )
    .expect("is written");
    let refused = machine.run(&call(&files));
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(
        refused
            .stderr
            .contains("footlight grants add allow files --dir"),
        "{}",
        refused.stderr
    );
}

#[test]
fn another_process_says_yes_or_no_to_an_offered_folder() {
    let machine = Machine::new();
    let files = machine.asking_for("hello", "files", FOLDER);
    machine.folder("docs");
    machine.file("footlight.toml", "[dirs.files]\n\"/data\" = \"docs\"\n");
    for (verdict, code) in [("deny", 3), ("allow", 0)] {
        let words = ["run", &files, "/greet name=Ada", "--wait=1m"];
        let mut run = machine
            .command(&words)
            .spawn()
            .expect("the binary is built");
        let id = machine.waiting(&mut run);
        let listed = machine.run(&["pending", "list"]);
        assert!(
            listed.stdout.contains("needs a folder as /data: /"),
            "{}",
            listed.stdout
        );
        let answered = machine.run(&["pending", "answer", &id, verdict]);
        assert_eq!(answered.code, Some(0), "{}", answered.stderr);
        let ran = ended(run.wait_with_output().expect("it ends"));
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
    }
}

#[test]
fn another_process_cannot_name_a_folder() {
    let machine = Machine::new();
    let files = machine.asking_for("hello", "files", FOLDER);
    let mut terminal = Terminal::run(machine.command(&["run", &files, "/greet name=Ada"]), 80, 24);
    terminal.expect("your folder [deny]:");
    let listed = machine.run(&["pending", "list", "--json"]).lines();
    let id = listed[0]["id"].as_str().expect("an id");
    for words in [
        vec!["pending", "answer", id],
        vec!["pending", "answer", id, "allow"],
        vec!["pending", "answer", id, "always"],
    ] {
        let refused = machine.run(&words);
        assert_eq!(refused.code, Some(2), "{words:?}: {}", refused.stderr);
        let said = "only whoever started the process can name a folder";
        assert!(
            refused.stderr.contains(said),
            "{words:?}: {}",
            refused.stderr
        );
    }
    let denied = machine.run(&["pending", "answer", id, "deny"]);
    assert_eq!(denied.code, Some(0), "{}", denied.stderr);
    assert_eq!(terminal.end().code(), Some(3), "{}", terminal.screen());
}
