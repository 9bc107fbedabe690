//! Tests of the remembered answers.

use super::*;
use std::fs;

fn folder(path: &str, owner: u32) -> CrateFolder {
    CrateFolder {
        path: path.into(),
        owner,
    }
}

fn component(id: &str, digest: &str) -> KnownPlugin {
    KnownPlugin {
        id: id.to_owned(),
        digests: vec![digest.to_owned()],
        ..KnownPlugin::default()
    }
}

#[test]
fn answers_are_remembered_for_exactly_what_was_asked() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let path = Some(home.path().join("new/consent.json"));
    let open = || Consents::at(path.clone()).expect("is read");
    let (one, two) = (Digest::of(b"one"), Digest::of(b"two"));
    let file = Path::new("/p/footlight.toml");

    let mut consents = open();
    assert!(!consents.allows_build(&folder("/a", 1)) && consents.plugin("a").is_none());
    consents
        .allow_builds(&[folder("/a", 1)])
        .expect("is written");
    consents.accept_project(file, &one).expect("is written");
    consents
        .accept_plugin(component("a", "d1"))
        .expect("is written");

    let mut consents = open();
    for (asked, expected) in [
        (folder("/a", 1), true),
        (folder("/a", 2), false),
        (folder("/a/b", 1), false),
        (folder("/", 1), false),
    ] {
        assert_eq!(consents.allows_build(&asked), expected, "{asked:?}");
    }
    assert!(consents.accepts_project(file, &one) && !consents.accepts_project(file, &two));
    assert!(!consents.accepts_project(Path::new("/q/footlight.toml"), &one));
    assert_eq!(consents.plugin("a"), Some(&component("a", "d1")));

    // A new owner and a new content replace the old ones; a new component joins them.
    consents
        .allow_builds(&[folder("/a", 2)])
        .expect("is written");
    consents.accept_project(file, &two).expect("is written");
    consents
        .accept_plugin(component("a", "d2"))
        .expect("is written");
    let consents = open();
    assert!(!consents.allows_build(&folder("/a", 1)) && consents.allows_build(&folder("/a", 2)));
    assert!(!consents.accepts_project(file, &one) && consents.accepts_project(file, &two));
    assert_eq!(
        consents.plugin("a").expect("is known").digests,
        ["d1", "d2"]
    );
}

#[test]
fn processes_that_answer_at_once_lose_no_answer() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let path = home.path().join("consent.json");
    let threads: Vec<_> = (0..8)
        .map(|n| {
            let path = path.clone();
            std::thread::spawn(move || {
                let mut consents = Consents::at(Some(path)).expect("is read");
                let id = format!("p{n}");
                let is_first = consents.accept_first_plugin(component(&id, "d"));
                assert!(is_first.expect("is written"), "nobody else knows {id}");
                let same = component("same", &format!("d{n}"));
                consents.accept_first_plugin(same).expect("is written")
            })
        })
        .collect();
    let threads = threads.into_iter();
    let first = threads.map(|thread| thread.join().expect("nobody panicked"));
    assert_eq!(first.filter(|is_first| *is_first).count(), 1);
    let consents = Consents::at(Some(path)).expect("is read");
    assert_eq!(consents.content.plugins.len(), 9);
    assert_eq!(consents.plugin("same").expect("is known").digests.len(), 1);
}

#[test]
fn a_damaged_file_is_an_error_and_not_an_empty_one() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let path = home.path().join("consent.json");
    for text in ["", "{", "\"\"", "{\"trusted\": true}", "\u{0}"] {
        fs::write(&path, text).expect("is written");
        let error = Consents::at(Some(path.clone())).expect_err(text);
        assert!(
            error.to_string().contains("remove it to be asked again"),
            "{error}"
        );
    }
    fs::write(&path, " ".repeat(MAX_BYTES + 1)).expect("is written");
    assert!(Consents::at(Some(path)).is_err());
}

#[test]
fn the_file_has_bounds() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let path = home.path().join("consent.json");
    let mut consents = Consents::at(Some(path.clone())).expect("is read");
    for n in 0..MAX_DIGESTS + 3 {
        let seen = component("a", &format!("d{n}"));
        consents.accept_plugin(seen).expect("is written");
    }
    let digests = &consents.plugin("a").expect("is known").digests;
    assert_eq!((digests.len(), digests[0].as_str()), (MAX_DIGESTS, "d3"));

    let many: Vec<_> = (0..=MAX_ENTRIES)
        .map(|n| folder(&format!("/{n}"), 0))
        .collect();
    let error = consents.allow_builds(&many).expect_err("is too much");
    assert!(
        error.to_string().contains("more than 1000 answers"),
        "{error}"
    );
    let consents = Consents::at(Some(path)).expect("is read");
    assert!(!consents.allows_build(&many[0]), "nothing was written");
}

#[test]
fn without_a_folder_no_component_is_accepted() {
    let mut consents = Consents::at(None).expect("is empty");
    consents
        .allow_builds(&[folder("/a", 1)])
        .expect("holds for now");
    assert!(consents.allows_build(&folder("/a", 1)));
    let error = consents
        .accept_plugin(component("a", "d"))
        .expect_err("is not remembered");
    assert!(
        error.to_string().contains("FOOTLIGHT_CONFIG_DIR"),
        "{error}"
    );
}
