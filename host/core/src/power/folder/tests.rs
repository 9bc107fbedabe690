//! Which folders can be granted, and that nothing hides an overlap.

use super::*;
use std::fs;

fn open(path: &Path, reserved: &[&Path]) -> Result<Folder, FolderError> {
    let mut all = ReservedFolders::default();
    for folder in reserved {
        all.add(folder);
    }
    Folder::named(path, &all)
}

fn temporary() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().canonicalize().expect("exists");
    (folder, path)
}

#[test]
fn a_folder_of_the_person_is_opened_by_its_real_name() {
    let (_kept, root) = temporary();
    fs::create_dir(root.join("data")).expect("creates");
    let folder = open(&root.join("data/../data"), &[]).expect("opens");
    assert_eq!(folder.path(), root.join("data"));
}

#[test]
fn what_is_no_folder_is_told_apart() {
    let (_kept, root) = temporary();
    fs::write(root.join("file"), "").expect("writes");
    for (name, says) in [("none", "there is no folder"), ("file", "is not a folder")] {
        let error = open(&root.join(name), &[]).expect_err(name).to_string();
        assert!(error.contains(says) && error.contains(name), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn the_system_and_the_whole_home_folder_are_refused() {
    for path in [
        "/",
        "/proc",
        "/proc/self",
        "/sys",
        "/dev",
        "/run",
        "/proc/self/root",
        "/etc",
        "/usr",
        "/usr/bin",
        "/usr/local",
        "/bin",
        "/lib",
        "/sbin",
        "/boot",
        "/var",
        "/var/lib",
        "/var/log",
        "/home",
        "/root",
        "/opt",
    ] {
        if let Ok(folder) = open(Path::new(path), &[]) {
            panic!("{path} was opened as {}", folder.path().display());
        }
    }
    let (_kept, root) = temporary();
    for system in ["/etc", "/usr/bin", "/var/log"] {
        let link = root.join(system.replace('/', "-"));
        std::os::unix::fs::symlink(system, &link).expect("links");
        assert!(open(&link, &[]).is_err(), "{system} through a link");
    }
    let error = open(Path::new("/proc/self/fd"), &[]).expect_err("the system's");
    assert!(matches!(error, FolderError::System { .. }), "{error}");
    let home = std::env::home_dir().expect("a home");
    let error = open(&home, &[]).expect_err("everything");
    assert!(
        matches!(error, FolderError::Home { .. } | FolderError::System { .. }),
        "{error}"
    );
}

#[test]
fn an_overlap_with_the_host_is_refused_in_both_directions() {
    let (_kept, root) = temporary();
    fs::create_dir_all(root.join("host/cache")).expect("creates");
    fs::create_dir(root.join("host-else")).expect("creates");
    let host = root.join("host");
    for (path, refused) in [
        ("host", true),
        ("host/cache", true),
        ("", true),
        ("host-else", false),
    ] {
        let opened = open(&root.join(path), &[&host]);
        assert_eq!(opened.is_err(), refused, "`{path}`: {opened:?}");
        if let Err(error) = opened {
            assert!(matches!(error, FolderError::Reserved { .. }), "{error}");
        }
    }
    // A folder of the host that is not there yet is reserved as well.
    let later = root.join("host-else/later/cache");
    assert!(open(&root.join("host-else"), &[&later]).is_err());
}

#[cfg(unix)]
#[test]
fn links_hide_no_overlap() {
    use std::os::unix::fs::symlink;
    let (_kept, root) = temporary();
    fs::create_dir_all(root.join("host/cache")).expect("creates");
    fs::create_dir(root.join("links")).expect("creates");
    for (target, link) in [("host", "to-host"), ("host/cache", "to-cache"), ("", "up")] {
        symlink(root.join(target), root.join("links").join(link)).expect("links");
        let granted = open(&root.join("links").join(link), &[&root.join("host")]);
        assert!(granted.is_err(), "a link to `{target}` was granted");
    }
    // The other way round: the host's folder is named through a link.
    let through = root.join("links/to-host");
    assert!(open(&root.join("host/cache"), &[&through]).is_err());
    assert!(open(&root.join("host"), &[&through.join("new")]).is_err());
    // The link itself stands in the folder, or one that it leads through: there it can be exchanged.
    fs::create_dir(root.join("further")).expect("creates");
    symlink(&through, root.join("further/link")).expect("links");
    for reserved in [
        "links/to-host",
        "links/to-host/new",
        "further/link",
        "further/link/new",
    ] {
        assert!(
            open(&root.join("links"), &[&root.join(reserved)]).is_err(),
            "{reserved}"
        );
    }
    assert!(
        open(&root.join("further"), &[&through]).is_ok(),
        "no way to it leads through here"
    );
}
