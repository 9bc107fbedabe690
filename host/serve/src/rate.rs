//! Limits on how many requests a person may make.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// How many requests a person may make at once.
const BURST: f64 = 200.0;

/// How many more each second.
const PER_SECOND: f64 = 50.0;

/// The same for whoever has a link for one decision, who needs two.
const LINK_BURST: f64 = 20.0;
const LINK_PER_SECOND: f64 = 1.0;

/// How many people are counted. Beyond it, those who have made no request for the longest are forgotten.
const MAX_PEOPLE: usize = 4_096;

/// A bucket that fills with time and from which each request takes one.
struct Bucket {
    left: f64,
    at: Instant,
}

/// The requests of each person.
pub(crate) struct Rates {
    burst: f64,
    per_second: f64,
    people: Mutex<HashMap<String, Bucket>>,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            burst: BURST,
            per_second: PER_SECOND,
            people: Mutex::default(),
        }
    }
}

impl Rates {
    /// Returns the limits of links, each of which counts by itself.
    pub(crate) fn of_links() -> Self {
        Self {
            burst: LINK_BURST,
            per_second: LINK_PER_SECOND,
            people: Mutex::default(),
        }
    }

    /// Counts a request. Fails with the seconds until the next one is accepted.
    pub(crate) fn take(&self, person: &str) -> Result<(), u64> {
        self.take_at(person, Instant::now())
    }

    fn take_at(&self, person: &str, now: Instant) -> Result<(), u64> {
        let mut people = self.people.lock().unwrap_or_else(PoisonError::into_inner);
        if people.len() >= MAX_PEOPLE && !people.contains_key(person) {
            let oldest = people.iter().min_by_key(|(_, bucket)| bucket.at);
            if let Some(oldest) = oldest.map(|(name, _)| name.clone()) {
                people.remove(&oldest);
            }
        }
        let bucket = people.entry(person.to_owned()).or_insert(Bucket {
            left: self.burst,
            at: now,
        });
        let passed = now.saturating_duration_since(bucket.at).as_secs_f64();
        bucket.left = (bucket.left + passed * self.per_second).min(self.burst);
        bucket.at = now;
        if bucket.left < 1.0 {
            return Err(((1.0 - bucket.left) / self.per_second).ceil().max(1.0) as u64);
        }
        bucket.left -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_person_who_makes_too_many_requests_waits_and_others_do_not() {
        let (rates, start) = (Rates::default(), Instant::now());
        let accepted = (0..1_000).filter(|_| rates.take_at("ada", start).is_ok());
        assert_eq!(accepted.count(), BURST as usize);
        assert_eq!(rates.take_at("ada", start), Err(1));
        assert_eq!(rates.take_at("bob", start), Ok(()));
        let later = start + Duration::from_secs(1);
        let accepted = (0..1_000).filter(|_| rates.take_at("ada", later).is_ok());
        assert_eq!(accepted.count(), PER_SECOND as usize);
    }

    #[test]
    fn only_so_many_people_are_counted() {
        let (rates, start) = (Rates::default(), Instant::now());
        for n in 0..2 * MAX_PEOPLE {
            let at = start + Duration::from_millis(n as u64);
            assert_eq!(rates.take_at(&n.to_string(), at), Ok(()));
        }
        let people = rates.people.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(people.len(), MAX_PEOPLE);
    }
}
