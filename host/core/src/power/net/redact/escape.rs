//! Finds a text of which a server has escaped some characters, or all.
//!
//! A character can be written in many ways, and each one of a text in another, so that the forms of a text
//! cannot be listed. Instead a body is read along the text that is searched for: at each step an escape
//! counts if it stands for what comes next.

use super::{MIN_ENCODED, REDACTED};

/// How often a text may have been escaped again by whatever passed it on.
const MAX_LAYERS: usize = 8;

/// The names that HTML has for what stands in secrets.
const NAMES: &[(&str, u8)] = &[
    ("amp", b'&'),
    ("apos", b'\''),
    ("ast", b'*'),
    ("bsol", b'\\'),
    ("colon", b':'),
    ("comma", b','),
    ("commat", b'@'),
    ("dollar", b'$'),
    ("equals", b'='),
    ("excl", b'!'),
    ("grave", b'`'),
    ("gt", b'>'),
    ("Hat", b'^'),
    ("lbrace", b'{'),
    ("lbrack", b'['),
    ("lcub", b'{'),
    ("lowbar", b'_'),
    ("lpar", b'('),
    ("lsqb", b'['),
    ("lt", b'<'),
    ("num", b'#'),
    ("percnt", b'%'),
    ("period", b'.'),
    ("plus", b'+'),
    ("quest", b'?'),
    ("quot", b'"'),
    ("rbrace", b'}'),
    ("rbrack", b']'),
    ("rcub", b'}'),
    ("rpar", b')'),
    ("rsqb", b']'),
    ("semi", b';'),
    ("sol", b'/'),
    ("vert", b'|'),
    ("verbar", b'|'),
];

/// Texts that are searched for in escaped form.
#[derive(Default)]
pub(super) struct EscapedForms {
    texts: Vec<Vec<u8>>,
    /// The bytes with which one of the texts can begin, plain or escaped.
    first: Vec<u8>,
}

impl EscapedForms {
    /// Searches for these texts from now on.
    pub(super) fn add(&mut self, texts: &[Vec<u8>]) {
        self.texts.extend_from_slice(texts);
        self.first = b"\\&%+".to_vec();
        self.first
            .extend(self.texts.iter().filter_map(|text| text.first()));
    }

    /// Returns a body without the texts, and none if it has none of them.
    pub(super) fn redact(&self, body: &[u8]) -> Option<Vec<u8>> {
        let mut may_begin = [false; 256];
        for first in &self.first {
            may_begin[usize::from(*first)] = true;
        }
        let (mut clean, mut kept, mut at) = (Vec::new(), 0, 0);
        while at < body.len() {
            let rest = &body[at..];
            let found = may_begin[usize::from(rest[0])].then(|| self.longest(rest));
            match found.flatten() {
                Some(length) => {
                    clean.extend_from_slice(&body[kept..at]);
                    clean.extend_from_slice(REDACTED.as_bytes());
                    at += length;
                    kept = at;
                }
                None => at += 1,
            }
        }
        if kept == 0 {
            return None;
        }
        clean.extend_from_slice(&body[kept..]);
        Some(clean)
    }

    /// Returns the length of the longest form with which a body begins.
    fn longest(&self, body: &[u8]) -> Option<usize> {
        // A secret may itself have what looks like an escape.
        let length =
            |text: &Vec<u8>| length_of(text, body, false).or_else(|| length_of(text, body, true));
        let lengths = self.texts.iter().filter_map(length);
        lengths.filter(|length| *length >= MIN_ENCODED).max()
    }
}

/// Returns how many bytes at the beginning of a body stand for a text. What can be read as it is and as an
/// escape is an escape, or else is `plain`.
fn length_of(text: &[u8], body: &[u8], plain: bool) -> Option<usize> {
    let (mut left, mut at) = (text, 0);
    while let Some(next) = left.first() {
        let rest = &body[at..];
        let is_plain = rest.first() == Some(next);
        let escape = match plain && is_plain {
            true => None,
            false => unescaped(*next, rest),
        };
        let (decoded, taken) = match escape {
            Some((decoded, taken)) if left.starts_with(decoded.bytes()) => (decoded.length, taken),
            _ if is_plain => (1, 1),
            _ => return None,
        };
        left = &left[decoded..];
        at += taken;
    }
    Some(at)
}

/// What an escape stands for: a character of UTF-8, or one byte of it.
struct Unescaped {
    buffer: [u8; 4],
    length: usize,
}

impl Unescaped {
    fn byte(byte: u8) -> Self {
        let buffer = [byte, 0, 0, 0];
        Self { buffer, length: 1 }
    }

