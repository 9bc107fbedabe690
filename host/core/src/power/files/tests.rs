//! What is opened, what is refused, and that nobody leads an operation elsewhere.

use super::*;
use cap_std::ambient_authority;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

/// A folder with a neighbour that must stay as it is.
struct Scene {
    root: tempfile::TempDir,
    dir: Dir,
}

const SECRET: &str = "canary";

impl Scene {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(root.path().join("inside/real")).expect("creates");
        fs::create_dir(root.path().join("outside")).expect("creates");
        fs::write(root.path().join("outside/file"), SECRET).expect("writes");
        fs::write(root.path().join("inside/real/file"), "plain").expect("writes");
        let inside = root.path().join("inside");
        let dir = Dir::open_ambient_dir(inside, ambient_authority()).expect("opens");
        Self { root, dir }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.root.path().join(name)
    }

    fn read(&self, path: &str) -> FileResult<String> {
        let how = OpenRequest {
            follow: true,
            read: true,
            ..OpenRequest::default()
        };
        match open(&self.dir, path, &how, || Ok(()))? {
            Opened::File { file, .. } => {
                let bytes = read_at(&file, 100, 0)?;
                Ok(String::from_utf8(bytes).expect("text"))
            }
            Opened::Folder(_) => Err(FileError::IsFolder),
        }
    }

    fn write(&self, path: &str) -> FileResult<()> {
        let how = OpenRequest {
            follow: true,
            write: true,
            create: true,
            truncate: true,
            ..OpenRequest::default()
        };
        match open(&self.dir, path, &how, || Ok(()))? {
            Opened::File { file, .. } => write_at(&file, b"written", 0),
            Opened::Folder(_) => Err(FileError::IsFolder),
        }
    }

    fn assert_untouched(&self) {
        let kept = fs::read_to_string(self.path("outside/file")).expect("it stays");
        assert_eq!(kept, SECRET);
        let names = fs::read_dir(self.path("outside"))
            .expect("it stays")
            .count();
        assert_eq!(names, 1, "nothing was created outside");
    }
}

#[test]
fn a_file_is_created_once_and_cut_only_when_asked() {
    let scene = Scene::new();
    let mut created = 0;
    for _ in 0..2 {
        let how = OpenRequest {
            write: true,
            create: true,
            ..OpenRequest::default()
        };
        let count = || {
            created += 1;
            Ok(())
        };
        match open(&scene.dir, "new", &how, count).expect("opens") {
            Opened::File { file, .. } => append(&file, b"ab").expect("writes"),
            Opened::Folder(_) => panic!("a file"),
        }
    }
    assert_eq!(
        (created, scene.read("new").expect("reads")),
        (1, "abab".to_owned())
    );
    scene.write("new").expect("writes");
    assert_eq!(scene.read("new").expect("reads"), "written");
    let how = OpenRequest {
        write: true,
        create: true,
        exclusive: true,
        ..OpenRequest::default()
    };
    let error = open(&scene.dir, "new", &how, || Ok(())).expect_err("it exists");
    assert!(error.is(io::ErrorKind::AlreadyExists), "{error}");
}

