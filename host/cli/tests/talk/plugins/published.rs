//! What `footlight publish` leaves alone in a registry.

use super::author::{Author, NET, greeter, mail};
use super::login::log_in;
use super::registry::Registry;
use crate::machine::Machine;

#[test]
fn a_version_is_not_written_over_and_a_pre_release_is_not_the_latest() {
    for registry in [Registry::start(), Registry::with_login()] {
        let Some(registry) = registry else {
            return;
        };
        let machine = Machine::new();
        log_in(&machine, &format!("127.0.0.1:{}", registry.port));
        let ada = Author::new(&machine, "ada");
        let reference = registry.reference("acme/mail");
        let publish = |manifest: &str, more: &[&str]| {
            let manifest = machine.file("published.toml", manifest);
            let component = greeter(&machine);
            let words = ["publish", &component, &reference, "--manifest", &manifest];
            machine.run(&[&words[..], &["--key", &ada.key], more].concat())
        };
        let first = publish(&mail("1.0.0", ""), &[]);
        assert_eq!(first.code, Some(0), "{}", first.stderr);
        let same = publish(&mail("1.0.0", ""), &[]);
        assert_eq!(same.code, Some(0), "the same bytes: {}", same.stderr);
        let other = publish(&mail("1.0.0", NET), &[]);
        assert_eq!(other.code, Some(3), "{}", other.stderr);
        let expected = format!("`{reference}:1.0.0` is published with other bytes");
        assert!(other.stderr.contains(&expected), "{}", other.stderr);
        let replaced = publish(&mail("1.0.0", NET), &["--replace"]);
        assert_eq!(replaced.code, Some(0), "{}", replaced.stderr);
        let beta = publish(&mail("2.0.0-beta.1", ""), &[]);
        assert_eq!(beta.code, Some(0), "{}", beta.stderr);
        assert!(!beta.stdout.contains("latest"), "{}", beta.stdout);
        let words = ["plugins", "add", &reference, "--yes", "--key", &ada.public];
        let added = machine.run(&words);
        assert!(
            added.stdout.contains("mail 1.0.0"),
            "{}{}",
            added.stdout,
            added.stderr
        );
    }
}
