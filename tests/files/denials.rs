//! Why a use of a folder was denied, as the record says it.

#![cfg(unix)]

use super::*;
use footlight::vocabulary::item::Denial;
use std::os::unix::fs::symlink;

/// What is granted, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Granted {
    /// The folder, for writing as well.
    Writable,
    /// The folder, for reading alone.
    Readable,
    /// A path at which nothing is.
    Missing,
    /// A path that is a link by now.
    Link,
    Nothing,
}
use Granted::{Link, Missing, Nothing, Readable, Writable};

/// The tool, what is granted at the guest's path, an operation with a path, and the reason.
const CASES: &[(&str, &str, Granted, &str, &str, Denial)] = &[
    (
        "perform",
        "/data",
        Writable,
        "read",
        "../outside/file",
        Denial::Outside,
    ),
    (
        "perform",
        "/data",
        Readable,
        "read",
        "/etc/passwd",
        Denial::Outside,
    ),
    (
        "perform",
        "/data",
        Writable,
        "read",
        "out/file",
        Denial::Outside,
    ),
    (
        "perform",
        "/data",
        Writable,
        "write",
        "../outside/file",
        Denial::Outside,
    ),
    ("peek", "/data", Writable, "list", "..", Denial::Outside),
    (
        "perform",
        "/data",
        Writable,
        "read",
        "pipe",
        Denial::Special,
    ),
    ("peek", "/data", Readable, "read", "pipe", Denial::Special),
    (
        "perform",
        "/data",
        Readable,
        "write",
        "file",
        Denial::ReadOnlyFolder,
    ),
    (
        "perform",
        "/data",
        Readable,
        "mkdir",
        "new",
        Denial::ReadOnlyFolder,
    ),
    // The manifest declares it for reading alone.
    (
        "perform",
        "/docs",
        Writable,
        "unlink",
        "file",
        Denial::ReadOnlyFolder,
    ),
    ("peek", "/data", Writable, "write", "file", Denial::ReadOnly),
    ("peek", "/data", Readable, "write", "file", Denial::ReadOnly),
    (
        "perform",
        "/gated",
        Writable,
        "write",
        "file",
        Denial::NotGranted,
    ),
    (
        "perform",
        "/data",
        Missing,
        "read",
        "file",
        Denial::Unavailable,
    ),
    ("peek", "/docs", Link, "read", "file", Denial::Unavailable),
    (
        "perform",
        "/data",
        Nothing,
        "read",
        "file",
        Denial::NotGranted,
    ),
];

#[tokio::test]
async fn each_denial_of_a_file_has_its_own_reason() {
    for (tool, guest, granted, op, path, reason) in CASES {
        let case = format!("{tool} {guest} {granted:?} {op} {path}");
        let scene = Scene::new();
        scene.write("inside/file", "plain");
        symlink("../outside", scene.path("inside/out")).expect("links");
        symlink("inside", scene.path("link")).expect("links");
        let made = std::process::Command::new("mkfifo")
            .arg(scene.path("inside/pipe"))
            .status();
        assert!(made.expect("mkfifo runs").success());
        let folder = match granted {
            Missing => Some("missing"),
            Link => Some("link"),
            Writable | Readable => Some("inside"),
            Nothing => None,
        };
        let bound = folder.map(|folder| binding(guest, &scene.path(folder), *granted != Readable));
        let host = host(builder(), bound.into_iter().collect()).await;
        let steps = json!([{ "op": op, "dir": guest, "path": path, "text": "x", "n": 1 }]);
        let ended = call(&host, tool, &steps).await;
        let of_guest = uses(&ended)
            .into_iter()
            .filter(|used| used.target == *guest);
        let denied: Vec<Denial> = of_guest.filter_map(|used| used.denied).collect();
        assert_eq!(denied, std::slice::from_ref(reason), "{case}");
    }
}
