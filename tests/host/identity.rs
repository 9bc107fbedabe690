//! Which component may be loaded under an id.

use crate::attackers::{Attacker, Tool};
use footlight::{Digest, Host, InvalidPluginError, LoadError};
use footlight_tests::plugins;
use footlight_tests::scripted_call::builder;
use std::path::Path;

#[tokio::test]
async fn a_pinned_id_takes_only_its_components() {
    let hello = std::fs::read(plugins::HELLO).expect("built");
    let mut other = hello.clone();
    other.extend([0, 2, 1, b'x']);
    let (one, two) = (Digest::of(&hello), Digest::of(&other));
    for (pins, loads) in [
        (vec![], [true, true]),
        (vec![("hello", one)], [true, false]),
        (vec![("hello", two)], [false, true]),
        (vec![("hello", one), ("hello", two)], [true, true]),
        (vec![("todo", one)], [true, true]),
    ] {
        for (component, loads) in [&hello, &other].into_iter().zip(loads) {
            let pinned = pins
                .iter()
                .fold(builder(), |builder, (id, digest)| builder.pin(*id, *digest));
            let host = pinned.build().expect("builds");
            match host.load_bytes(component, "hello").await {
                Ok(_) => assert!(loads, "{pins:?}"),
                Err(LoadError::NotPinned { id, digest, .. }) => {
                    assert!(!loads, "{pins:?}");
                    assert_eq!((id.as_str(), digest), ("hello", Digest::of(component)));
                    assert!(host.plugin("hello").is_none());
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[tokio::test]
async fn a_file_name_gives_an_id_that_no_manifest_can_have() {
    let attacker = Attacker {
        tools: vec![Tool::named("list")],
        ..Attacker::default()
    };
    let folder = tempfile::tempdir().expect("a folder for the test");
    let load = async |host: &Host, name: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, attacker.component()).expect("is written");
        host.load(path).await
    };
    let host = builder().build().expect("builds");
    host.load(Path::new(plugins::TODO)).await.expect("loads");
    let named = load(&host, "todo.wasm").await.expect("loads beside `todo`");
    assert_eq!(named.id(), "file_todo");
    assert_ne!(
        host.plugin("todo").expect("loaded").digest(),
        named.digest()
    );
    let refused = load(&host, "My Plugin.wasm").await.expect_err("no id");
    assert!(
        matches!(refused, LoadError::Invalid(InvalidPluginError::NoId(_))),
        "{refused}"
    );
    // An embedder chooses the name of bytes, but none that reads as the host.
    for name in ["footlight", "system", "model", "a_"] {
        let refused = host.load_bytes(&attacker.component(), name).await;
        let refused = refused.expect_err(name);
        assert!(
            matches!(refused, LoadError::Invalid(InvalidPluginError::NoId(_))),
            "{name}: {refused}"
        );
    }
}
