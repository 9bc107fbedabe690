//! Durations as people write them: `90s`, `10m`, `2h`, `7d`.

use std::time::Duration;

/// The longest time that outputs are kept.
const MAX_LIFETIME: Duration = Duration::from_secs(365 * 24 * 3600);

/// Parses `90s`, `10m`, `2h` or `7d`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "write a time such as 90s, 10m, 2h or 7d".to_owned();
    let (number, unit) =
        text.split_at(text.len() - text.chars().next_back().map_or(0, char::len_utf8));
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let unit = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 24 * 3600,
        _ => return Err(wrong()),
    };
    let seconds = number.checked_mul(unit).filter(|seconds| *seconds > 0);
    seconds.map(Duration::from_secs).ok_or_else(wrong)
}

/// Parses how long outputs are kept.
pub(crate) fn lifetime(text: &str) -> Result<Duration, String> {
    let lifetime = duration(text)?;
    if lifetime > MAX_LIFETIME {
        return Err("outputs are kept for at most 365d".to_owned());
    }
    Ok(lifetime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_parsed_or_rejected() {
        for (text, seconds) in [
            ("90s", Some(90)),
            ("10m", Some(600)),
            ("2h", Some(7200)),
            ("1d", Some(86_400)),
            ("", None),
            ("10", None),
            ("0s", None),
            ("é", None),
            ("99999999999999999999h", None),
            ("999999999999999999d", None),
        ] {
            assert_eq!(
                duration(text).ok(),
                seconds.map(Duration::from_secs),
                "{text}"
            );
        }
    }

    #[test]
    fn a_lifetime_has_an_end() {
        assert!(lifetime("365d").is_ok());
        assert!(lifetime("366d").is_err());
    }
}
