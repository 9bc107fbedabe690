//! Makes deceptive characters visible, in text that a person decides about.
//!
//! [`clean`](super::clean) removes what does harm. That is not enough where a person approves a text:
//! what is removed may be the difference between two names, and a letter of another alphabet can
//! pass for a Latin one. [`visible`] shows such characters by their number instead.

use footlight_vocabulary::filter::{is_forbidden, is_mark};
use serde_json::Value;
use unicode_width::UnicodeWidthChar;

/// How many marks a letter can carry before they are shown by number.
const MAX_MARKS: usize = 3;

/// How many spaces in a row are shown as they are.
const MAX_SPACES: usize = 2;

/// The deepest indentation of a line that is shown as it is.
const MAX_INDENTATION: usize = 16;

/// Alphabets with letters that look like Latin ones, and Latin letters in disguise.
const ALPHABETS: &[(char, char, Alphabet)] = &[
    ('A', 'Z', Alphabet::Latin),
    ('a', 'z', Alphabet::Latin),
    ('\u{aa}', '\u{aa}', Alphabet::Latin),
    ('\u{ba}', '\u{ba}', Alphabet::Latin),
    ('\u{c0}', '\u{24f}', Alphabet::Latin),
    ('\u{250}', '\u{2af}', Alphabet::Rare("IPA")),
    ('\u{370}', '\u{3ff}', Alphabet::Other("Greek")),
    ('\u{400}', '\u{52f}', Alphabet::Other("Cyrillic")),
    ('\u{530}', '\u{58f}', Alphabet::Other("Armenian")),
    ('\u{590}', '\u{5ff}', Alphabet::Other("Hebrew")),
    ('\u{7c0}', '\u{7ff}', Alphabet::Rare("N'Ko")),
    ('\u{10a0}', '\u{10ff}', Alphabet::Other("Georgian")),
    ('\u{1200}', '\u{139f}', Alphabet::Other("Ethiopic")),
    ('\u{13a0}', '\u{13ff}', Alphabet::Rare("Cherokee")),
    ('\u{1400}', '\u{167f}', Alphabet::Rare("Canadian syllabics")),
    ('\u{1680}', '\u{169f}', Alphabet::Rare("Ogham")),
    ('\u{16a0}', '\u{16ff}', Alphabet::Rare("runes")),
    ('\u{18b0}', '\u{18ff}', Alphabet::Rare("Canadian syllabics")),
    ('\u{1c80}', '\u{1c8f}', Alphabet::Other("Cyrillic")),
    ('\u{1c90}', '\u{1cbf}', Alphabet::Other("Georgian")),
    ('\u{1d00}', '\u{1dbf}', Alphabet::Disguised),
    ('\u{1e00}', '\u{1eff}', Alphabet::Latin),
    ('\u{1f00}', '\u{1fff}', Alphabet::Other("Greek")),
    ('\u{2070}', '\u{209c}', Alphabet::Disguised),
    ('\u{2100}', '\u{214f}', Alphabet::Disguised),
    ('\u{2160}', '\u{2188}', Alphabet::Disguised),
    ('\u{249c}', '\u{24e9}', Alphabet::Disguised),
    ('\u{2c00}', '\u{2c5f}', Alphabet::Rare("Glagolitic")),
    ('\u{2c60}', '\u{2c7f}', Alphabet::Rare("extended Latin")),
    ('\u{2c80}', '\u{2cff}', Alphabet::Rare("Coptic")),
    ('\u{2d00}', '\u{2d2f}', Alphabet::Other("Georgian")),
    ('\u{2d30}', '\u{2d7f}', Alphabet::Rare("Tifinagh")),
    ('\u{2d80}', '\u{2ddf}', Alphabet::Other("Ethiopic")),
    ('\u{2de0}', '\u{2dff}', Alphabet::Other("Cyrillic")),
    ('\u{a4d0}', '\u{a4ff}', Alphabet::Rare("Lisu")),
    ('\u{a500}', '\u{a63f}', Alphabet::Rare("Vai")),
    ('\u{a640}', '\u{a69f}', Alphabet::Other("Cyrillic")),
    ('\u{a6a0}', '\u{a6ff}', Alphabet::Rare("Bamum")),
    ('\u{a720}', '\u{a7ff}', Alphabet::Rare("extended Latin")),
    ('\u{ab00}', '\u{ab2f}', Alphabet::Other("Ethiopic")),
    ('\u{ab30}', '\u{ab6f}', Alphabet::Rare("extended Latin")),
    ('\u{ab70}', '\u{abbf}', Alphabet::Rare("Cherokee")),
    ('\u{ff10}', '\u{ff19}', Alphabet::Disguised),
    ('\u{ff21}', '\u{ff3a}', Alphabet::Disguised),
    ('\u{ff41}', '\u{ff5a}', Alphabet::Disguised),
    ('\u{10280}', '\u{102df}', Alphabet::Rare("Lycian or Carian")),
    ('\u{10300}', '\u{1032f}', Alphabet::Rare("Old Italic")),
    ('\u{10330}', '\u{1034f}', Alphabet::Rare("Gothic")),
    ('\u{10350}', '\u{1037f}', Alphabet::Rare("Old Permic")),
    ('\u{10400}', '\u{1044f}', Alphabet::Rare("Deseret")),
    ('\u{10450}', '\u{1047f}', Alphabet::Rare("Shavian")),
    ('\u{10480}', '\u{104af}', Alphabet::Rare("Osmanya")),
    ('\u{104b0}', '\u{104ff}', Alphabet::Rare("Osage")),
    ('\u{10500}', '\u{1052f}', Alphabet::Rare("Elbasan")),
    ('\u{10530}', '\u{1056f}', Alphabet::Rare("Albanian")),
    ('\u{10920}', '\u{1093f}', Alphabet::Rare("Lydian")),
    ('\u{10c80}', '\u{10cff}', Alphabet::Rare("Old Hungarian")),
    ('\u{118a0}', '\u{118ff}', Alphabet::Rare("Warang Citi")),
    ('\u{16e40}', '\u{16e9f}', Alphabet::Rare("Medefaidrin")),
    ('\u{16f00}', '\u{16f9f}', Alphabet::Rare("Miao")),
    ('\u{1d400}', '\u{1d7ff}', Alphabet::Disguised),
    ('\u{1df00}', '\u{1dfff}', Alphabet::Rare("extended Latin")),
    ('\u{1e900}', '\u{1e95f}', Alphabet::Rare("Adlam")),
    ('\u{1f100}', '\u{1f19a}', Alphabet::Disguised),
];

