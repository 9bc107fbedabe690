//! What works, who may write, how much, until when, and what is on the record.

use super::*;
use footlight::vocabulary::failure::FailureCode;
use footlight::vocabulary::item::{Denial, Power, Verdict};
use footlight::vocabulary::manifest::Mode;
use footlight::{CallEvent, FolderError, ReplyError};

#[tokio::test]
async fn the_standard_library_simply_works() {
    let scene = Scene::new();
    scene.write("inside/a.txt", "alpha");
    let host = data(&scene, true).await;
    let step = |op: &str, path: &str| json!({ "op": op, "path": path });
    let met = perform(
        &host,
        json!([
            { "op": "folders" },
            step("std.read", "/data/a.txt"),
            { "op": "std.write", "path": "/data/b.txt", "text": "beta" },
            { "op": "std.append", "path": "/data/b.txt", "text": " and more" },
            step("std.read", "/data/b.txt"),
            step("std.mkdir", "/data/x/y/z"),
            { "op": "std.copy", "path": "/data/b.txt", "to": "/data/x/y/z/c.txt" },
            { "op": "std.rename", "path": "/data/x/y/z/c.txt", "to": "/data/x/d.txt" },
            step("std.list", "/data"),
            step("std.list", "/data/x"),
            { "op": "std.set_len", "path": "/data/x/d.txt", "n": 4 },
            step("std.size", "/data/x/d.txt"),
            step("std.modified", "/data/x/d.txt"),
            { "op": "std.seek", "path": "/data/x/d.txt", "n": 2, "text": "XYZ" },
            step("std.remove", "/data/a.txt"),
            step("std.remove_all", "/data/x"),
            step("std.list", "/data"),
            step("std.read", "/data/none"),
            { "op": "std.sum", "path": "/data/b.txt", "n": 3 },
        ]),
    )
    .await;
    let found: Vec<&str> = met
        .iter()
        .map(|met| met.trim_start_matches("ok: "))
        .collect();
    assert_eq!(
        found[..17],
        [
            "/data",
            "alpha",
            "",
            "",
            "beta and more",
            "",
            "13",
            "",
            "a.txt b.txt x/",
            "d.txt y/",
            "",
            "4",
            "true",
            "beXYZ",
            "",
            "",
            "b.txt"
        ]
    );
    assert!(met[17].starts_with("NotFound"), "{met:?}");
    assert_eq!(met[18], "ok: 13 1218", "{met:?}");
    assert_eq!(scene.read("inside/b.txt"), "beta and more");
}

#[tokio::test]
async fn what_a_call_did_with_a_folder_is_on_the_record() {
    let scene = Scene::new();
    scene.write("inside/a.txt", "alpha");
    let docs = scene.path("docs");
    std::fs::create_dir(&docs).expect("creates");
    let bindings = vec![
        binding("/data", &scene.path("inside"), true),
        binding("/docs", &docs, true),
    ];
    let host = host(builder(), bindings).await;
    let ended = call(
        &host,
        "perform",
        &json!([
            { "op": "std.read", "path": "/data/a.txt" },
            { "op": "std.write", "path": "/data/n\u{202e}ew.txt", "text": "beta" },
            { "op": "mkdir", "dir": "/data", "path": "folder" },
            { "op": "mkdir", "dir": "/docs", "path": "folder" },
            { "op": "read", "dir": "/data", "path": "../outside/file" },
            { "op": "read", "dir": "/data", "path": "../outside/file" },
        ]),
    )
    .await;
    let met = met(&ended);
    assert!(met[2] == "ok: " && met[3] == "read-only", "{met:?}");
    let uses = uses(&ended);
    let of = |target: &str, denied: Option<Denial>| {
        let is = |used: &&PowerUse| used.target == target && used.denied == denied;
        let found = uses.iter().find(is);
        found.unwrap_or_else(|| panic!("{target} {denied:?}: {uses:?}"))
    };
    let data = of("/data", None);
    assert_eq!(data.power, Power::Folder);
    assert_eq!(data.access.as_deref(), Some("rw"));
    assert_eq!((data.received, data.sent), (5, 4));
    assert_eq!(data.files.len(), 2, "{:?}", data.files);
    assert_eq!(data.files[1], "folder");
    assert!(!data.files[0].contains('\u{202e}'), "{:?}", data.files);
    // What the manifest calls read-only stays so, whatever was granted.
    let docs = of("/docs", Some(Denial::ReadOnlyFolder));
    assert_eq!((docs.access.as_deref(), docs.count), (Some("ro"), 1));
    assert_eq!(of("/data", Some(Denial::Outside)).count, 2);
    assert!(!format!("{:?}", ended.items).contains(scene.root.path().to_str().expect("Unicode")));
}

