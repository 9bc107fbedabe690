//! The symbols and lines of a drawing, in Unicode and in ASCII.

/// Declares the symbols once, with both variants beside each other.
macro_rules! symbols {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $unicode:expr, $ascii:expr;)+) => {
        /// A set of symbols. Each takes one column, except for branches, ellipses and boxes.
        #[derive(Debug)]
        pub(super) struct Symbols {
            $($(#[$doc])* pub(super) $name: $type,)+
        }

        /// Unicode symbols.
        pub(super) static UNICODE: Symbols = Symbols { $($name: $unicode,)+ };

        /// ASCII replacements.
        pub(super) static ASCII: Symbols = Symbols { $($name: $ascii,)+ };
    };
}

type Symbol = &'static str;

symbols! {
    horizontal: Symbol = "─", "-";
    double: Symbol = "═", "=";
    vertical: Symbol = "│", "|";
    top: Symbol = "╭", "+";
    bottom: Symbol = "╰", "+";
    branch: Symbol = "├─ ", "|- ";
    last_branch: Symbol = "╰─ ", "`- ";
    quote: Symbol = "▎", ">";
    bullets: [Symbol; 3] = ["•", "◦", "▪"], ["*", "-", "+"];
    dot: Symbol = "·", "-";
    check: Symbol = "✓", "+";
    cross: Symbol = "✗", "x";
    no_entry: Symbol = "⊘", "x";
    stopped: Symbol = "■", "#";
    queued: Symbol = "○", "o";
    question: Symbol = "?", "?";
    running: Symbol = "▶", ">";
    info: Symbol = "i", "i";
    star: Symbol = "★", "*";
    arrow: Symbol = "→", ">";
    file: Symbol = "▤", "#";
    ellipsis: Symbol = "…", "...";
    full: Symbol = "█", "#";
    empty: Symbol = "░", ".";
    /// Fills for the segments of a bar, distinguishable without colours.
    fills: [Symbol; 4] = ["█", "▒", "▓", "░"], ["#", "=", "+", "-"];
    /// A column filled by one to seven eighths.
    eighths: [Symbol; 7] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"], [" ", " ", " ", "#", "#", "#", "#"];
    /// Points of several series in one plot.
    points: [Symbol; 6] = ["●", "○", "▲", "△", "■", "□"], ["*", "o", "+", "x", "#", "@"];
    axis: Symbol = "┤", "|";
    corner: Symbol = "└", "+";
    radio: [Symbol; 2] = ["( )", "(•)"], ["( )", "(*)"];
    tick: [Symbol; 2] = ["[ ]", "[x]"], ["[ ]", "[x]"];
}
