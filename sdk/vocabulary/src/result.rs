//! Results of tools, on the host's side.
//!
//! A [`SemanticResult`] is made from a plugin's outcome ([`SemanticResult::from_outcome`]), from a
//! plain value ([`normalise`](crate::normalise)), or from the record. Renderers read the data as
//! the type of its kind with [`SemanticResult::read`].
//!
//! Invariant: no member is lost. [`extra`](SemanticResult::extra) keeps unknown members and known
//! members of the wrong type, and they are written again.

use crate::display::Display;
use crate::escape::escape_short;
use crate::kind::{Kind, KindError};
use crate::kinds::{self, ImageData, fit};
use crate::outcome::{IntoOutcome, KindData};
use serde::de::{DeserializeOwned, Error as _};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// A result: `{kind, data, summary?, mimeType?, display?}`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename_all = "camelCase"))]
pub struct SemanticResult {
    /// The kind of the data.
    pub kind: Kind,
    /// The data. Its shape depends on the kind.
    pub data: Value,
    /// A summary in one line.
    pub summary: Option<String>,
    /// The media type of the data.
    pub mime_type: Option<String>,
    /// Hints on how to draw the result.
    pub display: Option<Display>,
    /// Unknown members, and known members of the wrong type.
    #[cfg_attr(feature = "schema", schemars(flatten))]
    pub extra: Map<String, Value>,
}

impl SemanticResult {
    /// Creates a result without summary and hints.
    #[must_use]
    pub fn new(kind: Kind, data: Value) -> Self {
        Self {
            kind: canonical(kind),
            data,
            summary: None,
            mime_type: None,
            display: None,
            extra: Map::new(),
        }
    }

    /// Converts the outcome of a plugin. Also returns `more.model`, the value that the model reads
    /// in place of the data.
    ///
    /// # Errors
    /// When `kind` is not a valid kind.
    pub fn from_outcome(
        kind: &str,
        data: Value,
        summary: Option<String>,
        more: Option<Map<String, Value>>,
    ) -> Result<(Self, Option<Value>), KindError> {
        let mut more = more.unwrap_or_default();
        let model = more.shift_remove("model");
        // The contract has separate fields for these; `more` must not override them.
        more.shift_remove("kind");
        more.shift_remove("data");
        let mut result = Self::new(Kind::parse(kind)?, data).with_members(more);
        if summary.is_some() {
            result.summary = summary;
            result.extra.shift_remove("summary");
        }
        Ok((result, model))
    }

    /// Converts a return value of a tool directly, for tests and tools of the host.
    ///
    /// # Errors
    /// When the value does not serialize, or its kind is not valid.
    pub fn of(value: impl IntoOutcome) -> serde_json::Result<Self> {
        let outcome = value.into_outcome()?;
        let more = outcome.more.as_deref().map(serde_json::from_str);
        let data = serde_json::from_str(&outcome.data)?;
        let result = Self::from_outcome(&outcome.kind, data, outcome.summary, more.transpose()?);
        Ok(result.map_err(serde_json::Error::custom)?.0)
    }

    /// Converts an object with a valid `kind` and `data`; returns any other object unchanged.
    pub(crate) fn from_object(mut object: Map<String, Value>) -> Result<Self, Map<String, Value>> {
        let kind = object.get("kind").and_then(Value::as_str);
        let Some(kind) = kind.and_then(|kind| Kind::parse(kind).ok()) else {
            return Err(object);
        };
        let Some(data) = object.shift_remove("data") else {
            return Err(object);
        };
        object.shift_remove("kind");
        Ok(Self::new(kind, data).with_members(object))
    }

    /// Sets the known members that have the right type, and keeps the others in `extra`.
    pub(crate) fn with_members(mut self, mut members: Map<String, Value>) -> Self {
        self.summary = take(&mut members, "summary");
        self.mime_type = take(&mut members, "mimeType");
        self.display = take(&mut members, "display");
        self.extra.append(&mut members);
        self
    }

    /// Returns the data as the type of its kind, such as [`TableData`](kinds::TableData), or `None` if the kind is
    /// another one or the data does not fit.
    #[must_use]
    pub fn read<D: KindData + DeserializeOwned>(&self) -> Option<D> {
        if self.kind.as_str() != D::KIND {
            return None;
        }
        fit::read(&self.data).ok()
    }

    /// Checks the data against its kind. Data of a kind that is not well known always fits.
    ///
    /// # Errors
    /// When the data does not fit, with the path of the member.
    pub fn check(&self) -> Result<(), KindDataError> {
        let mut fits =
            kinds::check(self.kind.as_str(), &self.data).map_err(|error| error.to_string());
        if self.kind.as_str() == ImageData::KIND {
            fits = fits.and_then(|()| self.check_image());
        }
        fits.map_err(|problem| KindDataError {
            kind: self.kind.clone(),
            problem,
        })
    }

    /// Checks what the type of an image's data does not express.
    fn check_image(&self) -> Result<(), String> {
        let has = |member| self.data.get(member).is_some_and(Value::is_string);
        if !has("url") && !has("base64") {
            return Err("missing field `url` or `base64`".to_owned());
        }
        match self.mime_type.as_deref() {
            Some(mime) if ImageData::MIME_TYPES.contains(&mime) => Ok(()),
            Some(mime) => {
                let (mime, known) = (escape_short(mime, 60), ImageData::MIME_TYPES.join(", "));
                Err(format!("`mimeType`: `{mime}` is not one of {known}"))
            }
            None => Err("missing field `mimeType`".to_owned()),
        }
    }
}

