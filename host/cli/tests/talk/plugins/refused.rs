//! Whatever was tampered with is refused, and nothing is written.

use super::assert_nothing_installed;
use super::author::{Author, NET, mail};
use super::fake::{Answer, Artifact, FakeServer, digest};
use super::registry::Registry;
use crate::machine::Machine;
use serde_json::json;
use std::fs;
use std::path::PathBuf;

/// Adds a plugin as somebody does who trusts the author, and asserts that it fails with this code.
fn assert_refused(machine: &Machine, what: &str, reference: &str, key: &str, code: i32) -> String {
    let words = ["plugins", "add", reference, "--yes", "--key", key];
    let refused = machine.run(&words);
    assert_eq!(refused.code, Some(code), "{what}: {}", refused.stderr);
    assert_nothing_installed(machine);
    refused.stderr
}

#[test]
fn a_flipped_byte_in_any_blob_of_a_registry_is_refused() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let machine = Machine::new();
    let ada = Author::new(&machine, "ada");
    let reference = registry.reference("acme/mail:1");
    ada.publish(&machine, &mail("1.0.0", ""), &reference);
    let blobs = registry.blobs();
    assert_eq!(blobs.len(), 3, "manifest, configuration and component");
    for blob in blobs {
        let good = fs::read(&blob).expect("is there");
        for place in [0, good.len() / 2, good.len() - 2] {
            let mut bad = good.clone();
            bad[place] ^= 1;
            fs::write(&blob, bad).expect("is written");
            let what = format!("byte {place} of {}", blob.display());
            assert_refused(&machine, &what, &reference, &ada.public, 1);
        }
        fs::write(&blob, &good[..good.len() - 1]).expect("is written");
        assert_refused(&machine, "truncated", &reference, &ada.public, 1);
        fs::write(&blob, good).expect("is written");
    }
    let words = ["plugins", "add", &reference, "--yes", "--key", &ada.public];
    assert_eq!(machine.run(&words).code, Some(0));
}

