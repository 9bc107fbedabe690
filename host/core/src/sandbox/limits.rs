//! Limits of one call.
//!
//! Memory is limited as the **sum** over all memories and tables of a component: a limit for each
//! could be multiplied by a component of many modules.

use crate::call::fault::{Fault, StopError};
use footlight_vocabulary::limits;
#[cfg(feature = "http")]
use std::time::Duration;
use wasmtime::ResourceLimiter;

/// Limits on what the host keeps of one call, whatever the plugin sends. Those that a plugin meets in
/// its own tests too are the vocabulary's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Caps;

impl Caps {
    pub(crate) const WIDGETS: usize = limits::WIDGETS;
    pub(crate) const WIDGET_BYTES: usize = limits::WIDGET_BYTES;
    /// Bytes of widgets and of the tool item that are logged while a call runs. What comes after
    /// that is logged once, when the call has ended.
    pub(crate) const LOGGED_REVISIONS: usize = 8 << 20;
    /// The same for all calls of a turn together.
    pub(crate) const LOGGED_REVISIONS_OF_TURN: usize = 64 << 20;
    pub(crate) const LOG_LINES: usize = 1_000;
    pub(crate) const LOG_LINE: usize = 4 << 10;
    pub(crate) const STDIO: usize = 64 << 10;
    pub(crate) const ASKS: usize = limits::ASKS;
    pub(crate) const HANDLES: usize = 1_000;
    pub(crate) const HOSTCALL: usize = 4 << 20;
    /// The stack of a guest, apart from what a language keeps in its memory.
    pub(crate) const STACK: usize = 512 << 10;
    pub(crate) const RANDOM: u64 = 1 << 20;
    pub(crate) const OUTPUTS: usize = limits::OUTPUTS;
    pub(crate) const OUTPUT_CHUNK: usize = limits::OUTPUT_CHUNK;
    pub(crate) const OUTPUT_WORDS: usize = limits::OUTPUT_WORDS;
    pub(crate) const OUTPUT_META: usize = limits::OUTPUT_META;
    pub(crate) const APPROVALS: usize = limits::APPROVALS;
    pub(crate) const PROGRESS: usize = 4 << 10;
    /// The [`footprint`] of a result. Several copies of it are made.
    pub(crate) const RESULT: usize = 32 << 20;
    pub(crate) const STATE_VALUE: usize = limits::STATE_VALUE;
    pub(crate) const STATE_KEY: usize = limits::STATE_KEY;
    pub(crate) const STATE_TOTAL: usize = limits::STATE_TOTAL;
    pub(crate) const STATE_KEYS: usize = limits::STATE_KEYS;
    /// Bytes that a call can write to files. What a file grows by without being written counts too.
    pub(crate) const FILE_BYTES: u64 = 256 << 20;
    /// Files, folders and links that a call can create.
    pub(crate) const FILES_CREATED: u64 = 10_000;
    /// Files, folders and listings that a call can have open at once.
    pub(crate) const OPEN_FILES: usize = 64;
    /// The same for all calls of a host together: operating systems give a process few handles.
    pub(crate) const OPEN_FILES_OF_HOST: usize = 512;
    /// Bytes that are read from a file at once, whatever a guest asks for.
    pub(crate) const FILE_READ: usize = 256 << 10;
    /// The same where each read costs a change of threads, if the guest asks for that much.
    pub(crate) const FILE_READ_SLOW: usize = 1 << 20;
    /// Bytes that are written to a file at once.
    pub(crate) const FILE_WRITE: usize = 256 << 10;
    /// Entries of a folder that are held at once.
    pub(crate) const LISTED_ENTRIES: usize = 256;
    pub(crate) const INSTANCES: usize = 64;
    pub(crate) const MEMORIES: usize = 8;
    pub(crate) const TABLES: usize = 32;
}