#[tokio::test]
async fn a_tool_that_says_read_only_cannot_write_in_any_way() {
    let scene = Scene::new();
    scene.write("inside/a.txt", "alpha");
    let host = data(&scene, true).await;
    let steps = json!([
        { "op": "std.write", "path": "/data/a.txt", "text": "beta" },
        { "op": "std.read", "path": "/data/a.txt" },
    ]);
    let peeked = met(&call(&host, "peek", &steps).await);
    assert!(peeked[0].starts_with("ReadOnlyFilesystem"), "{peeked:?}");
    assert_eq!(peeked[1], "ok: alpha");
    let performed = perform(&host, steps).await;
    assert_eq!(performed[1], "ok: beta");
}

/// Returns a host with one folder, whose person is asked as always.
async fn attended(bound: Rule) -> Host {
    let host = builder().rules(vec![bound].into()).build().expect("builds");
    host.load(plugins::PROBE).await.expect("loads");
    host
}

#[tokio::test]
async fn a_folder_with_an_approval_is_read_only_until_a_person_says_yes() {
    let scene = Scene::new();
    scene.write("inside/a.txt", "alpha");
    let gated = binding("/gated", &scene.path("inside"), true);
    let host = attended(gated).await;
    let write = |text: &str| json!({ "op": "std.write", "path": "/gated/a.txt", "text": text });
    let steps = json!([write("early"), { "op": "approve" }, write("late")]);
    for (verdict, expected) in [(Verdict::Deny, "alpha"), (Verdict::Once, "late")] {
        let input = json!({ "steps": steps.to_string() });
        let mut call = host.call("probe.perform", input);
        let ended = loop {
            match call.next().await.expect("it ends") {
                // Only the approval: nobody binds the other folders.
                CallEvent::Approval { id, ask, .. } => {
                    let verdict = match ask.folder {
                        Some(_) => Verdict::Deny,
                        None => verdict,
                    };
                    host.decide(&id, verdict, None).expect("it is pending");
                }
                CallEvent::Finished(ended) => break ended,
                _ => {}
            }
        };
        let met = met(&ended);
        assert!(met[0].starts_with("ReadOnlyFilesystem"), "{met:?}");
        assert_eq!(
            met[2].starts_with("ok"),
            verdict == Verdict::Once,
            "{met:?}"
        );
        assert_eq!(scene.read("inside/a.txt"), expected);
    }
}

#[tokio::test]
async fn nothing_is_seen_before_a_call_runs() {
    let scene = Scene::new();
    let bound = binding("/data", &scene.path("inside"), false);
    let host = attended(bound).await;
    let mut call = host.call("probe.look", json!({}));
    let mut concern = None;
    let ended = loop {
        match call.next().await.expect("it ends") {
            CallEvent::Approval { id, ask, .. } => {
                let verdict = match ask.folder {
                    Some(_) => Verdict::Deny,
                    None => {
                        concern = Some(format!("{ask:?}"));
                        Verdict::Once
                    }
                };
                host.decide(&id, verdict, None).expect("it is pending");
            }
            CallEvent::Finished(ended) => break ended,
            _ => {}
        }
    };
    let concern = concern.expect("it was assessed");
    assert!(
        concern.contains("[false, false, false, false, false]"),
        "{concern}"
    );
    let seen = ended.result.expect("it runs").data["content"].clone();
    assert!(
        seen.as_str().expect("a text").starts_with("[true, false"),
        "{seen}"
    );
}

#[tokio::test]
async fn a_call_writes_and_creates_only_so_much() {
    const BYTES: u64 = 256 << 20;
    let scene = Scene::new();
    scene.write("inside/a.txt", "alpha");
    let host = data(&scene, true).await;
    let met = perform(
        &host,
        json!([
            // A sparse file counts by what it grows to.
            { "op": "std.set_len", "path": "/data/a.txt", "n": BYTES + 6 },
            { "op": "write", "dir": "/data", "path": "a.txt", "n": BYTES },
            { "op": "write_stream", "dir": "/data", "path": "a.txt", "n": u64::MAX - 9 },
            { "op": "std.set_len", "path": "/data/a.txt", "n": BYTES - (1 << 20) },
            { "op": "std.fill", "path": "/data/b.txt", "n": 2 << 20 },
            { "op": "std.size", "path": "/data/b.txt" },
        ]),
    )
    .await;
    assert!(met[0].starts_with("QuotaExceeded"), "{met:?}");
    assert_eq!(met[1..3], ["quota", "quota"], "{met:?}");
    assert_eq!(met[3], "ok: ");
    // The C library below `std` reports every failure of a stream as one of input and output.
    assert_eq!(met[4], "ok: 1048576 Uncategorized", "{met:?}");
    let written: u64 = met[5].trim_start_matches("ok: ").parse().expect("a number");
    assert!(written <= (1 << 20) + 5, "{met:?}");
    // Another call begins anew.
    let met = perform(
        &host,
        json!([
            { "op": "std.litter", "path": "/data", "n": 10_001 },
            { "op": "mkdir", "dir": "/data", "path": "folder" },
            { "op": "symlink", "dir": "/data", "path": "a.txt", "to": "link" },
            { "op": "link", "dir": "/data", "path": "a.txt", "to": "link" },
            { "op": "std.count", "path": "/data" },
        ]),
    )
    .await;
    assert_eq!(met[0], "ok: 10000 QuotaExceeded");
    assert_eq!(met[1..4], ["quota", "quota", "quota"]);
    assert_eq!(met[4], "ok: 10002", "a large folder is listed");
}

