//! Widgets: something a plugin shows, named by what it is.
//!
//! A widget is `{widget, data, fallback, view?}`. A surface draws it with a renderer registered
//! for its type that accepts its data, else from its view, a [component tree](crate::component),
//! else as its fallback. So the fallback is never missing: without one from the author it is the
//! view's text, else the data.
//!
//! Invariant: a widget's data is never refused for its shape, only for its size.

use crate::component::{Basic, Card, ListView, Root};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The type of a widget that is nothing but its view.
pub const VIEW: &str = "view";

/// How large a widget's data may be, in bytes of serialised UTF-8.
pub const MAX_DATA: usize = 256 * 1024;

/// How large a widget's view may be, in bytes of serialised UTF-8.
pub const MAX_VIEW: usize = 50_000;

/// How much of the data becomes a fallback, in characters.
const MAX_DERIVED: usize = 200;

/// A widget on its way to the host.
///
/// ```
/// use footlight_vocabulary::component::{Card, Title};
/// use footlight_vocabulary::widget::Widget;
///
/// let widget = Widget::new("weather-now", &serde_json::json!({ "city": "Oslo", "sky": "rain" }))
///     .view(Card::new().child(Title::new("Rain in Oslo")));
/// assert_eq!(widget.into_parts().unwrap().fallback, "Rain in Oslo");
/// ```
#[derive(Debug)]
#[must_use = "a widget is seen once it is shown"]
pub struct Widget {
    kind: String,
    data: serde_json::Result<String>,
    view: Option<Root>,
    fallback: Option<String>,
}

/// A widget as the contract wants it: JSON as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WidgetParts {
    /// The type.
    pub widget: String,
    /// The data as JSON text.
    pub data: String,
    /// What is shown where it cannot be drawn.
    pub fallback: String,
    /// The component tree as JSON text.
    pub view: Option<String>,
}

impl Widget {
    /// A widget of this type with this data. Later changes of the data change nothing.
    pub fn new(kind: impl Into<String>, data: &(impl Serialize + ?Sized)) -> Self {
        Self {
            kind: kind.into(),
            data: serde_json::to_string(data),
            view: None,
            fallback: None,
        }
    }

    /// A widget that is nothing but its view; its type is [`VIEW`], its data `null`.
    pub fn view_only(root: impl Into<Root>) -> Self {
        Self::new(VIEW, &()).view(root)
    }

    /// How it looks where no renderer knows its type.
    pub fn view(mut self, root: impl Into<Root>) -> Self {
        self.view = Some(root.into());
        self
    }

    /// What is shown where it cannot be drawn.
    pub fn fallback(mut self, text: impl Into<String>) -> Self {
        self.fallback = Some(text.into());
        self
    }

    /// The parts that the contract's `show` takes.
    ///
    /// # Errors
    /// When the data or something in the view cannot be written as JSON.
    pub fn into_parts(self) -> serde_json::Result<WidgetParts> {
        let data = self.data?;
        let view = self.view.as_ref().map(serde_json::to_string).transpose()?;
        let fallback = self
            .fallback
            .or_else(|| {
                self.view
                    .map(|root| root.node().text())
                    .filter(|text| !text.is_empty())
            })
            .unwrap_or_else(|| derived(&self.kind, &data));
        Ok(WidgetParts {
            widget: self.kind,
            data,
            fallback,
            view,
        })
    }
}

macro_rules! from_roots {
    ($($root:ident),+) => {$(
        impl From<$root> for Widget {
            fn from(root: $root) -> Self {
                Self::view_only(root)
            }
        }
    )+};
}
from_roots!(Root, Card, ListView, Basic);

/// The data as a fallback: compact, and cut where it gets long.
fn derived(kind: &str, data: &str) -> String {
    if data == "null" {
        return kind.to_owned();
    }
    match data.char_indices().nth(MAX_DERIVED) {
        Some((end, _)) => format!("{}…", &data[..end]),
        None => data.to_owned(),
    }
}

/// A type of widget that a plugin declares, so that hosts can list it and check its data
/// (`widgets` in what `describe` says; W-46).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WidgetType {
    /// The type's name, as in a widget's `widget`.
    pub name: String,
    /// The JSON Schema of the data.
    pub schema: Value,
    /// What such a widget shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl WidgetType {
    /// A type with this name and schema.
    pub fn new(name: impl Into<String>, schema: Value) -> Self {
        Self {
            name: name.into(),
            schema,
            description: None,
        }
    }

    /// What such a widget shows.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }
}

