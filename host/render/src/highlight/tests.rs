//! Tests of token classes and of linear running time.

use super::*;
use proptest::prelude::*;

fn of(code: &str, language: &str, class: Class) -> String {
    let lines = lines(code, Some(language));
    let tokens = lines.into_iter().flatten();
    let texts = tokens
        .filter(|token| token.class == class)
        .map(|token| token.text);
    texts.collect::<Vec<_>>().join("|")
}

#[test]
fn words_of_a_language_are_told_from_text_and_numbers() {
    let rust = "fn main() { let x: Vec<u8> = 42; } // hi";
    for (class, expected) in [
        (Class::Keyword, "fn|let"),
        (Class::Function, "main"),
        (Class::Type, "Vec"),
        (Class::Number, "42"),
        (Class::Comment, "// hi"),
    ] {
        assert_eq!(of(rust, "rust", class), expected);
    }
}

#[test]
fn each_language_has_its_own_comments_quotes_and_keys() {
    for (language, code, class, expected) in [
        ("diff", "@@ -1 @@\n-old\n+new\n", Class::Removed, "-old"),
        ("diff", "@@ -1 @@\n-old\n+new\n", Class::Heading, "@@ -1 @@"),
        ("rs", "impl<'a> X<'a> { 'x' }", Class::String, "'x'"),
        ("rust", "s(\"a\nb\\\"\")", Class::String, "\"a|b\\\"\""),
        ("rust", "1..=14 0x1f 1.5", Class::Number, "1|14|0x1f|1.5"),
        ("c", "/* a\nb */ x", Class::Comment, "/* a|b */"),
        ("c", "#include <x.h>", Class::Keyword, "#include"),
        ("py", "def f(self): # no", Class::Keyword, "def|self"),
        ("py", "x = '''a\n# b'''", Class::String, "'''a|# b'''"),
        ("bash", "echo $# # end", Class::Comment, "# end"),
        ("sql", "SELECT a from B", Class::Keyword, "SELECT|from"),
        (
            "json",
            "{\"a\": \"b\", \"c\" : [true]}",
            Class::Property,
            "\"a\"|\"c\"",
        ),
        ("json", "[\n  true\n]", Class::Constant, "true"),
        ("toml", "[a.b]\nc = \"d\" # e", Class::Heading, "[a.b]"),
        ("yaml", "a-b: it's on\nc: d", Class::Property, "a-b|c"),
        ("css", "@media x { color: red }", Class::Keyword, "@media"),
        ("html", "<a b=\"x\">c &amp; d</a>", Class::Tag, "a|a"),
        ("html", "<a b=\"x\">c &amp; d</a>", Class::Constant, "&amp;"),
        ("html", "<!-- a\nb --><b>", Class::Comment, "<!-- a|b -->"),
        ("md", "# Title\ntext `code`", Class::Heading, "# Title"),
        ("md", "don't `code` a`b", Class::String, "`code`"),
        ("go", "func f() { `a\nb` }", Class::String, "`a|b`"),
    ] {
        assert_eq!(of(code, language, class), expected, "{language}: {code}");
    }
}

#[test]
fn an_unknown_language_and_long_code_are_plain() {
    let plain = |code: &str, language| {
        let lines = lines(code, language);
        let mut tokens = lines.into_iter().flatten();
        tokens.all(|token| token.class == Class::Plain)
    };
    assert!(plain("fn main() {}", None));
    assert!(plain("fn main() {}", Some("")));
    assert!(plain("fn main() {}", Some("nobody knows")));
    assert!(!plain("fn main() {}", Some("Rust")));
    assert!(plain(&"fn main() {}\n".repeat(10_000), Some("rust")));
}

/// The test would not finish if the work were quadratic in the length of a line.
#[test]
fn a_line_is_scanned_in_linear_time() {
    let bits = [
        " ", "a", "\\'", "'", "\"", "\\\"", "`", "a.", "1.", "<a ", "&a", "&", "/*", "*/", "--[[",
        "'''", "=", ": ", "[", "#", "a(", "é", "\u{2003}",
    ];
    let languages = [
        "rust", "js", "py", "sql", "json", "yaml", "css", "html", "md", "lisp", "bash",
    ];
    for bit in bits {
        for bit in [bit.to_owned(), format!("a{bit}"), format!("{bit} \"")] {
            let line = bit.repeat(MAX_BYTES / 4 / bit.len());
            for language in languages {
                let lines = lines(&line, Some(language));
                let read: usize = lines.iter().flatten().map(|token| token.text.len()).sum();
                assert_eq!(read, line.len(), "{language} {bit:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn the_pieces_make_up_the_lines(
        code in "([a-z\"'`(){};:/*<>#=!|&\\[\\]0-9.å \\\\-]{0,20}\r?\n?){0,6}",
        language in "(rust|html|js|md|yaml|php|css|lua|lisp|diff|bash|json|x)",
    ) {
        let joined: Vec<String> = lines(&code, Some(&language))
            .iter()
            .map(|tokens| tokens.iter().map(|token| token.text).collect())
            .collect();
        let expected: Vec<&str> = code.lines().collect();
        prop_assert_eq!(joined, expected);
    }
}
