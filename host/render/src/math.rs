//! Formulas in Markdown: a documented subset of LaTeX's mathematics, as a tree.
//!
//! Supported are letters, numbers, operators, Greek, sub- and superscripts, primes, fractions, binomials,
//! roots, sums and integrals with limits, brackets with `\left` and `\right`, accents, braces above and
//! below, text, alphabets such as `\mathbb`, spaces, and the environments of matrices, cases and aligned
//! equations. There are no macros. [`parse`] knows the syntax, [`symbols`] the commands; `html/math.rs`
//! draws the tree as MathML, and [`readable`] writes it as text for a terminal.
//!
//! Invariant: a source that is not understood, is too long or nests too deep is no formula; whoever asked
//! shows it as code. Parsing takes linear time, and a tree has at most as many nodes as its source has bytes.

mod parse;
mod readable;
mod symbols;
#[cfg(test)]
mod tests;

/// A formula.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    pub(crate) root: Math,
    /// Whether it stands on a line of its own.
    pub(crate) is_display: bool,
}

impl Formula {
    /// Parses a formula; none if it has something that is not supported.
    pub(crate) fn parse(source: &str, is_display: bool) -> Option<Self> {
        parse::parse(source).map(|root| Self { root, is_display })
    }

    /// Writes the formula as text, such as `x² + 1/2`; none if that would not be readable.
    pub(crate) fn to_text(&self) -> Option<String> {
        readable::text(&self.root)
    }
}

/// A part of a formula.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Math {
    /// Parts next to each other.
    Row(Vec<Math>),
    /// A name, a number or an operator.
    Atom(Class, String),
    /// Words.
    Text(String),
    /// A space of this width.
    Space(&'static str),
    /// A fraction, or a binomial coefficient without its brackets.
    Fraction {
        over: Box<Math>,
        under: Box<Math>,
        has_bar: bool,
    },
    Root {
        body: Box<Math>,
        degree: Option<Box<Math>>,
    },
    Scripts(Box<Scripts>),
    /// A mark above or below.
    Accent {
        base: Box<Math>,
        mark: Mark,
    },
    /// Brackets that are as high as what they enclose. Either can be missing.
    Fenced {
        open: &'static str,
        close: &'static str,
        body: Box<Math>,
    },
    Table {
        align: Columns,
        rows: Vec<Vec<Math>>,
    },
}

impl Math {
    /// Creates a row, which a single part does not need.
    fn row(mut parts: Vec<Math>) -> Self {
        match parts.len() {
            1 => parts.remove(0),
            _ => Self::Row(parts),
        }
    }

    fn atom(class: Class, text: impl Into<String>) -> Self {
        Self::Atom(class, text.into())
    }
}

/// What an atom is, which decides its shape and the space around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// A variable, in italics.
    Letter,
    /// An upright name: `sin`.
    Word,
    /// An upright name whose limits stand below it: `lim`.
    Limit,
    Number,
    /// A large operator whose limits stand above and below it: `∑`.
    Large,
    /// A large operator whose limits stand beside it: `∫`.
    Integral,
    Binary,
    Relation,
    Open,
    Close,
    Punctuation,
    /// Any other symbol.
    Symbol,
}

/// A base with what stands below and above it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scripts {
    pub(crate) base: Math,
    pub(crate) sub: Option<Math>,
    pub(crate) sup: Option<Math>,
    /// Whether `\limits` or `\nolimits` says where they stand.
    pub(crate) limits: Option<bool>,
}

impl Scripts {
    /// Reports whether the scripts stand below and above the base, and not beside it.
    pub(crate) fn are_limits(&self, is_display: bool) -> bool {
        let by_base = matches!(self.base, Math::Atom(Class::Large | Class::Limit, _));
        let is_brace = matches!(&self.base, Math::Accent { mark, .. } if mark.is_brace);
        is_brace || self.limits.unwrap_or(by_base && is_display)
    }
}

/// A mark above or below a base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mark {
    /// What is drawn above or below.
    pub(crate) shape: &'static str,
    /// The same mark as a combining character, if there is one.
    pub(crate) combining: Option<char>,
    pub(crate) is_below: bool,
    /// Whether it is as wide as the base.
    pub(crate) is_wide: bool,
    /// Whether scripts annotate it.
    pub(crate) is_brace: bool,
}

/// How the columns of a table are aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Columns {
    Centre,
    Start,
    /// Right and left by turns, around the signs of equations.
    Equations,
}
