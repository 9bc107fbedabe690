//! The backend in a component: calls the host through the generated bindings.

use super::{Backend, BucketBackend, ShownBackend, WriterBackend};
use crate::bindings::footlight::plugin::{
    approval, ask, config, display_widget, http, log, output, progress, stage::Stage, state,
};
use crate::{
    Approval, ApprovalError, AskError, DisplayError, HttpError, Level, Output, OutputError,
    Request, Response, Scope, StateError,
};
use footlight_vocabulary::widget::WidgetParts;
use std::path::PathBuf;

pub(crate) use display_widget::Shown as ShownHandle;
pub(crate) use output::Writer as WriterHandle;
pub(crate) use state::Bucket as BucketHandle;

impl Backend for Stage {
    fn show(&self, widget: WidgetParts) -> Result<ShownHandle, DisplayError> {
        Ok(display_widget::show(self, &record(widget))?)
    }

    fn ask(&self, prompt: &str, fields: &str) -> Result<String, AskError> {
        Ok(ask::ask(self, prompt, fields)?)
    }

    fn request(&self, approval: &Approval, details: Option<&str>) -> Result<(), ApprovalError> {
        let (action, subject) = (&approval.action, &approval.subject);
        Ok(approval::request(
            self,
            action,
            subject,
            &approval.reason,
            details,
        )?)
    }

    fn create(&self, output: &Output, meta: Option<&str>) -> Result<WriterHandle, OutputError> {
        let (title, kind, mime) = (&output.title, &output.kind, &output.mime_type);
        Ok(output::create(self, title, kind, mime, meta)?)
    }

    fn read(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, OutputError> {
        Ok(output::read(self, id, offset, length)?)
    }

    fn bucket(&self, scope: Scope) -> BucketHandle {
        match scope {
            Scope::Session => state::session(self),
            Scope::Person => state::person(self),
        }
    }

    fn fetch(&self, request: Request) -> Result<Response, HttpError> {
        let request = http::Request {
            method: request.method,
            url: request.url,
            headers: request.headers,
            body: request.body,
        };
        let http::Response {
            status,
            headers,
            body,
        } = http::fetch(self, &request)?;
        Ok(Response {
            status,
            headers,
            body,
        })
    }

    fn report(&self, message: &str, done: Option<u64>, total: Option<u64>) {
        progress::report(self, message, done, total);
    }

    fn write_log(&self, level: Level, message: &str) {
        write_log(level, message);
    }

    fn settings(&self) -> String {
        config::settings()
    }

    fn folder(&self, path: &str) -> PathBuf {
        PathBuf::from(path)
    }
}

/// Writes to the log. It needs no stage, so that the panic hook can use it too.
pub(crate) fn write_log(level: Level, message: &str) {
    let level = match level {
        Level::Trace => log::Level::Trace,
        Level::Debug => log::Level::Debug,
        Level::Info => log::Level::Info,
        Level::Warn => log::Level::Warn,
        Level::Error => log::Level::Error,
    };
    log::write(level, message);
}

impl ShownBackend for ShownHandle {
    fn id(&self) -> String {
        self.id()
    }

    fn update(&self, widget: WidgetParts) -> Result<(), DisplayError> {
        Ok(self.update(&record(widget))?)
    }

    fn append_text(&self, node: &str, text: &str) -> Result<(), DisplayError> {
        Ok(self.append_text(node, text)?)
    }

    fn remove(&self) -> Result<(), DisplayError> {
        Ok(self.remove()?)
    }
}

impl BucketBackend for BucketHandle {
    fn get(&self, key: &str) -> Result<Option<String>, StateError> {
        Ok(self.get(key)?)
    }

    fn set(&self, key: &str, value: Option<&str>) -> Result<(), StateError> {
        Ok(self.set(key, value)?)
    }

    fn swap(&self, key: &str, old: Option<&str>, new: Option<&str>) -> Result<bool, StateError> {
        Ok(self.swap(key, old, new)?)
    }

    fn keys(&self, prefix: &str) -> Result<Vec<String>, StateError> {
        Ok(self.keys(prefix)?)
    }
}

impl WriterBackend for WriterHandle {
    fn write(&self, bytes: &[u8]) -> Result<(), OutputError> {
        Ok(self.write(bytes)?)
    }

    fn finish(self) -> Result<String, OutputError> {
        Ok(WriterHandle::finish(self)?)
    }
}

fn record(widget: WidgetParts) -> display_widget::Widget {
    display_widget::Widget {
        widget: widget.widget,
        data: widget.data,
        fallback: widget.fallback,
        view: widget.view,
    }
}

impl From<display_widget::DisplayError> for DisplayError {
    fn from(error: display_widget::DisplayError) -> Self {
        use display_widget::DisplayError as Wire;
        match error {
            Wire::TooLarge(limit) => Self::TooLarge(limit),
            Wire::TooMany(limit) => Self::TooMany(limit),
            Wire::Gone => Self::Removed,
            Wire::Other(message) => Self::Other(message),
        }
    }
}

/// Converts an error of the contract to the SDK's error with the same cases.
macro_rules! convert {
    ($wire:path => $error:ident { $($case:ident $(($value:ident))?),+ }) => {
        impl From<$wire> for $error {
            fn from(error: $wire) -> Self {
                use $wire as Wire;
                match error {
                    $(Wire::$case $(($value))? => Self::$case $(($value))?,)+
                }
            }
        }
    };
}

convert!(ask::AskError => AskError {
    Nobody(why), Skipped, Expired, Cancelled, Invalid(how), Other(message)
});
convert!(approval::Refusal => ApprovalError {
    Denied(words), Nobody(why), Undeclared, Expired, Cancelled, Other(message)
});
convert!(output::OutputError => OutputError {
    TooLarge(limit), Full, Expired, Other(message)
});
convert!(state::StateError => StateError {
    TooLarge(limit), Full, Other(message)
});
convert!(http::HttpError => HttpError {
    Denied(remedy), Unreachable(why), TimedOut, TooLarge(limit), Cancelled, UnknownOutcome, Other(message)
});
