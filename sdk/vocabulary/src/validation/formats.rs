//! The formats of JSON Schema that are checked, each with an example for whoever has to correct a value.
//!
//! A format that is not listed is a remark, as the standard says: `regex`, for one, would compile what
//! the value says, and the formats of internationalised names need tables of their own.
//!
//! Invariant: the time of a check grows with the length of the text alone.

use jsonschema::{EmailOptions, ValidationOptions};

/// A format that is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Format {
    /// The name, as the keyword `format` has it.
    pub name: &'static str,
    /// A text of this format.
    pub example: &'static str,
}

const FORMATS: &[Format] = &[
    of("date", "2026-05-04"),
    of("date-time", "2026-05-04T09:30:00Z"),
    of("time", "09:30:00Z"),
    of("duration", "PT1H30M"),
    of("email", "ada@example.com"),
    of("hostname", "www.example.com"),
    of("ipv4", "192.0.2.1"),
    of("ipv6", "2001:db8::1"),
    of("uri", "https://example.com/page"),
    of("uri-reference", "/page?id=7"),
    of("uri-template", "https://example.com/{id}"),
    of("iri", "https://example.com/blåbær"),
    of("iri-reference", "/blåbær"),
    of("uuid", "1b4e28ba-2fa1-41d2-883f-0016d3cca427"),
    of("json-pointer", "/items/0"),
    of("relative-json-pointer", "1/items"),
];

/// Formats that the validator knows and that are not checked.
const UNCHECKED: &[&str] = &["regex", "idn-email", "idn-hostname"];

const fn of(name: &'static str, example: &'static str) -> Format {
    Format { name, example }
}

/// Returns the formats that are checked.
#[must_use]
pub const fn formats() -> &'static [Format] {
    FORMATS
}

/// Restricts a validator that checks formats to those of the list.
pub(super) fn restrict(options: ValidationOptions<'_>) -> ValidationOptions<'_> {
    // An address alone, without the name of its owner in front.
    let mut options = options.with_email_options(EmailOptions::default().without_display_text());
    for name in UNCHECKED {
        options = options.with_format(*name, |_: &str| true);
    }
    options
}

/// Describes a text that is not of a format.
pub(super) fn mismatch(given: &str, format: &str) -> String {
    let known = FORMATS.iter().find(|known| known.name == format);
    let example = known.map_or(String::new(), |known| {
        format!(", such as {:?}", known.example)
    });
    format!("{given} does not have the format `{format}`{example}")
}

#[cfg(test)]
mod tests;