/// Letters of the other alphabets that cannot be told from a Latin letter or a digit in most fonts.
const TWINS: &str = "аеорсухіјѕԁһӏԛԝАВЕІЈКМНОРСТУХЅԌԚԜҮүѵѴ\
    οονϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺͿ\
    օոսհյցզքգՕՏՍԼՈ\
    ס\u{5d5}\u{5df}\u{5d8}\u{5c0}\
    ყႽჿ\
    ዐሀ";

/// Characters that pass for the ASCII ones which separate the parts of paths, addresses and options,
/// or which mark where a quotation ends.
const SEPARATORS: &[&str] = &[
    // Dots, colons, `@`, `!` and `|`.
    "\u{2024}\u{3002}\u{fe52}\u{ff0e}\u{ff61}\u{2236}\u{a789}\u{fe55}\u{ff1a}\u{fe6b}\u{ff20}",
    "\u{1c0}\u{1c1}\u{1c2}\u{1c3}\u{2027}\u{2219}\u{22c5}\u{a4f8}\u{a60e}\u{701}\u{702}\u{10a50}",
    "\u{2d0}\u{2d1}\u{2f8}\u{589}\u{5c3}\u{703}\u{704}\u{16ec}\u{1803}\u{1809}\u{205a}\u{a4fd}\u{fe13}\u{fe30}",
    "\u{2223}\u{23d0}\u{2758}\u{ff5c}\u{ffe8}\u{ff01}\u{fe57}",
    // The signs of options, patterns, queries and shells.
    "\u{2cd}\u{2017}\u{fe4d}\u{fe4e}\u{fe4f}\u{ff3f}\u{2dc}\u{2053}\u{223c}\u{ff5e}\u{204e}\u{2217}\u{22c6}\u{66d}\u{fe61}\u{ff0a}",
    "\u{2e40}\u{30a0}\u{a4ff}\u{a78a}\u{fe66}\u{ff1d}\u{37e}\u{fe54}\u{ff1b}\u{fe56}\u{ff1f}\u{fe60}\u{ff06}\u{fe5f}\u{ff03}\u{fe6a}\u{ff05}\u{fe69}\u{ff04}",
    "\u{2c2}\u{2c3}\u{1433}\u{1438}\u{2039}\u{203a}\u{276e}\u{276f}\u{fe64}\u{fe65}\u{ff1c}\u{ff1e}\u{ff0c}\u{fe50}\u{201a}\u{a4f9}\u{66b}\u{60d}",
    // Slashes and backslashes.
    "\u{2044}\u{2215}\u{2571}\u{29f8}\u{2f03}\u{ff0f}\u{27cb}\u{2041}\u{1735}\u{2cc6}\u{3033}\u{31d3}",
    "\u{2216}\u{2572}\u{29f5}\u{29f9}\u{fe68}\u{ff3c}\u{27cd}\u{2f02}\u{31d4}",
    // Hyphens. A longer dash passes for none.
    "\u{2010}\u{2011}\u{2012}\u{2013}\u{2043}\u{2212}\u{fe58}\u{fe63}\u{ff0d}\u{2d7}\u{58a}\u{5be}\u{6d4}\u{1400}\u{1806}\u{2cba}",
    // Double quotation marks and backticks.
    "\u{2ba}\u{2dd}\u{2ee}\u{5f4}\u{201c}\u{201d}\u{201e}\u{201f}\u{2033}\u{2036}\u{3003}",
    "\u{301d}\u{301e}\u{301f}\u{ff02}\u{2cb}\u{1fef}\u{2035}\u{ff40}",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    Latin,
    Other(&'static str),
    /// With letters that look Latin, and read by so few that a whole word of it is named.
    Rare(&'static str),
    /// Letters and digits that stand for ASCII ones in another style.
    Disguised,
}

/// Shows what cannot be seen, or passes for something else, by its number: `<U+200B>`.
///
/// That is: invisible and control characters, spaces other than the ordinary one, long runs of
/// spaces, marks on ASCII letters, private characters, every letter and digit within a Latin word that
/// is neither Latin nor ASCII, and look-alikes of separators, hyphens and quotation marks. A whole word of letters that
/// look Latin is followed by the name of its alphabet, and so is every word of an alphabet that few people read. The
/// result is a single line.
///
/// ```
/// use footlight_render::filter::visible;
///
/// assert_eq!(visible("pay\u{200b}pal"), "pay<U+200B>pal");
/// assert_eq!(visible("p\u{430}ypal"), "p<U+0430>ypal");
/// assert_eq!(visible("Москва, München, 東京"), "Москва, München, 東京");
/// ```
#[must_use]
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let is_letter = |c: char| c.is_alphanumeric() || is_mark(c) || alphabet(c).is_some();
        let end = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
        if end > 0 {
            word(&rest[..end], &mut out);
            rest = &rest[end..];
            continue;
        }
        let spaces = rest.len() - rest.trim_start_matches(' ').len();
        if spaces > MAX_SPACES {
            out.push_str(&format!("<{spaces} spaces>"));
            rest = &rest[spaces..];
            continue;
        }
        let mut chars = rest.chars();
        match chars.next() {
            Some(c) if is_plain(c) => out.push(c),
            Some(c) => number(c, &mut out),
            None => {}
        }
        rest = chars.as_str();
    }
    out
}