#[test]
fn a_registry_that_lies_in_any_answer_is_refused() {
    let machine = Machine::new();
    let ada = Author::new(&machine, "ada");
    let bob = Author::new(&machine, "bob");
    let path = ada.write(&machine, &mail("1.0.0", ""), "mail.wasm");
    let other = bob.write(&machine, &mail("1.0.0", NET), "other.wasm");
    let signature = |path: &str| fs::read_to_string(format!("{path}.minisig")).expect("is there");
    let manifest = "/v2/acme/mail/manifests/1";
    let elsewhere = FakeServer::start();
    type Change = Box<dyn Fn(&mut Artifact, &FakeServer) -> Option<(String, Answer)>>;
    let json_change = |pointer: &'static str, value: serde_json::Value| -> Change {
        Box::new(move |artifact, _| {
            *artifact.manifest.pointer_mut(pointer).expect("is there") = value.clone();
            None
        })
    };
    let annotation = "/annotations/footlight.minisig";
    let of_bob = signature(&other);
    let commented = signature(&path).replace("version:1.0.0", "version:9.0.0");
    assert_ne!(commented, signature(&path));
    let target = elsewhere.url("/x");
    let cases: Vec<(&str, Change)> = vec![
        (
            "no component",
            Box::new(|artifact, _| Some((artifact.blob(), Answer::status(404)))),
        ),
        (
            "another component",
            Box::new(move |artifact, _| {
                let bytes = fs::read(&other).expect("is there");
                Some((artifact.blob(), Answer::ok(&bytes)))
            }),
        ),
        (
            "a truncated component",
            Box::new(|artifact, _| {
                let half = &artifact.component[..artifact.component.len() / 2];
                Some((artifact.blob(), Answer::ok(half)))
            }),
        ),
        (
            "a component that ends too early",
            Box::new(|artifact, _| {
                let length = artifact.component.len().to_string();
                let half = &artifact.component[..artifact.component.len() / 2];
                Some((
                    artifact.blob(),
                    Answer::ok(half).with("content-length", &length),
                ))
            }),
        ),
        (
            "a component with more bytes",
            Box::new(|artifact, _| {
                let more = [&artifact.component[..], b"more"].concat();
                Some((artifact.blob(), Answer::ok(&more)))
            }),
        ),
        (
            "a size that is too large",
            json_change("/layers/0/size", json!(1_u64 << 40)),
        ),
        (
            "a size that is too small",
            json_change("/layers/0/size", json!(10)),
        ),
        (
            "another media type",
            json_change("/layers/0/mediaType", json!("application/octet-stream")),
        ),
        (
            "an image for containers",
            json_change(
                "/config/mediaType",
                json!("application/vnd.oci.image.config.v1+json"),
            ),
        ),
        (
            "a digest that is a path",
            json_change("/layers/0/digest", json!("sha256:../../../etc")),
        ),
        ("no layers", json_change("/layers", json!([]))),
        (
            "another key's signature",
            json_change(annotation, json!(of_bob)),
        ),
        (
            "a changed comment",
            json_change(annotation, json!(commented)),
        ),
        (
            "half a signature",
            json_change(annotation, json!(&signature(&path)[..120])),
        ),
        (
            "a long signature",
            json_change(annotation, json!("x".repeat(20_000))),
        ),
        ("no signature", json_change("/annotations", json!({}))),
        (
            "a long manifest",
            json_change("/annotations/other", json!("x".repeat(300_000))),
        ),
        (
            "a manifest of another type",
            Box::new(move |artifact, _| {
                let body = artifact.manifest.to_string();
                let answer = Answer::ok(body.as_bytes()).with("content-type", "application/json");
                Some((manifest.to_owned(), answer))
            }),
        ),
        (
            "a manifest of another digest",
            Box::new(move |artifact, _| {
                let body = artifact.manifest.to_string();
                let answer = Answer::ok(body.as_bytes())
                    .with("content-type", "application/vnd.oci.image.manifest.v1+json")
                    .with("docker-content-digest", &digest(b"x"));
                Some((manifest.to_owned(), answer))
            }),
        ),
        (
            "a manifest from elsewhere",
            Box::new({
                let target = target.clone();
                move |_, _| Some((manifest.to_owned(), Answer::redirect(&target)))
            }),
        ),
        (
            "a component from elsewhere",
            Box::new(move |artifact, _| Some((artifact.blob(), Answer::redirect(&target)))),
        ),
        (
            "redirects without an end",
            Box::new(|artifact, server| {
                let place = server.url(&artifact.blob());
                Some((artifact.blob(), Answer::redirect(&place)))
            }),
        ),
        (
            "an error",
            Box::new(move |_, _| Some((manifest.to_owned(), Answer::status(500)))),
        ),
    ];
    for (what, change) in cases {
        let server = FakeServer::start();
        let mut artifact = Artifact::of(&path);
        artifact.manifest["annotations"]["other"] = json!("");
        let answer = change(&mut artifact, &server);
        let reference = artifact.serve(&server);
        if let Some((path, answer)) = answer {
            server.set(&path, answer);
        }
        assert_refused(&machine, what, &reference, &ada.public, 1);
    }
    assert!(elsewhere.requests().is_empty(), "nobody asked there");
    // What was not changed is installed, also over a redirect to the same server.
    let server = FakeServer::start();
    let artifact = Artifact::of(&path);
    let reference = artifact.serve(&server);
    server.set("/moved", Answer::ok(&artifact.component));
    server.set(&artifact.blob(), Answer::redirect("/moved"));
    let pinned = format!(
        "{}@{}",
        reference.trim_end_matches(":1"),
        digest(artifact.manifest.to_string().as_bytes())
    );
    let wrong = format!("{}@{}", reference.trim_end_matches(":1"), digest(b"x"));
    let words = |reference: &str| machine.run(&["plugins", "add", reference, "--yes"]);
    let manifest = Answer::ok(artifact.manifest.to_string().as_bytes())
        .with("content-type", "application/vnd.oci.image.manifest.v1+json");
    server.set(
        &format!("/v2/acme/mail/manifests/{}", digest(b"x")),
        manifest.clone(),
    );
    let refused = words(&wrong);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("not what its digest says"),
        "{}",
        refused.stderr
    );
    let path = pinned.split_once('@').map(|(_, digest)| digest.to_owned());
    let path = format!("/v2/acme/mail/manifests/{}", path.expect("is pinned"));
    server.set(&path, manifest);
    let added = words(&pinned);
    assert_eq!(added.code, Some(0), "{}", added.stderr);
}

