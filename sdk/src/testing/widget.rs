//! The widgets of a scripted stage.

use super::{ShownWidget, World};
use crate::DisplayError;
use crate::backend::ShownBackend;
use footlight_vocabulary::json::{self, Limits};
use footlight_vocabulary::widget::{MAX_DATA, WidgetParts, check_size};
use footlight_vocabulary::{component, limits};
use serde_json::Value;
use std::cell::RefCell;
use std::rc::Rc;

/// Shows a widget.
pub(super) fn show(
    world: &Rc<RefCell<World>>,
    widget: WidgetParts,
) -> Result<ShownHandle, DisplayError> {
    let shown = read(&world.borrow(), widget)?;
    let index = world.borrow().shown.len();
    if index >= limits::WIDGETS {
        return Err(DisplayError::TooMany(limits::WIDGETS as u32));
    }
    world.borrow().check_room(index, &shown)?;
    world.borrow_mut().shown.push(Some(shown));
    Ok(ShownHandle {
        world: Rc::clone(world),
        index,
    })
}

/// Parses a widget with the checks that a host makes.
fn read(world: &World, widget: WidgetParts) -> Result<ShownWidget, DisplayError> {
    check_size(&widget.data, widget.view.as_deref())
        .map_err(|error| DisplayError::TooLarge(error.limit as u64))?;
    let read = |text: &str| {
        let limits = Limits {
            bytes: MAX_DATA,
            ..Limits::default()
        };
        json::parse(text, limits).map_err(|error| DisplayError::Other(error.to_string()))
    };
    let data = read(&widget.data)?;
    let view = widget.view.as_deref().map(read).transpose()?;
    if let Some(view) = &view {
        component::check(view).map_err(|problems| {
            DisplayError::Other(format!("the view is malformed: {problems}"))
        })?;
    }
    if let Some(declared) = world.checked() {
        declared.check_widget(&widget.widget, &data, view.as_ref());
    }
    Ok(ShownWidget {
        widget: widget.widget,
        data,
        fallback: widget.fallback,
        view,
    })
}

impl World {
    /// Checks that all widgets together are not too large once this one is at `index`.
    fn check_room(&self, index: usize, shown: &ShownWidget) -> Result<(), DisplayError> {
        let others = self.shown.iter().enumerate();
        let others = others.filter_map(|(at, other)| other.as_ref().filter(|_| at != index));
        let bytes: usize = others.chain([shown]).map(ShownWidget::bytes).sum();
        match bytes > limits::WIDGET_BYTES {
            true => Err(DisplayError::TooLarge(limits::WIDGET_BYTES as u64)),
            false => Ok(()),
        }
    }
}

impl ShownWidget {
    fn bytes(&self) -> usize {
        let view = self.view.as_ref().map_or(0, |view| view.to_string().len());
        self.widget.len() + self.data.to_string().len() + self.fallback.len() + view
    }
}

/// The handle of a widget on a scripted stage.
pub(crate) struct ShownHandle {
    world: Rc<RefCell<World>>,
    index: usize,
}

impl ShownHandle {
    fn change<T>(
        &self,
        change: impl FnOnce(&mut Option<ShownWidget>) -> T,
    ) -> Result<T, DisplayError> {
        self.world.borrow().refuse_if_cancelled()?;
        match self.world.borrow_mut().shown.get_mut(self.index) {
            Some(slot @ Some(_)) => Ok(change(slot)),
            _ => Err(DisplayError::Removed),
        }
    }
}

impl ShownBackend for ShownHandle {
    fn id(&self) -> String {
        format!("widget_{}", self.index)
    }

    fn update(&self, widget: WidgetParts) -> Result<(), DisplayError> {
        let shown = read(&self.world.borrow(), widget)?;
        self.world.borrow().check_room(self.index, &shown)?;
        self.change(|slot| *slot = Some(shown))
    }

    fn append_text(&self, node: &str, text: &str) -> Result<(), DisplayError> {
        let mut shown = self.change(|slot| slot.clone())?;
        let view = shown.as_mut().and_then(|shown| shown.view.as_mut());
        let value = view.and_then(|view| component::text_value_mut(view, node));
        let missing = || DisplayError::Other(format!("the view has no text with the id `{node}`"));
        value.ok_or_else(missing)?.push_str(text);
        let view = shown.as_ref().and_then(|shown| shown.view.as_ref());
        check_size("", view.map(Value::to_string).as_deref())
            .map_err(|error| DisplayError::TooLarge(error.limit as u64))?;
        self.change(|slot| *slot = shown)
    }

    fn remove(&self) -> Result<(), DisplayError> {
        self.change(|slot| *slot = None)
    }
}
