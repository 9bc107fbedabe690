//! Uses of powers: what a call did with folders, hosts and secrets, and what it was denied.
//!
//! Uses that are alike are counted in one entry, so that the record of a call stays small
//! whatever the call does. A denial is an entry of its own.

use crate::word::words;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

words! {
    /// The kind of a power.
    pub enum Power {
        /// Requests to a host.
        Network = "network",
        /// Files of a folder.
        Folder = "folder",
        /// A secret that the host adds to requests.
        Secret = "secret",
    }
}

words! {
    /// Why the use of a power was denied.
    pub enum Denial {
        /// The plugin's manifest does not declare it.
        Undeclared = "undeclared",
        /// A rule of the person denies it.
        Rule = "rule",
        /// Nobody granted it, and nobody is asked at this level or in this ask mode.
        NotGranted = "not_granted",
        /// Nobody granted it, and nobody can be asked.
        NoPerson = "no_person",
        /// A person denied it, or did not decide in time.
        Person = "person",
        /// The tool says that it only reads.
        ReadOnly = "read_only",
        /// The folder is declared or granted for reading alone.
        ReadOnlyFolder = "read_only_folder",
        /// The path leads out of the folder.
        Outside = "outside",
        /// It is a device, a pipe or a socket.
        Special = "special",
        /// What was granted is not there any more, or is something else.
        Unavailable = "unavailable",
        /// The host name stands for an address that cannot be reached by name.
        Address = "address",
        /// The request is malformed, or contains what only the host may set.
        Malformed = "malformed",
        /// The secret has no value.
        NoValue = "no_value",
        /// A limit of the call is used up.
        Limit = "limit",
    }
}

