//! ChatKit's tokens: the values of props such as sizes and colours.
//!
//! All are open words: a setter accepts `TextSize::Lg` and `"lg"` alike, and a host ignores a token
//! that it does not know.

use super::declare::described;
use super::prop::Prop;
use crate::word::words;

macro_rules! tokens {
    ($($(#[$about:meta])+ $name:ident { $($case:ident = $word:literal),+ $(,)? })+) => {$(
        words! {
            $(#[$about])+
            pub enum $name {
                $(#[doc = concat!("`", $word, "`.")] $case = $word,)+
            }
        }

        impl From<$name> for Prop {
            fn from(word: $name) -> Self {
                word.as_str().into()
            }
        }

        described!($name = Word($name::KNOWN));
    )+};
}

tokens! {
    /// The theme, regardless of the surface's.
    Theme { Light = "light", Dark = "dark" }

    /// The size of a card.
    CardSize { Sm = "sm", Md = "md", Lg = "lg", Full = "full" }

    /// The direction of a layout.
    Direction { Row = "row", Col = "col" }

    /// The alignment of children across the direction of the layout.
    Alignment {
        Start = "start", Center = "center", End = "end", Baseline = "baseline", Stretch = "stretch",
    }

    /// The distribution of children along the direction of the layout.
    Justification {
        Start = "start", Center = "center", End = "end", Between = "between", Around = "around",
        Evenly = "evenly", Stretch = "stretch",
    }

    /// Wrapping of children that do not fit on one line.
    Wrap { Nowrap = "nowrap", Wrap = "wrap", WrapReverse = "wrap-reverse" }

    /// The radius of corners.
    Radius {
        Xs2 = "2xs", Xs = "xs", Sm = "sm", Md = "md", Lg = "lg", Xl = "xl", Xl2 = "2xl",
        Xl3 = "3xl", Xl4 = "4xl", Full = "full", Whole = "100%", None = "none",
    }

    /// The style of a border.
    BorderStyle {
        Solid = "solid", Dashed = "dashed", Dotted = "dotted", Double = "double",
        Groove = "groove", Ridge = "ridge", Inset = "inset", Outset = "outset",
    }

    /// The alignment of text in its line, of content in a cell, of a calendar at its control.
    TextAlign { Start = "start", Center = "center", End = "end" }

    /// The size of text.
    TextSize { Xs = "xs", Sm = "sm", Md = "md", Lg = "lg", Xl = "xl" }

    /// The size of a title.
    TitleSize {
        Sm = "sm", Md = "md", Lg = "lg", Xl = "xl", Xl2 = "2xl", Xl3 = "3xl", Xl4 = "4xl",
        Xl5 = "5xl",
    }

    /// The size of a caption.
    CaptionSize { Sm = "sm", Md = "md", Lg = "lg" }

    /// The weight of a font.
    Weight { Normal = "normal", Medium = "medium", Semibold = "semibold", Bold = "bold" }

    /// The colour of a badge, by its meaning.
    BadgeColor {
        Secondary = "secondary", Success = "success", Danger = "danger", Warning = "warning",
        Info = "info", Discovery = "discovery",
    }

    /// The fill of a badge.
    BadgeVariant { Solid = "solid", Soft = "soft", Outline = "outline" }

    /// The size of a badge.
    BadgeSize { Sm = "sm", Md = "md", Lg = "lg" }

    /// The size of an icon.
    IconSize {
        Xs = "xs", Sm = "sm", Md = "md", Lg = "lg", Xl = "xl", Xl2 = "2xl", Xl3 = "3xl",
    }

    /// How an image fills its frame.
    ImageFit {
        Cover = "cover", Contain = "contain", Fill = "fill", ScaleDown = "scale-down",
        None = "none",
    }

    /// The part of a cropped image that stays visible.
    ImagePosition {
        TopLeft = "top left", Top = "top", TopRight = "top right", Left = "left",
        Center = "center", Right = "right", BottomLeft = "bottom left", Bottom = "bottom",
        BottomRight = "bottom right",
    }

    /// The preset of a button.
    ButtonStyle { Primary = "primary", Secondary = "secondary" }

    /// The colour of a button, by its meaning.
    ButtonColor {
        Primary = "primary", Secondary = "secondary", Info = "info", Discovery = "discovery",
        Success = "success", Caution = "caution", Warning = "warning", Danger = "danger",
    }

    /// The size of the icons in a button.
    ButtonIconSize { Sm = "sm", Md = "md", Lg = "lg", Xl = "xl", Xl2 = "2xl" }

    /// The fill of a control.
    ControlVariant { Solid = "solid", Soft = "soft", Outline = "outline", Ghost = "ghost" }

    /// The size of a control.
    ControlSize {
        Xs3 = "3xs", Xs2 = "2xs", Xs = "xs", Sm = "sm", Md = "md", Lg = "lg", Xl = "xl",
        Xl2 = "2xl", Xl3 = "3xl",
    }

    /// The fill of a text field.
    InputVariant { Soft = "soft", Outline = "outline" }

    /// The size of the gutter of a text field.
    GutterSize { Xs2 = "2xs", Xs = "xs", Sm = "sm", Md = "md", Lg = "lg", Xl = "xl" }

    /// The type of a text field.
    InputType {
        Number = "number", Email = "email", Text = "text", Password = "password", Tel = "tel",
        Url = "url",
    }

    /// The side on which a calendar opens.
    Side { Top = "top", Bottom = "bottom", Left = "left", Right = "right" }

    /// The width of a table's column.
    ColSize { Xs = "xs", Sm = "sm", Md = "md", Lg = "lg", Xl = "xl" }

    /// The type of a series.
    SeriesType { Bar = "bar", Area = "area", Line = "line" }

    /// The curve of an area or a line.
    CurveType {
        Basis = "basis", BasisClosed = "basisClosed", BasisOpen = "basisOpen", BumpX = "bumpX",
        BumpY = "bumpY", Bump = "bump", Linear = "linear", LinearClosed = "linearClosed",
        Natural = "natural", MonotoneX = "monotoneX", MonotoneY = "monotoneY",
        Monotone = "monotone", Step = "step", StepBefore = "stepBefore", StepAfter = "stepAfter",
    }

    /// The handler of an action: the host, or only the page.
    Handler { Server = "server", Client = "client" }

    /// The indicator of a running action.
    LoadingBehavior { Auto = "auto", None = "none", Itself = "self", Container = "container" }
}