#[tokio::test]
async fn a_guest_cannot_make_the_host_hold_much() {
    let scene = Scene::new();
    let large = std::fs::File::create(scene.path("inside/large")).expect("creates");
    large.set_len(2 << 30).expect("a sparse file");
    let host = data(&scene, true).await;
    let met = perform(
        &host,
        json!([
            { "op": "read_length", "dir": "/data", "path": "large", "n": 1 << 30 },
            { "op": "std.hoard", "path": "/data/large", "n": 1_000 },
            { "op": "std.hoard", "path": "/data/large", "n": 10 },
        ]),
    )
    .await;
    assert_eq!(met[0], "ok: 262144");
    let (opened, why) = met[1]
        .trim_start_matches("ok: ")
        .split_once(' ')
        .expect("it was stopped");
    let opened: u32 = opened.parse().expect("a number");
    assert!(
        (60..=64).contains(&opened) && why == "OutOfMemory",
        "{met:?}"
    );
    assert_eq!(met[2], "ok: 10", "what was closed can be opened again");
}

#[cfg(unix)]
#[tokio::test]
async fn fifos_and_devices_are_refused_and_nobody_waits() {
    let scene = Scene::new();
    let made = std::process::Command::new("mkfifo")
        .arg(scene.path("inside/fifo"))
        .status();
    assert!(made.expect("mkfifo runs").success());
    std::os::unix::net::UnixListener::bind(scene.path("inside/socket")).expect("binds");
    std::os::unix::fs::symlink("fifo", scene.path("inside/link")).expect("links");
    let is_root = rustix::process::getuid().is_root();
    let mut paths = vec!["fifo", "socket", "link"];
    if is_root {
        let made = std::process::Command::new("mknod")
            .arg(scene.path("inside/zero"))
            .args(["c", "1", "5"])
            .status();
        if made.is_ok_and(|status| status.success()) {
            paths.push("zero");
        }
    }
    let host = data(&scene, true).await;
    for path in paths {
        for op in [
            "read",
            "read_stream",
            "write",
            "write_stream",
            "append",
            "create",
            "truncate",
            "set_size",
        ] {
            let met = one(&host, json!({ "op": op, "dir": "/data", "path": path })).await;
            assert_eq!(met, "not-permitted", "{op} {path}");
        }
        let seen = one(
            &host,
            json!({ "op": "lstat", "dir": "/data", "path": path }),
        )
        .await;
        assert_eq!(seen, "ok: ", "{path}");
    }
}

#[tokio::test]
async fn after_a_cancellation_no_operation_acts() {
    let scene = Scene::new();
    scene.write("inside/a.txt", "alpha");
    let host = data(&scene, true).await;
    let ops = [
        "read",
        "read_stream",
        "stat",
        "list",
        "write",
        "write_stream",
        "append",
        "create",
        "truncate",
        "set_size",
        "set_times",
        "mkdir",
        "unlink",
        "rename",
        "link",
        "symlink",
        "readlink",
        "hash",
    ];
    let mut steps = vec![
        json!({ "op": "std.read", "path": "/data/a.txt" }),
        json!({ "op": "cancel" }),
    ];
    for op in ops {
        steps.push(json!({ "op": op, "dir": "/data", "path": "a.txt", "to": "b.txt" }));
    }
    let input = json!({ "steps": Value::from(steps).to_string() });
    let script = Script {
        cancels: true,
        ..Script::default()
    };
    let before = std::fs::metadata(scene.path("inside/a.txt")).expect("it exists");
    let followed = follow(&host, host.call("probe.perform", input), script).await;
    let failure = followed.ended.result.expect_err("cancelled");
    assert_eq!(failure.code, FailureCode::Cancelled);
    for op in ops {
        let line = format!("{op} = not-recoverable");
        let log = &followed.ended.log;
        assert!(log.iter().any(|said| said.contains(&line)), "{op}: {log:?}");
    }
    let after = std::fs::metadata(scene.path("inside/a.txt")).expect("it stays");
    assert_eq!(before.modified().ok(), after.modified().ok());
    assert_eq!(scene.read("inside/a.txt"), "alpha");
    assert_eq!(
        std::fs::read_dir(scene.path("inside"))
            .expect("lists")
            .count(),
        1
    );
}

