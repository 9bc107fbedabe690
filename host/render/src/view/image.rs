//! Images, validated when they are created.
//!
//! Invariant: a [`Picture`] is a raster image identified by its magic bytes. SVG is never accepted,
//! because it is a document that may contain scripts and links.

use base64::prelude::{BASE64_STANDARD, Engine};

/// The maximum size of an image inside a view, in bytes.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// The maximum side length and number of pixels. A file of a few kilobytes can declare gigabytes of
/// pixels, which a decoder would then allocate.
const MAX_SIDE: u32 = 16_384;
const MAX_PIXELS: u64 = 64_000_000;

/// An image, or the description of one that cannot be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// The alternative text; never empty.
    pub alt: String,
    /// The location of the image.
    pub source: Source,
}

/// The location of an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Stored content on our own origin.
    Output {
        /// The id of the output, `out_<millis>_<6 letters or digits>`.
        id: String,
    },
    /// The image itself.
    Inline(Picture),
    /// An image on another site. It is never loaded; the person may follow the link.
    Remote(super::Address),
    /// An image that is not shown, with the reason.
    Refused(PictureError),
}

/// The bytes of a raster image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    format: RasterFormat,
    base64: String,
    bytes: usize,
    size: Option<(u32, u32)>,
}

/// The file format of a raster image, detected from its magic bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the formats")]
pub enum RasterFormat {
    Png,
    Jpeg,
    Gif,
    Webp,
}

impl RasterFormat {
    /// Returns the media type, such as `image/png`.
    pub fn mime_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }

    fn detect(bytes: &[u8]) -> Option<Self> {
        Some(match bytes {
            [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Self::Png,
            [0xff, 0xd8, 0xff, ..] => Self::Jpeg,
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Self::Gif,
            _ if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") => Self::Webp,
            _ => return None,
        })
    }
}

/// The reason why an image is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the variants")]
pub enum PictureError {
    #[error("the picture is too large to be shown here")]
    TooLarge,
    #[error("the picture has too many pixels to be shown here")]
    TooManyPixels,
    #[error("the picture's data is not valid base64")]
    InvalidBase64,
    #[error("only PNG, JPEG, GIF and WebP pictures are shown")]
    UnsupportedFormat,
    #[error("SVG pictures are not shown")]
    Svg,
    #[error("only pictures written in base64 are shown")]
    NotBase64,
    #[error("its address cannot be followed")]
    InvalidAddress,
}

impl Picture {
    /// Decodes base64 (RFC 4648, white space allowed) and detects the format.
    ///
    /// # Errors
    ///
    /// Returns the reason why the image cannot be shown.
    pub fn from_base64(text: &str) -> Result<Self, PictureError> {
        if text.len() / 4 * 3 > MAX_BYTES + 3 {
            return Err(PictureError::TooLarge);
        }
        let base64: String = text.split_ascii_whitespace().collect();
        let bytes = BASE64_STANDARD
            .decode(&base64)
            .map_err(|_| PictureError::InvalidBase64)?;
        let format = RasterFormat::detect(&bytes).ok_or(PictureError::UnsupportedFormat)?;
        let size = size(format, &bytes);
        if let Some((width, height)) = size
            && (width.max(height) > MAX_SIDE || u64::from(width) * u64::from(height) > MAX_PIXELS)
        {
            return Err(PictureError::TooManyPixels);
        }
        Ok(Self {
            format,
            base64,
            bytes: bytes.len(),
            size,
        })
    }

    /// Returns the file format.
    pub fn format(&self) -> RasterFormat {
        self.format
    }

    /// Returns the image as padded base64 without white space.
    pub fn base64(&self) -> &str {
        &self.base64
    }

    /// Decodes and returns the bytes.
    pub fn bytes(&self) -> Vec<u8> {
        BASE64_STANDARD.decode(&self.base64).unwrap_or_default()
    }

    /// Returns the number of bytes.
    pub fn byte_len(&self) -> usize {
        self.bytes
    }

    /// Returns width and height in pixels, if the header contains them.
    pub fn size(&self) -> Option<(u32, u32)> {
        self.size
    }
}

/// Reads width and height from the header.
fn size(format: RasterFormat, bytes: &[u8]) -> Option<(u32, u32)> {
    match format {
        RasterFormat::Png => {
            let word =
                |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
            (bytes.get(12..16)? == b"IHDR").then_some((word(16)?, word(20)?))
        }
        RasterFormat::Gif => {
            let word =
                |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
            Some((word(6)?.into(), word(8)?.into()))
        }
        RasterFormat::Jpeg => jpeg_size(bytes),
        RasterFormat::Webp => webp_size(bytes),
    }
}

