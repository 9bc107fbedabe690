//! Reproducible random numbers: everything follows from a seed, and the seed is printed.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A seeded generator (`SplitMix64`).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Seeds the generator from `FOOTLIGHT_SEED`, or else randomly, and prints the seed.
    ///
    /// # Panics
    /// If the variable is not a number.
    #[must_use]
    #[expect(
        clippy::print_stderr,
        reason = "whoever reads of a failure needs the seed"
    )]
    pub fn seeded() -> Self {
        let given = std::env::var("FOOTLIGHT_SEED").ok();
        let seed = given.map_or_else(
            || RandomState::new().build_hasher().finish(),
            |seed| seed.parse().expect("a seed is a number"),
        );
        eprintln!("the same again: FOOTLIGHT_SEED={seed}");
        Self(seed)
    }

    /// Returns a number below `end`, which must not be 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        mixed % end
    }

    /// Shuffles a slice.
    ///
    /// # Panics
    /// Never: a length that fits in memory fits in 64 bits.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for at in (1..things.len()).rev() {
            let other = self.below(at as u64 + 1);
            things.swap(at, usize::try_from(other).expect("less than a length"));
        }
    }
}