    fn number(number: u32) -> Option<Self> {
        let mut buffer = [0; 4];
        let length = char::from_u32(number)?.encode_utf8(&mut buffer).len();
        Some(Self { buffer, length })
    }

    fn bytes(&self) -> &[u8] {
        &self.buffer[..self.length]
    }
}

/// Returns what the escape at the beginning of a text stands for, and how many bytes it has. `next` is what
/// is expected, where an escape can be read in two ways.
fn unescaped(next: u8, text: &[u8]) -> Option<(Unescaped, usize)> {
    match text.first()? {
        b'\\' => backslash(next, text),
        b'&' => entity(text),
        b'%' => {
            // A percent sign that was encoded again is `%25`.
            let (mut found, mut at) = (None, 1);
            while let Some(byte) = text.get(at..).and_then(|text| number(text, 2)) {
                at += 2;
                if byte == u32::from(next) {
                    found = Some((Unescaped::byte(next), at));
                }
                if byte != u32::from(b'%') {
                    break;
                }
            }
            found
        }
        b'+' if next == b' ' => Some((Unescaped::byte(b' '), 1)),
        _ => None,
    }
}

/// Reads an escape of JSON, or of a programming language. A text of JSON in another one has more
/// backslashes.
fn backslash(next: u8, text: &[u8]) -> Option<(Unescaped, usize)> {
    let run = text.iter().take_while(|byte| **byte == b'\\');
    let run = run.take(MAX_LAYERS).count();
    let numbered = numbered(text, run);
    let numbered = numbered.filter(|(found, _)| found.bytes().first() == Some(&next));
    if numbered.is_some() {
        return numbered;
    }
    if next == b'\\' && run >= 2 {
        return Some((Unescaped::byte(next), 2));
    }
    let is_itself = text.get(run) == Some(&next);
    is_itself.then(|| (Unescaped::byte(next), run + 1))
}

/// Reads the number of a character after so many backslashes.
fn numbered(text: &[u8], run: usize) -> Option<(Unescaped, usize)> {
    let (kind, digits) = text.get(run..)?.split_first()?;
    let end = run + 5;
    match kind {
        b'x' => Some((Unescaped::number(number(digits, 2)?)?, run + 3)),
        b'u' => {
            let high = number(digits, 4)?;
            if !(0xd800..0xdc00).contains(&high) {
                return Some((Unescaped::number(high)?, end));
            }
            let low = text.get(end + run..)?.strip_prefix(b"u")?;
            let low = number(low, 4)?.checked_sub(0xdc00)?;
            let pair = 0x10000 + ((high - 0xd800) << 10) + low;
            Some((Unescaped::number(pair)?, end + run + 5))
        }
        _ => None,
    }
}

/// Reads an entity of HTML, whose `&` may have been escaped again.
fn entity(text: &[u8]) -> Option<(Unescaped, usize)> {
    let mut at = 1;
    while text[at..].starts_with(b"amp;") && begins_entity(&text[at + 4..]) {
        at += 4;
    }
    let rest = &text[at..];
    let (found, length) = match rest.strip_prefix(b"#") {
        Some(digits) => {
            let (digits, radix, before) = match digits.first()? {
                b'x' | b'X' => (&digits[1..], 16, 2),
                _ => (digits, 10, 1),
            };
            let is_digit = |byte: &&u8| char::from(**byte).is_digit(radix);
            let count = digits.iter().take(16).take_while(is_digit).count();
            let digits = std::str::from_utf8(&digits[..count]).ok()?;
            let found = Unescaped::number(u32::from_str_radix(digits, radix).ok()?)?;
            (found, before + count)
        }
        None => {
            let is_named = |(name, _): &&(&str, u8)| {
                let after = rest.strip_prefix(name.as_bytes());
                after.is_some_and(|after| after.starts_with(b";"))
            };
            let (name, byte) = NAMES.iter().find(is_named)?;
            (Unescaped::byte(*byte), name.len())
        }
    };
    let end = at + length;
    // A browser reads a number without the semicolon as well.
    let has_end = text.get(end) == Some(&b';');
    Some((found, end + usize::from(has_end)))
}

/// Reports whether a text could follow the `&` of an entity.
fn begins_entity(text: &[u8]) -> bool {
    let is_named = |(name, _): &(&str, u8)| {
        let after = text.strip_prefix(name.as_bytes());
        after.is_some_and(|after| after.starts_with(b";"))
    };
    text.starts_with(b"#") || NAMES.iter().any(is_named)
}

/// Reads so many hexadecimal digits.
fn number(text: &[u8], digits: usize) -> Option<u32> {
    let digits = text.get(..digits)?;
    let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_hex)?;
    u32::from_str_radix(digits, 16).ok()
}
