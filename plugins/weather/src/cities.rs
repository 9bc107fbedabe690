//! The places of the sample, and how to find the one that was meant.

use crate::data::CITIES;
use std::fmt;

/// A place, and what is usual there in each month, January first.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct City {
    /// The name, which several places may share.
    pub(crate) name: &'static str,
    /// The country or state, which tells them apart.
    pub(crate) region: &'static str,
    /// The lowest temperature of a day, in °C.
    pub(crate) low: [i8; 12],
    /// The highest temperature of a day, in °C.
    pub(crate) high: [i8; 12],
    /// The chance that it rains or snows on a day, in percent.
    pub(crate) rain: [u8; 12],
}

impl fmt::Display for City {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.name, self.region)
    }
}

/// All places called `city`: by name, or by name and region.
pub(crate) fn find(name: &str) -> Vec<&'static City> {
    let wanted = name.trim();
    let is_called = |name: &str| name.eq_ignore_ascii_case(wanted);
    let cities = CITIES.iter();
    cities
        .filter(|city| is_called(city.name) || is_called(&city.to_string()))
        .collect()
}

/// The three names that differ least from `city`, the nearest first.
pub(crate) fn nearest(city: &str) -> Vec<&'static str> {
    // A region may be what was wrong; the name is what can be matched.
    let name = city.split(',').next().unwrap_or(city).trim();
    let mut near = Vec::new();
    for _ in 0..3 {
        let rest = CITIES
            .iter()
            .map(|city| city.name)
            .filter(|known| !near.contains(known));
        let next = rest.min_by_key(|known| edits(name, known));
        near.extend(next);
    }
    near
}

/// How many letters must be added, left out or replaced to make one word the other.
fn edits(from: &str, to: &str) -> usize {
    // One row of the usual table at a time: the cost of reaching each beginning of `to`.
    let mut costs: Vec<usize> = (0..=to.chars().count()).collect();
    for letter in from.chars() {
        let mut diagonal = costs[0];
        costs[0] += 1;
        for (index, wanted) in to.chars().enumerate() {
            let replaced = diagonal + usize::from(!letter.eq_ignore_ascii_case(&wanted));
            diagonal = costs[index + 1];
            costs[index + 1] = replaced.min(diagonal + 1).min(costs[index] + 1);
        }
    }
    costs.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(city: &str) -> Vec<String> {
        find(city).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_city_is_found_by_name_and_by_region_whatever_the_case() {
        assert_eq!(labels("oslo"), ["Oslo, Norway"]);
        assert_eq!(labels(" Oslo, NORWAY "), ["Oslo, Norway"]);
        assert_eq!(labels("Paris"), ["Paris, France", "Paris, TX"]);
        assert_eq!(labels("Paris, TX"), ["Paris, TX"]);
        assert_eq!(labels("Atlantis"), Vec::<String>::new());
    }

    #[test]
    fn no_two_cities_read_alike() {
        for city in CITIES {
            assert_eq!(labels(&city.to_string()), [city.to_string()]);
        }
    }

    #[test]
    fn edits_are_counted_letter_by_letter() {
        for (from, to, count) in [
            ("", "", 0),
            ("", "Rome", 4),
            ("Rome", "", 4),
            ("rome", "Rome", 0),
            ("Osla", "Oslo", 1),
            ("Olso", "Oslo", 2),
            ("Zürich", "Zurich", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(edits(from, to), count, "{from:?} to {to:?}");
        }
    }

    #[test]
    fn nearest_names_are_three_different_ones_and_begin_with_the_nearest() {
        assert_eq!(nearest("Springfeld")[0], "Springfield");
        assert_eq!(nearest("Berlyn, Germany")[0], "Berlin");
        let near = nearest("Springfeld");
        assert_eq!(near.len(), 3);
        assert!(!near[1..].contains(&"Springfield"), "{near:?}");
    }
}
