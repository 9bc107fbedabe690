//! The commands of formulas.

use super::{Class, Columns, Mark};

/// Commands that change the size or the place of something and are drawn without that.
#[rustfmt::skip]
pub(super) const IGNORED: &[&str] = &[
    "displaystyle", "textstyle", "scriptstyle", "scriptscriptstyle", "nonumber", "notag", "big", "Big", "bigg",
    "Bigg", "bigl", "Bigl", "biggl", "Biggl", "bigr", "Bigr", "biggr", "Biggr", "bigm", "Bigm", "hline",
];

/// Returns the symbol that a command stands for.
pub(super) fn symbol(name: &str) -> Option<(Class, &'static str)> {
    let find = |(class, table): &(Class, &[(&str, &'static str)])| {
        let found = table.iter().find(|(known, _)| *known == name);
        found.map(|(_, symbol)| (*class, *symbol))
    };
    SYMBOLS.iter().find_map(find)
}

/// Returns the class and the sign of a character.
pub(super) fn character(c: char) -> (Class, char) {
    match c {
        '-' => (Class::Binary, '\u{2212}'),
        '*' => (Class::Binary, '\u{2217}'),
        '+' | '±' | '×' | '÷' | '·' => (Class::Binary, c),
        '=' | '<' | '>' | ':' | '≤' | '≥' | '≠' | '≈' | '→' | '∈' => {
            (Class::Relation, c)
        }
        '(' | '[' => (Class::Open, c),
        ')' | ']' | '!' | '?' => (Class::Close, c),
        ',' | ';' => (Class::Punctuation, c),
        '∑' | '∏' => (Class::Large, c),
        '∫' => (Class::Integral, c),
        c if c.is_alphabetic() => (Class::Letter, c),
        c => (Class::Symbol, c),
    }
}

/// Returns the width of a space.
pub(super) fn space(name: &str) -> Option<&'static str> {
    Some(match name {
        "," | "thinspace" => "0.17em",
        ":" | ">" | "medspace" => "0.22em",
        ";" | "thickspace" => "0.28em",
        " " | "space" | "nobreakspace" => "0.33em",
        "enspace" => "0.5em",
        "quad" => "1em",
        "qquad" => "2em",
        // Negative: nothing is drawn over something else.
        "!" | "negthinspace" => "0em",
        _ => return None,
    })
}

/// Returns a bracket; an empty one is missing.
pub(super) fn bracket(name: &str) -> Option<&'static str> {
    Some(match name {
        "." => "",
        "(" => "(",
        ")" => ")",
        "[" | "lbrack" => "[",
        "]" | "rbrack" => "]",
        "{" | "lbrace" => "{",
        "}" | "rbrace" => "}",
        "|" | "vert" | "lvert" | "rvert" => "|",
        "Vert" | "lVert" | "rVert" | "‖" => "‖",
        "/" => "/",
        "backslash" => "\\",
        "<" | "langle" => "⟨",
        ">" | "rangle" => "⟩",
        "lfloor" => "⌊",
        "rfloor" => "⌋",
        "lceil" => "⌈",
        "rceil" => "⌉",
        "uparrow" => "↑",
        "downarrow" => "↓",
        _ => return None,
    })
}

/// Returns the mark of a command that has one argument.
pub(super) fn mark(name: &str) -> Option<Mark> {
    let mark = |shape, combining| Mark {
        shape,
        combining: Some(combining),
        is_below: false,
        is_wide: false,
        is_brace: false,
    };
    let wide = |shape, is_below, is_brace| Mark {
        shape,
        combining: None,
        is_below,
        is_wide: true,
        is_brace,
    };
    Some(match name {
        "hat" => mark("^", '\u{302}'),
        "bar" => mark("¯", '\u{304}'),
        "tilde" => mark("~", '\u{303}'),
        "vec" => mark("→", '\u{20d7}'),
        "dot" => mark("˙", '\u{307}'),
        "ddot" => mark("¨", '\u{308}'),
        "check" => mark("ˇ", '\u{30c}'),
        "breve" => mark("˘", '\u{306}'),
        "acute" => mark("´", '\u{301}'),
        "grave" => mark("`", '\u{300}'),
        "mathring" => mark("˚", '\u{30a}'),
        "widehat" => wide("^", false, false),
        "widetilde" => wide("~", false, false),
        "overline" => wide("¯", false, false),
        "underline" => wide("_", true, false),
        "overrightarrow" => wide("→", false, false),
        "overleftarrow" => wide("←", false, false),
        "overbrace" => wide("⏞", false, true),
        "underbrace" => wide("⏟", true, true),
        _ => return None,
    })
}

