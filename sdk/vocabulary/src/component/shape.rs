//! What props are made of besides words and numbers: colours, lengths, borders, icons, status.
//!
//! Where ChatKit takes one thing or another (`number | string | Spacing`), the prop has a type of
//! its own that everything sensible converts into: `.padding(2)`, `.padding("1rem")`,
//! `.padding(Spacing::new().x(2))`.

use super::declare::{described, either, shape};
use super::token::BorderStyle;

either! {
    /// A colour: a token such as `danger`, a primitive such as `red-100`, a CSS colour, or a
    /// [`ThemeColor`].
    Color from &str, String, ThemeColor; OneOf(&[Str, Object(ThemeColor::SHAPE)])
}

shape! {
    /// A colour for each theme.
    ThemeColor (
        /// Where the theme is light.
        light = "light": String,
        /// Where the theme is dark.
        dark = "dark": String,
    )
}

either! {
    /// A length: a number of pixels or spacing units, or a CSS string.
    Dimension from i32, u32, i64, usize, f64, &str, String; OneOf(&[Num, Str])
}

either! {
    /// Room on all sides: one length, or a [`Spacing`].
    Inset from i32, u32, i64, usize, f64, &str, String, Spacing;
    OneOf(&[Num, Str, Object(Spacing::SHAPE)])
}

shape! {
    /// Room, side by side.
    Spacing ()
    /// Above.
    top = "top": Dimension,
    /// To the right.
    right = "right": Dimension,
    /// Below.
    bottom = "bottom": Dimension,
    /// To the left.
    left = "left": Dimension,
    /// Left and right.
    x = "x": Dimension,
    /// Above and below.
    y = "y": Dimension,
}

either! {
    /// The border around a box: a thickness in pixels, a [`Border`], or [`Borders`].
    // Border and Borders are both objects, so the table knows them as one with all their members.
    Outline from i32, u32, f64, Border, Borders; OneOf(&[Num, Object(Border::OR_BORDERS)])
}

either! {
    /// One edge of a border: a thickness in pixels, or a [`Border`].
    Edge from i32, u32, f64, Border; OneOf(&[Num, Object(Border::SHAPE)])
}

shape! {
    /// A border of one kind.
    Border (
        /// The thickness in pixels.
        size = "size": Thickness,
    )
    /// A token (`default`, `subtle`, `strong`), a primitive, a CSS colour, or one per theme.
    color = "color": Color,
    /// How it is drawn.
    style = "style": BorderStyle,
}

shape! {
    /// A border, edge by edge.
    Borders ()
    /// Above.
    top = "top": Edge,
    /// To the right.
    right = "right": Edge,
    /// Below.
    bottom = "bottom": Edge,
    /// To the left.
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
    /// How many items a list shows before it offers more: a number, or [`Limit::auto`].
    Limit from i32, u32, usize; OneOf(&[Int, Word(&["auto"])])
}

impl Limit {
    /// As many as the surface finds fitting.
    #[must_use]
    pub fn auto() -> Self {
        Self("auto".into())
    }
}

shape! {
    /// The header above a card or a list: what the whole is about, or how far it is.
    Status (
        /// What it says.
        text = "text": String,
    )
    /// An icon before the text.
    icon = "icon": IconName,
    /// The address of a site's icon, before the text.
    favicon = "favicon": String,
    /// Whether the site's icon has a frame.
    frame = "frame": bool,
}

described!(Status = Object(Status::SHAPE));

impl From<&str> for Status {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Status {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

// Not a bare number: `impl Into<u32>` would not take a literal.
either! {
    /// The thickness of a border: a number of pixels.
    Thickness from i32, u32, f64; Num
}

either! {
    /// The name of an icon: one of [`IconName::KNOWN`], or `lucide:<name>`, or `vendor:<name>`.
    IconName from &str, String; Icon
}

impl IconName {
    /// The names that ChatKit draws without a prefix.
    pub const KNOWN: &'static [&'static str] = &[
        "agent",
        "analytics",
        "atom",
        "batch",
        "bolt",
        "book-open",
        "book-closed",
        "book-clock",
        "bug",
        "calendar",
        "chart",
        "check",
        "check-circle",
        "check-circle-filled",
        "chevron-left",
        "chevron-right",
        "circle-question",
        "clock",
        "compass",
        "confetti",
        "cube",
        "desktop",
        "document",
        "dot",
        "dots-horizontal",
        "dots-vertical",
        "empty-circle",
        "external-link",
        "globe",
        "keys",
        "lab",
        "images",
        "info",
        "lifesaver",
        "lightbulb",
        "mail",
        "map-pin",
        "maps",
        "mobile",
        "name",
        "notebook",
        "notebook-pencil",
        "page-blank",
        "phone",
        "play",
        "plus",
        "profile",
        "profile-card",
        "reload",
        "star",
        "star-filled",
        "search",
        "sparkle",
        "sparkle-double",
        "square-code",
        "square-image",
        "square-text",
        "suitcase",
        "settings-slider",
        "user",
        "wreath",
        "write",
        "write-alt",
        "write-alt2",
    ];
}
