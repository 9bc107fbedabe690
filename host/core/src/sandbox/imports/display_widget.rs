//! `display-widget`: widgets for the person.

use crate::call::stage::{Stage, WidgetLimitError};
use crate::plugin::Plugin;
use crate::sandbox::Sandbox;
use crate::sandbox::bindings::footlight::plugin::display_widget::{self, DisplayError, Widget};
use crate::sandbox::imports::{CancelledError, StageHandle};
use crate::sandbox::journal::{Class, Op};
use crate::sandbox::limits::footprint;
use footlight_vocabulary::escape::cut;
use footlight_vocabulary::item::Widget as Shown;
use footlight_vocabulary::widget::{MAX_DATA, WidgetSizeError, check_size};
use footlight_vocabulary::{component, json};
use serde_json::{Map, Value};
use wasmtime::component::Resource;

/// A shown widget, by its id: plain data, so that a replay can restore it.
#[allow(unreachable_pub, reason = "the generated bindings re-export it")]
pub struct ShownHandle(String);

impl CancelledError for DisplayError {
    fn cancelled() -> Self {
        Self::Gone
    }
}

impl display_widget::Host for Sandbox {
    async fn show(
        &mut self,
        _: Resource<StageHandle>,
        widget: Widget,
    ) -> wasmtime::Result<Result<Resource<ShownHandle>, DisplayError>> {
        let (stage, plugin) = (self.stage()?, self.plugin()?);
        let effect = async {
            let (content, bytes) = read(&stage, &plugin, &widget)?;
            stage.show(content, bytes).map_err(DisplayError::from)
        };
        let shown = self
            .act(sends(&widget, "display-widget.show"), &widget, effect)
            .await?;
        match shown {
            Ok(id) => Ok(Ok(self.table.push(ShownHandle(id))?)),
            Err(error) => Ok(Err(error)),
        }
    }
}

impl display_widget::HostShown for Sandbox {
    async fn id(&mut self, shown: Resource<ShownHandle>) -> wasmtime::Result<String> {
        Ok(self.table.get(&shown)?.0.clone())
    }

    async fn update(
        &mut self,
        shown: Resource<ShownHandle>,
        widget: Widget,
    ) -> wasmtime::Result<Result<(), DisplayError>> {
        let (stage, plugin) = (self.stage()?, self.plugin()?);
        let id = self.table.get(&shown)?.0.clone();
        let effect = async {
            let (content, bytes) = read(&stage, &plugin, &widget)?;
            update(&stage, &id, content, bytes)
        };
        let request = (&id, &widget);
        let op = sends(&widget, "display-widget.update");
        self.act(op, &request, effect).await
    }

    async fn append_text(
        &mut self,
        shown: Resource<ShownHandle>,
        node: String,
        text: String,
    ) -> wasmtime::Result<Result<(), DisplayError>> {
        let (stage, id) = (self.stage()?, self.table.get(&shown)?.0.clone());
        let effect = async { append(&stage, &id, &node, &text) };
        let op = Class::LocalWrite.op("display-widget.append-text");
        let op = op.about(&node).sending(text.len());
        self.act(op, &(&id, &node, &text), effect).await
    }

    async fn remove(
        &mut self,
        shown: Resource<ShownHandle>,
    ) -> wasmtime::Result<Result<(), DisplayError>> {
        let (stage, id) = (self.stage()?, self.table.get(&shown)?.0.clone());
        let effect = async {
            match stage.remove(&id) {
                true => Ok(()),
                false => Err(DisplayError::Gone),
            }
        };
        self.act(Class::LocalWrite.op("display-widget.remove"), &id, effect)
            .await
    }

    async fn drop(&mut self, shown: Resource<ShownHandle>) -> wasmtime::Result<()> {
        self.table.delete(shown)?;
        Ok(())
    }
}

