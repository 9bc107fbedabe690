//! The host side of every import of the contract, answered from the script.

use super::bindings::footlight::plugin::{
    approval, ask, config, display_widget, http, log, output, progress, stage, state, types,
};
use super::{HostCall, Widget, World};
use wasmtime::component::Resource;
use wasmtime_wasi::{WasiCtxView, WasiView};

/// The resource that `run` borrows.
pub struct Stage;

/// A widget that was shown.
pub struct Shown(usize);

/// An output being written.
pub struct Writer {
    title: String,
    content: Vec<u8>,
}

/// A bucket of state, by its scope.
pub struct Bucket(&'static str);

const NOBODY: &str = "no terminal or page is connected";

impl WasiView for World {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

impl types::Host for World {}

impl stage::Host for World {}

impl stage::HostStage for World {
    fn call_id(&mut self, _: Resource<Stage>) -> wasmtime::Result<String> {
        Ok("call_1".to_owned())
    }

    fn session(&mut self, _: Resource<Stage>) -> wasmtime::Result<String> {
        Ok("session_1".to_owned())
    }

    fn person(&mut self, _: Resource<Stage>) -> wasmtime::Result<String> {
        Ok("person_1".to_owned())
    }

    fn locale(&mut self, _: Resource<Stage>) -> wasmtime::Result<String> {
        Ok("en-GB".to_owned())
    }

    fn timezone(&mut self, _: Resource<Stage>) -> wasmtime::Result<String> {
        Ok("Etc/UTC".to_owned())
    }

    fn is_cancelled(&mut self, _: Resource<Stage>) -> wasmtime::Result<bool> {
        Ok(false)
    }

    fn drop(&mut self, stage: Resource<Stage>) -> wasmtime::Result<()> {
        self.table.delete(stage)?;
        Ok(())
    }
}

impl World {
    fn note(&mut self, widget: Widget) {
        self.host_calls
            .push(HostCall::Show(widget.widget, widget.data, widget.fallback));
    }
}

impl display_widget::Host for World {
    fn show(
        &mut self,
        _: Resource<Stage>,
        widget: Widget,
    ) -> wasmtime::Result<Result<Resource<Shown>, display_widget::DisplayError>> {
        self.note(widget);
        let shown = self.table.push(Shown(self.host_calls.len()))?;
        Ok(Ok(shown))
    }
}

impl display_widget::HostShown for World {
    fn id(&mut self, shown: Resource<Shown>) -> wasmtime::Result<String> {
        Ok(format!("widget_{}", self.table.get(&shown)?.0))
    }

    fn update(
        &mut self,
        _: Resource<Shown>,
        widget: Widget,
    ) -> wasmtime::Result<Result<(), display_widget::DisplayError>> {
        self.note(widget);
        Ok(Ok(()))
    }

    fn append_text(
        &mut self,
        _: Resource<Shown>,
        _: String,
        _: String,
    ) -> wasmtime::Result<Result<(), display_widget::DisplayError>> {
        Ok(Ok(()))
    }

    fn remove(
        &mut self,
        _: Resource<Shown>,
    ) -> wasmtime::Result<Result<(), display_widget::DisplayError>> {
        Ok(Ok(()))
    }

    fn drop(&mut self, shown: Resource<Shown>) -> wasmtime::Result<()> {
        self.table.delete(shown)?;
        Ok(())
    }
}

impl ask::Host for World {
    fn ask(
        &mut self,
        _: Resource<Stage>,
        prompt: String,
        fields: String,
    ) -> wasmtime::Result<Result<String, ask::AskError>> {
        self.host_calls.push(HostCall::Ask(prompt, fields));
        Ok(self
            .person
            .answers
            .pop_front()
            .ok_or_else(|| ask::AskError::Nobody(NOBODY.to_owned())))
    }
}

impl approval::Host for World {
    fn request(
        &mut self,
        _: Resource<Stage>,
        action: String,
        subject: String,
        _: String,
        _: Option<String>,
    ) -> wasmtime::Result<Result<(), approval::Refusal>> {
        self.host_calls.push(HostCall::Request(action, subject));
        Ok(match self.person.verdicts.pop_front() {
            Some(true) => Ok(()),
            Some(false) => Err(approval::Refusal::Denied(None)),
            None => Err(approval::Refusal::Nobody(NOBODY.to_owned())),
        })
    }
}

impl output::Host for World {
    fn create(
        &mut self,
        _: Resource<Stage>,
        title: String,
        _: String,
        _: String,
        _: Option<String>,
    ) -> wasmtime::Result<Result<Resource<Writer>, output::OutputError>> {
        Ok(Ok(self.table.push(Writer {
            title,
            content: Vec::new(),
        })?))
    }

    fn read(
        &mut self,
        _: Resource<Stage>,
        _: String,
        _: u64,
        _: u32,
    ) -> wasmtime::Result<Result<Vec<u8>, output::OutputError>> {
        Ok(Err(output::OutputError::Expired))
    }
}

impl output::HostWriter for World {
    fn write(
        &mut self,
        writer: Resource<Writer>,
        bytes: Vec<u8>,
    ) -> wasmtime::Result<Result<(), output::OutputError>> {
        self.table.get_mut(&writer)?.content.extend(bytes);
        Ok(Ok(()))
    }

    fn finish(
        &mut self,
        writer: Resource<Writer>,
    ) -> wasmtime::Result<Result<String, output::OutputError>> {
        let Writer { title, content } = self.table.delete(writer)?;
        self.host_calls.push(HostCall::Output(title, content));
        Ok(Ok(format!("out_0_{:06}", self.host_calls.len())))
    }

    fn drop(&mut self, writer: Resource<Writer>) -> wasmtime::Result<()> {
        self.table.delete(writer)?;
        Ok(())
    }
}

impl state::Host for World {
    fn session(&mut self, _: Resource<Stage>) -> wasmtime::Result<Resource<Bucket>> {
        Ok(self.table.push(Bucket("session"))?)
    }

    fn person(&mut self, _: Resource<Stage>) -> wasmtime::Result<Resource<Bucket>> {
        Ok(self.table.push(Bucket("person"))?)
    }
}

impl state::HostBucket for World {
    fn get(
        &mut self,
        bucket: Resource<Bucket>,
        key: String,
    ) -> wasmtime::Result<Result<Option<String>, state::StateError>> {
        let scope = self.table.get(&bucket)?.0;
        Ok(Ok(self.state.get(&(scope, key)).cloned()))
    }

    fn set(
        &mut self,
        bucket: Resource<Bucket>,
        key: String,
        value: Option<String>,
    ) -> wasmtime::Result<Result<(), state::StateError>> {
        let key = (self.table.get(&bucket)?.0, key);
        match value {
            Some(value) => self.state.insert(key, value),
            None => self.state.remove(&key),
        };
        Ok(Ok(()))
    }

    fn swap(
        &mut self,
        bucket: Resource<Bucket>,
        key: String,
        expected: Option<String>,
        value: Option<String>,
    ) -> wasmtime::Result<Result<bool, state::StateError>> {
        let scope = self.table.get(&bucket)?.0;
        if self.state.get(&(scope, key.clone())) != expected.as_ref() {
            return Ok(Ok(false));
        }
        Ok(self.set(bucket, key, value)?.map(|()| true))
    }

    fn keys(
        &mut self,
        bucket: Resource<Bucket>,
        prefix: String,
    ) -> wasmtime::Result<Result<Vec<String>, state::StateError>> {
        let wanted = self.table.get(&bucket)?.0;
        let keys = self
            .state
            .keys()
            .filter(|(scope, key)| *scope == wanted && key.starts_with(&prefix));
        Ok(Ok(keys.map(|(_, key)| key.clone()).collect()))
    }

    fn drop(&mut self, bucket: Resource<Bucket>) -> wasmtime::Result<()> {
        self.table.delete(bucket)?;
        Ok(())
    }
}

impl http::Host for World {
    fn fetch(
        &mut self,
        _: Resource<Stage>,
        request: http::Request,
    ) -> wasmtime::Result<Result<http::Response, http::HttpError>> {
        self.host_calls.push(HostCall::Fetch(request.url));
        Ok(Err(http::HttpError::Denied(
            "this host has no network".to_owned(),
        )))
    }
}

impl progress::Host for World {
    fn report(
        &mut self,
        _: Resource<Stage>,
        message: String,
        _: Option<u64>,
        _: Option<u64>,
    ) -> wasmtime::Result<()> {
        self.host_calls.push(HostCall::Progress(message));
        Ok(())
    }
}

impl log::Host for World {
    fn write(&mut self, _: log::Level, message: String) -> wasmtime::Result<()> {
        self.host_calls.push(HostCall::Log(message));
        Ok(())
    }
}

impl config::Host for World {
    fn settings(&mut self) -> wasmtime::Result<String> {
        Ok("{}".to_owned())
    }
}
