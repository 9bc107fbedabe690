//! ChatKit's tokens: the words that props such as a size or a colour are chosen from.
//!
//! All are open, like every word here: a setter takes `TextSize::Lg` and `"lg"` alike, and a host
//! draws a token that it does not know as if it were not there.

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
    /// Light or dark, whatever the surface is.
    Theme { Light = "light", Dark = "dark" }

    /// How large a card is.
    CardSize { Sm = "sm", Md = "md", Lg = "lg", Full = "full" }

    /// The way children are laid out.
    Direction { Row = "row", Col = "col" }

    /// Where children stand across the layout's direction.
    Alignment {
        Start = "start", Center = "center", End = "end", Baseline = "baseline", Stretch = "stretch",
    }

    /// How children share the room along the layout's direction.
    Justification {
        Start = "start", Center = "center", End = "end", Between = "between", Around = "around",
        Evenly = "evenly", Stretch = "stretch",
    }

    /// What happens to children that do not fit on one line.
    Wrap { Nowrap = "nowrap", Wrap = "wrap", WrapReverse = "wrap-reverse" }

    /// How round corners are.
    Radius {
        Xs2 = "2xs", Xs = "xs", Sm = "sm", Md = "md", Lg = "lg", Xl = "xl", Xl2 = "2xl",
        Xl3 = "3xl", Xl4 = "4xl", Full = "full", Whole = "100%", None = "none",
    }

    /// How a border is drawn.
    BorderStyle {
        Solid = "solid", Dashed = "dashed", Dotted = "dotted", Double = "double",
        Groove = "groove", Ridge = "ridge", Inset = "inset", Outset = "outset",
    }

    /// Where text stands in its line, a cell's content in its cell, a calendar at its control.
    TextAlign { Start = "start", Center = "center", End = "end" }

    /// How large running text is.
    TextSize { Xs = "xs", Sm = "sm", Md = "md", Lg = "lg", Xl = "xl" }

    /// How large a title is.
    TitleSize {
        Sm = "sm", Md = "md", Lg = "lg", Xl = "xl", Xl2 = "2xl", Xl3 = "3xl", Xl4 = "4xl",
        Xl5 = "5xl",
    }

    /// How large a caption is.
    CaptionSize { Sm = "sm", Md = "md", Lg = "lg" }

    /// How heavy type is.
    Weight { Normal = "normal", Medium = "medium", Semibold = "semibold", Bold = "bold" }

    /// What a badge's colour says.
    BadgeColor {
        Secondary = "secondary", Success = "success", Danger = "danger", Warning = "warning",
        Info = "info", Discovery = "discovery",
    }

    /// How a badge is filled.
    BadgeVariant { Solid = "solid", Soft = "soft", Outline = "outline" }

    /// How large a badge is.
    BadgeSize { Sm = "sm", Md = "md", Lg = "lg" }

    /// How large an icon is.
    IconSize {
        Xs = "xs", Sm = "sm", Md = "md", Lg = "lg", Xl = "xl", Xl2 = "2xl", Xl3 = "3xl",
    }

    /// How an image fills its frame.
    ImageFit {
        Cover = "cover", Contain = "contain", Fill = "fill", ScaleDown = "scale-down",
        None = "none",
    }

    /// Which part of an image stays in view.
    ImagePosition {
        TopLeft = "top left", Top = "top", TopRight = "top right", Left = "left",
        Center = "center", Right = "right", BottomLeft = "bottom left", Bottom = "bottom",
        BottomRight = "bottom right",
    }

    /// A preset for a button.
    ButtonStyle { Primary = "primary", Secondary = "secondary" }

    /// What a button's colour says.
    ButtonColor {
        Primary = "primary", Secondary = "secondary", Info = "info", Discovery = "discovery",
        Success = "success", Caution = "caution", Warning = "warning", Danger = "danger",
    }

    /// How large the icons in a button are.
    ButtonIconSize { Sm = "sm", Md = "md", Lg = "lg", Xl = "xl", Xl2 = "2xl" }

    /// How a control is filled.
    ControlVariant { Solid = "solid", Soft = "soft", Outline = "outline", Ghost = "ghost" }

    /// How large a control is.
    ControlSize {
        Xs3 = "3xs", Xs2 = "2xs", Xs = "xs", Sm = "sm", Md = "md", Lg = "lg", Xl = "xl",
        Xl2 = "2xl", Xl3 = "3xl",
    }

    /// How a text field is filled.
    InputVariant { Soft = "soft", Outline = "outline" }

    /// The room at the edges of a text field.
    GutterSize { Xs2 = "2xs", Xs = "xs", Sm = "sm", Md = "md", Lg = "lg", Xl = "xl" }

    /// What a text field takes.
    InputType {
        Number = "number", Email = "email", Text = "text", Password = "password", Tel = "tel",
        Url = "url",
    }

    /// The side on which a calendar opens.
    Side { Top = "top", Bottom = "bottom", Left = "left", Right = "right" }

    /// How wide a table's column is.
    ColSize { Xs = "xs", Sm = "sm", Md = "md", Lg = "lg", Xl = "xl" }

    /// How a series is plotted.
    SeriesType { Bar = "bar", Area = "area", Line = "line" }

    /// How the points of an area or a line are joined.
    CurveType {
        Basis = "basis", BasisClosed = "basisClosed", BasisOpen = "basisOpen", BumpX = "bumpX",
        BumpY = "bumpY", Bump = "bump", Linear = "linear", LinearClosed = "linearClosed",
        Natural = "natural", MonotoneX = "monotoneX", MonotoneY = "monotoneY",
        Monotone = "monotone", Step = "step", StepBefore = "stepBefore", StepAfter = "stepAfter",
    }

    /// Who hears of an action: the host, or only the page.
    Handler { Server = "server", Client = "client" }

    /// What shows that an action is under way.
    LoadingBehavior { Auto = "auto", None = "none", Itself = "self", Container = "container" }
}
