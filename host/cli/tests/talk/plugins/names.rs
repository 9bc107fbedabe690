//! A bare word is the installed plugin, whatever the current folder contains.

use super::author::{Author, mail};
use super::fake::{Answer, FakeServer};
use crate::machine::{Machine, plugin};
use std::fs;

fn install(machine: &Machine) {
    let ada = Author::new(machine, "ada");
    let path = ada.write(machine, &mail("1.0.0", ""), "published.wasm");
    let words = ["plugins", "add", &path, "--yes", "--key", &ada.public];
    let added = machine.run(&words);
    assert_eq!(added.code, Some(0), "{}", added.stderr);
}

/// Creates a crate whose build leaves a file behind.
fn stranger(machine: &Machine, name: &str) {
    let folder = machine.folder(&format!("{name}/src"));
    fs::write(format!("{folder}/lib.rs"), "").expect("is written");
    let root = machine.path("work").join(name);
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nbuild = \"build.rs\"\n[workspace]\n"
    );
    fs::write(root.join("Cargo.toml"), manifest).expect("is written");
    let script = "fn main() { std::fs::write(\"BUILT\", \"\").unwrap(); }";
    fs::write(root.join("build.rs"), script).expect("is written");
}

#[test]
fn a_folder_in_a_strangers_project_does_not_pass_for_an_installed_plugin() {
    let machine = Machine::new();
    install(&machine);
    stranger(&machine, "mail");
    // The project is the person's own as far as building is concerned.
    fs::create_dir(machine.path("work/.git")).expect("is made");
    for words in [
        vec!["call", "mail", "name=Ada"],
        vec!["run", "mail", "/greet name=Ada"],
    ] {
        let ran = machine.run(&words);
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
        assert!(ran.stdout.contains("Ada"), "{words:?}: {}", ran.stdout);
        for said in ["`mail` is the installed plugin", "write `./mail`"] {
            assert!(ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
        }
    }
    assert!(!machine.path("work/mail/BUILT").exists());
    // A session goes on with the installed plugin, or not at all.
    assert_eq!(machine.run(&["plugins", "remove", "mail"]).code, Some(0));
    let resumed = machine.run(&["sessions", "resume", "last", "/greet name=Eve"]);
    assert_eq!(resumed.code, Some(1), "{}", resumed.stderr);
    assert!(
        resumed.stderr.contains("there is no plugin `mail`"),
        "{}",
        resumed.stderr
    );
    assert!(!machine.path("work/mail/BUILT").exists());
    // The folder itself is used by its path.
    let path = machine.run(&["call", "./mail", "name=Ada"]);
    assert_ne!(path.code, Some(0), "it builds no component");
    assert!(machine.path("work/mail/BUILT").exists(), "{}", path.stderr);
}

#[test]
fn a_name_that_is_not_installed_says_which_is_meant_and_how_to_install_one() {
    let machine = Machine::new();
    install(&machine);
    for words in [
        vec!["call", "mial", "name=Ada"],
        vec!["run", "mial", "hello"],
        vec!["inspect", "mial"],
        vec!["plugins", "remove", "mial"],
        vec!["plugins", "update", "mial"],
    ] {
        let unknown = machine.run(&words);
        assert!(
            matches!(unknown.code, Some(1 | 2)),
            "{words:?}: {}",
            unknown.stderr
        );
        assert!(
            unknown.stderr.contains("did you mean `mail`?"),
            "{words:?}: {}",
            unknown.stderr
        );
    }
    let alone = machine.run(&["run", "mail"]);
    assert_eq!(alone.code, Some(2), "{}", alone.stderr);
    assert!(alone.stderr.contains("missing prompt"), "{}", alone.stderr);
    for source in [
        "mail",
        "acme/mail",
        "./nowhere.wasm",
        "ftp://a.example/x.wasm",
        ".",
    ] {
        let refused = machine.run(&["plugins", "add", source]);
        assert_ne!(refused.code, Some(0), "{source}: {}", refused.stderr);
    }
}

#[test]
fn footlight_toml_names_installed_plugins_and_installs_none() {
    let machine = Machine::new();
    install(&machine);
    let own = machine.path("config/footlight.toml");
    fs::write(&own, "plugins = [\"mail\"]\n").expect("is written");
    let ran = machine.run(&["run", "/greet name=Ada"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("Ada"), "{}", ran.stdout);
    fs::remove_file(&own).expect("is there");

    // A project can name one that is installed, if the person accepts that.
    let project = machine.path("work/footlight.toml");
    fs::write(&project, "plugins = [\"mail\"]\n").expect("is written");
    let asked = machine.run(&["run", "/greet name=Ada"]);
    assert_eq!(asked.code, Some(4), "{}", asked.stderr);
    assert!(
        asked.stderr.contains("load the installed plugin `mail`"),
        "{}",
        asked.stderr
    );
    let ran = machine.run(&["run", "/greet name=Ada", "--trust-project"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);

    // A project's lock file means nothing, and nothing that it names is fetched.
    let server = FakeServer::start();
    server.set(
        "/x.wasm",
        Answer::ok(&fs::read(plugin("hello")).expect("is built")),
    );
    let lock = fs::read_to_string(machine.path("data/plugins/footlight.lock")).expect("is there");
    let foreign = lock.replace("name = \"mail\"", "name = \"todo\"");
    fs::write(machine.path("work/footlight.lock"), foreign).expect("is written");
    let (url, reference) = (
        server.url("/x.wasm"),
        format!("127.0.0.1:{}/a/todo:1", server.port),
    );
    for named in ["todo", &url, &reference] {
        fs::write(&project, format!("plugins = [\"{named}\"]\n")).expect("is written");
        let refused = machine.run(&["run", "/greet name=Ada", "--trust-project"]);
        assert_eq!(refused.code, Some(1), "{named}: {}", refused.stderr);
    }
    assert!(server.requests().is_empty(), "nothing was fetched");
    let listed = machine.run(&["plugins", "list", "--json"]).lines().len();
    assert_eq!(listed, 1);
}
