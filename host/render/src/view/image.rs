//! Pictures in a view: checked once, where they are made.
//!
//! Invariant: a [`Picture`] is a raster image whose first bytes say so. SVG is never one, because
//! it is a document with scripts and links in it.

use crate::base64;

/// The largest picture that is carried inside a view, in bytes.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// The longest side and the most pixels of a picture that is shown. A few kilobytes can say that they
/// are gigabytes of pixels, and whoever draws them believes it.
const MAX_SIDE: u32 = 16_384;
const MAX_PIXELS: u64 = 64_000_000;

/// A picture, or what is known of one that cannot be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// What it shows, in words; never empty.
    pub alt: String,
    /// Where it comes from.
    pub source: Source,
}

/// Where a picture comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Stored content on our own origin, by the id of the output.
    Own {
        /// The id, `out_<millis>_<6 letters or digits>`.
        id: String,
    },
    /// The picture itself.
    Inline(Picture),
    /// Another site's, which is never loaded but may be followed.
    Remote(super::Address),
    /// It is not shown, for this reason, such as `SVG pictures are not shown`.
    Refused(&'static str),
}

/// The bytes of a raster picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    raster: Raster,
    base64: String,
    bytes: usize,
    size: Option<(u32, u32)>,
}

/// What a picture's bytes are, by their first ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the formats")]
pub enum Raster {
    Png,
    Jpeg,
    Gif,
    Webp,
}

impl Raster {
    /// The media type, such as `image/png`.
    #[must_use]
    pub fn mime_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }

    fn of(bytes: &[u8]) -> Option<Self> {
        Some(match bytes {
            [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Self::Png,
            [0xff, 0xd8, 0xff, ..] => Self::Jpeg,
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Self::Gif,
            [
                b'R',
                b'I',
                b'F',
                b'F',
                _,
                _,
                _,
                _,
                b'W',
                b'E',
                b'B',
                b'P',
                ..,
            ] => Self::Webp,
            _ => return None,
        })
    }
}

impl Picture {
    /// Reads base64 (RFC 4648, white space allowed), and looks at what it holds.
    ///
    /// # Errors
    /// Why it cannot be shown.
    pub fn read(text: &str) -> Result<Self, &'static str> {
        if text.len() / 4 * 3 > MAX_BYTES + 3 {
            return Err("the picture is too large to be shown here");
        }
        let base64: String = text.split_ascii_whitespace().collect();
        let bytes = base64::decode(&base64).ok_or("the picture's data is damaged")?;
        let raster = Raster::of(&bytes).ok_or("only PNG, JPEG, GIF and WebP pictures are shown")?;
        let size = size(raster, &bytes);
        if let Some((width, height)) = size
            && (width.max(height) > MAX_SIDE || u64::from(width) * u64::from(height) > MAX_PIXELS)
        {
            return Err("the picture has too many pixels to be shown here");
        }
        Ok(Self {
            raster,
            base64,
            bytes: bytes.len(),
            size,
        })
    }

    /// What it is.
    #[must_use]
    pub fn raster(&self) -> Raster {
        self.raster
    }

    /// The picture as base64 with padding, without white space.
    #[must_use]
    pub fn base64(&self) -> &str {
        &self.base64
    }

    /// The picture's bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        base64::decode(&self.base64).unwrap_or_default()
    }

    /// How many bytes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Whether there are no bytes, which never is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Width and height in pixels, where the first bytes say so.
    #[must_use]
    pub fn size(&self) -> Option<(u32, u32)> {
        self.size
    }
}

/// Width and height, from where the simple formats have them.
fn size(raster: Raster, bytes: &[u8]) -> Option<(u32, u32)> {
    match raster {
        Raster::Png => {
            let word =
                |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
            (bytes.get(12..16)? == b"IHDR").then_some((word(16)?, word(20)?))
        }
        Raster::Gif => {
            let word =
                |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
            Some((word(6)?.into(), word(8)?.into()))
        }
        Raster::Jpeg => jpeg_size(bytes),
        Raster::Webp => webp_size(bytes),
    }
}

/// Each of the three sorts of WebP has its size elsewhere.
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

/// Goes from segment to segment until the one that begins a frame.
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

    /// One grey pixel.
    const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";

    #[test]
    fn a_picture_is_known_by_its_first_bytes_and_not_by_its_label() {
        let png = Picture::read(PNG).expect("a picture");
        assert_eq!((png.raster(), png.size()), (Raster::Png, Some((1, 1))));
        assert_eq!(png.bytes().len(), png.len());
        let svg = "PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+";
        assert!(Picture::read(svg).is_err());
        let html = "PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==";
        assert!(Picture::read(html).is_err());
        assert!(Picture::read("").is_err());
        assert!(Picture::read("iVBORw0KGgo=\" onerror=\"alert(1)").is_err());
    }

    #[test]
    fn a_gif_and_a_jpeg_say_how_large_they_are() {
        let gif =
            Picture::read("R0lGODlhAwACAIAAAAAAAP///ywAAAAAAwACAAACAoRRADs=").expect("a picture");
        assert_eq!((gif.raster(), gif.size()), (Raster::Gif, Some((3, 2))));
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
        // 14 bits each for 10 x 7, less one.
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
            Picture::read(&base64::encode(&bytes)).map(|picture| picture.size())
        };
        assert_eq!(png(8_000, 8_000), Ok(Some((8_000, 8_000))));
        for (width, height) in [(u32::MAX, 1), (1, 100_000), (16_000, 16_000)] {
            assert_eq!(
                png(width, height),
                Err("the picture has too many pixels to be shown here")
            );
        }
    }
}
