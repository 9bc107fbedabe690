//! Every kind of path with every operation, in folders that can be written and in those that cannot.
//!
//! After each operation the whole tree beside the folder must be what it was, and nothing that the
//! guest saw may contain what is there.

#![cfg(unix)]

use super::*;
use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where a path leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leads {
    /// To a file of the folder, which can be read.
    Inside,
    /// To a place from which nothing can be read.
    Nowhere,
    /// To a file of the folder on some machines.
    Either,
}
use Leads::{Either, Inside, Nowhere};

/// The paths. Links are made by [`furnish`].
const PATHS: &[(&str, Leads)] = &[
    // Parents, in every position.
    ("..", Nowhere),
    ("../", Nowhere),
    ("../outside/file", Nowhere),
    ("../../outside/file", Nowhere),
    ("../inside/file", Nowhere),
    ("./../outside/file", Nowhere),
    ("dir/../../outside/file", Nowhere),
    ("dir/../../../../../../../../etc/passwd", Nowhere),
    ("dir/../file", Inside),
    ("dir/..", Nowhere),
    ("dir/../..", Nowhere),
    ("dir/./../../outside/file", Nowhere),
    ("....//....//outside/file", Nowhere),
    (".../outside/file", Nowhere),
    ("%2e%2e/outside/file", Nowhere),
    ("..%2foutside%2ffile", Nowhere),
    ("..\\outside\\file", Nowhere),
    ("\u{2024}\u{2024}/outside/file", Nowhere),
    ("\u{ff0e}\u{ff0e}/outside/file", Nowhere),
    (".\u{200b}./outside/file", Nowhere),
    // Absolute paths.
    ("/etc/passwd", Nowhere),
    ("//etc/passwd", Nowhere),
    ("/", Nowhere),
    // In two pieces, because no file here names a home folder.
    (concat!("/proc/self/ro", "ot/etc/passwd"), Nowhere),
    ("/proc/self/environ", Nowhere),
    ("/dev/zero", Nowhere),
    ("/data/file", Nowhere),
    ("C:\\Windows\\win.ini", Nowhere),
    ("\\\\server\\share\\file", Nowhere),
    ("\\\\?\\C:\\file", Nowhere),
    ("CON", Nowhere),
    ("file:stream", Nowhere),
    // Odd spellings.
    ("", Nowhere),
    (".", Nowhere),
    ("./file", Inside),
    ("dir//deep", Inside),
    ("./dir/./deep", Inside),
    ("file/", Nowhere),
    ("file/.", Nowhere),
    ("file/../file", Nowhere),
    ("FILE", Either),
    ("fi\u{0}le", Nowhere),
    ("file\u{0}", Nowhere),
    ("new\nline", Nowhere),
    ("\u{1b}[2J", Nowhere),
    (LONG_NAME, Nowhere),
    // Links.
    ("to_file", Inside),
    ("to_dir/deep", Inside),
    ("to_file/", Nowhere),
    ("out_file", Nowhere),
    ("out_file/", Nowhere),
    ("out_dir/file", Nowhere),
    ("out_dir/", Nowhere),
    ("out_slash/file", Nowhere),
    ("out_slash", Nowhere),
    ("out_dot/file", Nowhere),
    ("parent/outside/file", Nowhere),
    ("parent_slash/outside/file", Nowhere),
    ("absolute", Nowhere),
    ("absolute_dir/passwd", Nowhere),
    ("root/etc/passwd", Nowhere),
    ("magic/etc/passwd", Nowhere),
    ("chain_in", Inside),
    ("chain_out", Nowhere),
    ("loop", Nowhere),
    ("loop/file", Nowhere),
    ("long_chain", Nowhere),
    ("dangling", Nowhere),
    ("dangling_out", Nowhere),
    ("dir/up/../outside/file", Nowhere),
    ("dir/up/file", Inside),
    ("self/self/self/file", Inside),
];

/// A name that no file system takes.
const LONG_NAME: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/// Operations that only look.
const LOOKS: &[&str] = &[
    "read",
    "read_nofollow",
    "read_stream",
    "stat",
    "lstat",
    "hash",
    "flags",
    "list",
    "readlink",
];

/// Operations that change something. In a folder that is read-only, each must fail with every path.
const CHANGES: &[&str] = &[
    "mutable",
    "write",
    "write_stream",
    "write_read_only",
    "append",
    "create",
    "create_new",
    "truncate",
    "set_size",
    "set_times",
    "set_times_open",
    "mkdir",
    "rmdir",
    "unlink",
    "rename",
    "rename_to",
    "link",
    "link_to",
    "symlink",
    "symlink_to",
];

