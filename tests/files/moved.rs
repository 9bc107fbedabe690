//! What takes the place of a granted folder: a link, a link in the path above it, another folder. The
//! mover is a guest with a granted folder around it.

#![cfg(unix)]

use super::*;
use footlight::CallEvent;
use footlight::policy::Rules;
use footlight::vocabulary::item::Verdict;
use footlight::vocabulary::manifest::Mode;
use std::os::unix::fs::symlink;

/// How the person grants the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grant {
    /// A rule names the path.
    Rule,
    /// The person names the folder when the process starts, as with a flag.
    Named,
    /// The person names the folder when asked, for the session.
    Verdict,
    /// Somebody offers the folder, and the person accepts it for the session.
    Offer,
}

/// When the place is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// After a call has used the folder.
    Used,
    /// Before any call of this process has used it.
    Unused,
    /// In another process, before this one.
    Before,
}

/// Operations, each with its two paths.
type Steps = &'static [(&'static str, &'static str, &'static str)];

/// The operations that take the place of `/data/team/docs`, each with its two paths below `/data`.
/// `out` leads to the folder outside; `team_out` to one that has `docs`.
const TRICKS: &[(&str, Steps)] = &[
    (
        "a link where the folder was deleted",
        &[
            ("std.remove_all", "team/docs", ""),
            ("std.rename", "out", "team/docs"),
        ],
    ),
    (
        "a link after an empty folder",
        &[
            ("std.remove", "team/docs/file", ""),
            ("std.rename", "empty", "team/docs"),
            ("std.rename", "team/docs", "empty"),
            ("std.rename", "out", "team/docs"),
        ],
    ),
    (
        "a link where the folder was moved away",
        &[
            ("std.rename", "team/docs", "away"),
            ("std.rename", "out", "team/docs"),
        ],
    ),
    (
        "a link above, where all was deleted",
        &[
            ("std.remove_all", "team", ""),
            ("std.rename", "team_out", "team"),
        ],
    ),
    (
        "a link above, where all was moved away",
        &[
            ("std.rename", "team", "away"),
            ("std.rename", "team_out", "team"),
        ],
    ),
    (
        "another folder where it was deleted",
        &[
            ("std.remove_all", "team/docs", ""),
            ("std.rename", "other", "team/docs"),
        ],
    ),
    (
        "another folder where it was moved away",
        &[
            ("std.rename", "team/docs", "away"),
            ("std.rename", "other", "team/docs"),
        ],
    ),
];

fn furnish(scene: &Scene) {
    scene.write("inside/team/docs/file", "granted");
    scene.write("inside/other/file", CANARY);
    scene.write("outside/docs/file", CANARY);
    std::fs::create_dir(scene.path("inside/empty")).expect("creates");
    symlink("../outside", scene.path("inside/team_out")).expect("links");
    // It is moved to where the target is one folder further up.
    symlink("../../outside", scene.path("inside/out")).expect("links");
}

/// Returns a host in which the mover has `/data`, and `/docs` is granted by a rule, if at all.
async fn host_with(scene: &Scene, docs: bool) -> Host {
    let host = builder().build().expect("builds");
    host.load(plugins::PROBE).await.expect("loads");
    host.set_rules("local", granted(scene, docs));
    host
}

fn granted(scene: &Scene, docs: bool) -> Rules {
    let mut rules = vec![binding("/data", &scene.path("inside"), true)];
    if docs {
        let path = scene.root.path().canonicalize().expect("it exists");
        rules.push(binding("/docs", &path.join("inside/team/docs"), false));
    }
    Rules::from(rules)
}

/// Performs steps; the person allows the call, grants `/docs` as `grant` says, and denies
/// other folders.
async fn perform_with(host: &Host, scene: &Scene, steps: &Value, grant: Grant) -> CallOutcome {
    let input = json!({ "steps": steps.to_string() });
    let mut call = host.call("probe.perform", input);
    loop {
        match call.next().await.expect("it ends") {
            CallEvent::Approval { id, ask, .. } => {
                let is_call = ask.folder.is_none();
                let is_docs = ask.folder.is_some_and(|folder| folder.path == "/docs");
                let folder = scene.path("inside/team/docs");
                let replied = match grant {
                    _ if is_call => host.decide(&id, Verdict::Once, None),
                    Grant::Verdict if is_docs => {
                        host.bind(&id, Verdict::Session, &folder, Mode::ReadOnly)
                    }
                    Grant::Offer if is_docs => host.decide(&id, Verdict::Session, None),
                    _ => host.decide(&id, Verdict::Deny, None),
                };
                replied.expect("it is pending");
            }
            CallEvent::Finished(ended) => return *ended,
            _ => {}
        }
    }
}

