//! Folders of the operating system, which are never granted: the root, its programs, settings and logs,
//! and file systems that are not storage, such as the one that shows a process's memory and environment as
//! files. Folders that hold the homes of people are not granted either.

#[cfg(unix)]
use crate::bounded_file;
use cap_std::fs::Dir;
use std::path::{Path, PathBuf};

/// Folders that are refused with everything below them.
#[cfg(unix)]
const WHOLE: &[&str] = &[
    "/bin",
    "/boot",
    "/dev",
    "/efi",
    "/etc",
    "/gnu",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/lost+found",
    "/nix",
    "/proc",
    "/run",
    "/sbin",
    "/snap",
    "/sys",
    "/sysroot",
    "/usr",
    "/var",
    // macOS.
    "/Applications",
    "/Library",
    "/System",
    "/cores",
    "/private",
];

/// Folders below those that hold files of people: removable disks, homes, sites and temporary files.
/// What is below them is not the system's, and they themselves are.
#[cfg(unix)]
const EXCEPT: &[&str] = &[
    "/run/media",
    "/usr/home",
    "/var/folders",
    "/var/home",
    "/var/mnt",
    "/var/tmp",
    "/var/www",
    "/private/tmp",
    "/private/var/folders",
    "/private/var/tmp",
];

/// Folders that hold those of several people or programs. They are refused, and what is below them is not.
#[cfg(unix)]
const SHARED: &[&str] = &["/Users", "/Volumes", "/home", "/media", "/opt", "/root"];

/// The types of file systems that are not storage, as the table of mounts writes them.
pub(super) const TYPES: &[&str] = &[
    "binfmt_misc",
    "bpf",
    "cgroup",
    "cgroup2",
    "configfs",
    "debugfs",
    "devpts",
    "devtmpfs",
    "efivarfs",
    "mqueue",
    "nsfs",
    "proc",
    "pstore",
    "securityfs",
    "selinuxfs",
    "sysfs",
    "tracefs",
];

/// Reports whether a folder is the root or belongs to the system, or lies in a file system that is not
/// storage.
pub(super) fn contains(canonical: &Path, dir: &Dir) -> bool {
    canonical.parent().is_none() || is_system_path(canonical) || is_system_type(dir)
}

#[cfg(unix)]
fn is_system_path(path: &Path) -> bool {
    let below = |folder: &&str| path.starts_with(folder);
    let beside = |folder: &&str| path.starts_with(folder) && path != Path::new(folder);
    let is_shared = |folder: &&str| path == Path::new(folder);
    (WHOLE.iter().any(below) && !EXCEPT.iter().any(beside)) || SHARED.iter().any(is_shared)
}

#[cfg(not(unix))]
fn is_system_path(_: &Path) -> bool {
    false
}

/// Returns the home folder that the system has for the user of this process, whatever the environment says.
#[cfg(unix)]
pub(super) fn home() -> Option<PathBuf> {
    const MAX_ACCOUNTS: usize = 16 << 20;
    let accounts = bounded_file::read(Path::new("/etc/passwd"), MAX_ACCOUNTS).ok()?;
    home_in(
        &String::from_utf8_lossy(&accounts),
        rustix::process::geteuid().as_raw(),
    )
}

#[cfg(not(unix))]
pub(super) fn home() -> Option<PathBuf> {
    None
}

/// Reads lines such as `ada:x:1000:1000:Ada:/people/ada:/bin/sh`.
#[cfg(unix)]
fn home_in(accounts: &str, user: u32) -> Option<PathBuf> {
    let user = user.to_string();
    let mut accounts = accounts.lines().map(|line| line.split(':'));
    accounts.find_map(|mut fields| {
        let is_own = fields.nth(2) == Some(user.as_str());
        let home = fields.nth(2).filter(|home| is_own && home.starts_with('/'));
        home.map(PathBuf::from)
    })
}

/// Asks the open folder itself, because such a file system can be mounted anywhere.
#[cfg(target_os = "linux")]
fn is_system_type(dir: &Dir) -> bool {
    /// From `linux/magic.h`: the same file systems as [`TYPES`].
    const MAGIC: &[i64] = &[
        0x4249_4e4d, // binfmt_misc
        0xcafe_4a11, // bpf
        0x0027_e0eb, // cgroup
        0x6367_7270, // cgroup2
        0x6265_6570, // configfs
        0x6462_6720, // debugfs
        0x0000_1cd1, // devpts
        0xde5e_81e4, // efivarfs
        0x1980_0202, // mqueue
        0x6e73_6673, // nsfs
        0x0000_9fa0, // proc
        0x6165_676c, // pstore
        0x7363_6673, // securityfs
        0xf97c_ff8c, // selinuxfs
        0x6265_6572, // sysfs
        0x7472_6163, // tracefs
    ];
    // A file system that does not say what it is, is not granted.
    #[allow(
        clippy::useless_conversion,
        reason = "the type differs between architectures"
    )]
    rustix::fs::fstatfs(dir).map_or(true, |about| MAGIC.contains(&i64::from(about.f_type)))
}

#[cfg(not(target_os = "linux"))]
fn is_system_type(_: &Dir) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_the_system_is_refused_and_what_is_beside_it_is_not() {
        for folder in WHOLE {
            for path in [
                (*folder).to_owned(),
                format!("{folder}/x"),
                format!("{folder}/x/y"),
            ] {
                assert!(is_system_path(Path::new(&path)), "{path}");
            }
            let beside = format!("{folder}-of-mine");
            assert!(!is_system_path(Path::new(&beside)), "{beside}");
        }
        for folder in EXCEPT {
            assert!(is_system_path(Path::new(folder)), "{folder}");
            let below = format!("{folder}/x");
            assert!(!is_system_path(Path::new(&below)), "{below}");
        }
        for folder in SHARED {
            assert!(is_system_path(Path::new(folder)), "{folder}");
            let below = format!("{folder}/x");
            assert!(!is_system_path(Path::new(&below)), "{below}");
        }
        for path in [
            "/people/ada",
            "/people/ada/etc",
            "/srv/site",
            "/mnt/disk",
            "/tmp/x",
            "/data",
        ] {
            assert!(!is_system_path(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn a_home_is_that_of_the_user_and_no_other() {
        let accounts = "root:x:0:0:root:/root:/bin/sh\nbroken:x:7\nada:x:1000:10:Ada,,:/people/ada:/bin/sh\n\
                        +nis\nrel:x:8:8::home:/bin/sh\nten:x:10:1000::/people/ten:\n";
        let home = |user| home_in(accounts, user);
        assert_eq!(home(0), Some("/root".into()));
        assert_eq!(home(1000), Some("/people/ada".into()));
        assert_eq!(home(10), Some("/people/ten".into()));
        for none in [7, 8, 1, 100] {
            assert_eq!(home(none), None, "{none}");
        }
    }
}
