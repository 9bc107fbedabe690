//! A fresh data folder, and the binary that runs with it.

use crate::shared::{folder, prepared, target};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

pub(crate) use crate::shared::{Ended, ended, json as json_of};

impl Ended {
    /// What `--json` wrote.
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.stdout.lines().map(json_of).collect()
    }
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace is there")
}

/// A plugin of the workspace, built once.
pub(crate) fn plugin(name: &str) -> String {
    built(&format!("plugins/{name}"))
}

/// The component of a crate folder, built once.
fn built(folder: &str) -> String {
    static BUILT: Mutex<Option<HashMap<String, String>>> = Mutex::new(None);
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let built = built.get_or_insert_default();
    let path = built.entry(folder.to_owned()).or_insert_with(|| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_footlight"));
        command
            .args(["build", "--json", "--yes"])
            .arg(root().join(folder))
            .env("CARGO_TARGET_DIR", target())
            .current_dir(root());
        let built = ended(command.output().expect("the binary is built"));
        assert_eq!(built.code, Some(0), "{}", built.stderr);
        let path = json_of(&built.stdout)["path"].clone();
        path.as_str().expect("a path").to_owned()
    });
    path.clone()
}

/// Replaces a text in a component by one of the same length.
#[cfg(unix)]
pub(crate) fn disguised(component: &str, old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let mut bytes = fs::read(component).expect("is built");
    let places: Vec<usize> = (0..bytes.len() - old.len())
        .filter(|at| bytes[*at..].starts_with(old.as_bytes()))
        .collect();
    assert!(!places.is_empty(), "`{old}` is in the component");
    for at in places {
        bytes[at..at + new.len()].copy_from_slice(new.as_bytes());
    }
    bytes
}

/// A machine on which nothing was done yet.
pub(crate) struct Machine {
    home: tempfile::TempDir,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let home = folder();
        for folder in ["config", "work"] {
            fs::create_dir(home.path().join(folder)).expect("is made");
        }
        Self { home }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let footlight = env!("CARGO_BIN_EXE_footlight");
        let mut command = prepared(footlight, &self.path("work"), self.home.path());
        command
            .args(words)
            // What a test builds is its own, whatever its name.
            .env_remove("CARGO_TARGET_DIR")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .env("FOOTLIGHT_DATA_DIR", self.path("data"))
            .env("FOOTLIGHT_CONFIG_DIR", self.path("config"))
            .env("DOCKER_CONFIG", self.path("docker"))
            .env("USER", "ada");
        for (name, _) in std::env::vars().filter(|(name, _)| name.ends_with("_API_KEY")) {
            command.env_remove(name);
        }
        // What somebody's own terminal is like says nothing here.
        for name in [
            "NO_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "COLORTERM",
            "COLORFGBG",
            "PAGER",
            "LC_ALL",
            "LC_CTYPE",
            "LANG",
        ] {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ended {
        ended(self.command(words).output().expect("the binary is built"))
    }

    /// The same with something to read on stdin.
    pub(crate) fn fed(&self, words: &[&str], text: &str) -> Ended {
        let mut command = self.command(words);
        let mut run = command
            .stdin(Stdio::piped())
            .spawn()
            .expect("the binary is built");
        let mut stdin = run.stdin.take().expect("is piped");
        stdin.write_all(text.as_bytes()).expect("is read");
        drop(stdin);
        ended(run.wait_with_output().expect("it ends"))
    }

    /// A file to work on, which nobody else can read: it may have a secret.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.path("work").join(name);
        fs::write(&path, text).expect("is written");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("is set");
        }
        path.to_str().expect("is text").to_owned()
    }

    /// A folder to work in.
    #[cfg(unix)]
    pub(crate) fn folder(&self, name: &str) -> String {
        let path = self.path("work").join(name);
        fs::create_dir_all(&path).expect("is made");
        path.to_str().expect("is text").to_owned()
    }

    /// A component that does what another one does, under another id and with a manifest that asks for
    /// these powers.
    #[cfg(unix)]
    pub(crate) fn asking_for(&self, plugin_name: &str, id: &str, powers: &str) -> String {
        // Its own manifest is where none can be replaced.
        let without = disguised(
            &plugin(plugin_name),
            "footlight:manifest",
            "footlight:xanifest",
        );
        self.packed(&without, id, powers)
    }

    /// The plugin that sends the requests it is told to, with a manifest that asks for these powers.
    #[cfg(unix)]
    pub(crate) fn sending(&self, id: &str, powers: &str) -> String {
        let component = fs::read(built("tests/net-guest")).expect("is built");
        self.packed(&component, id, powers)
    }

    /// A component with this manifest, in a file.
    #[cfg(unix)]
    fn packed(&self, component: &[u8], id: &str, powers: &str) -> String {
        let head = "version = \"0.1.0\"\napi = \"0.1\"\ndescription = \"A test\"\n";
        let manifest = format!("[plugin]\nid = \"{id}\"\n{head}{powers}");
        let manifest = self.file(&format!("{id}.toml"), &manifest);
        let path = self.path("work").join(format!("{id}.wasm"));
        fs::write(&path, component).expect("is written");
        let path = path.to_str().expect("is text").to_owned();
        let packed = self.run(&["pack", &path, "--manifest", &manifest]);
        assert_eq!(packed.code, Some(0), "{}", packed.stderr);
        path
    }

    /// A script for a model.
    pub(crate) fn script(&self, text: &str) -> String {
        format!("script:{}", self.file("script.yaml", text))
    }

    /// The only thing that waits, once something does.
    pub(crate) fn waiting(&self, run: &mut Child) -> String {
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

/// What Ctrl-C sends; says whether there was somebody to hear of it.
#[cfg(unix)]
pub(crate) fn interrupt(id: u32) -> bool {
    let mut kill = Command::new("kill");
    kill.args(["-INT", &id.to_string()]).stderr(Stdio::null());
    kill.status().expect("kill runs").success()
}

/// Whether the tests run as the administrator, who alone can give files to another user.
#[cfg(unix)]
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
