//! A stored session shows later what was on the screen, and what can be pressed can still be pressed.

use crate::machine::{Machine, json_of, plugin};
use crate::terminal::Terminal;

#[test]
fn declared_widget_types_are_listed_for_programs() {
    let machine = Machine::new();
    let inspect = |plugin: &str, more: &[&str]| {
        let words = [&["inspect", plugin, "--json"], more].concat();
        json_of(&machine.run(&words).stdout)
    };
    let gallery = plugin("gallery");
    let inspected = inspect(&gallery, &[]);
    let widgets = inspected["widgets"].as_array().expect("a list");
    assert_eq!(widgets.len(), 1, "{inspected}");
    assert_eq!(widgets[0]["name"], "gallery-play");
    assert!(widgets[0]["schema"].is_object(), "{inspected}");
    assert_eq!(inspect(&plugin("hello"), &[])["widgets"], json_of("[]"));
    // Only the plugin itself can say which types it declares.
    assert_eq!(inspect(&gallery, &["--static"]).get("widgets"), None);
}

#[test]
fn a_stored_turn_is_drawn_as_it_was() {
    let gallery = plugin("gallery");
    for tool in [
        "declared",
        "unfitting",
        "malformed",
        "free",
        "card",
        "outputs",
    ] {
        let machine = Machine::new();
        let prompt = format!("/{tool}");
        let live = machine.run(&["run", &gallery, &prompt, "--output", "markdown"]);
        let live = live.stdout.trim_end();
        let stored = machine.run(&["sessions", "show", "last", "--output", "markdown"]);
        let (said, stored) = stored.stdout.split_once("\n\n").expect("a prompt");
        assert_eq!(said, format!("> {prompt}"));
        assert_eq!(stored.trim_end(), live, "{tool}");
        if tool == "unfitting" {
            assert!(live.contains("A play, in words:"), "{live}");
            assert!(!live.contains("seats sold"), "{live}");
        }
    }
}

/// Asserts that these words occur in this order.
fn assert_order(text: &str, words: &[&str], what: &str) {
    let place = |word: &&str| text.find(*word);
    let places: Vec<_> = words.iter().map(place).collect();
    let found = places.iter().all(Option::is_some);
    assert!(found && places.is_sorted(), "{what}: {places:?} {text}");
}

#[test]
fn an_export_keeps_the_order_of_the_screen() {
    let todo = plugin("todo");
    // Without a language model the result is the answer and comes last. A language model answers
    // in its own words after the calls.
    let script = "steps: [{ calls: [{ tool: todo.add, input: { title: Buy milk } }] }, { text: \"All done.\" }]";
    for (model, prompt, order) in [
        (
            None,
            "/add title='Buy milk'",
            vec!["1 task to do", "Added #1"],
        ),
        (
            Some(script),
            "Milk!",
            vec!["Added #1", "1 task to do", "All done."],
        ),
    ] {
        let machine = Machine::new();
        let mut words = vec!["run", &todo, prompt];
        let model = model.map(|model| machine.script(model));
        words.extend(model.iter().flat_map(|model| ["--model", model]));
        let mut terminal = Terminal::run(machine.command(&words), 70, 60);
        assert!(terminal.end().success(), "{}", terminal.screen());
        assert_order(&terminal.screen(), &order, "the screen");
        for export in [
            vec!["sessions", "show", "last"],
            vec!["sessions", "show", "last", "--output", "markdown"],
            vec!["sessions", "export", "last", "--markdown"],
            vec!["sessions", "export", "last"],
        ] {
            let text = machine.run(&export).stdout;
            assert_order(&text, &order, &export.join(" "));
        }
    }
    let machine = Machine::new();
    let call = [
        "call",
        &todo,
        "add",
        "title=Buy milk",
        "--output",
        "markdown",
    ];
    let order = ["1 task to do", "Added #1"];
    assert_order(&machine.run(&call).stdout, &order, "call");
}

#[test]
fn every_card_can_be_pressed_after_a_resume() {
    let machine = Machine::new();
    // Three turns, each with a card of three controls.
    let lines = "/add title='Buy milk'\n/list\n/list\n";
    let ran = machine.fed(&["chat", &plugin("todo")], lines);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let resume = machine.command(&["sessions", "resume", "last"]);
    let mut terminal = Terminal::run(resume, 70, 60);
    terminal.expect("type /help for commands\n>");
    // The numbers of the cards that the first process has drawn are not used again.
    terminal.keys("/do 9\r");
    terminal.expect("9 is from before the session was resumed");
    for (typed, said) in [
        ("/do 10", "#1 Buy milk is done."),
        ("/do 15 title=bread", "Added #2 bread."),
        ("/do 18 title=honey", "Added #3 honey."),
    ] {
        terminal.keys(&format!("{typed}\r"));
        terminal.expect(&format!("{said}\n>"));
    }
    terminal.keys("/quit\r");
    assert!(terminal.end().success());
    let session = json_of(&machine.run(&["sessions", "show", "last", "--json"]).stdout);
    let turns = session["turns"].as_array().expect("turns");
    assert_eq!(turns.len(), 6, "{session}");
    for turn in &turns[..3] {
        let items = turn["output"].as_array().expect("items");
        let card = items.iter().find(|item| item["type"] == "widget");
        assert_eq!(card.expect("a card")["rev"], 1, "pressed in place: {turn}");
    }
}

#[test]
fn a_resumed_chat_shows_a_bounded_number_of_earlier_cards() {
    let machine = Machine::new();
    let lines = format!("/add title='Buy milk'\n{}", "/list\n".repeat(16));
    let ran = machine.fed(&["chat", &plugin("todo")], &lines);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let resume = machine.command(&["sessions", "resume", "last"]);
    let mut terminal = Terminal::run(resume, 100, 200);
    terminal.expect("type /help for commands\n>");
    let screen = terminal.screen();
    let cards = |text: &str| text.matches("1 task to do").count();
    // Ten of sixteen earlier cards, and that of the last turn.
    assert_eq!(cards(&screen), 11, "{screen}");
    let said = "6 earlier cards are not shown; all of them: footlight sessions show ses_";
    assert!(screen.contains(said), "{screen}");
    terminal.keys("/quit\r");
    assert!(terminal.end().success());
    let shown = machine.run(&["sessions", "show", "last"]);
    assert_eq!(cards(&shown.stdout), 17, "{}", shown.stdout);
}
