//! Formulas as MathML, as text and as Markdown, and the reasoning of a model on every surface.

use footlight_render::html::Html;
use footlight_render::lower::Lower;
use footlight_render::markdown::markdown;
use footlight_render::markup::to_html;
use footlight_render::terminal::{Terminal, plain_text};
use footlight_render::view::View;
use footlight_vocabulary::item::Item;
use serde_json::json;

fn view(text: &str) -> View {
    View::column(Lower::default().markdown(text))
}

fn html(text: &str) -> String {
    to_html(&Html::default().draw(&view(text)))
}

/// Returns the children of the only formula of a paragraph.
fn math(source: &str) -> String {
    let page = html(&format!("${source}$"));
    let inner = page
        .split_once("<math>")
        .and_then(|(_, rest)| rest.split_once("</math>"));
    inner
        .unwrap_or_else(|| panic!("{source}: {page}"))
        .0
        .to_owned()
}

#[test]
fn a_formula_is_mathml() {
    for (source, expected) in [
        ("x", "<mi>x</mi>"),
        ("3.14", "<mn>3.14</mn>"),
        ("x^2", "<msup><mi>x</mi><mn>2</mn></msup>"),
        ("a_1^2", "<msubsup><mi>a</mi><mn>1</mn><mn>2</mn></msubsup>"),
        ("\\frac{a}{2}", "<mfrac><mi>a</mi><mn>2</mn></mfrac>"),
        ("\\sqrt{x}", "<msqrt><mi>x</mi></msqrt>"),
        ("\\sqrt[3]{x}", "<mroot><mi>x</mi><mn>3</mn></mroot>"),
        ("a-b", "<mrow><mi>a</mi><mo>\u{2212}</mo><mi>b</mi></mrow>"),
        ("a<b", "<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>"),
        ("\\sin x", "<mrow><mi>sin</mi><mi>x</mi></mrow>"),
        ("\\mathrm{d}", "<mi mathvariant=\"normal\">d</mi>"),
        ("\\mathbb{R}", "<mi>ℝ</mi>"),
        (
            "(x)",
            "<mrow><mo stretchy=\"false\">(</mo><mi>x</mi><mo stretchy=\"false\">)</mo></mrow>",
        ),
        (
            "\\left(x\\right]",
            "<mrow><mo>(</mo><mi>x</mi><mo>]</mo></mrow>",
        ),
        (
            "\\binom nk",
            "<mrow><mo>(</mo><mfrac linethickness=\"0\"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></mrow>",
        ),
        (
            "\\hat{x}",
            "<mover accent=\"true\"><mi>x</mi><mo stretchy=\"false\">^</mo></mover>",
        ),
        (
            "a\\quad b",
            "<mrow><mi>a</mi><mspace width=\"1em\"></mspace><mi>b</mi></mrow>",
        ),
        ("\\text{if <b>}", "<mtext>if\u{a0}&lt;b&gt;</mtext>"),
        ("\\sum_i", "<msub><mo>∑</mo><mi>i</mi></msub>"),
        ("\\sum\\limits_i", "<munder><mo>∑</mo><mi>i</mi></munder>"),
    ] {
        assert_eq!(math(source), expected, "{source}");
    }
}

#[test]
fn a_formula_on_its_own_line_is_a_block_with_limits_above_and_below() {
    assert_eq!(
        html("$$\\sum_{i=1}^n i$$"),
        "<p class=\"fl-text\" dir=\"auto\"><math display=\"block\"><mrow><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo>\
         <mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi></mrow></math></p>"
    );
    let aligned = html("$$\\begin{aligned}a &= b \\\\ c &= d\\end{aligned}$$");
    assert_eq!(
        aligned.matches("<mtd class=\"fl-align-end\">").count(),
        2,
        "{aligned}"
    );
}

#[test]
fn what_is_not_understood_is_shown_as_code() {
    assert_eq!(
        html("So $\\href{a}{b}$."),
        "<p class=\"fl-text\" dir=\"auto\">So <code>\\href{a}{b}</code>.</p>"
    );
    assert_eq!(markdown(&view("So $\\href{a}{b}$.")), "So `\\href{a}{b}`.");
}

#[test]
fn prices_are_drawn_as_before() {
    let text = "It costs $5 and $6, or US$7.";
    assert_eq!(
        html(text),
        format!("<p class=\"fl-text\" dir=\"auto\">{text}</p>")
    );
    assert_eq!(markdown(&view(text)), text);
}

#[test]
fn text_between_dollars_that_is_none_stays_text_in_markdown() {
    let plain = View::text("a $x$ and $$y$$ for $5 or $6");
    let written = markdown(&plain);
    assert_eq!(written, "a \\$x$ and \\$\\$y\\$$ for $5 or $6");
    assert_eq!(
        plain_text(&view(&written), 80).trim_end(),
        "a $x$ and $$y$$ for $5 or $6"
    );
    let formula = markdown(&view("**As** $x^2$ or $\\binom nk$"));
    assert_eq!(formula, "**As** x² or `\\binom nk`");
}

fn reasoning(end: &str, omitted: u64) -> View {
    let item: Item = serde_json::from_value(json!({
        "type": "reasoning", "text": "First\u{202e}, *this*.", "omittedBytes": omitted, "id": "rsn_1",
        "position": { "turn": 1, "step": 1, "call": 0, "n": 0 }, "rev": 1,
        "start": "2026-11-16T01:52:35.000Z", "end": end,
    }))
    .expect("an item");
    Lower::default().item(&item)
}

#[test]
fn reasoning_is_a_folded_line_with_its_duration() {
    for (end, label) in [
        ("2026-11-16T01:52:35.400Z", "Thought for a moment"),
        ("2026-11-16T01:52:47.900Z", "Thought for 12 s"),
        ("2026-11-16T01:54:40.000Z", "Thought for 2 min 5 s"),
        ("2026-11-16T01:52:30.000Z", "Thought for a moment"),
    ] {
        let view = reasoning(end, 0);
        let drawn = Terminal::new(80).draw(&view);
        assert_eq!((drawn.text.trim_end(), drawn.is_cut), (label, false));
        assert_eq!(
            to_html(&Html::default().draw(&view)),
            format!(
                "<details class=\"fl-thought\"><summary class=\"fl-muted\">{label}</summary><div class=\"fl-quote\">\
                 <p class=\"fl-text\" dir=\"auto\">First, <em>this</em>.</p></div></details>"
            )
        );
        assert_eq!(markdown(&view), format!("> *{label}*\n>\n> First, *this*."));
    }
}

#[test]
fn what_was_not_kept_of_reasoning_is_counted() {
    let view = reasoning("2026-11-16T01:52:36.000Z", 1_234);
    assert!(
        markdown(&view).ends_with("> *… 1234 more bytes*"),
        "{}",
        markdown(&view)
    );
}
