//! Samples of time, and how they are printed.

use std::time::Instant;

/// How long something took, many times.
#[derive(Debug, Clone, Default)]
pub(crate) struct Samples(Vec<f64>);

impl Samples {
    /// Does it so many times, each timed.
    pub(crate) fn take(&mut self, times: usize, mut action: impl FnMut()) {
        for _ in 0..times {
            let start = Instant::now();
            action();
            self.0.push(start.elapsed().as_secs_f64() * 1e6);
        }
    }

    /// The median, in microseconds.
    pub(crate) fn p50(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
    }

    /// The least, in microseconds: what it costs when nobody disturbs.
    pub(crate) fn min(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Begins a table.
pub(crate) fn head(title: &str) {
    println!(
        "\n{title:<54} {:>10} {:>10} {:>9}",
        "p50 us", "min us", "ratio"
    );
}

/// One row: the ratio is that of the medians, and `x 4.0` means four times as long.
pub(crate) fn row(name: &str, samples: &Samples, base: Option<&Samples>) {
    let ratio = base.map_or_else(String::new, |base| {
        format!("x {:.1}", samples.p50() / base.p50())
    });
    println!(
        "  {name:<52} {:>10.1} {:>10.1} {ratio:>9}",
        samples.p50(),
        samples.min()
    );
}
