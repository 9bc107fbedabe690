//! A project's `footlight.toml`: it narrows by itself, and widens only with consent.

use crate::machine::{Machine, ended, is_root, plugin};
use crate::terminal::Terminal;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::time::{Duration, Instant};

/// After what time a request counts as not sent.
const TIMEOUT: Duration = Duration::from_secs(120);

const RAIN: &str = "Will it rain in Oslo this week?";

fn write(machine: &Machine, text: &str) {
    fs::write(machine.path("work/footlight.toml"), text).expect("is written");
}

#[test]
fn every_key_that_widens_needs_consent_and_no_key_that_narrows_does() {
    let machine = Machine::new();
    let weather = plugin("weather");
    fs::write(machine.path("work/s.yaml"), "steps: [{ text: hi }]").expect("is written");
    let todo = plugin("todo");
    for (text, words) in [
        (format!("plugins = [{todo:?}]\n"), "load the plugin `"),
        ("model = \"openai:x\"\n".into(), "use the model `openai:x`"),
        (
            "model = \"chat:m@http://127.0.0.1:1/v1\"\n".into(),
            "use the model `chat:m@",
        ),
        (
            "model = \"chat:m@https://evil.example/v1\"\n".into(),
            "use the model `chat:m@",
        ),
        ("model = \"local\"\n".into(), "use the model `local`"),
        (
            "model = \"script:s.yaml\"\n".into(),
            "use the model `script:",
        ),
        (
            "[settings.weather]\nfahrenheit = true\n".into(),
            "set the settings of `weather` to",
        ),
        (
            "[limits]\nsteps = 33\n".into(),
            "raise the limit of steps from 32 to 33",
        ),
        (
            "[limits]\ncalls = 1000\n".into(),
            "raise the limit of calls from 256 to 1000",
        ),
    ] {
        write(&machine, &text);
        let refused = machine.run(&["run", &weather, RAIN]);
        assert_eq!(refused.code, Some(4), "{text}: {}", refused.stderr);
        for words in [words, "`--trust-project`", "`--no-project`"] {
            assert!(refused.stderr.contains(words), "{text}: {}", refused.stderr);
        }
        // Without it the person's own settings hold, and the plugin still runs.
        let narrowed = machine.run(&["run", &weather, RAIN, "--no-project"]);
        assert_eq!(narrowed.code, Some(0), "{text}: {}", narrowed.stderr);
        assert!(
            narrowed.stdout.contains("°C"),
            "{text}: {}",
            narrowed.stdout
        );
    }
    for text in [
        "",
        "level = \"allowlist\"\nask = \"on-miss\"\n",
        "[limits]\nsteps = 31\ncalls = 5\ntokens = 100000\n",
    ] {
        write(&machine, text);
        let ran = machine.run(&["run", &weather, RAIN]);
        assert_eq!(ran.code, Some(0), "{text}: {}", ran.stderr);
    }
    // Narrowing holds without a question about the file: now the call itself asks.
    for text in ["level = \"deny\"\n", "ask = \"always\"\n"] {
        write(&machine, text);
        let asked = machine.run(&["run", &weather, RAIN]);
        assert_eq!(asked.code, Some(4), "{text}: {}", asked.stderr);
        assert!(
            !asked.stderr.contains("--trust-project"),
            "{text}: {}",
            asked.stderr
        );
    }
}

