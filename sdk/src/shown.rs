//! The handle of a widget that was shown.

use crate::DisplayError;
use crate::backend::{ShownBackend, ShownHandle};
use footlight_vocabulary::widget::{Widget, WidgetParts};

/// A widget on the person's screen, which [`Stage::show`](crate::Stage::show) put there: the handle to
/// change it while the tool runs.
///
/// Dropping the handle does not affect the widget, which becomes final when the call returns.
pub struct Shown(pub(crate) ShownHandle);

impl Shown {
    /// Returns the id of the widget's item, which the host assigns.
    #[must_use]
    pub fn id(&self) -> String {
        ShownBackend::id(&self.0)
    }

    /// Replaces the widget in place.
    ///
    /// # Errors
    /// If the new widget is too large, or the old one was removed.
    pub fn update(&self, widget: impl Into<Widget>) -> Result<(), DisplayError> {
        ShownBackend::update(&self.0, parts(widget)?)
    }

    /// Appends text to the `Text` or `Markdown` component of the view whose id is `node`.
    ///
    /// # Errors
    /// If there is no such component, or the widget was removed.
    pub fn append_text(&self, node: &str, text: &str) -> Result<(), DisplayError> {
        ShownBackend::append_text(&self.0, node, text)
    }

    /// Removes the widget from the screen and from the record.
    ///
    /// # Errors
    /// If the widget was already removed.
    pub fn remove(self) -> Result<(), DisplayError> {
        ShownBackend::remove(&self.0)
    }
}

/// Serialises a widget to the parts that the contract transfers.
pub(crate) fn parts(widget: impl Into<Widget>) -> Result<WidgetParts, DisplayError> {
    let parts = widget.into().into_parts();
    parts.map_err(|error| DisplayError::Other(error.to_string()))
}