/// Limits on what plugins do with the network.
#[cfg(feature = "http")]
impl Caps {
    pub(crate) const REQUESTS: u32 = limits::REQUESTS;
    /// Bytes of all requests and responses of one call.
    pub(crate) const TRANSFER: u64 = 256 << 20;
    pub(crate) const REQUEST_BODY: usize = limits::REQUEST_BODY;
    pub(crate) const REQUEST_HEADERS: usize = 64;
    pub(crate) const REQUEST_HEADER_BYTES: usize = 32 << 10;
    pub(crate) const RESPONSE_BODY: usize = 16 << 20;
    pub(crate) const RESPONSE_HEADERS: usize = 128;
    pub(crate) const RESPONSE_HEADER_BYTES: usize = 64 << 10;
    /// Everything that a server sends in one exchange, with what frames it.
    pub(crate) const RESPONSE_WIRE: u64 = 17 << 20;
    /// Exchanges of one plugin at once, in all calls.
    pub(crate) const EXCHANGES: usize = 8;
    /// Names that are looked up, and secrets that are read, at once: each keeps a thread, even after
    /// the request has given up.
    pub(crate) const LOOKUPS: usize = 16;
    /// From the lookup of a name to an encrypted connection.
    pub(crate) const CONNECT_TIME: Duration = Duration::from_secs(10);
    /// Connecting to one of several addresses.
    pub(crate) const ATTEMPT_TIME: Duration = Duration::from_secs(3);
    /// Without a byte in either direction.
    pub(crate) const IDLE_TIME: Duration = Duration::from_secs(30);
    /// From the first byte of a request to the last of its response.
    pub(crate) const EXCHANGE_TIME: Duration = Duration::from_secs(60);
    /// Reading one secret from where it is kept.
    pub(crate) const SECRET_TIME: Duration = Duration::from_secs(5);
    /// Addresses that one name can have.
    pub(crate) const ADDRESSES: usize = 32;
}

/// Estimates how many bytes a JSON text takes in memory: an object of one member takes a hundred
/// times its text. Never too few; too many if punctuation is inside strings.
pub(crate) fn footprint(json: &str) -> usize {
    let each = |byte: u8| match byte {
        b'{' => HEAVIEST,
        b'[' | b',' | b':' => 40,
        _ => 1,
    };
    json.bytes().map(each).sum()
}

/// The footprint of the heaviest byte of JSON.
const HEAVIEST: usize = 640;

/// Reports whether JSON texts have a footprint of more than `limit` together. Short texts are not
/// scanned.
pub(crate) fn exceeds_footprint<const N: usize>(texts: [&str; N], limit: usize) -> bool {
    let most = |text: &str| text.len().saturating_mul(HEAVIEST);
    texts.map(most).iter().sum::<usize>() > limit
        && texts.map(footprint).iter().sum::<usize>() > limit
}

/// The bytes of a table element in the host.
const ELEMENT: usize = 8;

/// Limits the memory of an instance.
#[derive(Debug)]
pub(crate) struct Limiter {
    limit: usize,
    used: usize,
}

impl Limiter {
    pub(crate) fn new(limit: u64) -> Self {
        Self {
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            used: 0,
        }
    }

    /// Counts a growth in elements of this many bytes.
    fn grow(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
        bytes: usize,
    ) -> wasmtime::Result<bool> {
        // wasmtime refuses a growth beyond the guest's own maximum, so it must not be counted.
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        let more = desired.saturating_sub(current).saturating_mul(bytes);
        self.used = self.used.saturating_add(more);
        if self.used > self.limit {
            // Returning `false` would look like a panic of the guest.
            return Err(StopError(Fault::Memory).into());
        }
        Ok(true)
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        self.grow(current, desired, maximum, 1)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        self.grow(current, desired, maximum, ELEMENT)
    }

    fn instances(&self) -> usize {
        Caps::INSTANCES
    }

    fn tables(&self) -> usize {
        Caps::TABLES
    }

    fn memories(&self) -> usize {
        Caps::MEMORIES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_objects_weigh_more_than_text() {
        assert_eq!(footprint("\"plain\""), 7);
        let objects = format!("[{}{{}}]", "{\"\":0},".repeat(599_000));
        assert!(objects.len() < 5 << 20 && footprint(&objects) > Caps::RESULT);
    }

    #[test]
    fn the_sum_counts_and_a_growth_that_cannot_be_does_not() {
        let mut limiter = Limiter::new(100);
        assert!(limiter.memory_growing(0, 40, None).expect("fits"));
        for _ in 0..10 {
            let grown = limiter.memory_growing(40, 80, Some(60));
            assert!(!grown.expect("the guest's own limit"));
        }
        assert!(limiter.table_growing(0, 7, None).expect("fits"));
        assert!(limiter.memory_growing(0, 5, None).is_err());
    }
}
