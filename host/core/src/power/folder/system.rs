//! Folders of the operating system, which are never granted: the root, and file systems that are not
//! storage, such as the one that shows a process's memory and environment as files.

use cap_std::fs::Dir;
use std::path::Path;

/// Folders that are refused with everything below them.
#[cfg(unix)]
const WHOLE: &[&str] = &["/proc", "/sys", "/dev", "/run", "/var/run"];

/// Folders below those that hold a person's files: removable disks.
#[cfg(unix)]
const EXCEPT: &[&str] = &["/run/media"];

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

/// Reports whether a folder is the root, or lies in a file system that is not storage.
pub(super) fn contains(canonical: &Path, dir: &Dir) -> bool {
    canonical.parent().is_none() || is_system_path(canonical) || is_system_type(dir)
}

#[cfg(unix)]
fn is_system_path(path: &Path) -> bool {
    let below = |folder: &&str| path.starts_with(folder);
    let beside = |folder: &&str| path.starts_with(folder) && path != Path::new(folder);
    WHOLE.iter().any(below) && !EXCEPT.iter().any(beside)
}

#[cfg(not(unix))]
fn is_system_path(_: &Path) -> bool {
    false
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
