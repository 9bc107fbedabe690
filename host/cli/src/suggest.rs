//! Suggestions for misspelled names, and lists and counts in messages.

use footlight_render::filter;

/// Returns the known name closest to a misspelled one, if it is close enough to be a typo.
fn closest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let slips = |name: &str| strsim::osa_distance(&written.to_lowercase(), &name.to_lowercase());
    let near = known.into_iter().map(|name| (slips(name), name));
    // Up to a third of the letters may be wrong, but not all.
    let allowed = usize::max(1, written.chars().count() / 3);
    near.filter(|(slips, name)| *slips <= allowed && *slips < name.chars().count())
        .min()
        .map(|(_, name)| name)
}

/// Suggests the closest known name, in words to append to a message; empty if there is none.
pub(crate) fn did_you_mean<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let meant = closest(written, known).map(|meant| filter::line(meant, 60));
    meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"))
}

/// Formats a number of things, such as `2 turns`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {one}s"),
    }
}

/// Lists names in backticks, separated by commas.
pub(crate) fn quoted_list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names = names.into_iter().map(|name| format!("`{name}`"));
    names.collect::<Vec<_>>().join(", ")
}

/// Lists the first of several things, and counts the others.
pub(crate) fn listed(names: impl Iterator<Item = String>, most: usize) -> String {
    let names: Vec<String> = names.collect();
    let shown = names[..names.len().min(most)].join(", ");
    match names.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_are_recognised_and_other_words_are_not() {
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