/// Shows a line, with its indentation, also behind the sign of a changed line.
pub(crate) fn visible_line(line: &str) -> String {
    let sign = line.strip_prefix(['+', '-']).map_or(0, |_| 1);
    let text = line[sign..].trim_start_matches(' ');
    let indentation = line.len() - text.len();
    match indentation <= MAX_INDENTATION {
        true => format!("{}{}", &line[..indentation], visible(text)),
        false => visible(line),
    }
}

/// Shows formatted JSON line by line, with its indentation.
pub(crate) fn visible_json(value: &Value) -> Vec<String> {
    let line = |line: &str| {
        let text = line.trim_start_matches(' ');
        format!("{}{}", &line[..line.len() - text.len()], visible(text))
    };
    super::exact(value).lines().map(line).collect()
}

/// Writes a run of letters with their marks, and digits.
fn word(word: &str, out: &mut String) {
    let is_latin = |c: char| alphabet(c) == Some(Alphabet::Latin);
    let has_latin = word.chars().any(is_latin);
    // Marks on an ASCII letter or on nothing are shown by number.
    let (mut carries_marks, mut marks) = (false, 0);
    for c in word.chars() {
        let is_mark = is_mark(c);
        marks = if is_mark { marks + 1 } else { 0 };
        let is_shown = match alphabet(c) {
            _ if is_mark => carries_marks && marks <= MAX_MARKS && is_combining(c),
            Some(Alphabet::Disguised) => false,
            Some(Alphabet::Latin) => is_plain(c),
            // Any script may have a letter that passes for a Latin one.
            _ if has_latin && !c.is_ascii() => false,
            _ => is_plain(c),
        };
        match is_shown {
            true => out.push(c),
            false => number(c, out),
        }
        carries_marks = is_shown && !c.is_ascii();
    }
    let is_base = |c: &char| !c.is_ascii_digit() && !is_mark(*c);
    let mut letters = word.chars().filter(is_base);
    let rare = letters.clone().find_map(|c| match alphabet(c) {
        Some(Alphabet::Rare(name)) => Some(name),
        _ => None,
    });
    let twin = || match letters.clone().next().and_then(alphabet) {
        Some(Alphabet::Other(name)) if letters.all(|c| TWINS.contains(c)) => Some(name),
        _ => None,
    };
    if let Some(name) = rare.filter(|_| !has_latin).or_else(twin) {
        out.push_str(&format!("<{name}>"));
    }
}

