//! Bodies of fuzz targets: each hands bytes to one reader of untrusted input, and panics if the reader
//! breaks a promise.
//!
//! The fuzz targets of the repository run them with libFuzzer, and tests run them on random bytes. The
//! module exists only with the feature `fuzzing`, and is not part of the public interface.

#[cfg(feature = "http")]
pub(crate) mod egress;

mod policy;

#[cfg(feature = "http")]
pub use egress::egress;
pub use policy::policy;

use crate::plugin::description;
use crate::sandbox::bindings::exports::footlight::plugin::tools as wire;

/// Splits text at the first line break.
fn line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

/// A description: a schema, traits and further members, each on a line, then an input of the tool. The
/// reader accepts or refuses them, and a check of the input ends.
pub fn description(text: &str) {
    let (schema, rest) = line(text);
    let (traits, rest) = line(rest);
    let (more, input) = line(rest);
    let tool = wire::Tool {
        name: "tool".to_owned(),
        description: "Does something.".to_owned(),
        input_schema: schema.to_owned(),
        traits: traits.to_owned(),
    };
    let described = description::read(wire::Description {
        tools: vec![tool],
        more: more.to_owned(),
    });
    let Ok(described) = described else { return };
    if let Ok(input) = serde_json::from_str(input) {
        let first = described.tools[0].check(&input);
        assert_eq!(first, described.tools[0].check(&input));
        for widget in &described.widgets {
            let _ = described.fits(&widget.name, &input);
        }
    }
}

/// The response of a provider: two bytes choose the wire format and the size of the pieces that it
/// arrives in. However it is cut, it is decoded to the same answer, and nothing follows the end.
#[cfg(feature = "models")]
pub fn response(bytes: &[u8]) {
    use crate::model::fuzzing::decode;
    let [format, size, body @ ..] = bytes else {
        return;
    };
    let (whole, failed) = decode(*format, body, body.len().max(1));
    let (pieces, failed_in_pieces) = decode(*format, body, usize::from(*size).max(1));
    assert_eq!(failed, failed_in_pieces);
    // A response that fails may do so before or after the deltas of its last piece.
    assert!(failed.is_some() || whole == pieces);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    /// JSON-like and TOML-like text, so that readers get beyond the first character.
    fn texts(words: &'static [&'static str]) -> impl Strategy<Value = String> {
        let words = proptest::sample::select(words).prop_map(str::to_owned);
        let piece = prop_oneof![8 => words, 1 => ".{0,3}"];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    const SCHEMA: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\n",
        "\"type\"",
        "\"object\"",
        "\"properties\"",
        "\"a\"",
        "\"pattern\"",
        "\"^(a+)+$\"",
        "\"$ref\"",
        "\"#/properties/a\"",
        "\"contains\"",
        "\"enum\"",
        "\"widgets\"",
        "\"name\"",
        "\"schema\"",
        "{\"type\":\"object\"}",
        "1",
        "true",
        "null",
        "\"maxItems\"",
        "\"allOf\"",
        "\"not\"",
        "{}",
        "\n{}\n{}\n",
    ];

    #[cfg(feature = "models")]
    const EVENTS: &[&str] = &[
        "data: ",
        "event: ",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "[DONE]",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"choices\"",
        "\"delta\"",
        "\"content\"",
        "\"tool_calls\"",
        "\"index\"",
        "\"type\"",
        "\"message_start\"",
        "\"content_block_delta\"",
        "\"text_delta\"",
        "\"text\"",
        "\"a\"",
        "0",
        "\"response.completed\"",
        "\"response.output_text.delta\"",
        "\"finish_reason\"",
        "\"stop\"",
        "data: {\"choices\":[{\"delta\":{\"content\":\"é\"}}]}\n\n",
        "null",
        "\"error\"",
        "<html>",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn any_description_is_read_or_refused(text in texts(SCHEMA)) {
            super::description(&text);
        }

        #[cfg(feature = "models")]
        #[test]
        fn a_response_is_decoded_alike_however_it_is_cut(
            head in any::<[u8; 2]>(),
            text in texts(EVENTS),
        ) {
            super::response(&[&head, text.as_bytes()].concat());
        }
    }
}
