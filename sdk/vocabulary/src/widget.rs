//! Widgets that a plugin shows while it runs.
//!
//! A widget is `{widget, data, fallback, view?}`. A surface draws it with a renderer registered
//! for its type that accepts its data, else from its view, a [component tree](crate::component),
//! else as its fallback. A fallback is always present: if the author gives none it is the text of
//! the view, else the data.
//!
//! Invariant: the data of a widget is refused only for its size, never for its shape.

use crate::builder::from_each;
use crate::component::{Basic, Card, ListView, Root};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The type of a widget that consists of a view only.
pub const VIEW: &str = "view";

/// The most bytes of a widget's data as JSON text.
pub const MAX_DATA: usize = 256 * 1024;

/// The most bytes of a widget's view as JSON text.
pub const MAX_VIEW: usize = 50_000;

/// The most characters of a fallback that is derived from the data.
const MAX_DERIVED: usize = 200;

/// A widget, on the guest's side.
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

/// The parameters of the contract's `show`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WidgetParts {
    /// The type.
    pub widget: String,
    /// The data as JSON text.
    pub data: String,
    /// The text for surfaces that cannot draw the widget.
    pub fallback: String,
    /// The component tree as JSON text.
    pub view: Option<String>,
}

impl Widget {
    /// Creates a widget. The data is serialized at once: later changes of it have no effect.
    pub fn new(kind: impl Into<String>, data: &(impl Serialize + ?Sized)) -> Self {
        Self {
            kind: kind.into(),
            data: serde_json::to_string(data),
            view: None,
            fallback: None,
        }
    }

    /// Creates a widget of type [`VIEW`] with data `null`.
    pub fn view_only(root: impl Into<Root>) -> Self {
        Self::new(VIEW, &()).view(root)
    }

    /// Sets the view for renderers that do not know the type.
    pub fn view(mut self, root: impl Into<Root>) -> Self {
        self.view = Some(root.into());
        self
    }

    /// Sets the text for surfaces that cannot draw the widget.
    pub fn fallback(mut self, text: impl Into<String>) -> Self {
        self.fallback = Some(text.into());
        self
    }

    /// Converts the widget into the parameters of the contract's `show`.
    ///
    /// # Errors
    /// When the data or the view does not serialize to JSON.
    pub fn into_parts(self) -> serde_json::Result<WidgetParts> {
        let data = self.data?;
        let view = self.view.as_ref().map(serde_json::to_string).transpose()?;
        let drawn = || self.view.map(|root| root.node().text());
        let fallback = self
            .fallback
            .or_else(|| drawn().filter(|text| !text.is_empty()));
        let fallback = fallback.unwrap_or_else(|| derived(&self.kind, &data));
        Ok(WidgetParts {
            widget: self.kind,
            data,
            fallback,
            view,
        })
    }
}

from_each!(Widget: Root, Card, ListView, Basic; root => Self::view_only(root));

/// Derives a fallback from the data.
fn derived(kind: &str, data: &str) -> String {
    if data == "null" {
        return kind.to_owned();
    }
    match data.char_indices().nth(MAX_DERIVED) {
        Some((end, _)) => format!("{}…", &data[..end]),
        None => data.to_owned(),
    }
}

/// A type of widget that a plugin declares in `describe`, so that hosts can list it and check its
/// data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WidgetType {
    /// The name, as in the `widget` member of a widget.
    pub name: String,
    /// The JSON Schema of the data.
    pub schema: Value,
    /// What a widget of this type shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl WidgetType {
    /// Creates a type.
    pub fn new(name: impl Into<String>, schema: Value) -> Self {
        Self {
            name: name.into(),
            schema,
            description: None,
        }
    }

    /// Sets the description: what a widget of this type shows.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }
}

/// The error of a widget that is too large.
#[cfg(feature = "host")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the widget's `{part}` is too large: {size} bytes, at most {limit} are allowed")]
pub struct WidgetSizeError {
    /// `data` or `view`.
    pub part: &'static str,
    /// The number of bytes.
    pub size: usize,
    /// The limit.
    pub limit: usize,
}

/// Checks the sizes of a widget's data and view, both as JSON text.
///
/// # Errors
/// When one of them is too large.
#[cfg(feature = "host")]
pub fn check_size(data: &str, view: Option<&str>) -> Result<(), WidgetSizeError> {
    for (part, size, limit) in [
        ("data", data.len(), MAX_DATA),
        ("view", view.map_or(0, str::len), MAX_VIEW),
    ] {
        if size > limit {
            return Err(WidgetSizeError { part, size, limit });
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
                view: Some(r#"{"type":"Card","children":[{"type":"Text","value":"Rain"}]}"#.into()),
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
    fn data_that_does_not_serialize_is_an_error() {
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