/// Reports whether a mark is a visible one: not a joiner, selector or other invisible character.
fn is_combining(c: char) -> bool {
    let is_invisible = matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}');
    is_mark(c) && !is_forbidden(c) && !is_invisible
}

/// Reports whether a character is shown as it is, apart from letters and marks.
fn is_plain(c: char) -> bool {
    let is_private = matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}');
    let is_blank = c != ' ' && (c.is_whitespace() || c == '\u{2800}');
    let is_invisible = is_forbidden(c) || is_mark(c) || c.width().is_none();
    !(is_private || is_blank || is_invisible || SEPARATORS.iter().any(|all| all.contains(c)))
}

fn number(c: char, out: &mut String) {
    out.push_str(&format!("<U+{:04X}>", u32::from(c)));
}

fn alphabet(c: char) -> Option<Alphabet> {
    let at = ALPHABETS.partition_point(|(_, last, _)| *last < c);
    let (first, _, alphabet) = ALPHABETS.get(at)?;
    (*first <= c).then_some(*alphabet)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn deceptive_characters_are_shown_by_their_number() {
        for (text, expected) in [
            ("bob@example.com", "bob@example.com"),
            ("every task", "every task"),
            ("a  b", "a  b"),
            ("safe.txt     /etc/passwd", "safe.txt<5 spaces>/etc/passwd"),
            ("a\nb\tc", "a<U+000A>b<U+0009>c"),
            ("a\u{202e}b\u{2066}c", "a<U+202E>b<U+2066>c"),
            ("a\u{200d}b\u{fe0f}\u{e0041}", "a<U+200D>b<U+FE0F><U+E0041>"),
            ("a\u{a0}b\u{3000}c\u{2800}", "a<U+00A0>b<U+3000>c<U+2800>"),
            ("e\u{301}", "e<U+0301>"),
            ("é ñ ø ß", "é ñ ø ß"),
            ("\u{e000}", "<U+E000>"),
            ("p\u{430}ypal.com", "p<U+0430>ypal.com"),
            ("раураl", "<U+0440><U+0430><U+0443><U+0440><U+0430>l"),
            ("\u{3bf}nline", "<U+03BF>nline"),
            ("ѕсоре", "ѕсоре<Cyrillic>"),
            ("ΑΒΕ1", "ΑΒΕ1<Greek>"),
            ("Список дел", "Список дел"),
            ("Αθήνα", "Αθήνα"),
            ("ｐａｙ", "<U+FF50><U+FF41><U+FF59>"),
            ("\u{1d429}ay", "<U+1D429>ay"),
            ("a\u{2215}b\u{ff0e}com", "a<U+2215>b<U+FF0E>com"),
            ("हिन्दी", "हिन्दी"),
            ("日本語 한국어 ไทยนี้", "日本語 한국어 ไทยนี้"),
            ("שלום עולם", "שלום עולם"),
            ("🎭", "🎭"),
            ("g๐๐gle", "g<U+0E50><U+0E50>gle"),
            ("ㅣogin", "<U+3163>ogin"),
            ("ᗅdmin ⵔpen", "<U+15C5>dmin <U+2D54>pen"),
            ("gዐogle gסogle", "g<U+12D0>ogle g<U+05E1>ogle"),
            ("a丨b aーb", "a<U+4E28>b a<U+30FC>b"),
            ("″＂”", "<U+2033><U+FF02><U+201D>"),
            ("a‐b‑c−d", "a<U+2010>b<U+2011>c<U+2212>d"),
            ("a∖b﹨c⧵d", "a<U+2216>b<U+FE68>c<U+29F5>d"),
            ("one — 1ª, nº 2", "one — 1ª, nº 2"),
        ] {
            assert_eq!(visible(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_whole_word_that_looks_latin_is_marked_in_every_alphabet() {
        for word in [
            "ᎪᎡᎢ",
            "ꓐꓳꓐ",
            "ⲢⲀⲨ",
            "ᑌᔕᗴᖇ",
            "𐐄𐐄",
            "ɑɡɩ",
            "ᛕᛖᛉ",
            "𐌀𐌁𐌂",
            "ⵔⵏ",
            "ꜱᴇᴛ",
            "օոս",
            "סוס",
            "оосе",
            "ϲοο",
            "ዐሀ",
            "ꕯꕯ",
            "𐒴𐓂",
        ] {
            for around in ["", "/", " = "] {
                let text = format!("x{around}{word}{around}y");
                let shown = visible(&text);
                assert!(shown.contains('<'), "{text}: {shown}");
            }
            assert!(visible(word).contains('<'), "{word}");
        }
        // Every letter that passes for a Latin one is marked, also where it is a word of its own.
        for (first, last, alphabet) in ALPHABETS {
            let is_marked = |c: char| visible(&c.to_string()).contains('<');
            let letters = (*first..=*last).filter(|c| c.is_alphabetic());
            match alphabet {
                Alphabet::Rare(name) => {
                    assert!(letters.into_iter().all(is_marked), "{name}");
                }
                Alphabet::Other(name) => {
                    let mut twins = letters.into_iter().filter(|c| TWINS.contains(*c));
                    assert!(twins.all(is_marked), "{name}");
                }
                Alphabet::Latin | Alphabet::Disguised => {}
            }
        }
    }

    #[test]
    fn look_alikes_of_separators_are_shown_by_their_number_wherever_they_stand() {
        for c in SEPARATORS.iter().flat_map(|all| all.chars()) {
            let number = format!("<U+{:04X}>", u32::from(c));
            for text in [
                format!("a{c}b"),
                format!("a {c} b"),
                c.to_string(),
                format!("1{c}2"),
                format!("дом{c}дом"),
            ] {
                assert!(visible(&text).contains(&number), "{text}");
            }
        }
        for c in "⟋˗‧ː˸".chars() {
            assert!(SEPARATORS.iter().any(|all| all.contains(c)), "{c}");
        }
    }

    #[test]
    fn alphabets_are_sorted_and_do_not_overlap() {
        let is_before = |a: &(char, char, Alphabet), b: &(char, char, Alphabet)| a.1 < b.0;
        assert!(ALPHABETS.is_sorted_by(is_before));
        assert!(ALPHABETS.iter().all(|(first, last, _)| first <= last));
    }

    proptest! {
        #[test]
        fn nothing_invisible_is_left_and_nothing_is_removed(text in any::<String>()) {
            let shown = visible(&text);
            prop_assert_eq!(super::super::clean(&shown), shown.as_str());
            let is_blank = |c: char| c != ' ' && c.is_whitespace();
            prop_assert!(!shown.contains(is_blank), "{:?}", shown);
            prop_assert_eq!(shown.is_empty(), text.is_empty());
        }

        #[test]
        fn a_word_with_a_latin_letter_is_shown_in_latin_letters_alone(
            before in "[a-z]", letter in "[\\p{L}\\p{N}]", after in "[a-z0-9]{0,3}",
        ) {
            let shown = visible(&format!("{before}{letter}{after}"));
            let is_latin = |c: char| c.is_ascii() || alphabet(c) == Some(Alphabet::Latin);
            prop_assert!(shown.chars().all(is_latin), "{}", shown);
        }

        #[test]
        fn two_texts_that_differ_are_shown_differently(
            letters in "[a-z.]{1,6}",
            hidden in "[\u{200b}-\u{200f}\u{202a}-\u{202e}\u{430}\u{435}\u{ad}\u{2060}]{1,3}",
            at in any::<prop::sample::Index>(),
        ) {
            let at = at.index(letters.len());
            let other = format!("{}{hidden}{}", &letters[..at], &letters[at..]);
            let shown = visible(&other);
            prop_assert!(shown.is_ascii() || shown.contains('<'), "{}", shown);
            prop_assert_ne!(shown, visible(&letters));
        }
    }
}
