//! A host of wasmtime and nothing else: the contract bound from `wit/`, a script for the person.
//!
//! It shows that the contract stands on its own: what runs here was built by the SDK, by another
//! language or by an older release, and meets a host that shares no code with them.
//!
//! Invariant: no limits, no policy, no record. The product's host has those, and its own tests.

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

/// A component, ready to be called.
pub struct Guest {
    engine: Engine,
    plugin: bindings::PluginPre<World>,
}

/// What the person will say.
#[derive(Debug, Default)]
pub struct Person {
    /// Answers to questions, as JSON objects, in order. With none left, nobody can be asked.
    pub answers: VecDeque<String>,
    /// Whether leave is given, for each request in order. With none left, nobody can give it.
    pub verdicts: VecDeque<bool>,
}

/// What a call did, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostCall {
    /// Showed or replaced a widget: its type, data and fallback.
    Show(String, String, String),
    /// Put a question: its prompt and fields.
    Ask(String, String),
    /// Requested leave for an action and a subject.
    Request(String, String),
    /// Stored an output: its title and content.
    Output(String, Vec<u8>),
    /// Asked for a URL.
    Fetch(String),
    /// Said how far it is.
    Progress(String),
    /// Wrote to the log.
    Log(String),
}

/// What a plugin keeps between calls: scope and key, and JSON text.
pub type State = BTreeMap<(&'static str, String), String>;

/// One call, after it ended.
#[derive(Debug)]
pub struct Ended {
    /// What it came to.
    pub result: Result<Outcome, Failure>,
    /// What it did.
    pub host_calls: Vec<HostCall>,
    /// The plugin's state.
    pub state: State,
}

impl Guest {
    /// Compiles the component in a file and links it.
    ///
    /// # Errors
    /// When it is no component, or wants what the contract does not have.
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
    /// When the guest traps.
    pub fn describe(&self) -> wasmtime::Result<Description> {
        let mut wasm = self.instance(World::default());
        let plugin = self.plugin.instantiate(&mut wasm)?;
        plugin.footlight_plugin_tools().call_describe(&mut wasm)
    }

    /// Calls `assess`.
    ///
    /// # Errors
    /// When the guest traps.
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
    /// When the guest traps; the log then says why.
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

    /// One instance for many calls, which the product never has: what a benchmark compares with.
    ///
    /// # Errors
    /// When the guest traps.
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

/// An instance that is kept.
pub struct Warm {
    wasm: Store<World>,
    plugin: bindings::Plugin,
    stage: u32,
}

impl Warm {
    /// Calls `run`.
    ///
    /// # Errors
    /// When the guest traps; nothing can be called then.
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

/// Everything behind one instance.
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
