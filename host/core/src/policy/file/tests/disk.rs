//! The file on the disk: what may lie there, and who may write at once.

use super::*;
use crate::policy::{Decision, DenyReason, decide};
use std::process::Command;

#[test]
fn what_is_no_plain_file_is_refused_and_left_alone() {
    let folder = Folder::new();
    fs::create_dir(folder.path()).expect("makes it");
    let error = RulesFile::open(folder.path()).expect_err("a folder");
    assert!(
        error.to_string().contains("rules.toml` is a folder; "),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn a_link_is_refused_and_never_written_through() {
    let folder = Folder::new();
    let mut file = folder.open();
    let target = folder.0.path().join("elsewhere.toml");
    fs::write(&target, "level = \"full\"\n").expect("writes");
    std::os::unix::fs::symlink(&target, folder.path()).expect("links");

    let error = RulesFile::open(folder.path()).expect_err("a link");
    assert!(
        error.to_string().contains("is a symbolic link; "),
        "{error}"
    );
    file.add(&rule("a"), day(), "").expect_err("a link");
    let now = fs::read_to_string(&target).expect("there");
    assert_eq!(now, "level = \"full\"\n");

    fs::remove_file(&target).expect("there");
    RulesFile::open(folder.path()).expect_err("a link to nothing is not an absent file");
}

#[cfg(unix)]
#[test]
fn a_file_is_the_persons_own() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    let deep = folder.0.path().join("new/rules.toml");
    let mut file = RulesFile::open(&deep).expect("absent");
    add(&mut file, &rule("a"));
    assert_eq!(mode(&deep), 0o600);
    assert_eq!(mode(deep.parent().expect("a folder")), 0o700);

    fs::set_permissions(&deep, fs::Permissions::from_mode(0o666)).expect("ours");
    let error = RulesFile::open(&deep).expect_err("open to all");
    assert!(
        error.to_string().contains("can be changed by every user"),
        "{error}"
    );
}

#[test]
fn what_is_not_utf8_is_refused_at_its_place() {
    let folder = Folder::new();
    fs::write(folder.path(), b"ask = \"off\"\n# \xff\n").expect("writes");
    let error = RulesFile::open(folder.path()).expect_err("no text");
    assert!(
        error
            .to_string()
            .contains("line 2, column 3: this is not UTF-8"),
        "{error}"
    );
}

#[test]
fn a_file_that_breaks_denies_everything_until_it_is_corrected() {
    let folder = Folder::holding("level = \"full\"\n");
    let mut file = folder.open();
    fs::write(folder.path(), "level = \"fulll\"\n").expect("writes");
    file.reload().expect_err("broken");
    assert_eq!(*file.rules(), RulesFile::deny_all());
    file.add(&rule("a"), day(), "").expect_err("broken");
    assert_eq!(folder.text(), "level = \"fulll\"\n");
    fs::write(folder.path(), "level = \"full\"\n").expect("writes");
    file.reload().expect("corrected");
    assert_eq!(file.rules().level, Level::Full);
}

#[test]
fn closed_rules_deny_even_what_is_harmless() {
    let scene = super::explained::scene();
    let decision = decide(
        &scene.manifest,
        &RulesFile::deny_all(),
        &Default::default(),
        &scene.request("d1"),
    );
    assert!(matches!(
        decision,
        Decision::Deny {
            reason: DenyReason::NeverAsk,
            ..
        }
    ));
}

#[test]
fn threads_that_add_at_once_lose_nothing() {
    let folder = Folder::holding(BY_HAND);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let mut file = folder.open();
            scope.spawn(move || {
                for n in 0..8 {
                    add(&mut file, &rule(&format!("t{thread}_{n}")));
                }
            });
        }
    });
    let file = folder.open();
    assert_eq!(file.rules().rules.len(), 3 + 4 * 8);
    assert!(folder.text().starts_with(BY_HAND));
    let left = fs::read_dir(folder.0.path()).expect("there").count();
    assert_eq!(left, 2, "nothing but the file and its lock is left");
}

/// Set for the processes that the test below starts: itself, as another.
const CHILD: &str = "FOOTLIGHT_TEST_RULES_FILE";

#[test]
fn processes_that_add_and_remove_at_once_lose_nothing() {
    const NAME: &str = "processes_that_add_and_remove_at_once_lose_nothing";
    if let Some(path) = std::env::var_os(CHILD) {
        let mut file = RulesFile::open(path).expect("a file that is understood");
        let process = std::process::id();
        for n in 0..8 {
            add(&mut file, &rule(&format!("p{process}_{n}")));
            add(&mut file, &rule(&format!("gone{process}")));
            let gone = RuleId::of(&rule(&format!("gone{process}"))).to_string();
            file.remove(&gone).expect("there");
        }
        return;
    }
    let folder = Folder::holding(BY_HAND);
    let module = module_path!().split_once("::").expect("a crate").1;
    let mut children: Vec<_> = (0..3)
        .map(|_| {
            Command::new(std::env::current_exe().expect("a test"))
                .args([&format!("{module}::{NAME}"), "--exact", "-q"])
                .env(CHILD, folder.path())
                .stdout(std::process::Stdio::null())
                .spawn()
                .expect("starts")
        })
        .collect();
    for child in &mut children {
        assert!(child.wait().expect("ends").success());
    }
    let file = folder.open();
    assert_eq!(file.rules().rules.len(), 3 + 3 * 8);
    assert!(folder.text().starts_with(BY_HAND));
}
