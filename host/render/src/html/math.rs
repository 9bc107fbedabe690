//! Formulas, as MathML Core.

use super::text::align_class;
use crate::markup::{Element, Keyword, Tag};
use crate::math::{Class, Columns, Formula, Mark, Math, Scripts};
use crate::view::Align;

/// Renders a formula.
pub(super) fn formula(formula: &Formula) -> Element {
    let element = Element::new(Tag::Math).child(row(&formula.root, formula.is_display));
    match formula.is_display {
        true => element.keyword(Keyword::Display, "block"),
        false => element,
    }
}

/// Renders a part as a single element.
fn row(math: &Math, is_display: bool) -> Element {
    let part = |math: &Math| row(math, is_display);
    let parts = |tag, parts: &[&Math]| {
        let parts = parts.iter().map(|math| row(math, is_display));
        Element::new(tag).children(parts)
    };
    match math {
        Math::Row(parts) => Element::new(Tag::Mrow).children(parts.iter().map(part)),
        Math::Atom(class, text) => atom(*class, text),
        // Spaces at the ends would be dropped.
        Math::Text(text) => Element::new(Tag::Mtext).text(text.replace(' ', "\u{a0}")),
        Math::Space(width) => Element::new(Tag::Mspace).keyword(Keyword::Space, width),
        Math::Fraction {
            over,
            under,
            has_bar,
        } => {
            let fraction = parts(Tag::Mfrac, &[over, under]);
            match has_bar {
                true => fraction,
                false => fraction.keyword(Keyword::LineThickness, "0"),
            }
        }
        Math::Root { body, degree: None } => parts(Tag::Msqrt, &[body]),
        Math::Root {
            body,
            degree: Some(degree),
        } => parts(Tag::Mroot, &[body, degree]),
        Math::Scripts(scripts) => scripted(scripts, is_display),
        Math::Accent { base, mark } => accent(part(base), mark),
        Math::Fenced { open, close, body } => {
            let fence = |sign: &str| (!sign.is_empty()).then(|| Element::new(Tag::Mo).text(sign));
            Element::new(Tag::Mrow)
                .children(fence(open))
                .child(part(body))
                .children(fence(close))
        }
        Math::Table { align, rows } => table(*align, rows, is_display),
    }
}

fn atom(class: Class, text: &str) -> Element {
    match class {
        Class::Letter => Element::new(Tag::Mi).text(text),
        // A single letter is upright only if that is said.
        Class::Word | Class::Limit => match text.chars().nth(1) {
            Some(_) => Element::new(Tag::Mi).text(text),
            None => Element::new(Tag::Mi)
                .keyword(Keyword::MathVariant, "normal")
                .text(text),
        },
        Class::Number => Element::new(Tag::Mn).text(text),
        Class::Open | Class::Close => Element::new(Tag::Mo)
            .keyword(Keyword::Stretchy, "false")
            .text(text),
        Class::Symbol if text.chars().all(char::is_alphanumeric) => {
            Element::new(Tag::Mi).text(text)
        }
        Class::Symbol
        | Class::Large
        | Class::Integral
        | Class::Binary
        | Class::Relation
        | Class::Punctuation => match text {
            // Beside letters it is no bracket, and a bar would be as high as the line.
            "|" | "‖" => Element::new(Tag::Mo)
                .keyword(Keyword::Stretchy, "false")
                .text(text),
            text => Element::new(Tag::Mo).text(text),
        },
    }
}

fn scripted(scripts: &Scripts, is_display: bool) -> Element {
    let (below, above, both) = match scripts.are_limits(is_display) {
        true => (Tag::Munder, Tag::Mover, Tag::Munderover),
        false => (Tag::Msub, Tag::Msup, Tag::Msubsup),
    };
    let tag = match (&scripts.sub, &scripts.sup) {
        (None, None) => Tag::Mrow,
        (Some(_), None) => below,
        (None, Some(_)) => above,
        (Some(_), Some(_)) => both,
    };
    let parts = [
        Some(&scripts.base),
        scripts.sub.as_ref(),
        scripts.sup.as_ref(),
    ];
    let parts = parts.into_iter().flatten();
    Element::new(tag).children(parts.map(|math| row(math, is_display)))
}

fn accent(base: Element, mark: &Mark) -> Element {
    let tag = if mark.is_below {
        Tag::Munder
    } else {
        Tag::Mover
    };
    let stretchy = if mark.is_wide { "true" } else { "false" };
    let shape = Element::new(Tag::Mo)
        .keyword(Keyword::Stretchy, stretchy)
        .text(mark.shape);
    let element = Element::new(tag).child(base).child(shape);
    match mark.is_below {
        true => element,
        false => element.keyword(Keyword::Accent, "true"),
    }
}

fn table(align: Columns, rows: &[Vec<Math>], is_display: bool) -> Element {
    let cell = |(column, math): (usize, &Math)| {
        let align = match align {
            Columns::Centre => None,
            Columns::Start => Some(Align::Start),
            Columns::Equations if column % 2 == 0 => Some(Align::End),
            Columns::Equations => Some(Align::Start),
        };
        Element::new(Tag::Mtd)
            .class(align.map(align_class))
            .child(row(math, is_display))
    };
    let rows = rows.iter().map(|cells| {
        let cells = cells.iter().enumerate().map(cell);
        Element::new(Tag::Mtr).children(cells)
    });
    Element::new(Tag::Mtable).children(rows)
}
