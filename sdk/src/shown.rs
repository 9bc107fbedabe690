//! A widget on screen, and what can still be done to it.

use crate::DisplayError;
use crate::backend::{ShownBackend, ShownHandle};
use footlight_vocabulary::widget::{Widget, WidgetParts};

/// A widget that [`Stage::show`](crate::Stage::show) put on screen.
///
/// Dropping it changes nothing: the widget stays, and is final when the call returns.
pub struct Shown(pub(crate) ShownHandle);

impl Shown {
    /// The item's id, minted by the host.
    #[must_use]
    pub fn id(&self) -> String {
        ShownBackend::id(&self.0)
    }

    /// Replaces it in place.
    ///
    /// # Errors
    /// When the new one is too large, or the widget is gone.
    pub fn update(&self, widget: impl Into<Widget>) -> Result<(), DisplayError> {
        ShownBackend::update(&self.0, parts(widget)?)
    }

    /// Appends to the `Text` or `Markdown` component of the view that has this id.
    ///
    /// # Errors
    /// When there is no such component, or the widget is gone.
    pub fn append_text(&self, node: &str, text: &str) -> Result<(), DisplayError> {
        ShownBackend::append_text(&self.0, node, text)
    }

    /// Takes it off the screen and out of the record.
    ///
    /// # Errors
    /// When it is gone already.
    pub fn remove(self) -> Result<(), DisplayError> {
        ShownBackend::remove(&self.0)
    }
}

/// A widget as the contract takes it.
pub(crate) fn parts(widget: impl Into<Widget>) -> Result<WidgetParts, DisplayError> {
    let parts = widget.into().into_parts();
    parts.map_err(|error| DisplayError::Other(error.to_string()))
}