/// A widget that is too large to be shown.
#[cfg(feature = "host")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge {
    /// `data` or `view`.
    pub part: &'static str,
    /// How large it is, in bytes.
    pub size: usize,
    /// How large it may be.
    pub limit: usize,
}

#[cfg(feature = "host")]
impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { part, size, limit } = self;
        write!(
            f,
            "the widget's `{part}` is too large: {size} bytes, of which {limit} are allowed"
        )
    }
}

#[cfg(feature = "host")]
impl std::error::Error for TooLarge {}

/// Checks the sizes of a widget's data and view, both as JSON text.
///
/// # Errors
/// The first part that is too large.
#[cfg(feature = "host")]
pub fn check_size(data: &str, view: Option<&str>) -> Result<(), TooLarge> {
    for (part, size, limit) in [
        ("data", data.len(), MAX_DATA),
        ("view", view.map_or(0, str::len), MAX_VIEW),
    ] {
        if size > limit {
            return Err(TooLarge { part, size, limit });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::{Action, Button, Spacer, Text};
    use serde_json::json;

    fn parts(widget: Widget) -> WidgetParts {
        widget.into_parts().expect("serialises")
    }

    #[test]
    fn a_widget_has_data_view_and_the_fallback_it_was_given() {
        let widget = Widget::new("weather", &json!({ "city": "Oslo" }))
            .view(Card::new().child(Text::new("Rain")))
            .fallback("Rain in Oslo");
        assert_eq!(
            parts(widget),
            WidgetParts {
                widget: "weather".into(),
                data: r#"{"city":"Oslo"}"#.into(),
                fallback: "Rain in Oslo".into(),
                view: Some(r#"{"children":[{"type":"Text","value":"Rain"}],"type":"Card"}"#.into()),
            }
        );
    }

    #[test]
    fn a_fallback_is_derived_from_the_view_else_from_the_data() {
        let seen = Card::new().child(Text::new("Rain"));
        assert_eq!(parts(Widget::new("w", &1).view(seen)).fallback, "Rain");
        let blank = Card::new().child(Spacer::new());
        assert_eq!(
            parts(Widget::new("w", &[1, 2]).view(blank)).fallback,
            "[1,2]"
        );
        assert_eq!(parts(Widget::new("pulse", &())).fallback, "pulse");
        let long = parts(Widget::new("w", &"é".repeat(300))).fallback;
        assert_eq!((long.chars().count(), long.ends_with('…')), (201, true));
        let fits = parts(Widget::new("w", &"é".repeat(198))).fallback;
        assert_eq!(fits.chars().count(), 200);
    }

    #[test]
    fn a_root_alone_is_a_widget() {
        let widget = parts(Card::new().child(Text::new("x")).into());
        assert_eq!(
            (widget.widget.as_str(), widget.data.as_str()),
            (VIEW, "null")
        );
    }

    #[test]
    fn what_cannot_be_written_is_an_error_and_not_a_panic() {
        let unwritable = std::collections::BTreeMap::from([((1, 2), 3)]);
        assert!(Widget::new("w", &unwritable).into_parts().is_err());
        let press = Action::new("go").payload(&unwritable);
        let card = Card::new().child(Button::new().on_click_action(press));
        assert!(Widget::view_only(card).fallback("x").into_parts().is_err());
    }

    #[cfg(feature = "host")]
    #[test]
    fn each_part_may_be_as_large_as_its_limit() {
        let text = |size: usize| "x".repeat(size);
        for size in [MAX_DATA - 1, MAX_DATA] {
            assert_eq!(check_size(&text(size), None), Ok(()));
        }
        for size in [MAX_VIEW - 1, MAX_VIEW] {
            assert_eq!(check_size("1", Some(&text(size))), Ok(()));
        }
        let data = check_size(&text(MAX_DATA + 1), None).expect_err("too large");
        assert_eq!(
            (data.part, data.size, data.limit),
            ("data", MAX_DATA + 1, MAX_DATA)
        );
        let view = check_size("1", Some(&text(MAX_VIEW + 1))).expect_err("too large");
        assert!(
            view.to_string()
                .contains("`view` is too large: 50001 bytes")
        );
    }

    #[test]
    fn a_type_is_read_with_or_without_a_description() {
        let bare: WidgetType =
            serde_json::from_value(json!({ "name": "w", "schema": true })).expect("reads");
        assert_eq!(bare, WidgetType::new("w", json!(true)));
        let told = WidgetType::new("w", json!({})).description("A week");
        assert_eq!(
            serde_json::to_value(told).expect("serialises"),
            json!({ "name": "w", "schema": {}, "description": "A week" })
        );
    }
}
