//! The name somebody probably meant.

/// The known name nearest to what was written, if it is near enough to be a slip of the finger.
pub(crate) fn closest<'a>(
    written: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let slips = |name: &str| strsim::osa_distance(&written.to_lowercase(), &name.to_lowercase());
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
}