/// Uses of one power that are alike, or one denied use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PowerUse {
    /// The kind of the power.
    pub power: Power,
    /// The origin of requests such as `https://api.example.com`, the guest's path of a folder, or
    /// the name of a secret.
    pub target: String,
    /// The method of the requests, or the mode of the folder: `ro` or `rw`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<String>,
    /// The path of the requests, without a query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// How often it was used.
    #[serde(default)]
    pub count: u64,
    /// The bytes that were sent, or written to files.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sent: u64,
    /// The bytes that were received.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub received: u64,
    /// How often each HTTP status was received.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub statuses: BTreeMap<String, u64>,
    /// The secrets that the requests carried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
    /// The files that were written, relative to the folder: the first [`MAX_FILES`](Self::MAX_FILES).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Why it was denied. Then `count` is the number of denials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied: Option<Denial>,
    /// Unknown members.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl PowerUse {
    /// The most files that an entry lists.
    pub const MAX_FILES: usize = 32;

    /// The most entries of one call with a path, and as many with denials. Further uses are counted in
    /// entries without a path, and after as many again, and for denials at once, in entries whose target
    /// is [`FURTHER`](Self::FURTHER).
    pub const MAX_ENTRIES: usize = 64;

    /// The target of uses that have no entry of their own.
    pub const FURTHER: &str = "further uses";

    /// Makes an entry for one use.
    #[must_use]
    pub fn new(power: Power, target: impl Into<String>) -> Self {
        Self {
            power,
            target: target.into(),
            access: None,
            path: None,
            count: 1,
            sent: 0,
            received: 0,
            statuses: BTreeMap::new(),
            secrets: Vec::new(),
            files: Vec::new(),
            denied: None,
            extra: Map::new(),
        }
    }

    /// Sets the method or the mode.
    #[must_use]
    pub fn access(mut self, access: impl Into<String>) -> Self {
        self.access = Some(access.into());
        self
    }

    /// Sets the path of a request.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Marks the use as denied.
    #[must_use]
    pub fn denied(mut self, why: Denial) -> Self {
        self.denied = Some(why);
        self
    }

    /// Adds a use to the entries of a call: to the entry that is like it, or as a new one.
    pub fn add_to(mut self, entries: &mut Vec<Self>) {
        if let Some(entry) = entries.iter_mut().find(|entry| entry.is_like(&self)) {
            return entry.merge(self);
        }
        // Denials are counted apart: a plugin can be denied anything, and must not crowd out what it did.
        let is_denied = self.denied.is_some();
        let known = entries
            .iter()
            .filter(|entry| entry.denied.is_some() == is_denied);
        let known = known.count();
        if known >= Self::MAX_ENTRIES {
            // A plugin chooses paths, and the targets of what it is denied: neither may grow the record.
            self.path = None;
            let names_target = !is_denied && known < 2 * Self::MAX_ENTRIES;
            if !names_target && !entries.iter().any(|entry| entry.is_like(&self)) {
                self.target = Self::FURTHER.to_owned();
            }
            if let Some(entry) = entries.iter_mut().find(|entry| entry.is_like(&self)) {
                return entry.merge(self);
            }
        }
        entries.push(self);
    }

    fn is_like(&self, other: &Self) -> bool {
        (&self.power, &self.target, &self.access, &self.path)
            == (&other.power, &other.target, &other.access, &other.path)
            && self.denied == other.denied
            && self.secrets == other.secrets
    }

    fn merge(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.sent = self.sent.saturating_add(other.sent);
        self.received = self.received.saturating_add(other.received);
        for (status, count) in other.statuses {
            let known = self.statuses.entry(status).or_default();
            *known = known.saturating_add(count);
        }
        for file in other.files {
            if self.files.len() < Self::MAX_FILES && !self.files.contains(&file) {
                self.files.push(file);
            }
        }
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(path: &str) -> PowerUse {
        PowerUse::new(Power::Network, "https://api.example.com")
            .access("GET")
            .path(path)
    }

    #[test]
    fn uses_that_are_alike_are_counted_in_one_entry() {
        let mut entries = Vec::new();
        for received in [10, 20] {
            let mut answer = request("/v1");
            (answer.received, answer.statuses) = (received, [("200".to_owned(), 1)].into());
            answer.add_to(&mut entries);
        }
        request("/v1").denied(Denial::Person).add_to(&mut entries);
        let counts: Vec<_> = entries.iter().map(|entry| entry.count).collect();
        assert_eq!(counts, [2, 1]);
        assert_eq!((entries[0].received, entries[0].statuses["200"]), (30, 2));
        let json = serde_json::to_string(&entries).expect("plain data");
        let read: Vec<PowerUse> = serde_json::from_str(&json).expect("the same");
        assert_eq!(read, entries);
    }

    #[test]
    fn what_a_call_is_denied_does_not_hide_what_it_did() {
        let mut entries = Vec::new();
        for n in 0..1_000 {
            PowerUse::new(Power::Network, format!("https://{n}.example.com"))
                .denied(Denial::Undeclared)
                .add_to(&mut entries);
        }
        for n in 0..2 * PowerUse::MAX_ENTRIES {
            request(&format!("/{n}")).add_to(&mut entries);
        }
        let other = PowerUse::new(Power::Network, "https://other.example.com").access("POST");
        other.clone().path("/secret").add_to(&mut entries);
        assert!(
            entries.iter().any(|entry| entry.is_like(&other)),
            "{entries:?}"
        );
        let done = entries.iter().filter(|entry| entry.denied.is_none());
        assert!(done.clone().all(|entry| entry.target != PowerUse::FURTHER));
        assert!(done.count() <= PowerUse::MAX_ENTRIES + 2);
    }

    #[test]
    fn whatever_a_call_uses_it_has_few_entries() {
        let mut entries = Vec::new();
        for n in 0..10_000 {
            request(&format!("/{n}")).add_to(&mut entries);
            PowerUse::new(Power::Network, format!("https://{n}.example.com"))
                .denied(Denial::Undeclared)
                .add_to(&mut entries);
            let mut written = PowerUse::new(Power::Folder, "/data").access("rw");
            written.files.push(format!("{n}.txt"));
            written.add_to(&mut entries);
        }
        assert!(entries.len() <= 2 * PowerUse::MAX_ENTRIES + 4);
        let total: u64 = entries.iter().map(|entry| entry.count).sum();
        assert_eq!(total, 30_000);
        assert!(
            entries
                .iter()
                .all(|entry| entry.files.len() <= PowerUse::MAX_FILES)
        );
    }
}
