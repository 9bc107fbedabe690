//! Maps values to coordinates, with ticks at round numbers.

use crate::format::decimals;

/// A linear scale.
pub(super) struct Scale {
    low: f64,
    high: f64,
    step: f64,
    start: f64,
    end: f64,
}

impl Scale {
    /// Creates a scale for the values `low` to `high`, widened to round numbers, and the
    /// coordinates `start` to `end`.
    pub(super) fn new(low: f64, high: f64, start: f64, end: f64) -> Self {
        let (low, high) = match (low, high) {
            (low, high) if !low.is_finite() || !high.is_finite() || low > high => (0.0, 1.0),
            (low, high) if low == high && low == 0.0 => (0.0, 1.0),
            // A constant series is drawn in the middle.
            (low, high) if low == high => (low - low.abs() / 2.0, high + high.abs() / 2.0),
            pair => pair,
        };
        let step = round_step((high - low) / 4.0);
        let low = (low / step).floor() * step;
        let high = (high / step).ceil() * step;
        Self {
            low,
            high,
            step,
            start,
            end,
        }
    }

    /// Returns the coordinate of a value.
    pub(super) fn at(&self, value: f64) -> f64 {
        let part = (value - self.low) / (self.high - self.low);
        self.start + (self.end - self.start) * if part.is_finite() { part } else { 0.0 }
    }

    /// Returns the ticks from low to high, at most eleven.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let count = ((self.high - self.low) / self.step).round();
        if !count.is_finite() {
            return vec![self.low];
        }
        (0..=count.clamp(1.0, 10.0) as u32)
            .map(|n| self.low + f64::from(n) * self.step)
            .map(|tick| match tick.abs() < self.step / 1e6 {
                // Corrects rounding errors around zero.
                true => 0.0,
                false => tick,
            })
            .collect()
    }
}

/// Rounds up to 1, 2 or 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    if !power.is_normal() {
        return 1.0;
    }
    let first = step / power;
    let round = match first {
        _ if first <= 1.0 => 1.0,
        _ if first <= 2.0 => 2.0,
        _ if first <= 5.0 => 5.0,
        _ => 10.0,
    };
    round * power
}

/// Formats a tick with few digits: `1.5M`, `20K`, `0.25`.
pub(super) fn short(value: f64) -> String {
    for (unit, letter) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "K")] {
        if value.abs() >= unit * 1e3 && unit == 1e12 {
            return format!("{value:.1e}");
        }
        if value.abs() >= unit && (unit > 1e3 || value.abs() >= 1e4) {
            return format!("{}{letter}", decimals(value / unit, 3));
        }
    }
    if value != 0.0 && value.abs() < 1e-3 {
        return format!("{value:.1e}");
    }
    decimals(value, 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ticks_are_round_and_hold_the_values() {
        let scale = Scale::new(0.0, 23.0, 100.0, 0.0);
        assert_eq!(scale.ticks(), [0.0, 10.0, 20.0, 30.0]);
        assert_eq!((scale.at(0.0), scale.at(30.0)), (100.0, 0.0));
        let labels: Vec<_> = [0.0, 0.25, 1234.0, 20_000.0, 1.5e6, 3e15, 1e-5]
            .map(short)
            .into();
        assert_eq!(
            labels,
            ["0", "0.25", "1234", "20K", "1.5M", "3.0e15", "1.0e-5"]
        );
    }

    proptest! {
        #[test]
        fn every_value_has_a_coordinate_and_there_are_few_ticks(a in -1e300..1e300_f64, b in -1e300..1e300_f64) {
            for (low, high) in [(a.min(b), a.max(b)), (a, a), (f64::NAN, b), (a / 1e300, b / 1e300)] {
                let scale = Scale::new(low, high, 300.0, 0.0);
                prop_assert!(scale.ticks().len() <= 11);
                if low.is_finite() && low <= high {
                    for value in [low, high] {
                        prop_assert!((-1.0..=301.0).contains(&scale.at(value)), "{low} {high}");
                    }
                }
            }
        }
    }
}
