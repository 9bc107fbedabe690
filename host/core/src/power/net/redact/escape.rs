//! Finds a text of which a server has escaped some characters, or all.
//!
//! A character can be written in many ways, and each one of a text in another, so that the forms of a text
//! cannot be listed. Instead a body is read along the text that is searched for: at each step an escape
//! counts if it stands for what comes next.
//!
//! A text can itself have what looks like an escape, so that a body can be read in several ways, of which
//! only one may lead to the end of the text. All of them are followed.

use super::{MIN_ENCODED, REDACTED};

/// How often a text may have been escaped again by whatever passed it on.
const MAX_LAYERS: usize = 64;

/// How many backslashes one character may have: JSON in JSON in JSON. Each layer doubles them.
const MAX_BACKSLASHES: usize = 8;

/// How many readings of a body are followed at once. Only a text that repeats what looks like an escape has
/// more; those that have read less of the body are dropped.
const MAX_READINGS: usize = 64;

/// How far into the body the readings are that have come to a byte of the text, for that byte and the few
/// that one escape can stand for.
type Readings = [Vec<usize>; 5];

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
        let mut readings = Readings::default();
        let (mut clean, mut kept, mut at) = (Vec::new(), 0, 0);
        while at < body.len() {
            let rest = &body[at..];
            let found = may_begin[usize::from(rest[0])].then(|| self.longest(rest, &mut readings));
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
    fn longest(&self, body: &[u8], readings: &mut Readings) -> Option<usize> {
        let texts = self.texts.iter();
        let lengths = texts.filter_map(|text| length_of(text, body, readings));
        lengths.filter(|length| *length >= MIN_ENCODED).max()
    }
}

/// Returns how many bytes at the beginning of a body stand for a text, at most. `readings` is scratch space.
fn length_of(text: &[u8], body: &[u8], readings: &mut Readings) -> Option<usize> {
    let slots = readings.len();
    readings.iter_mut().for_each(Vec::clear);
    readings[0].push(0);
    for read in 0..text.len() {
        let mut reached = std::mem::take(&mut readings[read % slots]);
        reached.sort_unstable();
        reached.dedup();
        for at in reached.iter().rev().take(MAX_READINGS) {
            each_step(&text[read..], &body[*at..], |decoded, taken| {
                readings[(read + decoded) % slots].push(at + taken);
            });
        }
        reached.clear();
        readings[read % slots] = reached;
        if readings.iter().all(Vec::is_empty) {
            return None;
        }
    }
    readings[text.len() % slots].iter().max().copied()
}

/// Calls `step` for each way in which the beginning of a body stands for that of a text, with how many bytes
/// of the text and of the body it has read.
fn each_step(text: &[u8], body: &[u8], mut step: impl FnMut(usize, usize)) {
    let (Some(next), Some(first)) = (text.first(), body.first()) else {
        return;
    };
    if next == first {
        step(1, 1);
    }
    match first {
        b'\\' => each_backslash(text, body, step),
        b'&' => each_entity(text, body, step),
        b'%' => each_percent(*next, body, step),
        b'+' if *next == b' ' => step(1, 1),
        _ => {}
    }
}

/// What an escape stands for: a character of UTF-8, or one byte.
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

/// Reads a percent sign and digits. A percent sign that was encoded again is `%25`.
fn each_percent(next: u8, body: &[u8], mut step: impl FnMut(usize, usize)) {
    let mut at = 1;
    for _ in 0..MAX_LAYERS {
        let Some(byte) = body.get(at..).and_then(|digits| number(digits, 2)) else {
            return;
        };
        at += 2;
        if byte == u32::from(next) {
            step(1, at);
        }
        if byte != u32::from(b'%') {
            return;
        }
    }
}

/// Reads an escape of JSON, or of a programming language. A text of JSON in another one has more
/// backslashes.
fn each_backslash(text: &[u8], body: &[u8], mut step: impl FnMut(usize, usize)) {
    let run = body.iter().take_while(|byte| **byte == b'\\');
    let run = run.take(MAX_BACKSLASHES).count();
    if let Some((found, taken)) = numbered(body, run)
        && text.starts_with(found.bytes())
    {
        step(found.length, taken);
    }
    if text.starts_with(b"\\") {
        let doubled = (1..).map(|layers| 1 << layers);
        for taken in doubled.take_while(|taken| *taken <= run) {
            step(1, taken);
        }
    } else if body.get(run) == text.first() {
        step(1, run + 1);
    }
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
fn each_entity(text: &[u8], body: &[u8], mut step: impl FnMut(usize, usize)) {
    let mut at = 1;
    for _ in 0..MAX_LAYERS {
        let rest = &body[at..];
        if let Some((found, taken)) = entity(rest)
            && text.starts_with(found.bytes())
        {
            let end = at + taken;
            step(found.length, end);
            // A browser reads a number without the semicolon as well.
            if body.get(end) == Some(&b';') {
                step(found.length, end + 1);
            }
        }
        if !rest.starts_with(b"amp;") {
            return;
        }
        at += b"amp;".len();
    }
}

/// Reads what is between the `&` and the semicolon of an entity.
fn entity(text: &[u8]) -> Option<(Unescaped, usize)> {
    let Some(digits) = text.strip_prefix(b"#") else {
        let is_named = |(name, _): &&(&str, u8)| {
            let after = text.strip_prefix(name.as_bytes());
            after.is_some_and(|after| after.starts_with(b";"))
        };
        let (name, byte) = NAMES.iter().find(is_named)?;
        return Some((Unescaped::byte(*byte), name.len()));
    };
    let (digits, radix, before) = match digits.first()? {
        b'x' | b'X' => (&digits[1..], 16, 2),
        _ => (digits, 10, 1),
    };
    let is_digit = |byte: &&u8| char::from(**byte).is_digit(radix);
    let count = digits.iter().take(16).take_while(is_digit).count();
    let digits = std::str::from_utf8(&digits[..count]).ok()?;
    let found = Unescaped::number(u32::from_str_radix(digits, radix).ok()?)?;
    Some((found, before + count))
}

/// Reads so many hexadecimal digits.
fn number(text: &[u8], digits: usize) -> Option<u32> {
    let digits = text.get(..digits)?;
    let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_hex)?;
    u32::from_str_radix(digits, 16).ok()
}
