//! The places of the sample, and how to find the one that was meant.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// All places, by name.
pub(crate) static CITIES: LazyLock<Vec<City>> = LazyLock::new(|| {
    include_str!("cities.txt")
        .lines()
        .filter_map(City::parse)
        .collect()
});

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

impl City {
    /// Reads one line of the sample; a comment is none.
    fn parse(line: &'static str) -> Option<Self> {
        let mut columns = line.split('|');
        let (name, region) = columns.next()?.split_once(',')?;
        Some(Self {
            name: name.trim(),
            region: region.trim(),
            low: months(columns.next()?)?,
            high: months(columns.next()?)?,
            rain: months(columns.next()?)?,
        })
    }
}

/// Twelve numbers, one for each month.
fn months<T: FromStr>(column: &str) -> Option<[T; 12]> {
    let numbers: Option<Vec<T>> = column.split_whitespace().map(|n| n.parse().ok()).collect();
    numbers?.try_into().ok()
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
    let name = name.to_ascii_lowercase();
    let mut near: Vec<&str> = CITIES.iter().map(|city| city.name).collect();
    near.dedup();
    near.sort_by_key(|known| strsim::levenshtein(&name, &known.to_ascii_lowercase()));
    near.truncate(3);
    near
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
        assert_eq!(CITIES.len(), 31, "every line of the sample is read");
        for city in CITIES.iter() {
            assert_eq!(labels(&city.to_string()), [city.to_string()]);
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