#[cfg(unix)]
#[test]
fn what_is_neither_a_file_nor_a_folder_is_refused_without_waiting() {
    let scene = Scene::new();
    let made = std::process::Command::new("mkfifo")
        .arg(scene.path("inside/fifo"))
        .status();
    assert!(made.expect("mkfifo runs").success());
    let _socket = std::os::unix::net::UnixListener::bind(scene.path("inside/socket"));
    std::os::unix::fs::symlink("fifo", scene.path("inside/link")).expect("links");
    for path in ["fifo", "socket", "link"] {
        assert!(
            matches!(scene.read(path), Err(FileError::Special)),
            "{path}"
        );
        assert!(
            matches!(scene.write(path), Err(FileError::Special)),
            "{path}"
        );
        let linked = hard_link((&scene.dir, path), (&scene.dir, "second"));
        assert!(matches!(linked, Err(FileError::Special)), "{path}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_is_made_points_below_itself() {
    let scene = Scene::new();
    for target in [
        "/etc",
        "..",
        "../outside",
        "real/..",
        "real/../../outside",
        "a\nb",
        "",
    ] {
        let made = symlink(&scene.dir, target, "real/link");
        assert!(made.is_err(), "{target:?}");
    }
    symlink(&scene.dir, "file", "real/link").expect("below");
    assert_eq!(scene.read("real/link").expect("reads"), "plain");
    assert_eq!(read_link(&scene.dir, "real/link").expect("reads"), "file");
    for target in ["../../outside/file", "/etc/passwd", "../../../nowhere"] {
        let _ = fs::remove_file(scene.path("inside/real/of_person"));
        std::os::unix::fs::symlink(target, scene.path("inside/real/of_person")).expect("links");
        assert!(read_link(&scene.dir, "real/of_person").is_err(), "{target}");
        assert!(scene.read("real/of_person").is_err(), "{target}");
        assert!(scene.write("real/of_person").is_err(), "{target}");
    }
    scene.assert_untouched();
}

#[test]
fn a_large_folder_is_listed_in_parts() {
    let scene = Scene::new();
    for n in 0..1_000 {
        fs::write(scene.path(&format!("inside/{n}")), "").expect("writes");
    }
    let mut listing = Listing::open(&scene.dir).expect("lists");
    let (mut parts, mut entries) = (0, 0);
    loop {
        let next = listing.next().expect("lists");
        if next.is_empty() {
            break;
        }
        assert!(next.len() <= crate::sandbox::limits::Caps::LISTED_ENTRIES);
        parts += 1;
        entries += next.len();
    }
    assert!(parts >= 4 && entries == 1_001, "{parts} {entries}");
}

/// Exchanges a folder and a link to the outside as fast as it can, while files are opened through it.
#[cfg(unix)]
#[test]
fn whoever_exchanges_a_folder_for_a_link_leads_nothing_outside() {
    let scene = Scene::new();
    std::os::unix::fs::symlink("../outside", scene.path("inside/link")).expect("links");
    let (from, to) = (scene.path("inside/real"), scene.path("inside/link"));
    let (swap, done) = (scene.path("inside/swap"), AtomicBool::new(false));
    let mut seen = [0_u32; 2];
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for (one, other) in [(&from, &swap), (&to, &from), (&swap, &to)] {
                    fs::rename(one, other).expect("renames");
                }
            }
        });
        for n in 0..100_000 {
            match n % 10 {
                0 => seen[usize::from(scene.write("real/new").is_err())] += 1,
                _ => {
                    if let Ok(text) = scene.read("real/file") {
                        assert_eq!(text, "plain");
                        seen[0] += 1;
                    } else {
                        seen[1] += 1;
                    }
                }
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(
        seen.iter().all(|count| *count > 0),
        "both were met: {seen:?}"
    );
    scene.assert_untouched();
}

/// Exchanges a file and a FIFO as fast as it can, while the file is opened. Without a program at its other
/// end, a FIFO that is opened as a file is would keep whoever opens it waiting for ever.
#[cfg(unix)]
#[test]
fn whoever_exchanges_a_file_for_a_fifo_makes_nobody_wait() {
    let scene = Scene::new();
    let made = std::process::Command::new("mkfifo")
        .arg(scene.path("inside/fifo"))
        .status();
    assert!(made.expect("mkfifo runs").success());
    let (send, receive) = std::sync::mpsc::channel();
    // Not scoped: if it waits, the test fails and does not wait as well.
    std::thread::spawn(move || send.send(exchange_for_fifo(&scene)));
    let limit = std::time::Duration::from_secs(120);
    let seen = receive.recv_timeout(limit).expect("nobody waits");
    assert!(
        seen.iter().all(|count| *count > 0),
        "both were met: {seen:?}"
    );
}

/// Returns how often a file was opened, and how often something else was met.
#[cfg(unix)]
fn exchange_for_fifo(scene: &Scene) -> [u32; 2] {
    let (from, to) = (scene.path("inside/real/file"), scene.path("inside/fifo"));
    let (swap, done) = (scene.path("inside/swap"), AtomicBool::new(false));
    let mut seen = [0_u32; 2];
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for (one, other) in [(&from, &swap), (&to, &from), (&swap, &to)] {
                    fs::rename(one, other).expect("renames");
                }
            }
        });
        for n in 0..20_000 {
            let is_met = match n % 2 {
                0 => scene.write("real/file").is_err(),
                _ => scene.read("real/file").is_err(),
            };
            seen[usize::from(is_met)] += 1;
        }
        done.store(true, Ordering::Relaxed);
    });
    seen
}