#[tokio::test]
async fn nothing_that_takes_the_place_of_a_granted_folder_is_granted() {
    for (name, trick) in TRICKS {
        for grant in [Grant::Rule, Grant::Named, Grant::Verdict, Grant::Offer] {
            for when in [When::Used, When::Unused, When::Before] {
                let is_other_folder = name.starts_with("another");
                match (grant, when) {
                    // A verdict binds the folder at once, and ends with its process.
                    (Grant::Verdict, When::Unused | When::Before) => continue,
                    // What is named or offered in a later process is what is there then.
                    (Grant::Named | Grant::Offer, When::Before) => continue,
                    // A rule and an offer are paths: until they are used, a folder there is that folder.
                    (Grant::Rule, When::Unused | When::Before) if is_other_folder => continue,
                    (Grant::Offer, When::Unused) if is_other_folder => continue,
                    _ => {}
                }
                let case = format!("{name}, {grant:?}, {when:?}");
                let met = reads_after(trick, grant, when).await;
                assert!(!met.contains(CANARY), "{case}: {met}");
                let keeps = when == When::Used && name.contains("moved away");
                let named = grant == Grant::Named && name.contains("moved away");
                let deleted = !name.contains("moved away");
                if keeps || named {
                    assert_eq!(
                        met, "ok: granted",
                        "{case}: the folder itself stays granted"
                    );
                } else if deleted {
                    assert!(!met.starts_with("ok"), "{case}: {met}");
                }
            }
        }
    }
}

/// Performs a trick, and returns what a guest then meets at `/docs/file`.
async fn reads_after(trick: &[(&str, &str, &str)], grant: Grant, when: When) -> String {
    let scene = Scene::new();
    furnish(&scene);
    let folder = scene.path("inside/team/docs");
    let text = folder.to_str().expect("Unicode").to_owned();
    let read = json!([{ "op": "std.read", "path": "/docs/file" }]);
    let steps = trick.iter().map(|(op, path, to)| {
        json!({ "op": op, "path": format!("/data/{path}"), "to": format!("/data/{to}") })
    });
    let steps: Value = steps.collect::<Vec<_>>().into();
    let is_rule = matches!(grant, Grant::Rule | Grant::Named);

    let first = host_with(&scene, is_rule && when == When::Used).await;
    if grant == Grant::Named {
        first.check_folder(&folder).expect("it can be granted");
    }
    if grant == Grant::Offer {
        first.offer_folder("probe", "/docs", &text);
    }
    if when == When::Used {
        let used = perform_with(&first, &scene, &read, grant).await;
        assert_eq!(met(&used), ["ok: granted"]);
    }
    let mover = match when {
        When::Used => grant,
        // Nobody grants `/docs` to this call.
        When::Unused | When::Before => Grant::Rule,
    };
    let moved = perform_with(&first, &scene, &steps, mover).await;
    let moved = met(&moved);
    assert!(moved.iter().all(|met| met.starts_with("ok")), "{moved:?}");

    let second = match when {
        When::Used | When::Unused => first,
        When::Before => host_with(&scene, true).await,
    };
    second.set_rules("local", granted_at(&scene, is_rule, &folder));
    let read = perform_with(&second, &scene, &read, grant).await;
    met(&read).remove(0)
}

/// Returns the rules with `/docs` bound to the path that it had before anything was moved.
fn granted_at(scene: &Scene, docs: bool, folder: &std::path::Path) -> Rules {
    let mut rules = granted(scene, false);
    if docs {
        rules.rules.push(binding("/docs", folder, false));
    }
    rules
}

async fn read_docs(host: &Host, scene: &Scene) -> String {
    let read = json!([{ "op": "std.read", "path": "/docs/file" }]);
    met(&perform_with(host, scene, &read, Grant::Rule).await).remove(0)
}

#[tokio::test]
async fn a_folder_that_was_deleted_can_be_named_again() {
    let scene = Scene::new();
    furnish(&scene);
    let folder = scene.path("inside/team/docs");
    let host = host_with(&scene, true).await;
    assert_eq!(read_docs(&host, &scene).await, "ok: granted");
    std::fs::remove_dir_all(&folder).expect("removes");
    scene.write("inside/team/docs/file", "new");
    let refused = read_docs(&host, &scene).await;
    assert!(!refused.starts_with("ok"), "{refused}");
    host.check_folder(&folder).expect("it can be granted");
    assert_eq!(read_docs(&host, &scene).await, "ok: new");
}
