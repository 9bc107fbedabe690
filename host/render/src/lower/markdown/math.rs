//! Formulas, and dollars that are none.

use super::{BlockBuilder, Open};
use crate::view::{Inline, Role, Span, Text, View};
use std::ops::Range;

impl BlockBuilder {
    /// Adds a formula. One on a line of its own is a paragraph of its own, where there are paragraphs.
    pub(super) fn math(&mut self, source: &str, is_display: bool) {
        let in_cell = matches!(self.open.last(), Some(Open::Table(_)));
        let has_paragraphs = !in_cell && !self.in_heading && self.links.is_empty();
        let span = Span::math(source, is_display && has_paragraphs);
        if !self.pictures.is_empty() || self.code.is_some() {
            return self.text(&span.text);
        }
        if is_display && has_paragraphs {
            self.flush(Role::Body);
            let inline = Inline::from(span);
            self.push(View::Text(Text::new(Role::Body, inline)));
            self.after_formula = true;
            return;
        }
        self.after_formula = false;
        let style = crate::view::Style {
            code: span.style.code,
            ..self.style
        };
        let link = self.links.last().cloned().flatten();
        self.spans.push(Span {
            style,
            link,
            ..span
        });
    }
}

/// Reports whether dollars around a text are money or a variable of a shell. `pulldown-cmark` has seen to
/// it that no white space is next to them inside.
pub(super) fn is_text(source: &str, all: &str, range: &Range<usize>) -> bool {
    let before = all[..range.start].chars().next_back();
    let after = all[range.end..].chars().next();
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|b| b.is_ascii_alphabetic());
    match after {
        // `$5-$6`
        Some(c) if c.is_ascii_digit() => return true,
        // `$HOME/bin:$PATH`, but `the $n$th`
        Some(c)
            if c.is_alphabetic()
                && !source.ends_with(|c: char| c.is_alphanumeric() || ")]}|'".contains(c)) =>
        {
            return true;
        }
        _ => {}
    }
    // `US$5, 6$`
    let is_price = source.starts_with(|c: char| c.is_ascii_digit())
        && before.is_some_and(char::is_alphanumeric);
    // `$5 or 6$`
    let is_prose = !source.contains(['\\', '^', '_', '{', '=', '<', '>'])
        && source.split_whitespace().any(is_word);
    is_price || is_prose
}

#[cfg(test)]
mod tests {
    use crate::lower::Lower;
    use crate::terminal::plain_text;
    use crate::view::View;

    fn plain(markdown: &str) -> String {
        let view = View::column(Lower::default().markdown(markdown));
        plain_text(&view, 80).trim_end().to_owned()
    }

    #[test]
    fn money_and_variables_of_a_shell_stay_text() {
        for text in [
            "It is $5 and $6.",
            "From $5-$6, or $5/$6.",
            "$5 or 6$, and (5$ or 6$).",
            "US$5, not 6$.",
            "$20M to $30M",
            "a $ b $ c",
            "$5",
            "$$",
            "Set $HOME/bin:$PATH there.",
            "5$/kg and 6$/kg",
        ] {
            assert_eq!(plain(text), text);
        }
        assert_eq!(plain("\\$x\\$"), "$x$");
        assert_eq!(plain("`$x$`"), "`$x$`");
    }

    #[test]
    fn formulas_in_running_text_are_written_out() {
        for (source, text) in [
            (
                "So $x^2 \\le y$, and the $n$th too.",
                "So x² ≤ y, and the nth too.",
            ),
            (
                "**Both $a$** and [$b$](https://example.org)",
                "Both a and b <https://example.org>",
            ),
            ("Not known: $\\href{a}{b}$.", "Not known: `\\href{a}{b}`."),
            (
                "# On $\\pi$\n\n| $x$ |\n| --- |\n| $$x_1$$ |",
                "On π\n════\nx\nx₁",
            ),
        ] {
            assert_eq!(plain(source), text, "{source}");
        }
    }

    #[test]
    fn a_formula_on_its_own_line_is_a_paragraph() {
        assert_eq!(
            plain("As in\n$$x = 1$$\n, or so."),
            "As in\n\nx = 1\n\n, or so."
        );
        assert_eq!(plain("- one $$x = 1$$ two"), "• one\n\n  x = 1\n\n  two");
        let matrix = "$$\n\\begin{matrix}\n1 & 2\n\\end{matrix}\n$$";
        assert_eq!(plain(matrix), "`\\begin{matrix} 1 & 2 \\end{matrix}`");
    }
}