/// Installs Ada's plugin from a server, and returns both.
fn installed(machine: &Machine, ada: &Author) -> (FakeServer, String) {
    let server = FakeServer::start();
    let path = ada.write(machine, &mail("1.5.0", ""), "mail.wasm");
    let reference = Artifact::of(&path).serve(&server);
    let words = ["plugins", "add", &reference, "--yes", "--key", &ada.public];
    let added = machine.run(&words);
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    (server, reference)
}

fn lock(machine: &Machine) -> String {
    fs::read_to_string(machine.path("data/plugins/footlight.lock")).expect("is there")
}

#[test]
fn a_tag_that_moves_to_something_else_changes_nothing() {
    let machine = Machine::new();
    let ada = Author::new(&machine, "ada");
    let bob = Author::new(&machine, "bob");
    let (server, _) = installed(&machine, &ada);
    let before = lock(&machine);
    let renamed = mail("2.0.0", "").replace("id = \"mail\"", "id = \"post\"");
    for (what, author, manifest, is_signed, code, said) in [
        (
            "an older version",
            &ada,
            mail("1.4.9", ""),
            true,
            3,
            "`--allow-downgrade`",
        ),
        (
            "a pre-release of it",
            &ada,
            mail("1.5.0-rc.1", ""),
            true,
            3,
            "is older than",
        ),
        (
            "the same version",
            &ada,
            mail("1.5.0", "# x\n"),
            true,
            4,
            "`--yes`",
        ),
        (
            "another plugin",
            &ada,
            renamed,
            true,
            1,
            "is the plugin `post` now",
        ),
        (
            "another key",
            &bob,
            mail("1.6.0", ""),
            true,
            4,
            "another key is accepted at a terminal",
        ),
        (
            "no signature",
            &ada,
            mail("1.6.0", ""),
            false,
            4,
            "is not signed",
        ),
    ] {
        let path = author.write(&machine, &manifest, "moved.wasm");
        if !is_signed {
            fs::remove_file(format!("{path}.minisig")).expect("is there");
        }
        Artifact::of(&path).serve(&server);
        let refused = machine.run(&["plugins", "update", "mail"]);
        assert_eq!(refused.code, Some(code), "{what}: {}", refused.stderr);
        assert!(refused.stderr.contains(said), "{what}: {}", refused.stderr);
        assert_eq!(lock(&machine), before, "{what}");
        // A flag that agrees to everything else does not agree to another key, or to none.
        if code == 4 && what != "the same version" {
            for more in [&["--yes"][..], &["--yes", "--key", &author.public]] {
                let words = [&["plugins", "update", "mail"], more].concat();
                let refused = machine.run(&words);
                assert!(
                    matches!(refused.code, Some(1 | 4)),
                    "{what}: {}",
                    refused.stderr
                );
                assert_eq!(lock(&machine), before, "{what}");
            }
        }
        assert_eq!(
            machine.run(&["call", "mail", "name=Ada"]).code,
            Some(0),
            "{what}"
        );
    }
    let path = ada.write(&machine, &mail("1.4.9", ""), "moved.wasm");
    Artifact::of(&path).serve(&server);
    let words = ["plugins", "update", "mail", "--allow-downgrade", "--yes"];
    let updated = machine.run(&words);
    assert_eq!(updated.code, Some(0), "{}", updated.stderr);
    assert!(lock(&machine).contains("version = \"1.4.9\""));
}

