//! A histogram of durations.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The upper bounds of the buckets, in microseconds.
const BOUNDS: [u64; 12] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 500_000, 2_500_000,
];

/// How often something took how long.
#[derive(Default)]
pub(super) struct Histogram {
    /// Durations up to each bound and above the one before, and those beyond the last.
    buckets: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
}

impl Histogram {
    pub(super) fn add(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.partition_point(|bound| *bound < micros);
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// Writes it in the text format of Prometheus, whose buckets include those before.
    pub(super) fn write(&self, name: &str, help: &str, text: &mut String) {
        let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} histogram\n");
        let mut count = 0;
        let bounds = BOUNDS.iter().map(|micros| seconds(*micros).to_string());
        let bounds = bounds.chain(["+Inf".to_owned()]);
        for (bucket, bound) in self.buckets.iter().zip(bounds) {
            count += bucket.load(Ordering::Relaxed);
            let _ = writeln!(text, "{name}_bucket{{le=\"{bound}\"}} {count}");
        }
        let sum = seconds(self.micros.load(Ordering::Relaxed));
        let _ = write!(text, "{name}_sum {sum}\n{name}_count {count}\n");
    }
}

fn seconds(micros: u64) -> f64 {
    micros as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bucket_counts_what_is_at_most_its_bound() {
        let histogram = Histogram::default();
        for micros in [0, 100, 101, 2_500_000, 2_500_001] {
            histogram.add(Duration::from_micros(micros));
        }
        let mut text = String::new();
        histogram.write("t", "Times.", &mut text);
        for line in [
            "# TYPE t histogram",
            "t_bucket{le=\"0.0001\"} 2",
            "t_bucket{le=\"0.00025\"} 3",
            "t_bucket{le=\"2.5\"} 4",
            "t_bucket{le=\"+Inf\"} 5",
            "t_count 5",
        ] {
            assert!(text.lines().any(|known| known == line), "{line} in {text}");
        }
    }
}
