//! A scanner for Rust source that tells identifiers from string literals and skips comments, so that a rule about
//! names is not broken by prose and a rule about texts is not broken by names.

/// A token that some rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// An identifier or keyword, without a leading `r#`.
    Word(&'a str),
    /// The inside of a string literal, with escapes as they are written.
    Text(&'a str),
}

/// Returns the identifiers and string literals of `source` in order, each with its line number.
pub(super) fn tokens(source: &str) -> Vec<(usize, Token<'_>)> {
    let mut found = Vec::new();
    let (mut rest, mut line) = (source, 1);
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => block_comment(rest),
            '"' => quoted(rest, &mut |text| found.push((line, Token::Text(text)))),
            '\'' => character(rest),
            _ if is_word(first) => {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                let raw = ["r", "br", "cr"].contains(&word);
                if raw && after.starts_with(['"', '#']) {
                    end + raw_string(after, &mut |text| found.push((line, Token::Text(text))))
                } else {
                    if !first.is_ascii_digit() && !["b", "c"].contains(&word) {
                        found.push((line, Token::Word(word)));
                    }
                    end
                }
            }
            _ => first.len_utf8(),
        };
        line += rest[..taken].matches('\n').count();
        rest = &rest[taken..];
    }
    found
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The length of the block comment at the start of `text`. Block comments nest.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    for (at, two) in text.as_bytes().windows(2).enumerate() {
        match two {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 2;
        }
    }
    text.len()
}

/// The length of the string literal at the start of `text`, whose inside goes to `found`.
fn quoted<'a>(text: &'a str, found: &mut dyn FnMut(&'a str)) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => {
                found(&text[1..at]);
                return at + 1;
            }
            c => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// The length of `#..#"inside"#..#` at the start of `text`; of `#` alone where it is a raw identifier.
fn raw_string<'a>(text: &'a str, found: &mut dyn FnMut(&'a str)) -> usize {
    let hashes = text.len() - text.trim_start_matches('#').len();
    let Some(inside) = text[hashes..].strip_prefix('"') else {
        return hashes;
    };
    let close = format!("\"{}", &text[..hashes]);
    let end = inside.find(&close).unwrap_or(inside.len());
    found(&inside[..end]);
    (hashes + 1 + end + close.len()).min(text.len())
}

/// The length of the character literal at the start of `text`; of the quote alone where it is a lifetime.
fn character(text: &str) -> usize {
    let mut after = text.char_indices().skip(1);
    match (after.next(), after.next()) {
        (Some((_, '\\')), Some((at, escaped))) => {
            let from = at + escaped.len_utf8();
            text[from..]
                .find('\'')
                .map_or(text.len(), |end| from + end + 1)
        }
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

/// Splits an identifier into its words, in lower case: `ApprovalError`, `approval_error` and `APPROVAL_ERROR` alike.
pub(super) fn words(identifier: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut last_is_lower = false;
    for c in identifier.chars() {
        let starts_word = c == '_' || (c.is_uppercase() && last_is_lower);
        if starts_word {
            words.push(String::new());
        }
        if c != '_' {
            words
                .last_mut()
                .expect("there is one word at least")
                .extend(c.to_lowercase());
        }
        last_is_lower = c.is_lowercase() || c.is_ascii_digit();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn identifiers_and_texts_are_found_and_comments_are_not() {
    let source = r##"/* a /* b */ c */ fn leave<'a>(x: &'a str) -> char { // drawer
        call("go \"on\"", r#"raw "text""#, b"bytes", '"', '\'', b'x', r#type) }"##;
    let found: Vec<_> = tokens(source).into_iter().map(|(_, token)| token).collect();
    let word = Token::Word;
    let expected = [
        word("fn"),
        word("leave"),
        word("a"),
        word("x"),
        word("a"),
        word("str"),
        word("char"),
        word("call"),
        Token::Text("go \\\"on\\\""),
        Token::Text("raw \"text\""),
        Token::Text("bytes"),
        word("type"),
    ];
    assert_eq!(found, expected);
    assert_eq!(tokens("\n\nx"), [(3, word("x"))]);
}

#[test]
fn identifiers_are_split_into_words() {
    for identifier in ["ApprovalError", "approval_error", "APPROVAL_ERROR"] {
        assert_eq!(words(identifier), ["approval", "error"], "{identifier}");
    }
    assert_eq!(words("_x2Y"), ["x2", "y"]);
}
