//! The line at which a person names a folder. Tab completes the name of a folder; pressed again, it
//! goes through those that begin alike.

use super::edited_line::{EditedLine, MAX_LINE};
use crate::power::typed_path;
use crate::terminal::keyboard::Key;
use footlight_render::filter;
use std::fs;

/// The most entries of a folder among which a name is looked for.
const MAX_ENTRIES: usize = 10_000;

/// A line while it is typed.
#[derive(Debug, Default)]
pub(super) struct FolderLine {
    text: String,
    /// The folders that Tab goes through, and the one that is shown.
    choices: Option<(Vec<String>, usize)>,
}

impl FolderLine {
    /// Adds what all folders that begin like the line have in common. If that is nothing, the first one
    /// is shown.
    fn complete(&mut self) {
        let choices = folders(&self.text);
        let Some(common) = common_beginning(&choices) else {
            return;
        };
        match common.len() > self.text.len() {
            true => self.text = common,
            false => self.choose(choices, 0),
        }
    }

    fn choose(&mut self, choices: Vec<String>, number: usize) {
        let shown = number % choices.len();
        self.text.clone_from(&choices[shown]);
        self.choices = (choices.len() > 1).then_some((choices, shown));
    }
}

impl EditedLine for FolderLine {
    fn press(&mut self, key: Key) {
        let choices = self.choices.take();
        match key {
            Key::Tab => match choices {
                Some((choices, shown)) => self.choose(choices, shown + 1),
                None => self.complete(),
            },
            Key::Char(c) if self.text.len() < MAX_LINE => self.text.push(c),
            Key::Erase => drop(self.text.pop()),
            Key::EraseWord => {
                let kept = self.text.trim_end_matches('/');
                self.text
                    .truncate(kept.rfind('/').map_or(0, |slash| slash + 1));
            }
            Key::EraseLine => self.text.clear(),
            Key::Char(_) | Key::Enter | Key::End | Key::Up | Key::Down | Key::Other => {}
        }
    }

    fn text(&self) -> &str {
        &self.text
    }
}

/// Returns the folders whose paths begin with what was typed, each with a slash at its end. Names that
/// cannot be shown as they are, are left out, and hidden ones unless a dot was typed.
fn folders(typed: &str) -> Vec<String> {
    if typed == "~" {
        return vec!["~/".to_owned()];
    }
    let (parent, name) = typed.split_at(typed.rfind('/').map_or(0, |slash| slash + 1));
    let folder = typed_path(if parent.is_empty() { "." } else { parent });
    let entries = fs::read_dir(folder).into_iter().flatten();
    let found = entries.take(MAX_ENTRIES).flatten().filter_map(|entry| {
        let found = entry.file_name().into_string().ok()?;
        let is_meant =
            found.starts_with(name) && (name.starts_with('.') || !found.starts_with('.'));
        let is_plain = || filter::line(&found, MAX_LINE) == found;
        // A link to a folder counts as one.
        let is_folder = || fs::metadata(entry.path()).is_ok_and(|entry| entry.is_dir());
        (is_meant && is_plain() && is_folder()).then(|| format!("{parent}{found}/"))
    });
    let mut found: Vec<String> = found.collect();
    found.sort();
    found
}

/// Returns what all texts begin with; `None` if there are none.
fn common_beginning(texts: &[String]) -> Option<String> {
    let (first, others) = texts.split_first()?;
    let length = others.iter().fold(first.len(), |length, other| {
        let same = first.char_indices().zip(other.chars());
        let end = same.take_while(|((_, a), b)| a == b).last();
        length.min(end.map_or(0, |((at, c), _)| at + c.len_utf8()))
    });
    Some(first[..length].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these folders, and a file of a name that begins alike.
    fn with(names: &[&str]) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().expect("a folder for the test");
        for name in names {
            fs::create_dir_all(folder.path().join(name)).expect("is made");
        }
        fs::write(folder.path().join("docs.txt"), "").expect("is written");
        let path = folder.path().to_str().expect("is text").to_owned();
        (folder, format!("{path}/"))
    }

    fn pressed(text: &str, keys: &[Key]) -> String {
        let text = text.to_owned();
        let mut line = FolderLine {
            text,
            choices: None,
        };
        keys.iter().for_each(|key| line.press(*key));
        line.text
    }

    #[test]
    fn tab_completes_folders_and_no_files() {
        let (_folder, path) = with(&["docs/deep/er", "music", ".git", "music/sad", "music/new"]);
        let tab = |typed: &str, times: usize| {
            let text = pressed(&format!("{path}{typed}"), &vec![Key::Tab; times]);
            text[path.len()..].to_owned()
        };
        assert_eq!(tab("d", 1), "docs/");
        assert_eq!(tab("d", 2), "docs/deep/");
        assert_eq!(tab("docs/d", 2), "docs/deep/er/");
        assert_eq!(tab("docs/deep/er/", 1), "docs/deep/er/");
        assert_eq!(tab("docs.", 1), "docs.");
        assert_eq!(tab("x", 3), "x");
        // What is hidden is found once it is meant.
        assert_eq!(tab("", 1), "docs/");
        assert_eq!(tab(".g", 1), ".git/");
        // Those that begin alike come one after the other.
        let all = [1, 2, 3].map(|times| tab("music/", times));
        assert_eq!(all, ["music/new/", "music/sad/", "music/new/"]);
        // Another key keeps what is shown.
        let keys = [Key::Tab, Key::Char('x'), Key::Erase, Key::Tab];
        let text = pressed(&format!("{path}music/"), &keys);
        assert_eq!(&text[path.len()..], "music/new/");
    }

    #[test]
    fn tab_adds_what_names_have_in_common() {
        let (_folder, path) = with(&["sources-old", "sources-new", "sö", "sø"]);
        let tab = |typed: &str| pressed(&format!("{path}{typed}"), &[Key::Tab]);
        assert_eq!(tab("so"), format!("{path}sources-"));
        assert_eq!(tab("s"), format!("{path}sources-new/"), "they share an s");
        assert_eq!(
            common_beginning(&["aö".to_owned(), "aø".to_owned()]),
            Some("a".to_owned())
        );
        assert_eq!(common_beginning(&[]), None);
    }

    #[cfg(unix)]
    #[test]
    fn tab_follows_links_to_folders_and_offers_no_name_that_deceives() {
        let (folder, path) = with(&["real", "bad\u{1b}[2J", "bad\u{202e}"]);
        let link = |to: &str, name: &str| {
            let made = std::os::unix::fs::symlink(folder.path().join(to), folder.path().join(name));
            made.expect("is made");
        };
        link("real", "link");
        link("docs.txt", "lost");
        assert_eq!(folders(&format!("{path}l")), [format!("{path}link/")]);
        assert_eq!(folders(&format!("{path}bad")), Vec::<String>::new());
        assert_eq!(folders("~"), ["~/"]);
        assert_eq!(folders("/nowhere/at/all"), Vec::<String>::new());
    }

    #[test]
    fn a_line_can_be_corrected() {
        for (text, key, expected) in [
            ("/a/bc", Key::Erase, "/a/b"),
            ("/a/bc", Key::EraseWord, "/a/"),
            ("/a/bc/", Key::EraseWord, "/a/"),
            ("docs", Key::EraseWord, ""),
            ("/a/bc", Key::EraseLine, ""),
            ("", Key::Erase, ""),
            ("a", Key::Other, "a"),
            ("a", Key::End, "a"),
        ] {
            assert_eq!(pressed(text, &[key]), expected, "{text} {key:?}");
        }
    }
}
