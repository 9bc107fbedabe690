//! The cache of compiled plugins.

use footlight::Host;
use footlight_tests::plugins;
use serde_json::json;
use std::sync::{Arc, Mutex};

#[tokio::test]
async fn a_damaged_or_swapped_cache_entry_is_compiled_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let load = async |path: &str| {
        let host = Host::builder()
            .cache(folder.path())
            .build()
            .expect("builds");
        host.load(path).await.expect("loads");
        host
    };
    load(plugins::HELLO).await;
    load(plugins::WEATHER).await;
    let mut entries: Vec<_> = std::fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.file_name().is_some_and(|name| name != "key"))
        .collect();
    entries.sort();
    assert_eq!(entries.len(), 2);
    let (first, second) = (
        std::fs::read(&entries[0]).expect("reads"),
        std::fs::read(&entries[1]).expect("reads"),
    );

    let mut flipped = first.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    for bytes in [&flipped, &second, &first[..100].to_vec(), &Vec::new()] {
        std::fs::write(&entries[0], bytes).expect("writes");
        let host = load(plugins::HELLO).await;
        host.load(plugins::WEATHER).await.expect("loads");
        let ended = host
            .call("hello.greet", json!({ "name": "Ada" }))
            .finish()
            .await;
        assert_eq!(ended.result.expect("greets").data["content"], "Hello, Ada!");
        assert!(
            std::fs::read(&entries[0]).expect("reads") == first,
            "the entry is whole again"
        );
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_cache_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let host = Host::builder()
        .cache(folder.path().join("compiled"))
        .build()
        .expect("builds");
    host.load(plugins::HELLO).await.expect("loads");
    let mode = |path: &std::path::Path| {
        std::fs::metadata(path).expect("there").permissions().mode() & 0o777
    };
    assert_eq!(mode(&folder.path().join("compiled")), 0o700);
    for entry in std::fs::read_dir(folder.path().join("compiled")).expect("a folder") {
        assert_eq!(mode(&entry.expect("an entry").path()), 0o600);
    }
}

#[tokio::test]
async fn only_compiled_plugins_are_reported_as_compiled() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = Arc::new(Mutex::new(Vec::new()));
    for _ in 0..2 {
        let telling = Arc::clone(&told);
        let host = Host::builder()
            .cache(folder.path())
            .on_compile(move |id| telling.lock().expect("no panic").push(id.to_owned()))
            .build()
            .expect("builds");
        host.load(plugins::HELLO).await.expect("loads");
    }
    assert_eq!(*told.lock().expect("no panic"), ["hello"]);
}
