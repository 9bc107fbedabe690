//! Formulas as trees and as text, and hostile ones.

use super::parse::{MAX_DEPTH, MAX_SOURCE, parse};
use super::*;
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn written(source: &str) -> Option<String> {
    Formula::parse(source, false)?.to_text()
}

#[test]
fn what_nests_too_deep_or_is_too_long_is_no_formula() {
    let nested = |depth: usize| format!("{}x{}", "{".repeat(depth), "}".repeat(depth));
    assert!(parse(&nested(MAX_DEPTH)).is_some());
    assert!(parse(&nested(MAX_DEPTH + 1)).is_none());
    assert!(parse(&"\\hat".repeat(1_000)).is_none());
    assert!(parse(&"x".repeat(MAX_SOURCE)).is_some());
    assert!(parse(&"x".repeat(MAX_SOURCE + 1)).is_none());
}

#[test]
fn a_mistake_or_an_unknown_command_is_no_formula() {
    for source in [
        "\\unknown",
        "\\frac{1}",
        "{x",
        "x}",
        "x^",
        "x^a^b",
        "x_a_b",
        "\\left( x",
        "a & b",
        "\\begin{matrix} 1",
        "\\begin{matrix} 1 \\end{pmatrix}",
        "\\begin{document}",
        "\\",
        "\\def\\x{\\x}",
        "\\text{a{b}}",
        "50%",
        "\\sqrt[3{x}",
        "\\right)",
        "\\not{ab}",
        "\\href{x}{y}",
    ] {
        assert!(parse(source).is_none(), "{source}");
    }
}

#[test]
fn a_script_takes_one_token() {
    let Some(Math::Row(parts)) = parse("x^12") else {
        panic!("a row");
    };
    assert_eq!(parts[1], Math::atom(Class::Number, "2"));
    assert_eq!(parse("\\frac12"), parse("\\frac{1}{2}"));
    assert_eq!(parse("f'^2"), parse("f ' ^ 2"));
}

#[test]
fn the_last_line_break_of_a_table_begins_no_row() {
    let rows = |source: &str| match parse(source) {
        Some(Math::Table { rows, .. }) => rows.iter().map(Vec::len).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        rows("\\begin{aligned}a &= b \\\\ c &= d \\\\ \\end{aligned}"),
        [2, 2]
    );
    assert_eq!(rows("\\begin{array}{cc}1 & 2\\\\3 & 4\\end{array}"), [2, 2]);
}

#[test]
fn columns_of_equations_are_told_from_those_of_cases() {
    let Some(Math::Fenced { open, close, body }) = parse("\\begin{cases}1 & x\\\\0\\end{cases}")
    else {
        panic!("brackets");
    };
    assert_eq!((open, close), ("{", ""));
    assert!(matches!(
        *body,
        Math::Table {
            align: Columns::Start,
            ..
        }
    ));
}

#[test]
fn simple_formulas_are_readable_text() {
    for (source, text) in [
        ("x^2", "x²"),
        ("a_1 + b_{n+1}", "a₁ + bₙ₊₁"),
        ("\\alpha \\le \\sqrt{2}", "α ≤ √2"),
        ("\\frac{a}{b}", "a/b"),
        ("\\frac{a+b}{2c}", "(a + b)/(2c)"),
        ("\\sqrt{x+1}", "√(x + 1)"),
        ("\\sqrt[3]{8}", "∛8"),
        (
            "\\sum_{i=1}^n i = \\frac{n(n+1)}{2}",
            "∑ᵢ₌₁ⁿ i = (n(n + 1))/2",
        ),
        ("-1 \\times (-x)", "−1 × (−x)"),
        ("E = mc^2", "E = mc²"),
        ("\\sin^2 x + \\cos(y)", "sin² x + cos(y)"),
        ("2\\pi r", "2πr"),
        ("x \\in \\mathbb{R}", "x ∈ ℝ"),
        ("\\vec{v} \\cdot \\hat n", "v⃗ ⋅ n̂"),
        ("f'(x)", "f′(x)"),
        ("90^\\circ", "90°"),
        ("n! \\text{ ways}", "n! ways"),
        ("(a+b)^2", "(a + b)²"),
        ("3{,}14", "3,14"),
        ("\\left( \\frac12 \\right)^2", "(1/2)²"),
        ("a \\not= b", "a =\u{338} b"),
    ] {
        assert_eq!(written(source).as_deref(), Some(text), "{source}");
    }
}

#[test]
fn what_does_not_fit_on_a_line_is_not_text() {
    for source in [
        "\\begin{pmatrix} 1 & 0 \\\\ 0 & 1 \\end{pmatrix}",
        "x^{\\alpha_1}",
        "x_{\\text{Q}}",
        "\\widehat{abc}",
        "\\binom{n}{k}",
        "\\underbrace{a + b}_{c}",
    ] {
        let formula = Formula::parse(source, true);
        assert!(
            formula.is_some_and(|formula| formula.to_text().is_none()),
            "{source}"
        );
    }
}

#[test]
fn long_hostile_sources_are_parsed_in_time() {
    let piece = [
        "{",
        "\\left(",
        "\\frac",
        "x_",
        "'",
        "\\begin{matrix}",
        "&",
        "\\\\",
        "\\sqrt[",
        "\\not",
        "^{",
    ];
    let started = Instant::now();
    for piece in piece {
        let source = piece.repeat(4096 / piece.len());
        let _ = Formula::parse(&source, true).map(|formula| formula.to_text());
    }
    assert!(
        started.elapsed() < Duration::from_secs(1),
        "{:?}",
        started.elapsed()
    );
}

/// Sources made of pieces that mean something.
pub(crate) fn source() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "x",
        "12",
        ".",
        "{",
        "}",
        "^",
        "_",
        "'",
        "&",
        "\\\\",
        "\\frac",
        "\\sqrt",
        "[3]",
        "\\left(",
        "\\right)",
        "\\left.",
        "\\sum",
        "\\limits",
        "\\text{a b}",
        "\\mathbb{R}",
        "\\begin{pmatrix}",
        "\\end{pmatrix}",
        "\\begin{cases}",
        "\\end{cases}",
        "\\hat",
        "\\overbrace",
        "\\not",
        "=",
        "<",
        "&amp;",
        "<b>",
        "\u{202e}",
        "\\quad",
        "\\alpha",
        "-",
        "(",
        "\u{1b}[2J",
        "é",
        "\\",
        "%",
        "\\binom",
        "\\overset",
    ]);
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_source_is_a_formula_or_none_and_no_larger_than_its_source(source in source()) {
        if let Some(formula) = Formula::parse(&source, true) {
            prop_assert!(nodes(&formula.root) <= 2 * source.len() + 1, "{source}");
            let _ = formula.to_text();
        }
    }
}

fn nodes(math: &Math) -> usize {
    1 + match math {
        Math::Row(parts) => parts.iter().map(nodes).sum(),
        Math::Atom(..) | Math::Text(_) | Math::Space(_) => 0,
        Math::Fraction { over, under, .. } => nodes(over) + nodes(under),
        Math::Root { body, degree } => nodes(body) + degree.as_deref().map_or(0, nodes),
        Math::Scripts(scripts) => {
            let scripts = [
                Some(&scripts.base),
                scripts.sub.as_ref(),
                scripts.sup.as_ref(),
            ];
            scripts.into_iter().flatten().map(nodes).sum()
        }
        Math::Accent { base, .. } => nodes(base),
        Math::Fenced { body, .. } => nodes(body),
        Math::Table { rows, .. } => rows.iter().flatten().map(nodes).sum(),
    }
}
