//! Widgets: drawn by a registered renderer, else by their component tree, else as their fallback
//! text.

use super::{Lower, cut};
use crate::view::{View, Widget};
use footlight_vocabulary::component::check;
use serde_json::Value;

/// A widget to draw, from a session item or from elsewhere.
#[derive(Debug, Clone, Copy)]
pub struct WidgetRef<'a> {
    /// The id of the plugin.
    pub from: Option<&'a str>,
    /// The type of the widget.
    pub widget: &'a str,
    /// The data of the widget.
    pub data: &'a Value,
    /// The text shown if the widget cannot be drawn.
    pub fallback: &'a str,
    /// The component tree.
    pub view: Option<&'a Value>,
    /// Whether the data does not fit the schema of the type. Then only the fallback is drawn.
    pub invalid_data: bool,
}

impl Lower<'_> {
    /// Lowers a widget.
    pub fn widget(&self, widget: WidgetRef<'_>) -> View {
        View::Widget(Widget {
            id: None,
            rev: 0,
            widget: cut::name(widget.widget),
            from: widget.from.map(str::to_owned),
            body: Box::new(self.widget_body(widget)),
        })
    }

    pub(super) fn widget_body(&self, widget: WidgetRef<'_>) -> View {
        let fallback = || self.fallback(widget);
        if widget.invalid_data {
            return fallback();
        }
        let registry = self.registry;
        match registry.and_then(|registry| registry.draw_widget(widget.widget, widget.data)) {
            Some(view) if !view.is_hidden() => view,
            _ => self.component_view(widget).unwrap_or_else(fallback),
        }
    }

    /// Lowers the component tree, if there is a valid one that is not blank.
    fn component_view(&self, widget: WidgetRef<'_>) -> Option<View> {
        let tree = widget.view?;
        check(tree).ok()?;
        Some(self.checked_component(tree)).filter(|view| !is_blank(view))
    }

    fn fallback(&self, widget: WidgetRef<'_>) -> View {
        let (shown, _) = cut::text(widget.fallback, self.limits.lines, self.limits.text);
        if shown.trim().is_empty() {
            // A widget is never blank: its type is shown instead.
            return View::caption(format!("({})", cut::name(widget.widget)));
        }
        self.plain_text(widget.fallback)
    }
}

/// Reports whether a view is an empty container.
fn is_blank(view: &View) -> bool {
    match view {
        View::Hidden | View::Space => true,
        View::Group(group) => {
            group.status.is_none() && group.footer.is_empty() && group.children.iter().all(is_blank)
        }
        _ => false,
    }
}
