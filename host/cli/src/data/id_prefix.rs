//! The one that is meant by the beginning of its id.

use crate::exit::ExitError;
use anyhow::Result;
use footlight_render::filter;

/// The only one whose id begins so, or is just that. `none` says what there is if there is none.
pub(crate) fn resolve<T>(
    rows: impl IntoIterator<Item = T>,
    id_of: impl Fn(&T) -> &str,
    id: &str,
    none: &str,
) -> Result<T> {
    let mut found: Vec<T> = Vec::new();
    for row in rows {
        if id_of(&row) == id {
            return Ok(row);
        }
        if !id.is_empty() && id_of(&row).starts_with(id) {
            found.push(row);
        }
    }
    let shown = filter::line(id, 60);
    match (found.pop(), found.is_empty()) {
        (Some(row), true) => Ok(row),
        (Some(_), false) => Err(ExitError::usage(format!(
            "several begin with `{shown}`; write more of the id"
        ))),
        (None, _) => Err(ExitError::usage(none.replace("{}", &shown))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_an_id_is_enough_if_it_is_the_only_one() {
        let of = |id: &str| resolve(["abc", "abd", "ab", "x"], |row| row, id, "no `{}`");
        assert_eq!(of("abd").expect("is there"), "abd");
        assert_eq!(of("ab").expect("is just that"), "ab");
        let said = |id: &str| of(id).expect_err("is not clear").to_string();
        assert!(said("a").starts_with("several begin with `a`"));
        assert_eq!(said("y"), "no `y`");
        assert_eq!(said(""), "no ``");
    }
}
