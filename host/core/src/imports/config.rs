//! `config`: what the person has set for the plugin.

use crate::bindings::footlight::plugin::config;
use crate::recorder::Class;
use crate::sandbox::Sandbox;

impl config::Host for Sandbox {
    async fn settings(&mut self) -> wasmtime::Result<String> {
        let settings = self.settings.clone();
        self.recorder
            .record_now(Class::Pure, "config.settings", &(), || settings)
    }
}
