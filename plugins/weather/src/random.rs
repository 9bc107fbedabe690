//! Reproducible pseudo-random numbers.

use crate::cities::City;
use crate::date::Date;

/// A generator whose numbers depend only on the city and the date.
pub(crate) struct Random(u64);

impl Random {
    /// Creates the generator for a city and a date.
    pub(crate) fn of(city: &City, date: Date) -> Self {
        // FNV-1a, which suffices to distinguish thirty names.
        let name = city.name.bytes().chain(city.region.bytes());
        let seed = name.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(seed ^ date.days())
    }

    /// Returns a uniform number from `-bound` to `bound`, with one step of SplitMix64.
    pub(crate) fn within(&mut self, bound: i32) -> i32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        let sides = 2 * bound as u64 + 1;
        (bits % sides) as i32 - bound
    }
}
