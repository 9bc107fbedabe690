//! Every flag that grants a power, for every way in which it can name something or nothing.

use crate::machine::{Ended, Machine};

/// What a flag names in the manifests of the plugins `one` and `two`.
struct Flag {
    name: &'static str,
    /// Something that only `one` declares, in its shortest form.
    declared: &'static str,
    /// Other ways to write the same.
    same: &'static [&'static str],
    /// Something that both declare.
    shared: &'static str,
    /// Something that neither does.
    undeclared: &'static str,
    /// A mistake in what `one` declares.
    misspelt: &'static str,
    /// What the flag has behind the name, and what else it can have there.
    value: &'static str,
    other_value: &'static str,
    noun: &'static str,
}

const FLAGS: [Flag; 3] = [
    Flag {
        name: "--dir",
        declared: "/data",
        same: &["/data", "one./data"],
        shared: "/both",
        undeclared: "/elsewhere",
        misspelt: "/dta",
        value: "=docs",
        other_value: "=notes:ro",
        noun: "folder",
    },
    Flag {
        name: "--allow-net",
        declared: "api.example.com",
        same: &[
            "api.example.com",
            "api.example.com:443",
            "one.api.example.com",
            "one.api.example.com:443",
        ],
        shared: "both.example.com",
        undeclared: "elsewhere.example.org",
        misspelt: "apo.example.com",
        value: "",
        other_value: "",
        noun: "host",
    },
    Flag {
        name: "--secret",
        declared: "token",
        same: &["token", "one.token"],
        shared: "shared",
        undeclared: "elsewhere",
        misspelt: "tokne",
        value: "=@value.txt",
        other_value: "=@other.txt",
        noun: "secret",
    },
];

const SHARED: &str = "[[fs]]\npath = \"/both\"\nmode = \"ro\"\noptional = true\n[[net]]\nhost = \"both.example.com\"\n[[secret]]\nname = \"shared\"\nhost = \"both.example.com\"\nheader = \"x-key\"\n";
const OWN: &str = "[[fs]]\npath = \"/data\"\nmode = \"rw\"\noptional = true\n[[net]]\nhost = \"api.example.com\"\n[[secret]]\nname = \"token\"\nhost = \"api.example.com\"\nheader = \"authorization\"\n";

/// A machine with the two plugins, and one that declares nothing.
struct Plugins {
    machine: Machine,
    one: String,
    two: String,
    none: String,
}

impl Plugins {
    fn new() -> Self {
        let machine = Machine::new();
        let one = machine.asking_for("hello", "one", &format!("{OWN}{SHARED}"));
        let two = machine.asking_for("hello", "two", SHARED);
        let none = machine.asking_for("hello", "none", "");
        machine.folder("docs");
        machine.folder("notes");
        machine.file("value.txt", "a-value");
        machine.file("other.txt", "b-value");
        Self {
            machine,
            one,
            two,
            none,
        }
    }

    /// Greets with `one` while both are loaded.
    fn run(&self, flags: &[String]) -> Ended {
        let words = ["run", &self.one, &self.two, "/one.greet name=Ada"];
        let mut words = words.to_vec();
        // A plugin that holds a secret needs approval for its calls.
        words.extend(flags.iter().map(String::as_str));
        if flags.iter().any(|flag| flag == "--secret") {
            words.extend(["--allow", "one.greet"]);
        }
        self.machine.run(&words)
    }
}

fn flag(flag: &Flag, name: &str, value: &str) -> [String; 2] {
    [flag.name.to_owned(), format!("{name}{value}")]
}

fn assert_refused(refused: &Ended, words: &[String], said: &str) {
    assert_eq!(refused.code, Some(2), "{words:?}: {}", refused.stderr);
    assert!(
        refused.stderr.contains(said),
        "{words:?}: {}",
        refused.stderr
    );
    assert_eq!(refused.stdout, "", "{words:?}: nothing runs");
    for word in words {
        let name = word.split('=').next().unwrap_or_default();
        assert!(
            refused.stderr.contains(name),
            "{words:?}: {}",
            refused.stderr
        );
    }
}

#[test]
fn a_flag_that_a_plugin_declares_is_used_however_it_is_written() {
    let plugins = Plugins::new();
    for each in &FLAGS {
        for name in each.same {
            let words = flag(each, name, each.value);
            let ran = plugins.run(&words);
            assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
        }
    }
}

#[test]
fn a_flag_that_no_loaded_plugin_declares_is_an_error() {
    let plugins = Plugins::new();
    for each in &FLAGS {
        let none = format!("no loaded plugin asks for this {}", each.noun);
        for name in [
            each.undeclared.to_owned(),
            format!("one.{}", each.undeclared),
            // What another plugin declares.
            format!("two.{}", each.declared),
            format!("three.{}", each.declared),
        ] {
            let words = flag(each, &name, each.value);
            assert_refused(&plugins.run(&words), &words, &none);
        }
        let words = flag(each, each.misspelt, each.value);
        let meant = format!("did you mean `{}`?", each.declared);
        assert_refused(&plugins.run(&words), &words, &meant);
        let words = flag(each, each.shared, each.value);
        let both = format!("write one of `one.{0}`, `two.{0}`", each.shared);
        assert_refused(&plugins.run(&words), &words, &both);
        // A good flag beside it does not help.
        let words = [
            flag(each, each.declared, each.value),
            flag(each, each.undeclared, each.value),
        ];
        let words = words.concat();
        let refused = plugins.run(&words);
        assert_eq!(refused.code, Some(2), "{words:?}: {}", refused.stderr);
        // Where nothing is declared at all, nothing can be listed.
        let words = flag(each, each.declared, each.value);
        let mut call = vec!["call", &plugins.none, "name=Ada"];
        call.extend(words.iter().map(String::as_str));
        let none = format!("no loaded plugin asks for a {}; leave it out", each.noun);
        assert_refused(&plugins.machine.run(&call), &words, &none);
    }
}

#[test]
fn a_flag_that_says_what_another_one_says_is_an_error() {
    let plugins = Plugins::new();
    for each in &FLAGS {
        for first in each.same {
            for second in each.same {
                for value in [each.value, each.other_value] {
                    let second = flag(each, second, value);
                    let words = [flag(each, first, each.value), second].concat();
                    let refused = plugins.run(&words);
                    assert_refused(&refused, &words[3..], "is given twice; keep one");
                }
            }
        }
        // What two plugins declare is granted to each of them.
        let words =
            ["one", "two"].map(|id| flag(each, &format!("{id}.{}", each.shared), each.value));
        let ran = plugins.run(&words.concat());
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
    }
}