/// Returns the brackets and the alignment of an environment.
pub(super) fn environment(name: &str) -> Option<(&'static str, &'static str, Columns)> {
    Some(match name {
        "matrix" | "smallmatrix" | "array" | "gather" | "gather*" | "gathered" | "equation"
        | "equation*" => ("", "", Columns::Centre),
        "pmatrix" => ("(", ")", Columns::Centre),
        "bmatrix" => ("[", "]", Columns::Centre),
        "Bmatrix" => ("{", "}", Columns::Centre),
        "vmatrix" => ("|", "|", Columns::Centre),
        "Vmatrix" => ("‖", "‖", Columns::Centre),
        "cases" => ("{", "", Columns::Start),
        "align" | "align*" | "aligned" | "split" => ("", "", Columns::Equations),
        _ => return None,
    })
}

/// Returns a letter or digit of another alphabet, such as `ℝ` for `R` of `\mathbb`.
pub(super) fn styled(alphabet: &str, c: char) -> Option<char> {
    let (capital, small, digit, exceptions): (u32, u32, Option<u32>, &str) = match alphabet {
        "mathbb" => (0x1d538, 0x1d552, Some(0x1d7d8), "CℂHℍNℕPℙQℚRℝZℤ"),
        "mathbf" | "boldsymbol" | "bm" => (0x1d400, 0x1d41a, Some(0x1d7ce), ""),
        "mathcal" | "mathscr" => (0x1d49c, 0x1d4b6, None, "BℬEℰFℱHℋIℐLℒMℳRℛeℯgℊoℴ"),
        "mathfrak" => (0x1d504, 0x1d51e, None, "CℭHℌIℑRℜZℨ"),
        "mathsf" => (0x1d5a0, 0x1d5ba, Some(0x1d7e2), ""),
        "mathtt" => (0x1d670, 0x1d68a, Some(0x1d7f6), ""),
        _ => return None,
    };
    let mut pairs = exceptions.chars();
    while let (Some(plain), Some(styled)) = (pairs.next(), pairs.next()) {
        if plain == c {
            return Some(styled);
        }
    }
    let code = u32::from(c);
    let styled = match c {
        'A'..='Z' => capital + code - 0x41,
        'a'..='z' => small + code - 0x61,
        '0'..='9' => digit? + code - 0x30,
        _ => return None,
    };
    char::from_u32(styled)
}

type Table = &'static [(&'static str, &'static str)];

const SYMBOLS: &[(Class, Table)] = &[
    (Class::Letter, GREEK),
    (Class::Word, WORDS),
    (Class::Limit, LIMITS),
    (Class::Large, LARGE),
    (Class::Integral, INTEGRALS),
    (Class::Binary, BINARY),
    (Class::Relation, RELATIONS),
    (Class::Open, OPEN),
    (Class::Close, CLOSE),
    (Class::Symbol, OTHERS),
];

#[rustfmt::skip]
const GREEK: Table = &[
    ("alpha", "α"), ("beta", "β"), ("gamma", "γ"), ("delta", "δ"), ("epsilon", "ϵ"), ("varepsilon", "ε"),
    ("zeta", "ζ"), ("eta", "η"), ("theta", "θ"), ("vartheta", "ϑ"), ("iota", "ι"), ("kappa", "κ"),
    ("lambda", "λ"), ("mu", "μ"), ("nu", "ν"), ("xi", "ξ"), ("omicron", "ο"), ("pi", "π"), ("varpi", "ϖ"),
    ("rho", "ρ"), ("varrho", "ϱ"), ("sigma", "σ"), ("varsigma", "ς"), ("tau", "τ"), ("upsilon", "υ"),
    ("phi", "ϕ"), ("varphi", "φ"), ("chi", "χ"), ("psi", "ψ"), ("omega", "ω"),
    ("Gamma", "Γ"), ("Delta", "Δ"), ("Theta", "Θ"), ("Lambda", "Λ"), ("Xi", "Ξ"), ("Pi", "Π"),
    ("Sigma", "Σ"), ("Upsilon", "Υ"), ("Phi", "Φ"), ("Psi", "Ψ"), ("Omega", "Ω"),
    ("ell", "ℓ"), ("hbar", "ℏ"), ("imath", "ı"), ("jmath", "ȷ"), ("Re", "ℜ"), ("Im", "ℑ"), ("aleph", "ℵ"),
    ("wp", "℘"),
];

#[rustfmt::skip]
const WORDS: Table = &[
    ("sin", "sin"), ("cos", "cos"), ("tan", "tan"), ("cot", "cot"), ("sec", "sec"), ("csc", "csc"),
    ("arcsin", "arcsin"), ("arccos", "arccos"), ("arctan", "arctan"), ("sinh", "sinh"), ("cosh", "cosh"),
    ("tanh", "tanh"), ("exp", "exp"), ("log", "log"), ("ln", "ln"), ("lg", "lg"), ("deg", "deg"),
    ("dim", "dim"), ("ker", "ker"), ("hom", "hom"), ("arg", "arg"), ("bmod", "mod"),
];

