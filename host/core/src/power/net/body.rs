//! The body of a response, decoded and bounded while it arrives.
//!
//! The host offers `gzip` and decodes nothing else. Other encodings would each be a decoder more that
//! reads a stranger's bytes, and every server can answer without them.

use super::exchange::ExchangeError;
use crate::sandbox::limits::Caps;
use flate2::write::MultiGzDecoder;
use http::header::{CONTENT_ENCODING, HeaderMap};
use std::io::{self, Write};

/// Collects a body.
pub(super) enum Body {
    Plain(Bounded),
    Gzip {
        decoder: Box<MultiGzDecoder<Bounded>>,
        /// Whether anything has arrived. An answer to HEAD names an encoding and has no body.
        has_begun: bool,
    },
}

impl Body {
    /// Returns a collector for the encoding that the headers name.
    pub(super) fn new(headers: &HeaderMap) -> Result<Self, ExchangeError> {
        let mut is_gzip = false;
        for value in headers.get_all(CONTENT_ENCODING) {
            let words = value.to_str().unwrap_or("unknown").split(',');
            for word in words.map(str::trim).filter(|word| !word.is_empty()) {
                match word.to_ascii_lowercase().as_str() {
                    "identity" => {}
                    "gzip" | "x-gzip" if !is_gzip => is_gzip = true,
                    _ => return Err(ExchangeError::Encoding),
                }
            }
        }
        Ok(match is_gzip {
            true => Self::Gzip {
                decoder: Box::new(MultiGzDecoder::new(Bounded::default())),
                has_begun: false,
            },
            false => Self::Plain(Bounded::default()),
        })
    }

    /// Reports whether the body is decoded, and so differs from what its headers say.
    pub(super) fn is_decoded(&self) -> bool {
        matches!(self, Self::Gzip { .. })
    }

    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), ExchangeError> {
        match self {
            Self::Plain(body) => body.write_all(bytes).map_err(|_| failed(body)),
            Self::Gzip { decoder, has_begun } => {
                *has_begun = true;
                let written = decoder.write_all(bytes);
                written.map_err(|_| failed(decoder.get_ref()))
            }
        }
    }

    pub(super) fn finish(self) -> Result<Vec<u8>, ExchangeError> {
        match self {
            Self::Plain(body) => Ok(body.content),
            Self::Gzip {
                has_begun: false, ..
            } => Ok(Vec::new()),
            Self::Gzip { mut decoder, .. } => match decoder.try_finish() {
                Ok(()) => Ok(std::mem::take(&mut decoder.get_mut().content)),
                Err(_) => Err(failed(decoder.get_ref())),
            },
        }
    }
}

/// Returns why decoding failed: the result is too large, or the bytes are not what they claim to be.
fn failed(body: &Bounded) -> ExchangeError {
    match body.is_full {
        true => ExchangeError::TooLarge(Caps::RESPONSE_BODY as u64),
        false => ExchangeError::Encoding,
    }
}

/// Content up to the limit of a response.
#[derive(Debug, Default)]
pub(super) struct Bounded {
    content: Vec<u8>,
    is_full: bool,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.content.len() + bytes.len() > Caps::RESPONSE_BODY {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.content.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    fn encoded(encoding: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let encoding = encoding.parse().expect("a header");
        headers.insert(CONTENT_ENCODING, encoding);
        headers
    }

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(content).expect("into memory");
        encoder.finish().expect("into memory")
    }

    fn read(encoding: &str, bytes: &[u8]) -> Result<Vec<u8>, ExchangeError> {
        let mut body = Body::new(&encoded(encoding))?;
        for piece in bytes.chunks(1000) {
            body.push(piece)?;
        }
        body.finish()
    }

    #[test]
    fn gzip_is_decoded_whole_in_parts_and_when_there_is_no_body() {
        let packed = gzip(b"hello");
        assert_eq!(read("gzip", &packed), Ok(b"hello".to_vec()));
        assert_eq!(read("X-GZIP, identity", &packed), Ok(b"hello".to_vec()));
        let twice = [packed.clone(), packed].concat();
        assert_eq!(read("gzip", &twice), Ok(b"hellohello".to_vec()));
        assert_eq!(read("gzip", b""), Ok(Vec::new()));
        assert_eq!(read("identity", b"plain"), Ok(b"plain".to_vec()));
    }

    #[test]
    fn other_and_stacked_encodings_are_refused() {
        for encoding in [
            "br",
            "deflate",
            "zstd",
            "gzip, gzip",
            "gzip, br",
            "compress",
            "é",
        ] {
            let Ok(value) = http::HeaderValue::from_bytes(encoding.as_bytes()) else {
                continue;
            };
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_ENCODING, value);
            assert!(Body::new(&headers).is_err(), "{encoding}");
        }
    }

    #[test]
    fn a_bomb_ends_at_the_limit_and_broken_bytes_are_refused() {
        let bomb = gzip(&vec![0; Caps::RESPONSE_BODY + 1]);
        assert!(bomb.len() < 20_000);
        let limit = Caps::RESPONSE_BODY as u64;
        assert_eq!(read("gzip", &bomb), Err(ExchangeError::TooLarge(limit)));
        let fits = gzip(&vec![0; Caps::RESPONSE_BODY]);
        assert_eq!(
            read("gzip", &fits).map(|body| body.len()),
            Ok(Caps::RESPONSE_BODY)
        );
        assert_eq!(
            read("gzip", b"not gzip at all"),
            Err(ExchangeError::Encoding)
        );
        let whole = gzip(b"hello");
        assert_eq!(
            read("gzip", &whole[..whole.len() - 3]),
            Err(ExchangeError::Encoding)
        );
    }
}