/// Returns the step of an operation with a path, as its first or its second one.
fn step(op: &str, path: &str) -> Value {
    match op {
        "rename_to" | "link_to" | "symlink_to" => {
            json!({ "op": op, "dir": "/data", "path": "file", "to": path })
        }
        _ => json!({ "op": op, "dir": "/data", "path": path, "to": "made" }),
    }
}

/// Fills the folder `inside`.
fn furnish(scene: &Scene) {
    let inside = scene.path("inside");
    scene.write("inside/file", "plain");
    scene.write("inside/dir/deep", "plain");
    for (target, name) in [
        ("file", "to_file"),
        ("dir", "to_dir"),
        ("../outside/file", "out_file"),
        ("../outside", "out_dir"),
        ("../outside/", "out_slash"),
        ("../outside/.", "out_dot"),
        ("..", "parent"),
        ("../", "parent_slash"),
        ("/etc/passwd", "absolute"),
        ("/etc/", "absolute_dir"),
        ("/", "root"),
        ("/proc/self/root", "magic"),
        ("chain_in_2", "chain_in"),
        ("to_file", "chain_in_2"),
        ("chain_out_2", "chain_out"),
        ("dir/../out_file", "chain_out_2"),
        ("loop", "loop"),
        ("long_0", "long_chain"),
        ("none", "dangling"),
        ("../outside/none", "dangling_out"),
        ("..", "dir/up"),
        (".", "self"),
    ] {
        symlink(target, inside.join(name)).expect("links");
    }
    for n in 0..50 {
        symlink(format!("long_{}", n + 1), inside.join(format!("long_{n}"))).expect("links");
    }
    symlink("file", inside.join("long_50")).expect("links");
}

/// Everything below a folder: names, contents, targets and times of change.
fn tree(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut left = vec![folder.to_owned()];
    while let Some(path) = left.pop() {
        let about = std::fs::symlink_metadata(&path).expect("it exists");
        let content = if about.is_dir() {
            let entries = std::fs::read_dir(&path).expect("lists");
            left.extend(entries.map(|entry| entry.expect("an entry").path()));
            String::new()
        } else if about.is_symlink() {
            std::fs::read_link(&path)
                .expect("reads")
                .display()
                .to_string()
        } else {
            std::fs::read_to_string(&path).expect("text")
        };
        let changed = (about.mtime(), about.mtime_nsec(), about.nlink());
        found.insert(path, format!("{content:?} {changed:?}"));
    }
    found
}

/// Checks one answer. The tree beside the folder is checked by the caller.
fn check(op: &str, path: &str, leads: Leads, writable: bool, met: &str) {
    let what = format!(
        "{op} {path:?} {} met {met:?}",
        if writable { "rw" } else { "ro" }
    );
    assert!(!met.contains(CANARY) && !met.contains("root:"), "{what}");
    assert!(!met.contains("there is no"), "{what}");
    let succeeded = met.starts_with("ok");
    match (op, leads) {
        ("read" | "read_stream", Inside) => assert_eq!(met, "ok: plain", "{what}"),
        ("read" | "read_stream" | "write" | "write_stream" | "append" | "truncate", Nowhere)
        | ("set_size", Nowhere) => assert!(!succeeded, "{what}"),
        // Only a name in the folder can be created.
        ("create", Nowhere) if path.contains('/') || path.starts_with("out") => {
            assert!(!succeeded, "{what}");
        }
        _ => {}
    }
    if !writable && CHANGES.contains(&op) {
        assert!(!succeeded, "{what}");
    }
    if path.chars().any(char::is_control) {
        assert!(!succeeded, "{what}");
    }
    if op == "readlink" && succeeded {
        let target = met.trim_start_matches("ok: ");
        let shown = !target.starts_with('/') && !target.contains("outside");
        assert!(shown, "{what}");
    }
}

#[tokio::test]
async fn no_path_leads_outside_and_read_only_stays_read_only() {
    assert!(PATHS.len() >= 40 && LOOKS.len() + CHANGES.len() >= 12);
    let scene = Scene::new();
    furnish(&scene);
    let before = tree(&scene.path(""));
    let host = data(&scene, false).await;
    for op in LOOKS.iter().chain(CHANGES) {
        let steps: Vec<Value> = PATHS.iter().map(|(path, _)| step(op, path)).collect();
        let met = perform(&host, steps.into()).await;
        assert_eq!(met.len(), PATHS.len());
        for ((path, leads), met) in PATHS.iter().zip(&met) {
            check(op, path, *leads, false, met);
        }
        assert_eq!(tree(&scene.path("")), before, "{op} changed something");
    }
}

