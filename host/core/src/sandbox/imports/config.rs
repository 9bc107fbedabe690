//! `config`: the person's settings for the plugin.

use crate::sandbox::Sandbox;
use crate::sandbox::bindings::footlight::plugin::config;
use crate::sandbox::journal::Class;

impl config::Host for Sandbox {
    async fn settings(&mut self) -> wasmtime::Result<String> {
        let settings = self.settings.clone();
        self.journal
            .record_now(Class::Pure.op("config.settings"), &(), || settings)
    }
}