/// Reads the size of a WebP file. Each of its three variants stores it at a different offset.
fn webp_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let little = |at: usize, count: usize| {
        let bytes = bytes.get(at..at + count)?.iter().rev();
        Some(bytes.fold(0, |sum: u32, byte| sum << 8 | u32::from(*byte)))
    };
    Some(match bytes.get(12..16)? {
        b"VP8X" => (little(24, 3)? + 1, little(27, 3)? + 1),
        b"VP8L" => {
            let bits = little(21, 4)?;
            ((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1)
        }
        b"VP8 " => (little(26, 2)? & 0x3fff, little(28, 2)? & 0x3fff),
        _ => return None,
    })
}

/// Walks the segments of a JPEG file up to the start of the frame, which contains the size.
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let word = |at: usize| Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    let mut at = 2;
    loop {
        let [0xff, marker] = *bytes.get(at..at + 2)? else {
            return None;
        };
        match marker {
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                return Some((word(at + 7)?.into(), word(at + 5)?.into()));
            }
            0xd0..=0xd9 | 0x01 => at += 2,
            _ => at += 2 + usize::from(word(at + 2)?).max(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A single grey pixel.
    const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";

    #[test]
    fn a_picture_is_known_by_its_first_bytes_and_not_by_its_label() {
        let png = Picture::from_base64(PNG).expect("a picture");
        assert_eq!(
            (png.format(), png.size()),
            (RasterFormat::Png, Some((1, 1)))
        );
        assert_eq!(png.bytes().len(), png.byte_len());
        let svg = "PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+";
        assert!(Picture::from_base64(svg).is_err());
        let html = "PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==";
        assert!(Picture::from_base64(html).is_err());
        assert!(Picture::from_base64("").is_err());
        assert!(Picture::from_base64("iVBORw0KGgo=\" onerror=\"alert(1)").is_err());
    }

    #[test]
    fn a_gif_and_a_jpeg_say_how_large_they_are() {
        let gif = Picture::from_base64("R0lGODlhAwACAIAAAAAAAP///ywAAAAAAwACAAACAoRRADs=")
            .expect("a picture");
        assert_eq!(
            (gif.format(), gif.size()),
            (RasterFormat::Gif, Some((3, 2)))
        );
        let frame = [
            0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 7, 0, 9, 1, 1, 0x11, 0,
        ];
        assert_eq!(jpeg_size(&frame), Some((9, 7)));
        assert_eq!(jpeg_size(&frame[..9]), None);
    }

    #[test]
    fn every_sort_of_webp_says_how_large_it_is() {
        let webp = |sort: &[u8; 4], rest: &[u8]| {
            let mut bytes = b"RIFF\0\0\0\0WEBP".to_vec();
            bytes.extend(sort);
            bytes.extend(rest);
            webp_size(&bytes)
        };
        let extended = [0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 6, 1, 0];
        assert_eq!(webp(b"VP8X", &extended), Some((10, 263)));
        // Two 14-bit fields, each one less than the size: 10 x 7.
        let lossless = [0, 0, 0, 0, 0x2f, 0x09, 0x80, 0x01, 0x00];
        assert_eq!(webp(b"VP8L", &lossless), Some((10, 7)));
        let lossy = [0, 0, 0, 0, 0, 0, 0, 0x9d, 0x01, 0x2a, 10, 0, 7, 0];
        assert_eq!(webp(b"VP8 ", &lossy), Some((10, 7)));
        assert_eq!(webp(b"VP8X", &extended[..8]), None);
        assert_eq!(webp(b"NONE", &extended), None);
    }

    #[test]
    fn a_picture_that_says_it_is_huge_is_not_shown() {
        let png = |width: u32, height: u32| {
            let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
            bytes.extend(width.to_be_bytes());
            bytes.extend(height.to_be_bytes());
            Picture::from_base64(&BASE64_STANDARD.encode(&bytes)).map(|picture| picture.size())
        };
        assert_eq!(png(8_000, 8_000), Ok(Some((8_000, 8_000))));
        for (width, height) in [(u32::MAX, 1), (1, 100_000), (16_000, 16_000)] {
            assert_eq!(png(width, height), Err(PictureError::TooManyPixels));
        }
    }
}
