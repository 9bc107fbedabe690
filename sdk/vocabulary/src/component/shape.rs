//! Types of props: colours, lengths, borders, icons and status.
//!
//! If ChatKit accepts several JSON types (`number | string | Spacing`), the prop has its own type
//! with conversions: `.padding(2)`, `.padding("1rem")`, `.padding(Spacing::new().x(2))`.

use super::declare::{described, either, shape};
use super::token::BorderStyle;
use crate::builder::from_each;

either! {
    /// A colour: a token such as `danger`, a primitive such as `red-100`, a CSS colour, or a
    /// [`ThemeColor`].
    Color from &str, String, ThemeColor; OneOf(&[Str, Object(ThemeColor::SHAPE)])
}

shape! {
    /// A colour for each theme.
    ThemeColor (
        /// The colour in a light theme.
        light = "light": String,
        /// The colour in a dark theme.
        dark = "dark": String,
    )
}

either! {
    /// A length: a number of pixels or spacing units, or a CSS string.
    Dimension from i32, u32, i64, usize, f64, &str, String; OneOf(&[Num, Str])
}

either! {
    /// Padding or margin: one length for all sides, or a [`Spacing`].
    Inset from i32, u32, i64, usize, f64, &str, String, Spacing;
    OneOf(&[Num, Str, Object(Spacing::SHAPE)])
}

shape! {
    /// Padding or margin by side.
    Spacing ()
    /// The top.
    top = "top": Dimension,
    /// The right.
    right = "right": Dimension,
    /// The bottom.
    bottom = "bottom": Dimension,
    /// The left.
    left = "left": Dimension,
    /// Left and right.
    x = "x": Dimension,
    /// Above and below.
    y = "y": Dimension,
}

either! {
    /// The border around a box: a thickness in pixels, a [`Border`], or [`Borders`].
    // Border and Borders are both objects, so the table describes one object with the members of
    // both.
    Outline from i32, u32, f64, Border, Borders; OneOf(&[Num, Object(Border::OR_BORDERS)])
}

either! {
    /// One edge of a border: a thickness in pixels, or a [`Border`].
    Edge from i32, u32, f64, Border; OneOf(&[Num, Object(Border::SHAPE)])
}

shape! {
    /// A border that is the same on all sides.
    Border (
        /// The thickness in pixels.
        size = "size": Thickness,
    )
    /// A token (`default`, `subtle`, `strong`), a primitive, a CSS colour, or one per theme.
    color = "color": Color,
    /// The style.
    style = "style": BorderStyle,
}

shape! {
    /// A border by edge.
    Borders ()
    /// The top.
    top = "top": Edge,
    /// The right.
    right = "right": Edge,
    /// The bottom.
    bottom = "bottom": Edge,
    /// The left.
    left = "left": Edge,
    /// Left and right.
    x = "x": Edge,
    /// Above and below.
    y = "y": Edge,
}

#[cfg(feature = "host")]
impl Border {
    const OR_BORDERS: &'static [super::PropSpec] = &[
        super::PropSpec {
            required: false,
            ..Self::SHAPE[0]
        },
        Self::SHAPE[1],
        Self::SHAPE[2],
        Borders::SHAPE[0],
        Borders::SHAPE[1],
        Borders::SHAPE[2],
        Borders::SHAPE[3],
        Borders::SHAPE[4],
        Borders::SHAPE[5],
    ];
}

either! {
    /// The number of items a list shows before "more": a number, or [`Limit::auto`].
    Limit from i32, u32, usize; OneOf(&[Int, Word(&["auto"])])
}

impl Limit {
    /// Lets the surface choose the number.
    #[must_use]
    pub fn auto() -> Self {
        Self("auto".into())
    }
}

shape! {
    /// The header above a card or a list: a topic or a state.
    Status (
        /// The text.
        text = "text": String,
    )
    /// An icon before the text.
    icon = "icon": IconName,
    /// The URL of a site's icon, before the text.
    favicon = "favicon": String,
    /// Whether the site's icon has a frame.
    frame = "frame": bool,
}

described!(Status = Object(Status::SHAPE));

from_each!(Status: &str, String; text => Self::new(text));

// A type of its own, because `impl Into<u32>` would not accept an integer literal.
either! {
    /// The thickness of a border: a number of pixels.
    Thickness from i32, u32, f64; Num
}

either! {
    /// The name of an icon: one of [`IconName::KNOWN`], or `lucide:<name>`, or `vendor:<name>`.
    IconName from &str, String; Icon
}

impl IconName {
    /// The names without a prefix, which ChatKit draws.
    #[rustfmt::skip]
    pub const KNOWN: &'static [&'static str] = &[
        "agent", "analytics", "atom", "batch", "bolt", "book-open", "book-closed", "book-clock",
        "bug", "calendar", "chart", "check", "check-circle", "check-circle-filled", "chevron-left",
        "chevron-right", "circle-question", "clock", "compass", "confetti", "cube", "desktop",
        "document", "dot", "dots-horizontal", "dots-vertical", "empty-circle", "external-link",
        "globe", "keys", "lab", "images", "info", "lifesaver", "lightbulb", "mail", "map-pin",
        "maps", "mobile", "name", "notebook", "notebook-pencil", "page-blank", "phone", "play",
        "plus", "profile", "profile-card", "reload", "star", "star-filled", "search", "sparkle",
        "sparkle-double", "square-code", "square-image", "square-text", "suitcase",
        "settings-slider", "user", "wreath", "write", "write-alt", "write-alt2",
    ];
}
