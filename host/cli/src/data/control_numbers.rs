//! The highest number of a control in each conversation, so that one that is continued uses none twice.

use super::{Data, open_private};
use footlight_vocabulary::item::SessionId;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// The folder with a file for each session.
const FOLDER: &str = "controls";

/// The longest id of a session that becomes the name of a file.
const MAX_ID: usize = 130;

/// The highest number of one conversation. A conversation works without it.
#[derive(Debug, Clone)]
pub(crate) struct ControlNumbers {
    path: Option<PathBuf>,
}

impl ControlNumbers {
    /// Finds the file of a session, which may be that of a server and have any name.
    pub(crate) fn new(data: &Data, session: &SessionId) -> Self {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let id = session.as_str();
        let is_name = !id.is_empty() && id.len() <= MAX_ID && id.chars().all(is_plain);
        let folder = data.location().filter(|_| is_name);
        Self {
            path: folder.map(|folder| folder.join(FOLDER).join(id)),
        }
    }

    /// Returns the highest number that was used so far.
    pub(crate) fn highest(&self) -> usize {
        let text = self.path.as_ref().and_then(|path| fs::read(path).ok());
        let text = String::from_utf8(text.unwrap_or_default()).ok();
        let number = text.and_then(|text| text.trim().parse::<u32>().ok());
        number.map_or(0, |number| number as usize)
    }

    /// Records the highest number, unless another process has used a higher one.
    pub(crate) fn keep(&self, highest: usize) {
        let Some(path) = &self.path else { return };
        if highest <= self.highest() {
            return;
        }
        // Without it, a conversation that is continued counts from the beginning.
        if let Some(folder) = path.parent()
            && footlight::private_file::create_dir(folder).is_ok()
            && let Ok(mut file) = open_private(path, |options| {
                options.write(true).create(true).truncate(true)
            })
        {
            let _ = writeln!(file, "{highest}");
        }
    }

    /// Forgets the number of a session that is deleted.
    pub(crate) fn forget(&self) {
        if let Some(path) = &self.path {
            // There is none unless something was pressable.
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_number_of_a_session_is_kept() {
        let home = tempfile::tempdir().expect("a folder for the test");
        let data = Data::new(Some(home.path().join("data")));
        let numbers = |id: &str| ControlNumbers::new(&data, &SessionId::from(id));
        assert_eq!(numbers("ses_1").highest(), 0);
        numbers("ses_1").keep(7);
        numbers("ses_1").keep(3);
        assert_eq!(numbers("ses_1").highest(), 7);
        assert_eq!(numbers("ses_2").highest(), 0);
        numbers("ses_1").forget();
        assert_eq!(numbers("ses_1").highest(), 0);
    }

    #[test]
    fn an_id_that_is_no_name_of_a_file_has_no_file() {
        let home = tempfile::tempdir().expect("a folder for the test");
        let data = Data::new(Some(home.path().join("data")));
        for id in ["", "..", "a/b", "../x", "a.b", &"x".repeat(131)] {
            let numbers = ControlNumbers::new(&data, &SessionId::from(id));
            numbers.keep(7);
            assert_eq!(numbers.highest(), 0, "{id}");
        }
        assert_eq!(fs::read_dir(home.path()).expect("is there").count(), 0);
    }
}
