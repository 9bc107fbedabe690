//! Reproducible random numbers: everything follows from a seed, which is printed, or from given bytes.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A source of random numbers.
#[derive(Debug, Clone)]
pub struct Random(Source);

#[derive(Debug, Clone)]
enum Source {
    /// The state of a generator (`SplitMix64`).
    Seed(u64),
    /// What a fuzzer chose, and has not been drawn yet.
    Bytes(std::vec::IntoIter<u8>),
}

impl Random {
    /// Seeds a generator from `FOOTLIGHT_SEED`, or else randomly, and prints the seed.
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
        Self(Source::Seed(seed))
    }

    /// Draws from `bytes`, and zeros after them.
    #[must_use]
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(Source::Bytes(bytes.into_iter()))
    }

    /// Returns a number below `end`, which must not be 0.
    pub fn below(&mut self, end: u64) -> u64 {
        match &mut self.0 {
            Source::Seed(state) => {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut mixed = *state;
                mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                (mixed ^ (mixed >> 31)) % end
            }
            // As many bytes as the greatest number has: small choices cost a fuzzer one byte each.
            Source::Bytes(bytes) => {
                let (mut drawn, mut greatest) = (0, end - 1);
                while greatest > 0 {
                    drawn = drawn << 8 | u64::from(bytes.next().unwrap_or_default());
                    greatest >>= 8;
                }
                drawn % end
            }
        }
    }

    /// Returns a byte.
    pub fn byte(&mut self) -> u8 {
        let [byte, ..] = self.below(256).to_le_bytes();
        byte
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
