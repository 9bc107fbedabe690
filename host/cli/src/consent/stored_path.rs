//! Paths in `consent.json`: as text, or as a list of bytes where they are not Unicode.
//!
//! A path that was replaced by similar text would be the path of another folder, which nobody agreed to.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::path::{Path, PathBuf};

/// A path as it is written.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    Text(String),
    Bytes(Vec<u8>),
}

pub(super) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    let stored = match path.to_str() {
        Some(text) => Stored::Text(text.to_owned()),
        None => Stored::Bytes(bytes(path).to_vec()),
    };
    stored.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    Ok(match Stored::deserialize(deserializer)? {
        Stored::Text(text) => PathBuf::from(text),
        Stored::Bytes(bytes) => path(bytes),
    })
}

#[cfg(unix)]
fn bytes(path: &Path) -> &[u8] {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str())
}

#[cfg(unix)]
fn path(bytes: Vec<u8>) -> PathBuf {
    let text: std::ffi::OsString = std::os::unix::ffi::OsStringExt::from_vec(bytes);
    PathBuf::from(text)
}

#[cfg(not(unix))]
fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// Elsewhere such a path names nothing.
#[cfg(not(unix))]
fn path(_: Vec<u8>) -> PathBuf {
    PathBuf::new()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Entry {
        #[serde(with = "super")]
        path: PathBuf,
    }

    #[test]
    fn every_path_is_read_back_as_it_was() {
        let paths: [&[u8]; 4] = [b"/a/b", "/\u{fffd}".as_bytes(), b"/\xff", b"/\xfe"];
        for expected in paths {
            let entry = Entry {
                path: path(expected.to_vec()),
            };
            let text = serde_json::to_string(&entry).expect("is written");
            let entry: Entry = serde_json::from_str(&text).expect("is read");
            assert_eq!(bytes(&entry.path), expected, "{text}");
        }
    }
}
