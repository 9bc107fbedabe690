//! The memory of a guest, laid out by hand for the canonical ABI.

use super::{Answer, Weighed};
use std::fmt::Write;

/// Bytes from address 0 on.
#[derive(Debug)]
pub(super) struct Image {
    pub(super) bytes: Vec<u8>,
}

impl Default for Image {
    fn default() -> Self {
        // Address 0 stays unused, so that no pointer is null.
        Self { bytes: vec![0; 16] }
    }
}

impl Image {
    /// Appends bytes at an address aligned for any type and returns the address.
    pub(super) fn put(&mut self, bytes: &[u8]) -> u32 {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let at = number(self.bytes.len());
        self.bytes.extend_from_slice(bytes);
        at
    }

    /// Appends a list of `count` elements and returns its address and length.
    pub(super) fn list(&mut self, bytes: &[u8], elements: usize) -> Vec<u8> {
        let at = self.put(bytes);
        words([at, number(elements)])
    }

    /// Appends a string and returns its address and length.
    pub(super) fn text(&mut self, text: &str) -> Vec<u8> {
        self.list(text.as_bytes(), text.len())
    }

    fn option(&mut self, text: Option<&str>) -> Vec<u8> {
        let mut bytes = words([u32::from(text.is_some())]);
        bytes.extend(self.text(text.unwrap_or_default()));
        bytes
    }

    fn failure(&mut self, code: &str, message: &str, details: Option<&str>) -> Vec<u8> {
        let mut bytes = words([1]);
        bytes.extend(self.text(code));
        bytes.extend(self.text(message));
        bytes.extend(self.option(details));
        bytes
    }

    /// `result<outcome, failure>`.
    pub(super) fn answer(&mut self, answer: &Answer) -> Vec<u8> {
        match answer {
            Answer::Outcome(kind, data, summary, more) => {
                let mut bytes = words([0]);
                bytes.extend(self.text(kind));
                bytes.extend(self.text(data));
                bytes.extend(self.option(summary.as_deref()));
                bytes.extend(self.option(more.as_deref()));
                bytes
            }
            Answer::Failure(code, message, details) => {
                let mut bytes = self.failure(code, message, details.as_deref());
                bytes.resize(44, 0);
                bytes
            }
        }
    }

    /// `result<option<concern>, failure>`.
    pub(super) fn weighed(&mut self, weighed: &Weighed) -> Vec<u8> {
        let mut bytes = match weighed {
            Weighed::Nothing => Vec::new(),
            Weighed::Concern(subject, reason) => {
                let mut bytes = words([0, 1]);
                bytes.extend(self.text(subject));
                bytes.extend(self.text(reason));
                bytes
            }
            Weighed::Failure(code, message, details) => {
                self.failure(code, message, details.as_deref())
            }
        };
        bytes.resize(32, 0);
        bytes
    }
}

fn number(value: usize) -> u32 {
    u32::try_from(value).expect("an attacker fits into 4 GiB")
}

fn words<const N: usize>(words: [u32; N]) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Quotes bytes as a string of the text format.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 3);
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "\\{byte:02x}");
        }
    }
    text
}

/// Returns manifests as custom sections in the text format.
pub(super) fn custom_sections(manifests: &[Vec<u8>]) -> String {
    manifests
        .iter()
        .map(|manifest| {
            format!(
                "(@custom \"footlight:manifest\" \"{}\")\n",
                quoted(manifest)
            )
        })
        .collect()
}