#[tokio::test]
async fn a_call_with_folders_is_not_replayed_and_counts_as_begun_once_it_writes() {
    let scene = Scene::new();
    scene.write("inside/a.txt", "alpha");
    let bound = binding("/data", &scene.path("inside"), true);
    // Replayed, it would read what it has written, and fail.
    let host = host(builder().replay_check(true), vec![bound]).await;
    for (op, takes_effect) in [("std.read", false), ("std.append", true)] {
        let steps = json!([{ "op": op, "path": "/data/a.txt", "text": "!" }]);
        let input = json!({ "steps": steps.to_string() });
        let call = host.call("probe.perform", input);
        let followed = follow(&host, call, Script::default()).await;
        assert!(followed.ended.result.is_ok(), "{:?}", followed.ended.result);
        let is_effect = |event: &CallEvent| matches!(event, CallEvent::TakesEffect);
        assert_eq!(followed.events.iter().any(is_effect), takes_effect, "{op}");
    }
    assert_eq!(scene.read("inside/a.txt"), "alpha!");
}

#[tokio::test]
async fn a_folder_that_overlaps_one_of_the_host_is_refused_in_both_directions() {
    let scene = Scene::new();
    let kept = scene.path("kept");
    for folder in ["data", "config", "cache"] {
        std::fs::create_dir_all(kept.join(folder).join("deep")).expect("creates");
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(kept.join("data/deep"), scene.path("inside/link")).expect("links");
    let builder = || {
        Host::builder()
            .cache(kept.join("cache"))
            .reserve(kept.join("data"))
            .reserve(kept.join("config"))
    };
    let mut refused = vec![kept.clone(), scene.path("")];
    for folder in ["data", "config", "cache"] {
        refused.extend([kept.join(folder), kept.join(folder).join("deep")]);
    }
    #[cfg(unix)]
    refused.push(scene.path("inside/link"));
    for folder in refused {
        let host = host(builder(), vec![binding("/data", &folder, true)]).await;
        let error = host.check_folder(&folder).expect_err("it overlaps");
        assert!(matches!(error, FolderError::Reserved { .. }), "{error}");
        // A rule that names it grants nothing either.
        let given = one(&host, json!({ "op": "folders" })).await;
        assert_eq!(given, "", "{}", folder.display());
        // Neither does a person who is asked.
        let asked = builder().attended(true).build().expect("builds");
        asked.load(plugins::PROBE).await.expect("loads");
        let steps = json!([{ "op": "folders" }]).to_string();
        let mut call = asked.call("probe.peek", json!({ "steps": steps }));
        let ended = loop {
            match call.next().await.expect("it ends") {
                CallEvent::Approval { id, .. } => {
                    let bound = asked.bind(&id, Verdict::Once, &folder, Mode::ReadWrite);
                    assert!(matches!(bound, Err(ReplyError::Folder(_))), "{bound:?}");
                    asked
                        .decide(&id, Verdict::Deny, None)
                        .expect("it is pending");
                }
                CallEvent::Finished(ended) => break ended,
                _ => {}
            }
        };
        assert_eq!(met(&ended), [""]);
    }
    let beside = host(
        builder(),
        vec![binding("/data", &scene.path("outside"), false)],
    )
    .await;
    assert_eq!(one(&beside, json!({ "op": "folders" })).await, "/data");
}

#[cfg(unix)]
#[tokio::test]
async fn a_call_keeps_the_folder_that_was_granted_whatever_its_path_becomes() {
    let scene = Scene::new();
    scene.write("inside/file", "granted");
    let host = data(&scene, true).await;
    let read = || json!({ "op": "std.read", "path": "/data/file" });
    assert_eq!(one(&host, read()).await, "ok: granted");
    std::fs::rename(scene.path("inside"), scene.path("moved")).expect("moves");
    std::os::unix::fs::symlink("outside", scene.path("inside")).expect("links");
    assert_eq!(one(&host, read()).await, "ok: granted");
}