#[test]
fn a_command_asks_only_about_what_it_uses() {
    let machine = Machine::new();
    let weather = plugin("weather");
    write(
        &machine,
        "plugins = [\"x.wasm\"]\nmodel = \"openai:x\"\n[limits]\nsteps = 99\n",
    );
    let called = machine.run(&["call", &weather, "forecast", "city=Oslo"]);
    assert_eq!(called.code, Some(0), "{}", called.stderr);
    for words in [vec!["grants", "list"], vec!["models"], vec!["doctor"]] {
        let ran = machine.run(&words);
        assert_eq!(ran.code, Some(0), "{words:?}: {}{}", ran.stdout, ran.stderr);
        assert!(
            !ran.stdout.contains("openai:x"),
            "{words:?}: {}",
            ran.stdout
        );
    }
    write(&machine, "model = \"openai:x\"\n");
    let ran = machine.run(&["run", &weather, RAIN, "--model", "offline"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    // Settings are used by a call as well.
    write(&machine, "[settings.weather]\nfahrenheit = true\n");
    let called = machine.run(&["call", &weather, "forecast", "city=Oslo"]);
    assert_eq!(called.code, Some(4), "{}", called.stderr);
}

#[test]
fn consent_is_asked_once_and_again_when_the_file_changes() {
    let machine = Machine::new();
    let settings = format!(
        "plugins = [{:?}]\n[settings.weather]\nfahrenheit = true\n",
        plugin("weather")
    );
    write(&machine, &settings);
    let mut terminal = Terminal::run(machine.command(&["run", RAIN]), 200, 50);
    let screen = terminal.expect("[y/N]");
    for line in [
        "\n  set the settings of plugins: weather: {\"fahrenheit\":true}\n  load plugins:",
        "weather.wasm (outside the project)\nAccept this? [y/N]",
    ] {
        assert!(screen.contains(line), "{screen}");
    }
    terminal.keys("y\r");
    // The plugin asks for the network, and without it shows its sample.
    terminal.expect("verdict [deny]");
    terminal.keys("d\r");
    assert!(terminal.end().success(), "{}", terminal.screen());
    for _ in 0..2 {
        let ran = machine.run(&["run", RAIN]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains("°F"), "{}", ran.stdout);
    }
    write(&machine, &format!("{settings}# and more\n"));
    assert_eq!(machine.run(&["run", RAIN]).code, Some(4));
    let mut terminal = Terminal::run(machine.command(&["run", RAIN]), 200, 50);
    terminal.expect("has changed since you accepted it");
    terminal.keys("n\r");
    assert_eq!(terminal.end().code(), Some(3));
    // The old content is still the accepted one, and a copy elsewhere is not.
    write(&machine, &settings);
    assert_eq!(machine.run(&["run", RAIN]).code, Some(0));
    fs::create_dir(machine.path("other")).expect("is made");
    fs::write(machine.path("other/footlight.toml"), &settings).expect("is written");
    let mut command = machine.command(&["run", RAIN]);
    command.current_dir(machine.path("other"));
    let copy = ended(command.output().expect("the binary is built"));
    assert_eq!(copy.code, Some(4), "{}", copy.stderr);
}

#[test]
fn a_script_is_accepted_with_its_content() {
    let machine = Machine::new();
    let weather = plugin("weather");
    let script = |text: &str| {
        let steps = format!("steps: [{{ text: {text} }}]");
        fs::write(machine.path("work/s.yaml"), steps).expect("is written");
    };
    write(&machine, "model = \"script:s.yaml\"\n");
    script("first");
    let mut terminal = Terminal::run(machine.command(&["run", &weather, "x"]), 200, 50);
    terminal.expect("[y/N]");
    terminal.keys("y\r");
    terminal.expect("first");
    assert!(terminal.end().success());
    assert_eq!(machine.run(&["run", &weather, "x"]).stdout, "first\n");
    script("second");
    for words in [
        vec!["run", &weather, "x"],
        vec!["sessions", "resume", "last", "x"],
    ] {
        let refused = machine.run(&words);
        assert_eq!(refused.code, Some(4), "{words:?}: {}", refused.stderr);
    }
}

#[test]
fn no_request_reaches_a_port_that_only_the_project_names() {
    let machine = Machine::new();
    let weather = plugin("weather");
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback is there");
    listener.set_nonblocking(true).expect("is possible");
    let address = listener.local_addr().expect("has one");
    write(
        &machine,
        &format!("model = \"chat:m@http://{address}/v1\"\n"),
    );
    for (flag, code) in [("--no-input", 4), ("--no-project", 0)] {
        let mut command = machine.command(&["run", &weather, RAIN, flag]);
        command.env("FOOTLIGHT_MODEL_KEY", "sk-secret");
        let ran = ended(command.output().expect("the binary is built"));
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        assert!(listener.accept().is_err(), "{flag}: it was reached");
    }
    // It is where a request would go.
    let words = ["run", &weather, RAIN, "--trust-project", "--no-input"];
    let mut trusting = machine
        .command(&words)
        .spawn()
        .expect("the binary is built");
    let since = Instant::now();
    while listener.accept().is_err() {
        assert!(since.elapsed() < TIMEOUT, "nothing came");
        std::thread::sleep(Duration::from_millis(20));
    }
    trusting.kill().expect("is ours");
    trusting.wait().expect("is ours");
}

#[test]
fn the_search_ends_at_the_root_of_the_project() {
    let machine = Machine::new();
    let weather = plugin("weather");
    for folder in ["work/repo/.git", "work/repo/deep/er", "work/loose/deep"] {
        fs::create_dir_all(machine.path(folder)).expect("is made");
    }
    let run = |folder: &str| {
        let mut command = machine.command(&["run", &weather, RAIN]);
        command.current_dir(machine.path(folder));
        ended(command.output().expect("the binary is built"))
    };
    // A file that cannot be parsed shows that it was read.
    write(&machine, "wrong\n");
    for folder in [
        "work/repo",
        "work/repo/deep/er",
        "work/loose/deep",
        "work/loose",
    ] {
        let ran = run(folder);
        assert_eq!(ran.code, Some(0), "{folder}: {}", ran.stderr);
    }
    assert_eq!(run("work").code, Some(1), "its own folder");
    fs::write(machine.path("work/repo/footlight.toml"), "wrong\n").expect("is written");
    for folder in ["work/repo", "work/repo/deep/er"] {
        assert_eq!(run(folder).code, Some(1), "{folder}");
    }
}

#[test]
fn a_file_that_others_can_change_is_ignored() {
    let machine = Machine::new();
    let weather = plugin("weather");
    let path = machine.path("work/footlight.toml");
    let run = || machine.run(&["run", &weather, RAIN]);
    write(&machine, "wrong\n");
    assert_eq!(run().code, Some(1));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).expect("is set");
    let ran = run();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("can be changed by every user"),
        "{}",
        ran.stderr
    );
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("is set");
    // The person's own file is not ignored: it may hold the rules they rely on.
    let own = machine.path("config/footlight.toml");
    fs::write(&own, "").expect("is written");
    fs::set_permissions(&own, fs::Permissions::from_mode(0o666)).expect("is set");
    let refused = machine.run(&["call", &weather, "forecast", "city=Oslo"]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    fs::remove_file(&own).expect("is removed");

    if is_root() {
        chown(&path, Some(12_345), None).expect("is root");
        let ran = run();
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("belongs to another user"),
            "{}",
            ran.stderr
        );
    }
}
