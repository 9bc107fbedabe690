//! HTTP requests and responses.

use crate::{Failure, Result, unavailable};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// An HTTP request.
///
/// ```
/// # use footlight_sdk::prelude::*;
/// # #[derive(serde::Deserialize)] struct Place { name: String }
/// # fn tool(stage: &Stage) -> Result<String> {
/// let place: Place = stage.http(Request::get("https://api.example.com/places/1"))?.ok()?.json()?;
/// # Ok(place.name)
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Request {
    pub(crate) method: String,
    pub(crate) url: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// Creates a request. The method is in upper case.
    pub fn new(method: impl Into<String>, url: impl Into<String>) -> Self {
        Self {
            method: method.into(),
            url: url.into(),
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    /// Creates a `GET` request.
    pub fn get(url: impl Into<String>) -> Self {
        Self::new("GET", url)
    }

    /// Creates a `POST` request; set its body with [`body`](Self::body) or [`json`](Self::json).
    pub fn post(url: impl Into<String>) -> Self {
        Self::new("POST", url)
    }

    /// Adds a parameter to the query of the URL, with every special character encoded.
    ///
    /// ```standalone_crate
    /// # use footlight_sdk::{prelude::*, testing};
    /// let request = Request::get("https://api.example.com/places").query("name", "Ås & Co");
    /// # let url = "https://api.example.com/places?name=%C3%85s%20%26%20Co";
    /// # let stage = testing::stage().responds("GET", url, Response::new(200, ""));
    /// stage.http(request)?; // GET https://api.example.com/places?name=%C3%85s%20%26%20Co
    /// # Ok::<(), Failure>(())
    /// ```
    pub fn query(mut self, name: &str, value: impl AsRef<str>) -> Self {
        self.url
            .push(if self.url.contains('?') { '&' } else { '?' });
        encode(name, &mut self.url);
        self.url.push('=');
        encode(value.as_ref(), &mut self.url);
        self
    }

    /// Adds a header.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets the body.
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// Sets a JSON body and the `content-type` header.
    ///
    /// # Errors
    /// If the value cannot be serialised to JSON.
    pub fn json(self, value: &impl Serialize) -> serde_json::Result<Self> {
        let body = serde_json::to_vec(value)?;
        Ok(self.header("content-type", "application/json").body(body))
    }
}

/// Appends a text with every byte encoded that is not unreserved (RFC 3986).
fn encode(text: &str, url: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            url.push(char::from(byte));
        } else {
            let digit = |half: u8| char::from(DIGITS[usize::from(half)]);
            url.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
}

/// A complete HTTP response, of any status: [`ok`](Self::ok) turns one that is not 2xx into a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Response {
    /// Creates a response, for tests.
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.into(),
        }
    }

    /// Adds a header, for tests.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers
            .push((name.into().to_ascii_lowercase(), value.into()));
        self
    }

    /// Returns the status, such as 200.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Returns the headers in order, with names in lower case.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        let headers = self.headers.iter();
        headers.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns the first header with this name.
    #[must_use]
    pub fn header_value(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let header = headers.find(|(given, _)| given.eq_ignore_ascii_case(name));
        header.map(|(_, value)| value.as_str())
    }

    /// Returns the response itself if its status is 2xx.
    ///
    /// # Errors
    /// For any other status: an `unavailable` failure that names the status.
    pub fn ok(self) -> Result<Self> {
        match self.status {
            200..300 => Ok(self),
            status => Err(unavailable!("the server answered with status {status}")),
        }
    }

    /// Returns the body as bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.body
    }

    /// Returns the body as text.
    ///
    /// # Errors
    /// If the body is not UTF-8.
    pub fn text(&self) -> Result<&str> {
        std::str::from_utf8(&self.body)
            .map_err(|_| unavailable!("the server's response is not text"))
    }

    /// Deserialises the body from JSON.
    ///
    /// # Errors
    /// If the body is not JSON of this type.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_slice(&self.body).map_err(|error| -> Failure {
            unavailable!("the server's response is not the expected JSON: {error}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_stay_in_their_place_in_the_url() {
        let request = Request::get("https://a.example/b")
            .query("q", "a b&c=d#e/f?g%h\r\n")
            .query("é=", "");
        assert_eq!(
            request.url,
            "https://a.example/b?q=a%20b%26c%3Dd%23e%2Ff%3Fg%25h%0D%0A&%C3%A9%3D="
        );
    }
}
