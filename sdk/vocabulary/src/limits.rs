//! The limits of what a plugin can send in one call.
//!
//! A host enforces them, and the SDK's scripted stage does the same in a native test. The limits of a
//! single widget are in [`widget`](crate::widget).

use crate::json::{self, Limits};
use serde_json::Value;

/// The most widgets of a call.
pub const WIDGETS: usize = 100;

/// The most bytes of all widgets of a call together.
pub const WIDGET_BYTES: usize = 4 << 20;

/// The most questions of a call.
pub const ASKS: usize = 5;

/// The most approval requests of a call.
pub const APPROVALS: usize = 20;

/// The most bytes of the subject of an approval request.
pub const APPROVAL_SUBJECT: usize = 4 << 10;

/// The most bytes of the reason of an approval request.
pub const APPROVAL_REASON: usize = 16 << 10;

/// The most bytes of the details of an approval request, as JSON text. They are kept with the verdict.
pub const APPROVAL_DETAILS: usize = 64 << 10;

/// The most outputs of a call.
pub const OUTPUTS: usize = 100;

/// The most bytes of one write to an output.
pub const OUTPUT_CHUNK: usize = 1 << 20;

/// The most bytes of an output's title, kind and type together.
pub const OUTPUT_WORDS: usize = 4 << 10;

/// The most bytes of an output's metadata.
pub const OUTPUT_META: usize = 64 << 10;

/// The most bytes of a value of a plugin's state.
pub const STATE_VALUE: usize = 256 << 10;

/// The most bytes of a key of a plugin's state.
pub const STATE_KEY: usize = 512;

/// The most bytes of a bucket of a plugin's state.
pub const STATE_TOTAL: usize = 4 << 20;

/// The most values of a bucket. Limited because a key costs more memory than its bytes.
pub const STATE_KEYS: usize = 10_000;

/// The most requests of a call to hosts.
pub const REQUESTS: u32 = 200;

/// The most bytes of the body of a request.
pub const REQUEST_BODY: usize = 8 << 20;

/// The limits of a result, as JSON text.
pub const RESULT: Limits = Limits {
    bytes: 4 << 20,
    depth: 64,
};

/// Checks a plugin's texts for an approval, and parses the details.
///
/// # Errors
/// When a text is too long, or the details are not JSON, with the reason.
pub fn check_approval(
    subject: &str,
    reason: &str,
    details: Option<&str>,
) -> Result<Option<Value>, String> {
    for (what, text, most) in [
        ("subject", subject, APPROVAL_SUBJECT),
        ("reason", reason, APPROVAL_REASON),
        ("details", details.unwrap_or_default(), APPROVAL_DETAILS),
    ] {
        if text.len() > most {
            return Err(format!("the {what} has more than {most} bytes; shorten it"));
        }
    }
    let details = details.map(|details| json::parse(details, Limits::default()));
    let details = details.transpose();
    details.map_err(|error| format!("the details: {error}"))
}