/// Returns the host call that sends a widget.
fn sends<'a>(widget: &'a Widget, name: &'static str) -> Op<'a> {
    let view = widget.view.as_ref().map_or(0, String::len);
    let bytes = widget.data.len() + widget.fallback.len() + view;
    let op = Class::LocalWrite.op(name);
    op.about(&widget.widget).sending(bytes)
}

/// Appends text to a text component of a widget's view.
fn append(stage: &Stage, id: &str, node: &str, text: &str) -> Result<(), DisplayError> {
    let (mut widget, bytes) = stage.widget(id).ok_or(DisplayError::Gone)?;
    let value = widget
        .view
        .as_mut()
        .and_then(|view| component::text_value_mut(view, node));
    let value = value.ok_or_else(|| {
        let node = cut(node, 100);
        DisplayError::Other(format!("the view has no text with the id `{node}`"))
    })?;
    value.push_str(text);
    let view = widget.view.as_ref().map(Value::to_string);
    check_size("", view.as_deref()).map_err(|error| too_large(stage, error))?;
    update(stage, id, widget, bytes.saturating_add(text.len()))
}

pub(crate) fn update(
    stage: &Stage,
    id: &str,
    widget: Shown,
    bytes: usize,
) -> Result<(), DisplayError> {
    if stage.update(id, widget, bytes)? {
        Ok(())
    } else {
        Err(DisplayError::Gone)
    }
}

/// Tells the person that a widget is missing, and returns the error for the plugin.
fn too_large(stage: &Stage, error: WidgetSizeError) -> DisplayError {
    let plugin = &stage.manifest.id;
    stage.notice(&format!("a widget of `{plugin}` is not shown: {error}"));
    DisplayError::TooLarge(error.limit as u64)
}

/// Parses a widget and returns it with its size. Data of any shape is accepted; a view must be a
/// component tree.
pub(crate) fn read(
    stage: &Stage,
    plugin: &Plugin,
    widget: &Widget,
) -> Result<(Shown, usize), DisplayError> {
    check_size(&widget.data, widget.view.as_deref()).map_err(|error| too_large(stage, error))?;
    let parse = |text: &str| -> Result<Value, DisplayError> {
        let limits = json::Limits {
            bytes: MAX_DATA,
            ..json::Limits::default()
        };
        json::parse(text, limits).map_err(|error| DisplayError::Other(error.to_string()))
    };
    let view = widget.view.as_deref().map(parse).transpose()?;
    // A malformed view costs a notice, not the widget: the fallback can still be shown.
    let view = view.filter(|view| match component::check(view) {
        Ok(()) => true,
        Err(problems) => {
            stage.notice(&format!(
                "a widget of `{}` has a malformed view: {problems}",
                stage.manifest.id
            ));
            false
        }
    });
    // Many small JSON values count for the memory they take, at a rate that ordinary data never
    // reaches.
    let weight = |json: &str| json.len().max(footprint(json) / 16);
    // A control character takes six bytes in the log.
    let controls = widget.fallback.bytes().filter(u8::is_ascii_control).count();
    let bytes = weight(&widget.data)
        + widget.fallback.len()
        + 5 * controls
        + widget.widget.len()
        + widget.view.as_deref().map_or(0, weight);
    let data = parse(&widget.data)?;
    let shown = Shown {
        call: stage.call.clone(),
        widget: widget.widget.clone(),
        invalid_data: !plugin.fits(&widget.widget, &data),
        data,
        fallback: widget.fallback.clone(),
        view,
        copy_text: None,
        extra: Map::new(),
    };
    Ok((shown, bytes))
}

impl From<WidgetLimitError> for DisplayError {
    fn from(error: WidgetLimitError) -> Self {
        match error {
            WidgetLimitError::TooMany(limit) => {
                Self::TooMany(u32::try_from(limit).unwrap_or(u32::MAX))
            }
            WidgetLimitError::TooLarge(limit) => Self::TooLarge(limit as u64),
        }
    }
}