#[tokio::test]
async fn no_path_leads_outside_of_a_folder_that_can_be_written() {
    let scene = Scene::new();
    let outside = tree(&scene.path("outside"));
    let host = data(&scene, true).await;
    furnish(&scene);
    // What only looks can be tried in one call.
    for op in LOOKS {
        let steps: Vec<Value> = PATHS.iter().map(|(path, _)| step(op, path)).collect();
        let met = perform(&host, steps.into()).await;
        for ((path, leads), met) in PATHS.iter().zip(&met) {
            check(op, path, *leads, true, met);
        }
    }
    for op in CHANGES {
        for (path, leads) in PATHS {
            let unused = tree(&scene.path("inside"));
            let met = one(&host, step(op, path)).await;
            check(op, path, *leads, true, &met);
            assert_eq!(tree(&scene.path("outside")), outside, "{op} {path:?}");
            let names = std::fs::read_dir(scene.path("")).expect("lists").count();
            assert_eq!(names, 2, "{op} {path:?}");
            if met.starts_with("ok") || tree(&scene.path("inside")) != unused {
                restore(&scene);
            }
        }
    }
}

/// Furnishes the folder anew. It stays the same folder: the host holds it.
fn restore(scene: &Scene) {
    for entry in std::fs::read_dir(scene.path("inside")).expect("lists") {
        let path = entry.expect("an entry").path();
        match path.is_dir() && !path.is_symlink() {
            true => std::fs::remove_dir_all(path),
            false => std::fs::remove_file(path),
        }
        .expect("removes");
    }
    furnish(scene);
}

#[tokio::test]
async fn nothing_moves_from_one_folder_to_another() {
    let scene = Scene::new();
    for folder in ["inside", "docs", "gated"] {
        scene.write(&format!("{folder}/file"), "plain");
    }
    let bindings = vec![
        binding("/data", &scene.path("inside"), true),
        binding("/docs", &scene.path("docs"), true),
        binding("/gated", &scene.path("gated"), true),
    ];
    let host = host(builder(), bindings).await;
    let before = tree(&scene.path(""));
    for (from, to) in [
        ("/data", "/docs"),
        ("/docs", "/data"),
        ("/data", "/gated"),
        ("/gated", "/data"),
    ] {
        for op in ["rename", "link"] {
            let step = json!({ "op": op, "dir": from, "to_dir": to, "path": "file", "to": "made" });
            assert_eq!(one(&host, step).await, "read-only", "{op} {from} {to}");
        }
    }
    assert_eq!(tree(&scene.path("")), before);
}

#[tokio::test]
async fn numbers_of_files_say_nothing_of_the_machine() {
    let scene = Scene::new();
    scene.write("inside/file", "plain");
    std::fs::hard_link(scene.path("inside/file"), scene.path("inside/same")).expect("links");
    scene.write("inside/other", "plain");
    let host = data(&scene, false).await;
    let steps = json!([
        { "op": "hash", "dir": "/data", "path": "file" },
        { "op": "hash", "dir": "/data", "path": "same" },
        { "op": "hash", "dir": "/data", "path": "other" },
    ]);
    let (one, two) = (
        perform(&host, steps.clone()).await,
        perform(&host, steps).await,
    );
    assert!(one[0] == one[1] && one[1] != one[2], "{one:?}");
    assert_ne!(one, two, "each call has numbers of its own");
}

/// How often the guest opens a path that somebody exchanges meanwhile.
fn tries() -> u64 {
    let tries = std::env::var("FOOTLIGHT_RACE_TRIES");
    tries.map_or(10_000, |tries| tries.parse().expect("a number"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_exchanges_folders_for_links_leads_a_guest_nowhere() {
    let scene = Scene::new();
    scene.write("inside/real/file", "plain");
    symlink("../outside", scene.path("inside/link")).expect("links");
    let outside = tree(&scene.path("outside"));
    let host = data(&scene, true).await;
    let done = std::sync::Arc::new(AtomicBool::new(false));
    let [real, link, swap] = ["real", "link", "swap"].map(|name| scene.path("inside").join(name));
    let stop = std::sync::Arc::clone(&done);
    let swaps = std::thread::spawn(move || {
        let mut swaps = 0_u64;
        while !stop.load(Ordering::Relaxed) {
            for (one, other) in [(&real, &swap), (&link, &real), (&swap, &link)] {
                std::fs::rename(one, other).expect("renames");
            }
            swaps += 1;
        }
        swaps
    });
    let step = json!({ "op": "race", "dir": "/data", "path": "real/file", "to": "real/new", "n": tries() });
    let met = one(&host, step).await;
    done.store(true, Ordering::Relaxed);
    let swaps = swaps.join().expect("it ends");
    assert!(met.starts_with("ok") && !met.contains(CANARY), "{met}");
    assert!(met.contains("\"plain\"") && swaps > 100, "{swaps} {met}");
    assert!(met.contains("not-permitted"), "the link was met: {met}");
    assert_eq!(tree(&scene.path("outside")), outside, "{met}");
}
