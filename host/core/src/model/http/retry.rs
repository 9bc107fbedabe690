//! When a request is sent again, and after how long.
//!
//! Pure functions: randomness and time are arguments. A retry is always safe, because only
//! [`Delta::Finished`](crate::model::Delta::Finished) counts.

use std::time::{Duration, SystemTime};

/// Timeouts of a request, and how often it is retried.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryPolicy {
    /// The timeout of connecting.
    pub connect: Duration,
    /// The timeout from there to the first byte of the answer.
    pub first_byte: Duration,
    /// The timeout between two pieces of the answer.
    pub idle: Duration,
    /// The number of retries.
    pub retries: u32,
    /// The upper bound of the first wait. It doubles with each retry; the wait is random below it.
    pub first_wait: Duration,
    /// The highest upper bound of a wait.
    pub longest_wait: Duration,
    /// The longest wait that a server may ask for.
    pub longest_asked: Duration,
    /// The time for all waits and attempts, from the first failure on.
    pub budget: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(60),
            idle: Duration::from_secs(120),
            retries: 4,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(30),
            longest_asked: Duration::from_secs(60),
            budget: Duration::from_secs(180),
        }
    }
}

impl RetryPolicy {
    /// Returns how long to wait before the next attempt, or `None` if there is to be none.
    ///
    /// `attempts` is the number of attempts so far, `asked` the wait that the server asks for,
    /// `spent` the time since the first failure, and `random` at least 0 and below 1.
    pub(crate) fn wait(
        &self,
        attempts: u32,
        asked: Option<Duration>,
        spent: Duration,
        random: f64,
    ) -> Option<Duration> {
        if attempts > self.retries || asked.is_some_and(|asked| asked > self.longest_asked) {
            return None;
        }
        let wait = asked.unwrap_or_else(|| {
            let doubled = 2_u32.saturating_pow(attempts.saturating_sub(1));
            let longest = self.first_wait.saturating_mul(doubled);
            let longest = longest.min(self.longest_wait);
            longest.mul_f64(random.clamp(0.0, 1.0))
        });
        (spent.saturating_add(wait) <= self.budget).then_some(wait)
    }
}

/// Reports whether a request that got this status may succeed when it is sent again.
pub(super) fn is_retryable(status: u16) -> bool {
    matches!(status, 408 | 409 | 425 | 429 | 500..=599)
}

/// Parses the wait that a server asks for: `retry-after-ms`, or `retry-after` in seconds or as a
/// date.
pub(super) fn retry_after(
    millis: Option<&str>,
    after: Option<&str>,
    now: SystemTime,
) -> Option<Duration> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).ok();
    if let Some(millis) = millis.and_then(number) {
        return seconds(millis / 1000.0);
    }
    let after = after?;
    if let Some(after) = number(after) {
        return seconds(after);
    }
    let date = httpdate::parse_http_date(after.trim()).ok()?;
    // A date that has passed means now.
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NOW: Duration = Duration::from_secs(1_800_000_000);

    #[test]
    fn a_server_may_ask_in_milliseconds_seconds_or_by_date() {
        let now = SystemTime::UNIX_EPOCH + NOW;
        let date = |ahead| httpdate::fmt_http_date(now + Duration::from_secs(ahead));
        let read = |millis, after: &str| retry_after(millis, Some(after), now);
        assert_eq!(read(Some("250"), "9"), Some(Duration::from_millis(250)));
        assert_eq!(read(None, " 7 "), Some(Duration::from_secs(7)));
        assert_eq!(read(None, "0.5"), Some(Duration::from_millis(500)));
        assert_eq!(read(None, &date(42)), Some(Duration::from_secs(42)));
        assert_eq!(
            read(None, "Sun, 06 Nov 1994 08:49:37 GMT"),
            Some(Duration::ZERO)
        );
        for nonsense in ["", "soon", "-3", "NaN", "inf", "1e300"] {
            assert_eq!(read(None, nonsense), None, "{nonsense}");
        }
        assert_eq!(retry_after(None, None, now), None);
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        for status in [408, 409, 425, 429, 500, 502, 503, 504, 529] {
            assert!(is_retryable(status), "{status}");
        }
        for status in [200, 301, 400, 401, 402, 403, 404, 413, 422] {
            assert!(!is_retryable(status), "{status}");
        }
    }

    #[test]
    fn waits_double_and_end() {
        let policy = RetryPolicy::default();
        let longest = |tries| policy.wait(tries, None, Duration::ZERO, 1.0);
        let waits: Vec<_> = (1..=5).map(longest).collect();
        let millis = |millis| Some(Duration::from_millis(millis));
        assert_eq!(
            waits,
            [millis(500), millis(1000), millis(2000), millis(4000), None]
        );
        let capped = RetryPolicy {
            retries: 40,
            ..policy
        };
        assert_eq!(capped.wait(40, None, Duration::ZERO, 1.0), millis(30_000));
    }

    #[test]
    fn a_server_that_asks_for_too_long_is_not_waited_for() {
        let policy = RetryPolicy::default();
        let wait = |asked| policy.wait(1, Some(Duration::from_secs(asked)), Duration::ZERO, 0.5);
        assert_eq!(wait(60), Some(Duration::from_secs(60)));
        assert_eq!(wait(61), None);
    }

    proptest! {
        #[test]
        fn no_wait_is_longer_than_what_is_left(
            tries in 0..60_u32,
            asked in proptest::option::of(0..200_000_u64),
            spent in 0..400_000_u64,
            chance in 0.0..1.0_f64,
        ) {
            let policy = RetryPolicy { retries: 50, ..RetryPolicy::default() };
            let spent = Duration::from_millis(spent);
            let asked = asked.map(Duration::from_millis);
            if let Some(wait) = policy.wait(tries, asked, spent, chance) {
                prop_assert!(wait + spent <= policy.budget);
                prop_assert!(wait <= policy.longest_asked);
                prop_assert!(asked.is_none_or(|asked| asked == wait));
            }
        }

        #[test]
        fn any_header_is_read_without_harm(millis in ".{0,20}", after in ".{0,40}") {
            let now = SystemTime::UNIX_EPOCH + NOW;
            let _ = retry_after(Some(&millis), Some(&after), now);
        }
    }
}