/// The file with the installed component.
fn component(machine: &Machine) -> PathBuf {
    let mut found = fs::read_dir(machine.path("data/plugins")).expect("is there");
    let found = found.find_map(|file| {
        let path = file.expect("is there").path();
        path.extension()
            .is_some_and(|ending| ending == "wasm")
            .then_some(path)
    });
    found.expect("is installed")
}

#[test]
fn an_installed_file_that_was_changed_is_not_loaded_and_an_update_repairs_it() {
    let machine = Machine::new();
    let ada = Author::new(&machine, "ada");
    let (_server, _) = installed(&machine, &ada);
    let path = component(&machine);
    let good = fs::read(&path).expect("is there");
    let longer = [&good[..], &[0, 2, 1, b'x']].concat();
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    let model = machine.script("steps: [{ text: Hello. }]");
    for bad in [Some(flipped), Some(longer), Some(Vec::new()), None] {
        match bad {
            Some(bytes) => fs::write(&path, bytes).expect("is written"),
            None => fs::remove_file(&path).expect("is there"),
        }
        for words in [
            vec!["call", "mail", "name=Ada"],
            vec!["run", "mail", "hello", "--model", &model],
            vec!["chat", "mail", "--model", &model],
            vec!["inspect", "mail"],
            vec!["inspect", "mail", "--static"],
            vec!["serve", "mail"],
            vec!["doctor"],
        ] {
            let refused = machine.run(&words);
            assert_eq!(refused.code, Some(1), "{words:?}: {}", refused.stderr);
            let said = format!("{}{}", refused.stdout, refused.stderr);
            for remedy in [
                "footlight plugins update mail",
                "footlight plugins remove mail",
            ] {
                assert!(said.contains(remedy), "{words:?}: {said}");
            }
        }
        let listed = machine.run(&["plugins", "list", "--json"]);
        assert!(listed.stdout.contains("\"problem\""), "{}", listed.stdout);
        // What was accepted is not known from a file that was changed.
        let updated = machine.run(&["plugins", "update", "mail", "--yes"]);
        assert_eq!(updated.code, Some(0), "{}", updated.stderr);
        assert_eq!(fs::read(&path).expect("is there"), good);
        assert_eq!(machine.run(&["call", "mail", "name=Ada"]).code, Some(0));
    }
}

#[test]
fn a_lock_file_that_was_edited_loads_nothing_that_was_not_installed() {
    let machine = Machine::new();
    let ada = Author::new(&machine, "ada");
    let (_server, _) = installed(&machine, &ada);
    let path = machine.path("data/plugins/footlight.lock");
    let good = lock(&machine);
    let digest = digest(&fs::read(component(&machine)).expect("is there"));
    let zeros = format!("sha256:{}", "0".repeat(64));
    for (old, new) in [
        (&*digest, &*zeros),
        (&digest, "sha256:../../work/mail"),
        ("format = 1", "format = 2"),
        ("name = \"mail\"", "name = \"todo\""),
        ("name = \"mail\"", "name = \"../mail\""),
        ("[[plugin]]", "[[plugins]]"),
    ] {
        fs::write(&path, good.replace(old, new)).expect("is written");
        for name in ["mail", "todo"] {
            let refused = machine.run(&["call", name, "name=Ada"]);
            assert_eq!(refused.code, Some(1), "{new} {name}: {}", refused.stderr);
            assert!(
                refused.stdout.is_empty(),
                "{new} {name}: {}",
                refused.stdout
            );
        }
    }
    fs::write(&path, &good).expect("is written");
    assert_eq!(machine.run(&["call", "mail", "name=Ada"]).code, Some(0));
}