/// The error of [`SemanticResult::check`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not the data of a `{kind}`: {problem}")]
pub struct KindDataError {
    kind: Kind,
    problem: String,
}

/// Replaces `json`, an older name of `structured`.
fn canonical(kind: Kind) -> Kind {
    if kind.as_str() == "json" {
        Kind::parse("structured").unwrap_or(kind)
    } else {
        kind
    }
}

/// Removes a member if it has the right type.
fn take<T: DeserializeOwned>(members: &mut Map<String, Value>, name: &str) -> Option<T> {
    let value = T::deserialize(members.get(name)?).ok()?;
    members.shift_remove(name);
    Some(value)
}

// Written by hand so that no key occurs twice: a member of the wrong type is in `extra`, and must be
// left out if the field of that name has been set since.
impl Serialize for SemanticResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", &self.kind)?;
        map.serialize_entry("data", &self.data)?;
        if let Some(summary) = &self.summary {
            map.serialize_entry("summary", summary)?;
        }
        if let Some(mime_type) = &self.mime_type {
            map.serialize_entry("mimeType", mime_type)?;
        }
        if let Some(display) = &self.display {
            map.serialize_entry("display", display)?;
        }
        for (name, value) in &self.extra {
            let written = match name.as_str() {
                "kind" | "data" => true,
                "summary" => self.summary.is_some(),
                "mimeType" => self.mime_type.is_some(),
                "display" => self.display.is_some(),
                _ => false,
            };
            if !written {
                map.serialize_entry(name, value)?;
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for SemanticResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let object = Map::deserialize(deserializer)?;
        Self::from_object(object).map_err(|object| match object.get("kind") {
            None => D::Error::missing_field("kind"),
            Some(kind) => match kind.as_str().map(Kind::parse) {
                Some(Ok(_)) => D::Error::missing_field("data"),
                Some(Err(invalid)) => D::Error::custom(invalid),
                None => D::Error::custom("`kind` is not a string"),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::{ChartData, TableData};
    use crate::kinds::{Diff, Image, Table};
    use serde_json::json;

    fn result(value: Value) -> SemanticResult {
        serde_json::from_value(value).expect("a result")
    }

    #[test]
    fn everything_that_was_sent_is_written_again() {
        for sent in [
            json!({ "kind": "table", "data": null, "summary": "s", "mimeType": "m", "display": { "x": 1 } }),
            json!({ "kind": "a.b", "data": 1, "summary": 5, "mimeType": null, "display": "big", "new": [1] }),
        ] {
            assert_eq!(
                serde_json::to_value(result(sent.clone())).expect("serialises"),
                sent
            );
        }
    }

    #[test]
    fn summary_set_later_replaces_one_of_the_wrong_type() {
        let mut result = result(json!({ "kind": "a", "data": 1, "summary": 5 }));
        result.summary = Some("mine".to_owned());
        let text = serde_json::to_string(&result).expect("serialises");
        assert_eq!(text, r#"{"kind":"a","data":1,"summary":"mine"}"#);
    }

    #[test]
    fn outcome_gives_a_result_and_what_the_model_reads() {
        let more = json!({ "mimeType": "text/csv", "display": { "collapsed": true }, "model": "short", "kind": "x", "data": 0, "later": 1 });
        let Value::Object(more) = more else {
            unreachable!("written as an object")
        };
        let (result, model) =
            SemanticResult::from_outcome("json", json!([1]), Some("one".into()), Some(more))
                .expect("a valid kind");
        assert_eq!(model, Some(json!("short")));
        assert_eq!(
            serde_json::to_value(result).expect("serialises"),
            json!({ "kind": "structured", "data": [1], "summary": "one", "mimeType": "text/csv", "display": { "collapsed": true }, "later": 1 })
        );
        assert!(SemanticResult::from_outcome("Table", json!(1), None, None).is_err());
    }

    #[test]
    fn data_is_read_only_as_its_own_kind() {
        let table = SemanticResult::of(Table::rows([json!({ "a": 1 })])).expect("serialises");
        assert_eq!(table.read::<TableData>().map(|t| t.rows.len()), Some(1));
        assert_eq!(table.read::<ChartData>(), None);
    }

    #[test]
    fn check_names_the_member_that_does_not_fit() {
        for (sent, says) in [
            (json!({ "kind": "diff", "data": {} }), "`path`"),
            (
                json!({ "kind": "diff", "data": { "path": "a", "isNew": "yes" } }),
                "`isNew`",
            ),
            (
                json!({ "kind": "file_list", "data": { "path": "a", "entries": [{ "name": "a", "type": "file" }, { "name": 5, "type": "file" }] } }),
                "`entries[1].name`",
            ),
            (
                json!({ "kind": "table", "data": { "columns": [], "rows": [1] } }),
                "`rows[0]`",
            ),
            (
                json!({ "kind": "image", "data": { "alt": "a" }, "mimeType": "image/png" }),
                "`url`",
            ),
            (
                json!({ "kind": "image", "data": { "url": "a" }, "mimeType": "text/html" }),
                "`mimeType`",
            ),
        ] {
            let error = result(sent).check().expect_err("does not fit").to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn results_of_the_builders_fit_their_kind() {
        for made in [
            SemanticResult::of(Diff::created("a", "b")),
            SemanticResult::of(Image::bytes(b"x", "image/png", "a dot")),
            SemanticResult::of("text"),
            SemanticResult::of([1, 2]),
        ] {
            assert_eq!(made.expect("serialises").check(), Ok(()));
        }
    }
}
