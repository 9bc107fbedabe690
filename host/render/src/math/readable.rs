//! Formulas as text: `x² + 1/2 ≤ √(y + 1)`.
//!
//! Only what reads well on one line is written. A matrix, a script without a character of its own, or an
//! accent over several letters is not, and the source is shown instead.

use super::{Class, Math, Scripts};

/// Writes a formula; none if it would not be readable.
pub(super) fn text(math: &Math) -> Option<String> {
    match math {
        Math::Row(parts) => row(parts),
        Math::Atom(_, text) | Math::Text(text) => Some(text.clone()),
        Math::Space(_) => Some(" ".to_owned()),
        Math::Fraction { has_bar: false, .. } | Math::Table { .. } => None,
        Math::Fraction { over, under, .. } => {
            let over_text = text(over)?;
            let over_text = match over_text.contains([' ', '/']) {
                true => format!("({over_text})"),
                false => over_text,
            };
            Some(format!("{over_text}/{}", whole(under)?))
        }
        Math::Root { body, degree } => {
            let degree = degree.as_deref().map(text);
            let sign = match degree.as_ref().map(Option::as_deref) {
                None => '√',
                Some(Some("3")) => '∛',
                Some(Some("4")) => '∜',
                Some(_) => return None,
            };
            Some(format!("{sign}{}", whole(body)?))
        }
        Math::Scripts(scripts) => scripted(scripts),
        Math::Accent { base, mark } => {
            let base = text(base)?;
            let combining = mark.combining?;
            (base.chars().count() == 1).then(|| format!("{base}{combining}"))
        }
        Math::Fenced { open, close, body } => Some(format!("{open}{}{close}", text(body)?)),
    }
}

/// Writes something that an operator before or after it takes as a whole.
fn whole(math: &Math) -> Option<String> {
    let text = text(math)?;
    Some(match math {
        Math::Atom(..) | Math::Scripts(_) | Math::Accent { .. } | Math::Fenced { .. } => text,
        _ => format!("({text})"),
    })
}

fn scripted(scripts: &Scripts) -> Option<String> {
    let mut out = match &scripts.base {
        Math::Row(parts) if parts.is_empty() => String::new(),
        base => whole(base)?,
    };
    for (script, table) in [(&scripts.sub, SUBSCRIPTS), (&scripts.sup, SUPERSCRIPTS)] {
        let Some(script) = script else { continue };
        let script = text(script)?;
        for c in script.chars().filter(|c| !c.is_whitespace()) {
            out.push(find(table, c)?);
        }
    }
    Some(out)
}

fn row(parts: &[Math]) -> Option<String> {
    let mut out = String::new();
    // Whether an operator here has something on its left, so that it is no sign of a number.
    let mut has_left = false;
    // Whether the next name or number stands apart.
    let mut is_apart = false;
    for part in parts {
        let written = text(part)?;
        let class = class_of(part);
        match class {
            Some(Class::Relation) => spaced(&mut out, &written),
            Some(Class::Binary) if has_left => spaced(&mut out, &written),
            Some(Class::Punctuation) => {
                out.push_str(&written);
                out.push(' ');
            }
            _ => {
                let is_name = matches!(class, Some(Class::Word | Class::Limit));
                let is_bracket =
                    matches!(class, Some(Class::Open | Class::Close | Class::Punctuation));
                let touches = out.ends_with(|c: char| c.is_alphanumeric());
                let gap = (is_apart && !is_bracket && !matches!(part, Math::Fenced { .. }))
                    || (is_name && touches);
                if gap && !out.is_empty() && !out.ends_with(' ') {
                    out.push(' ');
                }
                match written.as_str() {
                    " " if out.is_empty() || out.ends_with(' ') => {}
                    written => out.push_str(written),
                }
            }
        }
        is_apart = matches!(
            class,
            Some(Class::Word | Class::Limit | Class::Large | Class::Integral)
        );
        has_left = !is_apart
            && !matches!(
                class,
                Some(Class::Relation | Class::Binary | Class::Open | Class::Punctuation)
            );
    }
    out.truncate(out.trim_end().len());
    Some(out)
}

/// Appends a sign between spaces.
fn spaced(out: &mut String, sign: &str) {
    if !out.is_empty() && !out.ends_with(' ') {
        out.push(' ');
    }
    out.push_str(sign);
    out.push(' ');
}

/// Returns the class that decides the space around a part.
fn class_of(math: &Math) -> Option<Class> {
    match math {
        Math::Atom(class, _) => Some(*class),
        Math::Scripts(scripts) => class_of(&scripts.base),
        _ => None,
    }
}

fn find(table: &str, wanted: char) -> Option<char> {
    let mut pairs = table.chars();
    while let (Some(plain), Some(script)) = (pairs.next(), pairs.next()) {
        if plain == wanted {
            return Some(script);
        }
    }
    None
}

/// Characters and their superscripts.
const SUPERSCRIPTS: &str = "0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺\u{2212}⁻=⁼(⁽)⁾aᵃbᵇcᶜdᵈeᵉfᶠgᵍhʰiⁱjʲkᵏlˡmᵐnⁿoᵒpᵖrʳsˢtᵗuᵘvᵛwʷxˣyʸzᶻ\
AᴬBᴮDᴰEᴱGᴳHᴴIᴵJᴶKᴷLᴸMᴹNᴺOᴼPᴾRᴿTᵀUᵁVⱽWᵂβᵝγᵞδᵟθᶿφᵠχᵡ′′∘°°°∗*";

/// Characters and their subscripts.
const SUBSCRIPTS: &str =
    "0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊\u{2212}₋=₌(₍)₎aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜuᵤvᵥxₓβᵦγᵧρᵨφᵩχᵪ";