#[rustfmt::skip]
const LIMITS: Table = &[
    ("lim", "lim"), ("limsup", "lim sup"), ("liminf", "lim inf"), ("max", "max"), ("min", "min"),
    ("sup", "sup"), ("inf", "inf"), ("det", "det"), ("gcd", "gcd"), ("Pr", "Pr"),
];

#[rustfmt::skip]
const LARGE: Table = &[
    ("sum", "∑"), ("prod", "∏"), ("coprod", "∐"), ("bigcup", "⋃"), ("bigcap", "⋂"), ("bigvee", "⋁"),
    ("bigwedge", "⋀"), ("bigoplus", "⨁"), ("bigotimes", "⨂"), ("bigsqcup", "⨆"),
];

const INTEGRALS: Table = &[("int", "∫"), ("iint", "∬"), ("iiint", "∭"), ("oint", "∮")];

#[rustfmt::skip]
const BINARY: Table = &[
    ("pm", "±"), ("mp", "∓"), ("times", "×"), ("div", "÷"), ("cdot", "⋅"), ("ast", "∗"), ("star", "⋆"),
    ("circ", "∘"), ("bullet", "∙"), ("cup", "∪"), ("cap", "∩"), ("setminus", "∖"), ("wedge", "∧"),
    ("land", "∧"), ("vee", "∨"), ("lor", "∨"), ("oplus", "⊕"), ("ominus", "⊖"), ("otimes", "⊗"),
    ("odot", "⊙"), ("sqcup", "⊔"), ("sqcap", "⊓"), ("dagger", "†"), ("amalg", "⨿"),
];

#[rustfmt::skip]
const RELATIONS: Table = &[
    ("le", "≤"), ("leq", "≤"), ("leqslant", "⩽"), ("ge", "≥"), ("geq", "≥"), ("geqslant", "⩾"),
    ("ne", "≠"), ("neq", "≠"), ("lt", "<"), ("gt", ">"), ("ll", "≪"), ("gg", "≫"), ("approx", "≈"),
    ("sim", "∼"), ("simeq", "≃"), ("cong", "≅"), ("equiv", "≡"), ("propto", "∝"), ("in", "∈"),
    ("notin", "∉"), ("ni", "∋"), ("subset", "⊂"), ("subseteq", "⊆"), ("supset", "⊃"), ("supseteq", "⊇"),
    ("perp", "⊥"), ("parallel", "∥"), ("mid", "∣"), ("nmid", "∤"), ("prec", "≺"), ("succ", "≻"),
    ("models", "⊨"), ("vdash", "⊢"), ("to", "→"), ("rightarrow", "→"), ("leftarrow", "←"), ("gets", "←"),
    ("leftrightarrow", "↔"), ("Rightarrow", "⇒"), ("implies", "⟹"), ("Leftarrow", "⇐"), ("impliedby", "⟸"),
    ("Leftrightarrow", "⇔"), ("iff", "⟺"), ("mapsto", "↦"), ("longrightarrow", "⟶"),
    ("longleftarrow", "⟵"), ("Longrightarrow", "⟹"), ("uparrow", "↑"), ("downarrow", "↓"),
    ("rightharpoonup", "⇀"), ("rightleftharpoons", "⇌"), ("hookrightarrow", "↪"), ("colon", ":"),
    ("coloneqq", "≔"), ("triangleq", "≜"), ("doteq", "≐"), ("asymp", "≍"),
];

#[rustfmt::skip]
const OPEN: Table = &[
    ("{", "{"), ("lbrace", "{"), ("lbrack", "["), ("langle", "⟨"), ("lfloor", "⌊"), ("lceil", "⌈"),
    ("lvert", "|"), ("lVert", "‖"),
];

#[rustfmt::skip]
const CLOSE: Table = &[
    ("}", "}"), ("rbrace", "}"), ("rbrack", "]"), ("rangle", "⟩"), ("rfloor", "⌋"), ("rceil", "⌉"),
    ("rvert", "|"), ("rVert", "‖"),
];

#[rustfmt::skip]
const OTHERS: Table = &[
    ("infty", "∞"), ("partial", "∂"), ("nabla", "∇"), ("forall", "∀"), ("exists", "∃"), ("nexists", "∄"),
    ("neg", "¬"), ("lnot", "¬"), ("emptyset", "∅"), ("varnothing", "∅"), ("angle", "∠"),
    ("triangle", "△"), ("square", "□"), ("therefore", "∴"), ("because", "∵"), ("ldots", "…"), ("dots", "…"),
    ("dotsc", "…"), ("cdots", "⋯"), ("dotsb", "⋯"), ("vdots", "⋮"), ("ddots", "⋱"), ("prime", "′"),
    ("degree", "°"), ("top", "⊤"), ("bot", "⊥"), ("vert", "|"), ("Vert", "‖"), ("|", "‖"),
    ("backslash", "\\"), ("%", "%"), ("$", "$"), ("#", "#"), ("&", "&"), ("_", "_"), ("checkmark", "✓"),
    ("pounds", "£"), ("euro", "€"), ("S", "§"),
];
