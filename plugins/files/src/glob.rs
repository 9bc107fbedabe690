//! Globs, as a list of patterns for paths.
//!
//! `*` and `?` stop at a slash and `**` does not; `[a-z]` and `{a,b}` work as in a shell. A glob with
//! a slash is compared with the whole path, any other with the last part of it. `!` in front
//! excludes. Globs become regular expressions, which are matched in linear time.

use footlight_sdk::prelude::*;
use regex_lite::{Regex, RegexBuilder};

/// The most globs, and the most characters of one.
const MAX_GLOBS: usize = 20;
const MAX_CHARS: usize = 200;

/// The most bytes of one compiled glob.
const MAX_COMPILED: usize = 256 << 10;

/// Globs that a path must match.
pub(crate) struct Globs {
    wanted: Vec<Glob>,
    unwanted: Vec<Glob>,
}

struct Glob {
    regex: Regex,
    /// Whether it is compared with the whole path.
    whole: bool,
}

impl Globs {
    /// Parses globs. None at all match every path.
    pub(crate) fn new(globs: &[String]) -> Result<Self> {
        if globs.len() > MAX_GLOBS {
            return Err(invalid!("more than {MAX_GLOBS} globs"));
        }
        let mut all = Self {
            wanted: Vec::new(),
            unwanted: Vec::new(),
        };
        for glob in globs {
            match glob.strip_prefix('!') {
                Some(glob) => all.unwanted.push(Glob::new(glob)?),
                None => all.wanted.push(Glob::new(glob)?),
            }
        }
        Ok(all)
    }

    /// Reports whether a path, relative to the folder, is wanted.
    pub(crate) fn admit(&self, path: &str) -> bool {
        let any = |globs: &[Glob]| globs.iter().any(|glob| glob.matches(path));
        (self.wanted.is_empty() || any(&self.wanted)) && !any(&self.unwanted)
    }
}

impl Glob {
    fn new(glob: &str) -> Result<Self> {
        if glob.chars().count() > MAX_CHARS {
            return Err(invalid!("a glob has more than {MAX_CHARS} characters"));
        }
        let pattern = expression(glob.trim_start_matches('/'))
            .ok_or_else(|| invalid!("`{glob}` is not a glob: a bracket is not closed"))?;
        let regex = RegexBuilder::new(&pattern)
            .size_limit(MAX_COMPILED)
            .build()
            .map_err(|error| invalid!("`{glob}` is not a glob: {error}"))?;
        let whole = glob.contains('/');
        Ok(Self { regex, whole })
    }

    fn matches(&self, path: &str) -> bool {
        let last = path.rsplit('/').next().unwrap_or(path);
        self.regex.is_match(if self.whole { path } else { last })
    }
}

/// Translates a glob to a regular expression; `None` if a bracket or brace is not closed.
fn expression(glob: &str) -> Option<String> {
    let mut out = String::from("(?s)^");
    let mut rest = glob;
    let mut braces = 0_usize;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        match c {
            '*' if rest.starts_with("**/") => {
                out.push_str("(?:.*/)?");
                length = 3;
            }
            '*' if rest.starts_with("**") => {
                out.push_str(".*");
                length = 2;
            }
            '*' => out.push_str("[^/]*"),
            '?' => out.push_str("[^/]"),
            '{' => {
                out.push_str("(?:");
                braces += 1;
            }
            '}' if braces > 0 => {
                out.push(')');
                braces -= 1;
            }
            ',' if braces > 0 => out.push('|'),
            '[' => {
                let (class, end) = class(rest)?;
                out.push_str(&class);
                length = end;
            }
            c => out.push_str(&regex_lite::escape(c.encode_utf8(&mut [0; 4]))),
        }
        rest = &rest[length..];
    }
    out.push('$');
    (braces == 0).then_some(out)
}

/// Translates a class such as `[a-z]` or `[!0-9]`, and returns its length in the glob.
fn class(glob: &str) -> Option<(String, usize)> {
    let inner = glob.strip_prefix('[')?;
    let negated = inner.starts_with(['!', '^']);
    let start = 1 + usize::from(negated);
    // A `]` in the first place is a member.
    let first = glob[start..].chars().next()?;
    let end = start + first.len_utf8() + glob[start + first.len_utf8()..].find(']')?;
    let mut out = String::from(if negated { "[^/" } else { "[" });
    for c in glob[start..end].chars() {
        if c != '-' && !c.is_alphanumeric() {
            out.push('\\');
        }
        out.push(c);
    }
    out.push(']');
    Some((out, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(globs: &[&str], path: &str) -> bool {
        let globs: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
        Globs::new(&globs).expect("globs").admit(path)
    }

    #[test]
    fn globs_match_as_in_a_shell() {
        for (glob, path, wanted) in [
            ("*.rs", "main.rs", true),
            ("*.rs", "src/deep/main.rs", true),
            ("*.rs", "main.rs.txt", false),
            ("src/*.rs", "src/main.rs", true),
            ("/src/*.rs", "src/main.rs", true),
            ("src/*.rs", "src/deep/main.rs", false),
            ("src/**/*.rs", "src/main.rs", true),
            ("src/**/*.rs", "src/a/b/main.rs", true),
            ("**/tests", "a/b/tests", true),
            ("docs/**", "docs/a/b.md", true),
            ("?.txt", "a.txt", true),
            ("?.txt", "ab.txt", false),
            ("*.{toml,lock}", "Cargo.lock", true),
            ("*.{toml,lock}", "Cargo.md", false),
            ("[a-c]*.md", "b.md", true),
            ("[!a-c]*.md", "b.md", false),
            ("[!a-c]*.md", "x.md", true),
            ("[]x]", "]", true),
            ("[^a]", "^", true),
            ("a[.]b", "axb", false),
            ("a+b(1).txt", "a+b(1).txt", true),
            ("naïve*", "naïveté", true),
            ("*", "line\nbreak", true),
            ("", "a", false),
        ] {
            assert_eq!(admits(&[glob], path), wanted, "{glob} {path}");
        }
    }

    #[test]
    fn several_globs_are_alternatives_and_an_exclamation_mark_excludes() {
        assert!(admits(&[], "anything"));
        assert!(admits(&["*.rs", "*.md"], "a.md"));
        assert!(!admits(&["*.rs", "!tests.rs"], "src/tests.rs"));
        assert!(admits(&["!*.lock"], "Cargo.toml"));
    }

    #[test]
    fn what_is_not_a_glob_or_too_much_of_one_is_refused() {
        let long = "a".repeat(MAX_CHARS + 1);
        for glob in ["[a", "{a,b", "[", &long] {
            assert!(Globs::new(&[glob.to_owned()]).is_err(), "{glob}");
        }
        assert!(Globs::new(&vec!["a".to_owned(); MAX_GLOBS + 1]).is_err());
    }
}
