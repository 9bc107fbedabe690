//! `log`: messages for the plugin's author. Works without a stage.

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
        let guest_log = self.guest_log();
        self.journal
            .record_now(Class::LocalWrite, "log.write", &(level, &message), || {
                guest_log.write(level, &message)
            })
    }
}
