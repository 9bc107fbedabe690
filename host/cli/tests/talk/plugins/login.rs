//! Logins for registries: found where `docker login` keeps them, and sent to nobody else.

use super::assert_nothing_installed;
use super::author::{Author, mail};
use super::fake::{Answer, Artifact, FakeServer};
use super::registry::Registry;
use crate::machine::{Ended, Machine, ended};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::json;
use std::fs;

/// Writes the login of Ada for a registry.
pub(super) fn log_in(machine: &Machine, host: &str) {
    let folder = machine.path("docker");
    fs::create_dir_all(&folder).expect("is made");
    let auth = BASE64_STANDARD.encode("ada:opensesame");
    let config = json!({ "auths": { host: { "auth": auth } } });
    fs::write(folder.join("config.json"), config.to_string()).expect("is written");
}

fn run(machine: &Machine, words: &[&str]) -> Ended {
    let mut command = machine.command(words);
    let command = command.env("DOCKER_CONFIG", machine.path("docker"));
    ended(command.output().expect("runs"))
}

#[test]
fn a_registry_with_a_login_is_used_with_the_one_that_docker_keeps() {
    let Some(registry) = Registry::with_login() else {
        return;
    };
    let machine = Machine::new();
    let ada = Author::new(&machine, "ada");
    let reference = registry.reference("acme/mail:1");
    let path = ada.write(&machine, &mail("1.0.0", ""), "mail.wasm");
    let publish = ["publish", &path, &reference, "--key", &ada.key];
    let add = ["plugins", "add", &reference, "--yes", "--key", &ada.public];
    for words in [&publish[..], &add] {
        let refused = run(&machine, words);
        assert_eq!(refused.code, Some(1), "{words:?}: {}", refused.stderr);
        assert!(
            refused.stderr.contains("docker login"),
            "{words:?}: {}",
            refused.stderr
        );
    }
    assert_nothing_installed(&machine);
    log_in(&machine, &format!("127.0.0.1:{}", registry.port));
    for words in [&publish[..], &add] {
        let done = run(&machine, words);
        assert_eq!(done.code, Some(0), "{words:?}: {}", done.stderr);
        let said = format!("{}{}", done.stdout, done.stderr);
        assert!(
            !said.contains("opensesame") && !said.contains("YWRh"),
            "{said}"
        );
    }
}

#[test]
fn a_login_is_sent_to_its_own_registry_and_only_when_that_asks() {
    let machine = Machine::new();
    let ada = Author::new(&machine, "ada");
    let path = ada.write(&machine, &mail("1.0.0", ""), "mail.wasm");
    let (server, elsewhere) = (FakeServer::start(), FakeServer::start());
    log_in(&machine, &format!("127.0.0.1:{}", server.port));
    let artifact = Artifact::of(&path);
    let reference = artifact.serve(&server);
    let add = |reference: &str| {
        run(
            &machine,
            &["plugins", "add", reference, "--yes", "--key", &ada.public],
        )
    };
    let manifest = "/v2/acme/mail/manifests/1";
    let challenge = |value: &str| Answer::status(401).with("www-authenticate", value);

    // Servers for tokens that are somebody else's.
    for realm in [
        elsewhere.url("/token"),
        "https://evil.example/token".to_owned(),
    ] {
        let value = format!("Bearer realm=\"{realm}\",service=\"x\"");
        server.set(manifest, challenge(&value));
        let refused = add(&reference);
        assert_eq!(refused.code, Some(1), "{}", refused.stderr);
        assert!(
            refused.stderr.contains("which is not allowed"),
            "{}",
            refused.stderr
        );
    }
    // A registry of another name, which the login is not for.
    let other = format!("127.0.0.1:{}/acme/mail:1", elsewhere.port);
    elsewhere.set(manifest, challenge("Basic realm=\"x\""));
    assert_eq!(add(&other).code, Some(1));
    let logins = |server: &FakeServer| -> Vec<String> {
        let requests = server.requests().into_iter();
        requests.filter_map(|(_, login)| login).collect()
    };
    assert_eq!(logins(&elsewhere), [""; 0]);
    assert_eq!(
        logins(&server),
        [""; 0],
        "it never asked for the login itself"
    );
    assert_nothing_installed(&machine);

    // Its own server for tokens gets the login, and the registry the token.
    let value = format!(
        "Bearer realm=\"{}\",service=\"x\",scope=\"s\"",
        server.url("/token")
    );
    server.set(manifest, challenge(&value));
    server.set("/token", Answer::ok(b"{\"token\":\"t0k3n\"}"));
    assert_eq!(
        add(&reference).code,
        Some(1),
        "the token does not help here"
    );
    let login = format!("Basic {}", BASE64_STANDARD.encode("ada:opensesame"));
    assert_eq!(logins(&server), [login, "Bearer t0k3n".to_owned()]);
    let (path, _) = &server.requests()[server.requests().len() - 2];
    assert_eq!(path, "/token?service=x&scope=s");
}
