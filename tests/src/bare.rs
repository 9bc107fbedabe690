//! A host made of wasmtime alone: the contract bound from `wit/`, and a script in place of the person.
//!
//! It proves that the contract is complete: the plugins here were built by the SDK, in another
//! language or with an older release, and this host shares no code with them.
//!
//! Invariant: no limits, no policy, no record. The real host has those, and its own tests.

mod imports;

pub use imports::{Bucket, Shown, Stage, Writer};
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use wasmtime::component::{Component, HasSelf, Linker, Resource, ResourceTable};
use wasmtime::error::Context;
use wasmtime::{Engine, Store};
use wasmtime_wasi::WasiCtx;

#[expect(
    missing_docs,
    reason = "generated from wit/, where every item is documented"
)]
mod bindings {
    wasmtime::component::bindgen!({
        path: "../wit",
        world: "plugin",
        imports: { default: trappable },
        with: {
            "footlight:plugin/stage.stage": super::Stage,
            "footlight:plugin/display-widget.shown": super::Shown,
            "footlight:plugin/output.writer": super::Writer,
            "footlight:plugin/state.bucket": super::Bucket,
        },
    });
}

pub use bindings::exports::footlight::plugin::tools::{Concern, Description, Failure, Outcome};
pub use bindings::footlight::plugin::display_widget::Widget;

/// A compiled component.
pub struct Guest {
    engine: Engine,
    plugin: bindings::PluginPre<World>,
}

/// What the person answers.
#[derive(Debug, Default)]
pub struct Person {
    /// Answers to questions, as JSON objects, in order. With none left, nobody can be asked.
    pub answers: VecDeque<String>,
    /// Whether each approval is given, in order. With none left, nobody can be asked.
    pub verdicts: VecDeque<bool>,
}

/// A call of a host import, as a guest made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostCall {
    /// Showed or replaced a widget: its type, data and fallback.
    Show(String, String, String),
    /// Put a question: its prompt and fields.
    Ask(String, String),
    /// Requested approval of an action on a subject.
    Request(String, String),
    /// Stored an output: its title and content.
    Output(String, Vec<u8>),
    /// Fetched a URL.
    Fetch(String),
    /// Reported progress.
    Progress(String),
    /// Wrote to the log.
    Log(String),
}

/// A plugin's state: JSON text by scope and key.
pub type State = BTreeMap<(&'static str, String), String>;

/// A finished call.
#[derive(Debug)]
pub struct Ended {
    /// The result.
    pub result: Result<Outcome, Failure>,
    /// The host calls it made, in order.
    pub host_calls: Vec<HostCall>,
    /// The plugin's state afterwards.
    pub state: State,
}

impl Guest {
    /// Compiles the component in a file and links it.
    ///
    /// # Errors
    /// If it is not a component, or imports what the contract does not have.
    pub fn load(path: impl AsRef<Path>) -> wasmtime::Result<Self> {
        let engine = Engine::default();
        let component = Component::from_file(&engine, path.as_ref())?;
        let mut linker = Linker::new(&engine);
        wasmtime_wasi::p2::add_to_linker_sync(&mut linker)?;
        bindings::Plugin::add_to_linker::<World, HasSelf<World>>(&mut linker, |world| world)?;
        let plugin = bindings::PluginPre::new(linker.instantiate_pre(&component)?)?;
        Ok(Self { engine, plugin })
    }

    /// Calls `describe`.
    ///
    /// # Errors
    /// If the guest traps.
    pub fn describe(&self) -> wasmtime::Result<Description> {
        let mut wasm = self.instance(World::default());
        let plugin = self.plugin.instantiate(&mut wasm)?;
        plugin.footlight_plugin_tools().call_describe(&mut wasm)
    }

    /// Calls `assess`.
    ///
    /// # Errors
    /// If the guest traps.
    pub fn assess(
        &self,
        tool: &str,
        input: &str,
    ) -> wasmtime::Result<Result<Option<Concern>, Failure>> {
        let mut wasm = self.instance(World::default());
        let plugin = self.plugin.instantiate(&mut wasm)?;
        plugin
            .footlight_plugin_tools()
            .call_assess(&mut wasm, tool, &input.to_owned())
    }

    /// Calls `run` in an instance of its own.
    ///
    /// # Errors
    /// If the guest traps; the error contains its log.
    pub fn run(
        &self,
        tool: &str,
        input: &str,
        person: Person,
        state: State,
    ) -> wasmtime::Result<Ended> {
        let mut wasm = self.instance(World {
            person,
            state,
            ..World::default()
        });
        let plugin = self.plugin.instantiate(&mut wasm)?;
        let stage = wasm.data_mut().table.push(Stage)?;
        let result = plugin
            .footlight_plugin_tools()
            .call_run(
                &mut wasm,
                Resource::new_borrow(stage.rep()),
                tool,
                &input.to_owned(),
            )
            .with_context(|| format!("log: {:?}", wasm.data().host_calls))?;
        let World {
            host_calls, state, ..
        } = wasm.into_data();
        Ok(Ended {
            result,
            host_calls,
            state,
        })
    }

    /// Calls `run` with nobody to ask and no state, and returns the data of its result.
    ///
    /// # Panics
    /// If the guest traps or the tool fails.
    #[must_use]
    pub fn data(&self, tool: &str, input: &str) -> String {
        let ended = self.run(tool, input, Person::default(), State::new());
        let result = ended.expect("the guest does not trap").result;
        result.expect("the tool succeeds").data
    }

    /// Creates one instance for many calls, which the real host never does: a baseline for benchmarks.
    ///
    /// # Errors
    /// If the guest traps.
    pub fn warm(&self) -> wasmtime::Result<Warm> {
        let mut wasm = self.instance(World::default());
        let plugin = self.plugin.instantiate(&mut wasm)?;
        let stage = wasm.data_mut().table.push(Stage)?.rep();
        Ok(Warm {
            wasm,
            plugin,
            stage,
        })
    }

    fn instance(&self, world: World) -> Store<World> {
        Store::new(&self.engine, world)
    }
}

/// An instance that serves many calls.
pub struct Warm {
    wasm: Store<World>,
    plugin: bindings::Plugin,
    stage: u32,
}

impl Warm {
    /// Calls `run`.
    ///
    /// # Errors
    /// If the guest traps; the instance is then unusable.
    pub fn run(&mut self, tool: &str, input: &str) -> wasmtime::Result<Result<Outcome, Failure>> {
        self.wasm.data_mut().host_calls.clear();
        let stage = Resource::new_borrow(self.stage);
        self.plugin.footlight_plugin_tools().call_run(
            &mut self.wasm,
            stage,
            tool,
            &input.to_owned(),
        )
    }
}

/// The state of one instance's host side.
struct World {
    table: ResourceTable,
    wasi: WasiCtx,
    person: Person,
    host_calls: Vec<HostCall>,
    state: State,
}

impl Default for World {
    fn default() -> Self {
        Self {
            table: ResourceTable::new(),
            wasi: WasiCtx::builder().build(),
            person: Person::default(),
            host_calls: Vec::new(),
            state: State::new(),
        }
    }
}
