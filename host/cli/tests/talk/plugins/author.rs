//! Somebody who publishes plugins, with a key of their own.

use crate::machine::{Machine, disguised, ended, json_of, plugin};
use std::fs;
use std::path::Path;

/// The powers of a manifest that asks for one host.
pub(crate) const NET: &str = "[[net]]\nhost = \"api.example.com\"\n";

pub(crate) struct Author {
    /// The file with the secret key.
    pub(crate) key: String,
    /// The file with the public key.
    pub(crate) public_file: String,
    /// The public key.
    pub(crate) public: String,
    /// Its id.
    pub(crate) id: String,
}

/// The manifest of a plugin `mail`.
pub(crate) fn mail(version: &str, powers: &str) -> String {
    format!(
        "[plugin]\nid = \"mail\"\nversion = \"{version}\"\napi = \"0.1\"\ndescription = \"Says hello\"\n{powers}"
    )
}

impl Author {
    pub(crate) fn new(machine: &Machine, name: &str) -> Self {
        let key = machine.path("work").join(format!("{name}.key"));
        let key = key.to_str().expect("is text").to_owned();
        let mut command = machine.command(&["publish", "--new-key", &key, "--json"]);
        let made = ended(
            command
                .env("FOOTLIGHT_KEY_PASSWORD", "")
                .output()
                .expect("runs"),
        );
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        let made = json_of(made.stdout.trim_end());
        let word = |name: &str| made[name].as_str().expect("is text").to_owned();
        Self {
            public_file: word("publicPath"),
            public: word("publicKey"),
            id: word("id"),
            key,
        }
    }

    /// Writes a component that greets, with this manifest, and its signature beside it. Returns its path.
    pub(crate) fn write(&self, machine: &Machine, manifest: &str, name: &str) -> String {
        let output = machine.path("work").join(name);
        let output = output.to_str().expect("is text").to_owned();
        let component = greeter(machine);
        let manifest = machine.file("published.toml", manifest);
        let written = machine.run(&[
            "publish",
            &component,
            "-o",
            &output,
            "--manifest",
            &manifest,
            "--key",
            &self.key,
        ]);
        assert_eq!(written.code, Some(0), "{}", written.stderr);
        output
    }

    /// Pushes such a component.
    pub(crate) fn publish(&self, machine: &Machine, manifest: &str, reference: &str) {
        let component = greeter(machine);
        let manifest = machine.file("published.toml", manifest);
        let words = [
            "publish",
            &component,
            reference,
            "--manifest",
            &manifest,
            "--key",
            &self.key,
        ];
        let published = machine.run(&words);
        assert_eq!(published.code, Some(0), "{}", published.stderr);
        assert!(published.stdout.contains(reference), "{}", published.stdout);
    }
}

/// A component that greets, without a manifest.
pub(super) fn greeter(machine: &Machine) -> String {
    let path = machine.path("work").join("greeter.wasm");
    if !Path::new(&path).exists() {
        let bytes = disguised(&plugin("hello"), "footlight:manifest", "footlight:xanifest");
        fs::write(&path, bytes).expect("is written");
    }
    path.to_str().expect("is text").to_owned()
}
