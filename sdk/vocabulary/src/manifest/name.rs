//! Names of actions and versions. All are ASCII, so that names that look alike are equal.

use crate::function::is_segment;

/// Reports whether `word` can name an action that needs approval, such as `mail.send`: lower-case
/// words joined by dots, at most 64 characters.
#[must_use]
pub fn is_action(word: &str) -> bool {
    word.len() <= 64 && word.split('.').all(is_segment)
}

/// Reports whether `word` is a version `MAJOR.MINOR.PATCH`, optionally with a pre-release.
///
/// Build metadata is refused: versions that differ only in it have no order.
pub(super) fn is_version(word: &str) -> bool {
    let (core, pre) = match word.split_once('-') {
        Some((core, pre)) => (core, Some(pre)),
        None => (word, None),
    };
    word.len() <= 64
        && core.split('.').count() == 3
        && core.split('.').all(is_number)
        && pre.is_none_or(|pre| pre.split('.').all(is_pre_release))
}

/// Reports whether `word` is a decimal number without leading zeros that fits 64 bits.
pub(super) fn is_number(word: &str) -> bool {
    is_digits(word) && (word == "0" || !word.starts_with('0')) && word.parse::<u64>().is_ok()
}

fn is_pre_release(word: &str) -> bool {
    let fits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    fits && (!is_digits(word) || is_number(word))
}

fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_words_joined_by_dots() {
        for word in ["send", "mail.send", "a1.b_2.c"] {
            assert!(is_action(word), "{word}");
        }
        let too_long = "a".repeat(65);
        for word in [
            "",
            ".",
            "mail.",
            ".send",
            "a..b",
            "mail:send",
            "Mail",
            too_long.as_str(),
        ] {
            assert!(!is_action(word), "{word:?}");
        }
    }

    #[test]
    fn versions_are_three_numbers_and_perhaps_a_pre_release() {
        for word in [
            "0.0.0",
            "1.2.3",
            "10.20.30-rc.1",
            "1.0.0-alpha-2.x",
            "1.0.0-0",
        ] {
            assert!(is_version(word), "{word}");
        }
        for word in [
            "",
            "1",
            "1.2",
            "1.2.3.4",
            "01.2.3",
            "1.2.x",
            "v1.2.3",
            "1.2.3-",
            "1.2.3-a..b",
            "1.2.3-01",
            "1.2.3+build",
            "1.2.3 ",
            "1.2.-3",
            "99999999999999999999.0.0",
        ] {
            assert!(!is_version(word), "{word:?}");
        }
    }
}
