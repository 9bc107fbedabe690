//! The forms of `--dir` and `--secret`.

use crate::exit::ExitError;
use anyhow::Result;
use footlight::Host;
use footlight::policy::FolderBinding;
use footlight_render::filter;
use std::fmt;
use std::path::{Path, PathBuf};

/// `GUEST=FOLDER`, or `GUEST=FOLDER:ro`.
#[derive(Debug, PartialEq)]
pub(crate) struct TypedFolder<'a> {
    /// The guest's path, perhaps after a plugin's id.
    pub(crate) guest: &'a str,
    /// The folder as it was typed.
    folder: &'a str,
    is_read_only: bool,
}

impl<'a> TypedFolder<'a> {
    pub(crate) fn parse(typed: &'a str) -> Result<Self> {
        let invalid = |why: &str| {
            let typed = filter::line(typed, 120);
            ExitError::usage(format!(
                "`--dir {typed}` {why}; write GUEST=FOLDER, such as `--dir /data=docs`, or `--dir /data=docs:ro` to read only"
            ))
        };
        let (guest, folder) = typed
            .split_once('=')
            .ok_or_else(|| invalid("names no folder of this machine"))?;
        if !guest.contains('/') || guest.ends_with('/') {
            return Err(invalid("does not begin with a path of the plugin"));
        }
        let (folder, is_read_only) = split_read_only(folder);
        if folder.is_empty() {
            return Err(invalid("names no folder of this machine"));
        }
        Ok(Self {
            guest,
            folder,
            is_read_only,
        })
    }

    /// Checks the folder. It is writable if both the flag and the plugin say so.
    pub(crate) fn bind(&self, host: &Host, is_writable: bool) -> Result<FolderBinding> {
        let path = host
            .check_folder(&typed_path(self.folder))
            .map_err(|error| {
                let guest = filter::line(self.guest, 120);
                let error = filter::clean(&error.to_string()).into_owned();
                ExitError::usage(format!("`--dir {guest}`: {error}"))
            })?;
        let writable = is_writable && !self.is_read_only;
        Ok(FolderBinding::new(path, writable))
    }
}

/// Splits `:ro` off a folder.
pub(crate) fn split_read_only(typed: &str) -> (&str, bool) {
    match typed.strip_suffix(":ro") {
        Some(folder) => (folder, true),
        None => (typed, false),
    }
}

/// Resolves a path as a person types it: `~` is the home folder, and what is relative belongs to the
/// working directory.
pub(crate) fn typed_path(typed: &str) -> PathBuf {
    let typed = Path::new(typed);
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    let path = match (typed.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => typed.to_owned(),
    };
    std::path::absolute(&path).unwrap_or(path)
}

/// `NAME`, or `NAME=@FILE`. Its text is never printed whole, since somebody may have typed the value of
/// the secret.
#[derive(Clone)]
pub(crate) struct SecretFlag(String);

impl From<String> for SecretFlag {
    fn from(typed: String) -> Self {
        Self(typed)
    }
}

impl fmt::Debug for SecretFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretFlag(..)")
    }
}

impl SecretFlag {
    /// Returns the name, perhaps after a plugin's id, and the file with the value.
    ///
    /// # Errors
    /// When the value itself was typed.
    pub(crate) fn parts(&self) -> Result<(&str, Option<&Path>)> {
        let Some((name, value)) = self.0.split_once('=') else {
            return Ok((&self.0, None));
        };
        match value.strip_prefix('@') {
            Some(file) if !file.is_empty() => Ok((name, Some(Path::new(file)))),
            _ => {
                let name = filter::line(name, 60);
                let variable = crate::secrets::variable(name.rsplit('.').next().unwrap_or(&name));
                Err(ExitError::usage(format!(
                    "`--secret {name}=...`: other users can read a command line, so it never holds the value of a secret; set {variable}, write `--secret {name}=@FILE`, or store it with `footlight secrets set`"
                )))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Exit;

    #[test]
    fn a_folder_has_a_guest_path_and_perhaps_a_mode() {
        let typed = |guest, folder, is_read_only| TypedFolder {
            guest,
            folder,
            is_read_only,
        };
        for (text, expected) in [
            ("/data=docs", typed("/data", "docs", false)),
            ("/data=docs:ro", typed("/data", "docs", true)),
            ("files./a/b=~/x=y", typed("files./a/b", "~/x=y", false)),
            ("/data=a:rw", typed("/data", "a:rw", false)),
            ("/data=a:ro/", typed("/data", "a:ro/", false)),
        ] {
            assert_eq!(TypedFolder::parse(text).expect(text), expected);
        }
        for text in [
            "",
            "/data",
            "/data=",
            "/data=:ro",
            "data=docs",
            "=docs",
            "/=docs",
            "/a/=b",
        ] {
            let error = TypedFolder::parse(text).expect_err(text);
            assert_eq!(Exit::of_error(&error), Exit::Usage, "{text}");
            assert!(error.to_string().contains("write GUEST=FOLDER"), "{error}");
        }
    }

    #[test]
    fn the_value_of_a_secret_is_refused_and_not_repeated() {
        for text in [
            "token=canary",
            "mail.token=canary",
            "token=",
            "token=@",
            "=canary",
        ] {
            let flag = SecretFlag::from(text.to_owned());
            let error = flag.parts().expect_err(text).to_string();
            assert!(!error.contains("canary"), "{error}");
            assert!(error.contains("=@FILE"), "{error}");
            assert!(!format!("{flag:?}").contains("canary"));
        }
        let flag = SecretFlag::from("mail.token=@a=b".to_owned());
        assert_eq!(
            flag.parts().expect("a file"),
            ("mail.token", Some(Path::new("a=b")))
        );
    }

    #[test]
    fn a_tilde_is_the_home_folder_only_where_it_stands_alone() {
        let home = std::env::home_dir().expect("there is one");
        assert_eq!(typed_path("~"), home);
        assert_eq!(typed_path("~/a"), home.join("a"));
        let here = std::env::current_dir().expect("is there");
        assert_eq!(typed_path("~a"), here.join("~a"));
        assert_eq!(typed_path("a"), here.join("a"));
    }
}
