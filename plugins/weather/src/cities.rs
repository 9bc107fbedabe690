//! The cities of the bundled sample, and the search for one by name.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// All cities, sorted by name.
pub(crate) static CITIES: LazyLock<Vec<City>> = LazyLock::new(|| {
    include_str!("cities.txt")
        .lines()
        .filter_map(City::parse)
        .collect()
});

/// A place on the globe, in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Position {
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
}

/// A city, and its typical weather in each month, starting with January.
#[derive(Debug, PartialEq)]
pub(crate) struct City {
    /// The name, which several cities may share.
    pub(crate) name: &'static str,
    /// The country or state, which distinguishes cities with the same name.
    pub(crate) region: &'static str,
    /// Where it is.
    pub(crate) position: Position,
    /// The lowest temperature of a day, in °C.
    pub(crate) low: [i8; 12],
    /// The highest temperature of a day, in °C.
    pub(crate) high: [i8; 12],
    /// The chance of rain or snow on a day, in percent.
    pub(crate) rain: [u8; 12],
}

impl City {
    /// Parses a line of the sample. Returns `None` for a comment.
    fn parse(line: &'static str) -> Option<Self> {
        let mut columns = line.split('|');
        let (name, region) = columns.next()?.split_once(',')?;
        let [latitude, longitude] = numbers(columns.next()?)?;
        Some(Self {
            name: name.trim(),
            region: region.trim(),
            position: Position {
                latitude,
                longitude,
            },
            low: numbers(columns.next()?)?,
            high: numbers(columns.next()?)?,
            rain: numbers(columns.next()?)?,
        })
    }
}

/// Parses this many numbers.
fn numbers<T: FromStr, const N: usize>(column: &str) -> Option<[T; N]> {
    let numbers: Option<Vec<T>> = column.split_whitespace().map(|n| n.parse().ok()).collect();
    numbers?.try_into().ok()
}

impl fmt::Display for City {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.name, self.region)
    }
}

/// Returns all cities called `name`, which may include the region.
pub(crate) fn find(name: &str) -> Vec<&'static City> {
    let wanted = name.trim();
    let is_called = |name: &str| name.eq_ignore_ascii_case(wanted);
    let cities = CITIES.iter();
    cities
        .filter(|city| is_called(city.name) || is_called(&city.to_string()))
        .collect()
}

/// Returns the three names most similar to `city`, the most similar first.
pub(crate) fn nearest(city: &str) -> Vec<&'static str> {
    // Only the name is compared, because the region may be the part that is wrong.
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
    fn each_city_is_found_by_its_full_name() {
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
