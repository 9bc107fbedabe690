//! The interface between [`Stage`](crate::Stage) and its two backends.
//!
//! In a component the backend is the host, through the generated bindings; in a native build it is a
//! script, see [`testing`](crate::testing). The backend is chosen at compile time and called
//! statically, so that a component imports only what the plugin uses.

use crate::{
    Approval, ApprovalError, AskError, DisplayError, HttpError, Level, Output, OutputError,
    Request, Response, Scope, StateError,
};
use footlight_vocabulary::widget::WidgetParts;
use std::path::PathBuf;

#[cfg(not(target_family = "wasm"))]
pub(crate) use crate::testing::{BucketHandle, ShownHandle, WriterHandle};
#[cfg(target_family = "wasm")]
pub(crate) use wasm::{BucketHandle, ShownHandle, WriterHandle, write_log};

#[cfg(target_family = "wasm")]
mod wasm;

/// The operations of a stage.
pub(crate) trait Backend {
    fn show(&self, widget: WidgetParts) -> Result<ShownHandle, DisplayError>;
    fn ask(&self, prompt: &str, fields: &str) -> Result<String, AskError>;
    fn request(&self, approval: &Approval, details: Option<&str>) -> Result<(), ApprovalError>;
    fn create(&self, output: &Output, meta: Option<&str>) -> Result<WriterHandle, OutputError>;
    fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, OutputError>;
    fn bucket(&self, scope: Scope) -> BucketHandle;
    fn fetch(&self, request: Request) -> Result<Response, HttpError>;
    fn report(&self, message: &str, done: Option<u64>, total: Option<u64>);
    fn write_log(&self, level: Level, message: &str);
    fn settings(&self) -> String;
    fn folder(&self, path: &str) -> PathBuf;
}

/// A widget that was shown.
pub(crate) trait ShownBackend {
    fn id(&self) -> String;
    fn update(&self, widget: WidgetParts) -> Result<(), DisplayError>;
    fn append_text(&self, node: &str, text: &str) -> Result<(), DisplayError>;
    fn remove(&self) -> Result<(), DisplayError>;
}

/// A bucket of key-value state. Values are JSON text.
pub(crate) trait BucketBackend {
    fn get(&self, key: &str) -> Result<Option<String>, StateError>;
    fn set(&self, key: &str, value: Option<&str>) -> Result<(), StateError>;
    fn swap(&self, key: &str, old: Option<&str>, new: Option<&str>) -> Result<bool, StateError>;
    fn keys(&self, prefix: &str) -> Result<Vec<String>, StateError>;
}

/// An output being written.
pub(crate) trait WriterBackend: Sized {
    fn write(&self, bytes: &[u8]) -> Result<(), OutputError>;
    fn finish(self) -> Result<String, OutputError>;
}
