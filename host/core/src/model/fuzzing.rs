//! Decodes arbitrary responses, for the fuzz targets.

use super::providers::profile::profiles;
use super::wire::{Decoder, Wire};
use super::{Delta, ModelErrorKind, Request};

/// Decodes a response that arrives in pieces of `size` bytes. Returns the deltas, and how it failed.
pub(crate) fn decode(format: u8, body: &[u8], size: usize) -> (Vec<Delta>, Option<ModelErrorKind>) {
    let wire = [Wire::OpenAi, Wire::Chat, Wire::Anthropic][usize::from(format % 3)];
    let profile = profiles().iter().find(|profile| profile.wire == wire);
    let profile = profile.expect("there is a provider of each format");
    let mut decoder = Decoder::new(&Request::default(), profile);
    let mut deltas = Vec::new();
    for piece in body.chunks(size) {
        match decoder.push(piece) {
            Ok(found) => deltas.extend(found),
            Err(error) => return (deltas, Some(error.kind)),
        }
    }
    let failed = match decoder.end() {
        Ok(found) => {
            deltas.extend(found);
            None
        }
        Err(error) => Some(error.kind),
    };
    let end = deltas
        .iter()
        .position(|delta| matches!(delta, Delta::Finished(_)));
    assert!(
        end.is_none_or(|end| end + 1 == deltas.len()),
        "something follows the end"
    );
    assert_eq!(end.is_none(), failed.is_some(), "an answer ends or fails");
    (deltas, failed)
}
