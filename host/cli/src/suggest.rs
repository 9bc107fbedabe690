//! The name somebody probably meant.

/// The known name nearest to what was written, if it is near enough to be a slip of the finger.
pub(crate) fn closest<'a>(
    written: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let slips = |name: &str| distance(&written.to_lowercase(), &name.to_lowercase());
    let near = known.into_iter().map(|name| (slips(name), name));
    // A third of a word may be wrong, and at least one letter of it right.
    let allowed = usize::max(1, written.chars().count() / 3);
    near.filter(|(slips, name)| *slips <= allowed && *slips < name.chars().count())
        .min()
        .map(|(_, name)| name)
}

/// Names as a person reads them: in backticks, with commas.
pub(crate) fn quoted_list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names = names.into_iter().map(|name| format!("`{name}`"));
    names.collect::<Vec<_>>().join(", ")
}

/// How many letters must be put in, left out, changed or swapped with the next.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, to) in b.iter().enumerate() {
            let changed = above[j] + usize::from(from != to);
            let mut least = changed.min(above[j + 1] + 1).min(row[j] + 1);
            let swapped = i > 0 && j > 0 && a[i - 1] == *to && *from == b[j - 1];
            if let (true, Some(old)) = (swapped, before.get(j.wrapping_sub(1))) {
                least = least.min(old + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_other_words_are_not() {
        let known = ["forecast", "city", "days", "a"];
        assert_eq!(closest("forcast", known), Some("forecast"));
        assert_eq!(closest("ctiy", known), Some("city"));
        assert_eq!(closest("Days", known), Some("days"));
        assert_eq!(closest("day", known), Some("days"));
        assert_eq!(closest("b", known), None);
        assert_eq!(closest("", known), None);
        assert_eq!(closest("temperature", known), None);
    }

    #[test]
    fn distance_counts_slips() {
        for (a, b, slips) in [
            ("", "", 0),
            ("", "ab", 2),
            ("ab", "ba", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(a, b), slips, "{a} {b}");
            assert_eq!(distance(b, a), slips, "{b} {a}");
        }
    }
}
