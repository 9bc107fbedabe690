//! Outputs: stored content for the person, served as data and never as something that runs.

use crate::App;
use crate::access::now;
use crate::guard::Client;
use crate::problem::{Problem, ProblemCode};
use crate::route::{Json, Query};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use footlight::store::OutputRow;
use footlight_vocabulary::item::{ItemId, Timestamp, is_output_id};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// Media types that a browser shows without running anything. Everything else is a download.
const INERT: [&str; 8] = [
    "text/plain",
    "text/csv",
    "text/markdown",
    "application/json",
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
];

/// The policy of content that a plugin wrote: whatever it is, it runs and loads nothing.
pub(crate) const SANDBOX: &str = "sandbox; default-src 'none'; frame-ancestors 'none'";

/// The query of an output.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OutputQuery {
    /// `json` for the content with what is known about it; binary content as base64.
    #[serde(default)]
    format: Option<OutputFormat>,
}

/// A format of an output.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum OutputFormat {
    Json,
}

/// `GET /api/outputs/{id}`
pub(crate) async fn read(
    State(app): State<Arc<App>>,
    Client(client): Client,
    id: Result<Path<String>, axum::extract::rejection::PathRejection>,
    Query(query): Query<OutputQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Ok(Path(id)) = id else {
        return Ok(expired());
    };
    if !is_output_id(&id) {
        return Ok(expired());
    }
    let person = app.host.person(&client.person);
    let Some(row) = person.output_row(&ItemId::from(id)).await? else {
        return Ok(expired());
    };
    let (from, to) = match (&query.format, headers.get(header::RANGE)) {
        (None, Some(range)) => match parse_range(range, row.size) {
            Some(range) => range,
            None => return Ok(unsatisfiable(row.size)),
        },
        _ => (0, row.size),
    };
    let length = usize::try_from(to - from).unwrap_or(usize::MAX);
    let at = Timestamp::from_millis(now());
    let store = app.host.store();
    let content = store.read_output(&row.session, &row.id, from, length, at);
    let Some(content) = content.await? else {
        return Ok(expired());
    };
    if query.format.is_some() {
        return Ok(as_json(&row, content));
    }
    Ok(as_content(&row, content, (from, to)))
}

fn as_content(row: &OutputRow, content: Vec<u8>, (from, to): (u64, u64)) -> Response {
    let whole = content.len() as u64 == row.size;
    let mut response = Response::new(Body::from(content));
    let kind = row.mime_type.split(';').next().unwrap_or_default().trim();
    let is_inert = INERT.iter().any(|inert| kind.eq_ignore_ascii_case(inert));
    let stored = HeaderValue::from_str(&row.mime_type);
    let stored = stored.ok().filter(|_| !kind.is_empty());
    let stored = stored.unwrap_or(HeaderValue::from_static("application/octet-stream"));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, stored);
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(SANDBOX),
    );
    let disposition = match is_inert {
        true => "inline",
        false => "attachment",
    };
    headers.insert(
        header::CONTENT_DISPOSITION,
        HeaderValue::from_static(disposition),
    );
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    if !whole {
        let last = to.saturating_sub(1);
        let range = HeaderValue::from_str(&format!("bytes {from}-{last}/{}", row.size));
        if let Ok(range) = range {
            headers.insert(header::CONTENT_RANGE, range);
        }
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    response
}

fn as_json(row: &OutputRow, content: Vec<u8>) -> Response {
    let (data, encoding) = match String::from_utf8(content) {
        Ok(text) => (text, "utf-8"),
        Err(error) => (base64(error.as_bytes()), "base64"),
    };
    Json(json!({
        "id": row.id,
        "data": data,
        "encoding": encoding,
        "createdAt": row.created,
        "metadata": {
            "type": row.kind,
            "title": row.title,
            "mimeType": row.mime_type,
            "size": row.size,
            "expires": row.expires,
            "more": row.meta,
        },
    }))
    .into_response()
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// Reads one range of bytes. Returns where it begins and ends; none if it is not in the output.
fn parse_range(range: &HeaderValue, size: u64) -> Option<(u64, u64)> {
    let range = range.to_str().ok()?.strip_prefix("bytes=")?;
    let (from, last) = range.split_once('-')?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(from) || !digits(last) {
        return None;
    }
    let (from, to) = match (from, last) {
        ("", last) => (size.saturating_sub(last.parse().ok()?), size),
        (from, "") => (from.parse().ok()?, size),
        (from, last) => {
            let last: u64 = last.parse().ok()?;
            (from.parse().ok()?, last.saturating_add(1).min(size))
        }
    };
    (from < to).then_some((from, to))
}

fn unsatisfiable(size: u64) -> Response {
    let problem = Problem::new(ProblemCode::Range, "the range is not in the output");
    let mut response = problem.into_response();
    if let Ok(range) = HeaderValue::from_str(&format!("bytes */{size}")) {
        response.headers_mut().insert(header::CONTENT_RANGE, range);
    }
    response
}

/// The answer for an output that is unknown, somebody else's or expired.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Expired {
    /// `Expired`.
    error: &'static str,
}

fn expired() -> Response {
    let body = Json(Expired { error: "Expired" });
    (StatusCode::NOT_FOUND, body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_within_the_output_or_refused() {
        for (range, size, expected) in [
            ("bytes=0-0", 10, Some((0, 1))),
            ("bytes=2-4", 10, Some((2, 5))),
            ("bytes=8-99", 10, Some((8, 10))),
            ("bytes=3-", 10, Some((3, 10))),
            ("bytes=-3", 10, Some((7, 10))),
            ("bytes=-99", 10, Some((0, 10))),
            ("bytes=10-", 10, None),
            ("bytes=5-4", 10, None),
            ("bytes=-0", 10, None),
            ("bytes=0-", 0, None),
            ("bytes=0-1,3-4", 10, None),
            ("bytes=+1-2", 10, None),
            ("bytes=0-18446744073709551615", 10, Some((0, 10))),
            ("bytes=0-18446744073709551616", 10, None),
            ("items=0-1", 10, None),
            ("bytes=", 10, None),
        ] {
            let value = HeaderValue::from_static(range);
            assert_eq!(parse_range(&value, size), expected, "{range} of {size}");
        }
    }
}
