//! `[limits]`: memory, time and output of one call.
//!
//! A manifest asks for values from [`Limits::FLOOR`] to [`Limits::CEILING`]; a person can lower
//! them. Sizes are written `64MiB`, times `500ms`, `10s`, `2m` or `1h`.

use super::name::is_number;
use crate::toml_reader::{Checked, Table, find_word};
use serde::Serialize;
use std::time::Duration;

/// Limits of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// Bytes of all memories and tables of the instance together.
    #[serde(rename = "memoryBytes")]
    pub memory: u64,
    /// Computing time.
    #[serde(rename = "activeTimeMs", serialize_with = "milliseconds")]
    pub active_time: Duration,
    /// Time from start to end, without waiting for a person.
    #[serde(rename = "wallTimeMs", serialize_with = "milliseconds")]
    pub wall_time: Duration,
    /// Bytes of output stored for display.
    #[serde(rename = "outputBytes")]
    pub output: u64,
}

pub(super) const KEYS: &[&str] = &["memory", "active-time", "wall-time", "output"];

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

impl Limits {
    /// The limits of a plugin whose manifest has no `[limits]`.
    pub const DEFAULT: Self = Self {
        memory: 64 * MIB,
        active_time: Duration::from_secs(10),
        wall_time: Duration::from_secs(120),
        output: 16 * MIB,
    };

    /// The least a manifest can ask for: below it nothing would run.
    pub const FLOOR: Self = Self {
        memory: MIB,
        active_time: Duration::from_millis(10),
        wall_time: Duration::from_millis(10),
        output: KIB,
    };

    /// The most a manifest can ask for.
    pub const CEILING: Self = Self {
        memory: 256 * MIB,
        active_time: Duration::from_secs(60),
        wall_time: Duration::from_secs(3600),
        output: 64 * MIB,
    };

    pub(super) fn read(table: &Table<'_>) -> Checked<Self> {
        let size = |key, get: fn(&Self) -> u64| {
            let bounds = (get(&Self::FLOOR), get(&Self::DEFAULT), get(&Self::CEILING));
            read_amount(table, key, SIZES, bounds)
        };
        let time = |key, get: fn(&Self) -> Duration| {
            let bounds = [Self::FLOOR, Self::DEFAULT, Self::CEILING];
            let [min, default, max] = bounds.map(|limits| whole_milliseconds(get(&limits)));
            read_amount(table, key, TIMES, (min, default, max)).map(Duration::from_millis)
        };
        Ok(Self {
            memory: size("memory", |limits| limits.memory)?,
            active_time: time("active-time", |limits| limits.active_time)?,
            wall_time: time("wall-time", |limits| limits.wall_time)?,
            output: size("output", |limits| limits.output)?,
        })
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Units of a quantity, the largest first, and an example for messages.
struct Units {
    name: &'static str,
    example: &'static str,
    scales: &'static [(&'static str, u64)],
}

const SIZES: &Units = &Units {
    name: "a size; write a whole number and B, KiB, MiB or GiB",
    example: "64MiB",
    scales: &[("GiB", 1 << 30), ("MiB", MIB), ("KiB", KIB), ("B", 1)],
};
const TIMES: &Units = &Units {
    name: "a time; write a whole number and ms, s, m or h",
    example: "10s",
    scales: &[("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)],
};

/// Reads the amount under `key`, or returns the default.
fn read_amount(
    table: &Table<'_>,
    key: &str,
    units: &Units,
    (min, default, max): (u64, u64, u64),
) -> Checked<u64> {
    let Some(text) = table.text(key)? else {
        return Ok(default);
    };
    let Some(value) = amount(text.value, units) else {
        let (name, example) = (units.name, units.example);
        return Err(text.refused(format_args!("is not {name}, such as \"{example}\"")));
    };
    let (relation, bound) = if value > max {
        ("above its ceiling of", max)
    } else if value < min {
        ("below its minimum of", min)
    } else {
        return Ok(value);
    };
    let (given, bound) = (text.quoted(), format_amount(bound, units));
    Err(text.error(format!("`{key}` of {given} is {relation} {bound}")))
}

/// Parses a whole number followed by its unit. Returns `None` also if it overflows 64 bits.
fn amount(text: &str, units: &Units) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let scale = find_word(units.scales, &text[digits.len()..])?;
    if !is_number(digits) {
        return None;
    }
    digits.parse::<u64>().ok()?.checked_mul(scale)
}

/// Formats an amount in the largest unit that divides it.
fn format_amount(amount: u64, units: &Units) -> String {
    let fits = |(_, scale): &&(&str, u64)| amount >= *scale && amount.is_multiple_of(*scale);
    let scales = units.scales;
    let (unit, scale) = scales
        .iter()
        .find(fits)
        .unwrap_or(&scales[scales.len() - 1]);
    format!("{}{unit}", amount / scale)
}

fn whole_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn milliseconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(whole_milliseconds(*time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_a_whole_number_and_a_unit() {
        for (text, bytes) in [
            ("0B", 0),
            ("1B", 1),
            ("1KiB", 1024),
            ("64MiB", 67_108_864),
            ("3GiB", 3_221_225_472),
        ] {
            assert_eq!(amount(text, SIZES), Some(bytes), "{text}");
        }
        for (text, time) in [
            ("500ms", 500),
            ("10s", 10_000),
            ("2m", 120_000),
            ("1h", 3_600_000),
        ] {
            assert_eq!(amount(text, TIMES), Some(time), "{text}");
        }
    }

    #[test]
    fn other_texts_are_not_amounts() {
        for text in [
            "",
            "64",
            "MiB",
            "64 MiB",
            "64mib",
            "64MB",
            "64M",
            "-1MiB",
            "+1MiB",
            "1.5GiB",
            "0x1KiB",
            "01KiB",
            "1_000B",
            " 1B",
            "1B ",
            "1KiBKiB",
            "99999999999999999999B",
            "18446744073709551615GiB",
            "１MiB",
            "1é",
        ] {
            assert_eq!(amount(text, SIZES), None, "{text:?}");
        }
        for text in ["10", "10 s", "10S", "1.5s", "10sec", "1d", "1m30s"] {
            assert_eq!(amount(text, TIMES), None, "{text:?}");
        }
    }

    #[test]
    fn bounds_are_named_in_round_numbers() {
        assert_eq!(format_amount(Limits::CEILING.memory, SIZES), "256MiB");
        assert_eq!(format_amount(60_000, TIMES), "1m");
        assert_eq!(format_amount(10, TIMES), "10ms");
        assert_eq!(format_amount(0, SIZES), "0B");
    }

    #[test]
    fn default_lies_between_floor_and_ceiling() {
        let (floor, default, most) = (Limits::FLOOR, Limits::DEFAULT, Limits::CEILING);
        assert!(floor.memory <= default.memory && default.memory <= most.memory);
        assert!(
            floor.active_time <= default.active_time && default.active_time <= most.active_time
        );
        assert!(floor.wall_time <= default.wall_time && default.wall_time <= most.wall_time);
        assert!(floor.output <= default.output && default.output <= most.output);
    }
}
