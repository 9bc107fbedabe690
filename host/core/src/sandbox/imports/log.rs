//! `log`: messages for the plugin's author. Works without a stage.

use crate::observer::LogLevel;
use crate::sandbox::Sandbox;
use crate::sandbox::bindings::footlight::plugin::log::{self, Level};
use crate::sandbox::journal::Class;

impl log::Host for Sandbox {
    async fn write(&mut self, level: Level, message: String) -> wasmtime::Result<()> {
        let level = match level {
            Level::Trace => LogLevel::Trace,
            Level::Debug => LogLevel::Debug,
            Level::Info => LogLevel::Info,
            Level::Warn => LogLevel::Warn,
            Level::Error => LogLevel::Error,
        };
        let guest_log = self.guest_log();
        let op = Class::LocalWrite.op("log.write").sending(message.len());
        let request = (level.as_str(), &message);
        self.journal
            .record_now(op, &request, || guest_log.write(level, &message))
    }
}
