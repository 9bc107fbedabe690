//! Time samples and their table.

use std::time::Instant;

/// Durations of one operation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Samples(Vec<f64>);

impl Samples {
    /// Runs `work` this many times and times each run.
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

    /// The minimum, in microseconds: the cost on an undisturbed machine.
    pub(crate) fn min(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Prints the header of a table.
pub(crate) fn head(title: &str) {
    println!(
        "\n{title:<54} {:>10} {:>10} {:>9}",
        "p50 us", "min us", "ratio"
    );
}

/// Prints one row. The ratio is that of the medians; `x 4.0` means four times as long.
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
