//! What to search for: a regular expression, or plain words, which are found much faster.

use footlight_sdk::prelude::*;
use regex_lite::{Regex, RegexBuilder};

/// The most bytes of a compiled expression.
const MAX_COMPILED: usize = 1 << 20;

/// The deepest nesting of an expression.
const MAX_NESTING: u32 = 50;

/// A pattern that a line can match.
pub(crate) enum Pattern {
    /// Text without special characters.
    Words {
        /// The text, in small letters if case does not matter.
        needle: Vec<u8>,
        /// Whether capital and small letters differ.
        case_sensitive: bool,
    },
    /// A regular expression.
    Expression(Regex),
}

impl Pattern {
    /// Parses a pattern. Without `case_sensitive`, ASCII letters match in either case.
    pub(crate) fn new(pattern: &str, case_sensitive: bool) -> Result<Self> {
        // Beyond ASCII, the expression matches exactly what it says, and so do words.
        if regex_lite::escape(pattern) == pattern {
            let needle = match case_sensitive {
                true => pattern.to_owned(),
                false => pattern.to_ascii_lowercase(),
            };
            return Ok(Self::Words {
                needle: needle.into_bytes(),
                case_sensitive,
            });
        }
        let built = RegexBuilder::new(pattern)
            .case_insensitive(!case_sensitive)
            .size_limit(MAX_COMPILED)
            .nest_limit(MAX_NESTING)
            .build();
        let regex = built.map_err(|error| {
            invalid!("`{pattern}` is not a regular expression: {error}; escape special characters with `\\`")
        })?;
        Ok(Self::Expression(regex))
    }

    /// Reports whether a text contains the pattern.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        match self {
            Self::Expression(regex) => regex.is_match(text),
            Self::Words {
                needle,
                case_sensitive: true,
            } => find(text.as_bytes(), needle, |a, b| a == b),
            Self::Words { needle, .. } => find(text.as_bytes(), needle, |a, b| {
                a.len() == b.len() && a.eq_ignore_ascii_case(b)
            }),
        }
    }

    /// Reports whether a file can be passed over because it does not contain the pattern anywhere. An
    /// expression may depend on where a line ends, so only words are looked for.
    pub(crate) fn is_absent(&self, text: &str) -> bool {
        matches!(self, Self::Words { .. }) && !self.is_in(text)
    }
}

/// Reports whether `needle`, which is in small letters if case does not matter, is in `hay`.
fn find(hay: &[u8], needle: &[u8], same: impl Fn(&[u8], &[u8]) -> bool) -> bool {
    let Some(first) = needle.first().copied() else {
        return true;
    };
    let firsts = [first, first.to_ascii_uppercase()];
    let mut from = 0;
    while let Some(at) = hay[from..].iter().position(|byte| firsts.contains(byte)) {
        let at = from + at;
        let Some(piece) = hay.get(at..at + needle.len()) else {
            return false;
        };
        if same(piece, needle) {
            return true;
        }
        from = at + 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_in(pattern: &str, case_sensitive: bool, text: &str) -> bool {
        let pattern = Pattern::new(pattern, case_sensitive).expect("a pattern");
        pattern.is_in(text)
    }

    #[test]
    fn words_and_expressions_are_found() {
        assert!(is_in("wasmtime", false, "use Wasmtime::Engine;"));
        assert!(!is_in("wasmtime", true, "use Wasmtime::Engine;"));
        assert!(is_in("Wasm", true, "use Wasmtime::Engine;"));
        assert!(is_in(r"fn \w+\(", false, "pub FN main() {"));
        assert!(is_in("^use", false, "use a;"));
        assert!(!is_in("^use", false, "// use a;"));
        assert!(is_in("naïve", false, "a naïve one"));
    }

    #[test]
    fn what_is_not_an_expression_is_refused_with_the_reason() {
        let deep = "(".repeat(100);
        for bad in ["(", "a{1000}{1000}{1000}", "[z-a]", r"\p{Greek}", &deep] {
            let failure = Pattern::new(bad, false).map(drop).expect_err("is refused");
            assert!(failure.message().contains("regular expression"), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn words_are_found_exactly_where_the_expression_finds_them(
            needle in "[a-cA-Cä ]{1,3}", hay in "[a-dA-DäÄ ]{0,12}", case_sensitive: bool,
        ) {
            let regex = RegexBuilder::new(&needle).case_insensitive(!case_sensitive).build();
            let expected = regex.expect("plain").is_match(&hay);
            prop_assert_eq!(is_in(&needle, case_sensitive, &hay), expected);
        }
    }
}
