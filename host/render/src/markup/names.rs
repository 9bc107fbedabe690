//! The allow-list of elements and attributes.

macro_rules! names {
    ($(#[$about:meta])+ $name:ident { $($case:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names of HTML, SVG and MathML")]
        pub enum $name {
            $($case,)+
        }

        impl $name {
            /// Every name.
            pub const ALL: &'static [Self] = &[$(Self::$case),+];

            /// Returns the name in HTML.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$case => $word,)+
                }
            }
        }
    };
}

names! {
    /// The elements. None of them loads, executes or embeds anything but images.
    Tag {
        A = "a", Article = "article", B = "b", Bdi = "bdi", Blockquote = "blockquote", Br = "br",
        Button = "button", Code = "code", Col = "col", Dd = "dd", Del = "del", Details = "details",
        Div = "div", Dl = "dl", Dt = "dt", Em = "em", Fieldset = "fieldset", Figcaption = "figcaption",
        Figure = "figure", Footer = "footer", Form = "form", H1 = "h1", H2 = "h2", H3 = "h3", H4 = "h4",
        H5 = "h5", H6 = "h6", Header = "header", Hr = "hr", Img = "img", Input = "input", Label = "label",
        Legend = "legend", Li = "li", Main = "main", Ol = "ol", Option = "option", P = "p", Pre = "pre",
        Progress = "progress", S = "s", Section = "section", Select = "select", Small = "small",
        Span = "span", Strong = "strong", Summary = "summary", Table = "table", Tbody = "tbody", Td = "td",
        Textarea = "textarea", Tfoot = "tfoot", Th = "th", Thead = "thead", Time = "time", Tr = "tr",
        U = "u", Ul = "ul",
        Svg = "svg", Circle = "circle", Desc = "desc", G = "g", Line = "line", Path = "path",
        Polyline = "polyline", Rect = "rect", SvgText = "text", Title = "title",
        Math = "math", Mfrac = "mfrac", Mi = "mi", Mn = "mn", Mo = "mo", Mover = "mover", Mroot = "mroot",
        Mrow = "mrow", Mspace = "mspace", Msqrt = "msqrt", Msub = "msub", Msubsup = "msubsup", Msup = "msup",
        Mtable = "mtable", Mtd = "mtd", Mtext = "mtext", Mtr = "mtr", Munder = "munder",
        Munderover = "munderover",
    }
}

impl Tag {
    /// Reports whether the element has no end tag.
    pub fn is_void(self) -> bool {
        matches!(
            self,
            Self::Br | Self::Col | Self::Hr | Self::Img | Self::Input
        )
    }
}

names! {
    /// Attributes whose value is one of our own keywords.
    Keyword {
        Accent = "accent", AriaHidden = "aria-hidden", Autocomplete = "autocomplete",
        DataControl = "data-control", DataKind = "data-state", Dir = "dir", Display = "display",
        LineThickness = "linethickness", Loading = "loading", MathVariant = "mathvariant", Role = "role",
        Scope = "scope", Space = "width", Stretchy = "stretchy", TextAnchor = "text-anchor", Type = "type",
    }
}

names! {
    /// Attributes that hold text: read to a person, or a form's name or value. Browsers neither
    /// follow nor load nor execute their values.
    TextAttr {
        Alt = "alt", AriaLabel = "aria-label", DataFrom = "data-from", DataForm = "data-form",
        DataItem = "data-item", DataLanguage = "data-language", DataPress = "data-press",
        DataWidget = "data-widget", DataResult = "data-kind", Max = "max", Min = "min", Placeholder = "placeholder", Title = "title", Value = "value",
    }
}

names! {
    /// Boolean attributes.
    Flag {
        Checked = "checked", Disabled = "disabled", Multiple = "multiple", Open = "open",
        Required = "required", Selected = "selected", Submit = "data-submit", Other = "data-other",
    }
}

names! {
    /// Numeric attributes.
    Number {
        ColSpan = "colspan", RowSpan = "rowspan", Start = "start", Rows = "rows", TabIndex = "tabindex",
        Cx = "cx", Cy = "cy", Height = "height", MaxHeight = "data-max-height", MaxLines = "data-max-lines",
        Part = "value", Priority = "data-priority", Press = "data-number", R = "r", Rev = "data-rev",
        Rx = "rx", Whole = "max", Width = "width", X = "x", X1 = "x1", X2 = "x2", Y = "y", Y1 = "y1",
        Y2 = "y2",
    }
}
