//! `footlight dev` for plugins in Python and JavaScript. One test has a program in the place of the tool.

use super::{Working, gone, save, started};
use crate::machine::{Machine, disguised, plugin};
use crate::programs;
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// Creates a plugin in Python whose tool makes the component of `hello`, fails or never ends, as `plugin.py` says.
fn snake(machine: &Machine) -> PathBuf {
    let folder = machine.path("work/snake");
    let tool = folder.join(".venv/bin/componentize-py");
    fs::create_dir_all(tool.parent().expect("a folder")).expect("is made");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = root.join("plugins/hello/plugin.toml");
    fs::copy(manifest, folder.join("plugin.toml")).expect("is copied");
    save(&folder.join("plugin.py"), "fine");
    let bare = machine.path("bare.wasm");
    let component = disguised(&plugin("hello"), "footlight:manifest", "footlight:xanifest");
    fs::write(&bare, component).expect("is written");
    let script = format!(
        "#!/bin/sh\nfor out; do :; done\necho run >> '{runs}'\n\
         if grep -q broken plugin.py; then echo 'on stdout'; echo 'on stderr' >&2; exit 1; fi\n\
         if grep -q endless plugin.py; then sleep 600 & echo $$ $! >> '{running}'; wait; fi\n\
         if grep -q busy plugin.py; then sleep 0.1; echo saved > plugin.py; fi\ncp '{bare}' \"$out\"\n",
        runs = machine.path("runs").display(),
        running = machine.path("running").display(),
        bare = bare.display(),
    );
    fs::write(&tool, script).expect("is written");
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).expect("is set");
    folder
}

#[test]
fn a_plugin_in_python_is_built_by_its_tool_on_each_save_and_not_without_one() {
    let machine = Machine::new();
    fs::create_dir(machine.path("work/.git")).expect("is made");
    let folder = snake(&machine);
    let runs = || {
        let runs = fs::read_to_string(machine.path("runs")).unwrap_or_default();
        runs.lines().count()
    };
    let working = Working::start(&machine, &folder, &[], &[]);
    assert_eq!(working.until("loaded")["plugin"], "hello");
    save(&folder.join("plugin.py"), "broken");
    let failed = working.until("build_failed")["output"].to_string();
    assert!(
        failed.contains("on stdout") && failed.contains("on stderr"),
        "{failed}"
    );
    save(&folder.join("plugin.py"), "fine");
    working.until("loaded");
    let manifest = fs::read_to_string(folder.join("plugin.toml")).expect("is there");
    save(&folder.join("plugin.toml"), "");
    let failed = working.until("build_failed")["output"].to_string();
    assert!(failed.contains("plugin.toml"), "{failed}");
    save(&folder.join("plugin.toml"), &manifest);
    working.until("loaded");
    save(&folder.join("plugin.py"), "endless");
    let first = started(&machine.path("running"), 1);
    save(&folder.join("plugin.py"), "fine again");
    working.until("loaded");
    gone(&first);
    working.end();

    let before = runs();
    let working = Working::start(&machine, &folder, &[], &[]);
    working.until("loaded");
    assert_eq!(runs(), before, "the component is newer than its source");
    working.end();
    let left = fs::read_dir(folder.join("build"))
        .expect("is there")
        .count();
    assert_eq!(left, 1, "a build that was ended leaves nothing");

    // What is saved while the tool runs is not in the component.
    save(&folder.join("plugin.py"), "busy");
    let path = folder.to_str().expect("is text");
    let built = machine.run(&["build", path]);
    assert_eq!(
        (built.code, runs()),
        (Some(0), before + 1),
        "{}",
        built.stderr
    );
    machine.run(&["build", path]);
    machine.run(&["build", path]);
    assert_eq!(runs(), before + 2);
}

#[test]
fn a_plugin_in_python_is_called_and_its_error_is_shown() {
    let remedy = "`pip install componentize-py==0.25.1`";
    if programs::program("componentize-py", remedy).is_some() {
        other_language("python", "plugin.py", "SyntaxError");
    }
}

#[test]
fn a_plugin_in_javascript_is_called_and_its_error_is_shown() {
    let remedy = "`npm install @bytecodealliance/componentize-js@0.23.0`";
    if programs::program("componentize-js", remedy).is_some() {
        other_language("js", "plugin.js", "plugin.js");
    }
}

fn other_language(language: &str, source: &str, error: &str) {
    let machine = Machine::new();
    fs::create_dir(machine.path("work/.git")).expect("is made");
    let made = machine.run(&["new", "demo", "--lang", language]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let folder = machine.path("work/demo");
    let working = Working::start(&machine, &folder, &[], &[]);
    assert_eq!(working.until("loaded")["plugin"], "demo");
    let call = json!({ "tool": "greet", "input": { "name": "Ada" } });
    working.own("POST", "/api/dev/calls", &call);
    let called = working.until("called");
    assert!(
        called["model"].to_string().contains("Hello, Ada!"),
        "{called}"
    );
    // Only one build is loaded: the host compiles the engine of the language for half a minute.
    save(&folder.join(source), "this is no program (");
    let failed = working.until("build_failed")["output"].to_string();
    assert!(failed.contains(error), "{failed}");
    working.end();
}
