//! The table of mounts: where one folder can be reached by several paths.
//!
//! A bind mount shows a folder at a second path, which neither has links nor lies below the first. Of
//! each mount the kernel tells the device, and which folder of that device it shows; two paths lead to
//! the same place if both agree.

use super::system;
use std::path::{Path, PathBuf};

/// The mounts of this process, in the order in which they were made.
#[derive(Debug, Default)]
pub(super) struct Mounts(Vec<Mount>);

#[derive(Debug)]
struct Mount {
    device: String,
    /// The folder of the device that is shown.
    root: PathBuf,
    /// Where it is shown.
    point: PathBuf,
    kind: String,
}

/// A folder of a device.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Location {
    pub(super) device: String,
    pub(super) path: PathBuf,
}

impl Mounts {
    /// Reads the table. It is empty where the system has none.
    pub(super) fn read() -> Self {
        #[cfg(target_os = "linux")]
        let text = std::fs::read("/proc/self/mountinfo").unwrap_or_default();
        #[cfg(not(target_os = "linux"))]
        let text = Vec::new();
        Self::parse(&String::from_utf8_lossy(&text))
    }

    fn parse(text: &str) -> Self {
        Self(text.lines().filter_map(mount).collect())
    }

    /// Reports whether a file system that is not storage is mounted below a folder.
    pub(super) fn has_system_below(&self, folder: &Path) -> bool {
        let is_system = |mount: &Mount| system::TYPES.contains(&&*mount.kind);
        let mut below = self
            .0
            .iter()
            .filter(|mount| mount.point.starts_with(folder));
        below.any(is_system)
    }

    /// Returns every folder of a device that can be reached from `folder`: the one it is, and those
    /// that are mounted below it.
    pub(super) fn reachable(&self, folder: &Path) -> Vec<Location> {
        // Of several mounts at one point, the last is seen.
        let holds = |mount: &&Mount| folder.starts_with(&mount.point);
        let own = self.0.iter().filter(holds);
        let own = own.max_by_key(|mount| mount.point.components().count());
        let own = own.map(|mount| Location {
            device: mount.device.clone(),
            path: mount
                .root
                .join(folder.strip_prefix(&mount.point).unwrap_or(folder)),
        });
        let below = self
            .0
            .iter()
            .filter(|mount| mount.point.starts_with(folder));
        let below = below.map(|mount| Location {
            device: mount.device.clone(),
            path: mount.root.clone(),
        });
        own.into_iter().chain(below).collect()
    }
}

/// Parses a line such as `36 35 98:0 /root /point rw - ext4 /dev/sda rw`.
fn mount(line: &str) -> Option<Mount> {
    let (fields, rest) = line.split_once(" - ")?;
    let mut fields = fields.split(' ').skip(2);
    Some(Mount {
        device: fields.next()?.to_owned(),
        root: unescape(fields.next()?),
        point: unescape(fields.next()?),
        kind: rest.split(' ').next()?.to_owned(),
    })
}

/// The kernel writes spaces, tabs, line ends and backslashes as three octal digits.
fn unescape(text: &str) -> PathBuf {
    let replaced = [
        ("\\040", " "),
        ("\\011", "\t"),
        ("\\012", "\n"),
        ("\\134", "\\"),
    ];
    let text = replaced
        .iter()
        .fold(text.to_owned(), |text, (code, c)| text.replace(code, c));
    PathBuf::from(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
23 22 0:21 / /proc rw - proc proc rw
40 22 8:1 /people/ada /mnt/ada rw shared:1 - ext4 /dev/sda1 rw
41 22 8:2 / /srv/my\\040disk rw - ext4 /dev/sda2 rw
42 41 8:1 /people/ada/data/cache /srv/my\\040disk/cache rw - ext4 /dev/sda1 rw
43 22 0:33 / /jail/proc rw - proc proc rw
a line of another kind
";

    fn reachable(folder: &str) -> Vec<(String, String)> {
        let found = Mounts::parse(TABLE).reachable(Path::new(folder));
        let text = |found: Location| (found.device, found.path.display().to_string());
        found.into_iter().map(text).collect()
    }

    fn pair(device: &str, path: &str) -> (String, String) {
        (device.to_owned(), path.to_owned())
    }

    #[test]
    fn a_folder_is_found_by_what_is_mounted_and_not_by_where() {
        assert_eq!(
            reachable("/people/ada/data"),
            [pair("8:1", "/people/ada/data")]
        );
        assert_eq!(
            reachable("/mnt/ada/data"),
            [pair("8:1", "/people/ada/data")]
        );
        assert_eq!(
            reachable("/srv/my disk"),
            [
                pair("8:2", "/"),
                pair("8:2", "/"),
                pair("8:1", "/people/ada/data/cache"),
            ]
        );
    }

    #[test]
    fn a_folder_with_the_files_of_processes_in_it_is_the_systems() {
        let mounts = Mounts::parse(TABLE);
        assert!(mounts.has_system_below(Path::new("/jail")));
        assert!(!mounts.has_system_below(Path::new("/srv")));
    }
}
