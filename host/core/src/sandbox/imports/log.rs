//! `log`: words for the plugin's author. Works without a stage, too.

use crate::sandbox::Sandbox;
use crate::sandbox::bindings::footlight::plugin::log::{self, Level};
use crate::sandbox::journal::Class;

impl log::Host for Sandbox {
    async fn write(&mut self, level: Level, message: String) -> wasmtime::Result<()> {
        let level = match level {
            Level::Trace => "trace",
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Error => "error",
        };
        let notes = self.notes();
        self.recorder
            .record_now(Class::LocalWrite, "log.write", &(level, &message), || {
                notes.write(level, &message)
            })
    }
}
