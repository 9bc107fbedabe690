//! The order of versions, as Semantic Versioning defines it.

use std::cmp::Ordering;

/// Compares two versions. A manifest is refused unless its version is three numbers and perhaps a
/// pre-release.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    let ((core_a, pre_a), (core_b, pre_b)) = (split(a), split(b));
    let numbers = |core: &str| -> Vec<u64> {
        let numbers = core.split('.').map(|word| word.parse().unwrap_or(0));
        numbers.collect()
    };
    let by_core = numbers(core_a).cmp(&numbers(core_b));
    by_core.then_with(|| match (pre_a, pre_b) {
        (None, None) => Ordering::Equal,
        // A pre-release comes before its release.
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(a), Some(b)) => compare_pre_releases(a, b),
    })
}

fn split(version: &str) -> (&str, Option<&str>) {
    match version.split_once('-') {
        Some((core, pre)) => (core, Some(pre)),
        None => (version, None),
    }
}

fn compare_pre_releases(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.split('.'), b.split('.'));
    loop {
        let by_part = match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(a), Some(b)) => match (a.parse::<u64>(), b.parse::<u64>()) {
                (Ok(a), Ok(b)) => a.cmp(&b),
                // Numbers come before words.
                (Ok(_), Err(_)) => Ordering::Less,
                (Err(_), Ok(_)) => Ordering::Greater,
                (Err(_), Err(_)) => a.cmp(b),
            },
        };
        if by_part != Ordering::Equal {
            return by_part;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_the_order_of_the_specification() {
        let ordered = [
            "0.9.9",
            "0.10.0",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "1.0.1",
            "1.2.0",
            "10.0.0",
        ];
        for (n, a) in ordered.iter().enumerate() {
            for (m, b) in ordered.iter().enumerate() {
                assert_eq!(compare(a, b), n.cmp(&m), "{a} {b}");
            }
        }
    }
}
