//! The plugin of `net-guest` with a manifest of the test's own.

use footlight::policy::{Rule, Rules, Target};
use footlight::{CallOutcome, Host};
use serde_json::Value;

/// Returns the component with this text after `[plugin]` in its manifest.
///
/// # Panics
/// If it was not built.
#[must_use]
pub fn component(powers: &str) -> Vec<u8> {
    let mut bytes = std::fs::read(crate::plugins::NET).expect("built by build.rs");
    let manifest = format!(
        "[plugin]\nid = \"net\"\nversion = \"0.1.0\"\napi = \"0.1\"\ndescription = \"Sends requests\"\n{powers}"
    );
    // A custom section: its kind, its size, the length of its name, the name, the content.
    let name = b"footlight:manifest";
    let mut section = vec![u8::try_from(name.len()).expect("a short name")];
    section.extend_from_slice(name);
    section.extend_from_slice(manifest.as_bytes());
    bytes.push(0);
    let mut left = section.len();
    while left > 0x7f {
        bytes.push((left & 0x7f) as u8 | 0x80);
        left >>= 7;
    }
    bytes.push(left as u8);
    bytes.extend_from_slice(&section);
    bytes
}

/// Loads the component with these powers.
///
/// # Panics
/// If it does not load.
pub async fn load(host: &Host, powers: &str) {
    let loaded = host.load_bytes(&component(powers), "net").await;
    loaded.expect("the powers are well formed");
}

/// Returns rules that allow the guest these.
#[must_use]
pub fn allowing(targets: impl IntoIterator<Item = Target>) -> Rules {
    let allow = |target| Rule::allow("net", target);
    Rules::from(targets.into_iter().map(allow).collect::<Vec<_>>())
}

/// Returns what the guest met, from the result of its call.
///
/// # Panics
/// If the call failed.
#[must_use]
pub fn met(outcome: &CallOutcome) -> Value {
    let result = outcome.result.as_ref().expect("the guest ran");
    let text = result.data["content"].as_str().expect("text");
    serde_json::from_str(text).expect("JSON")
}
