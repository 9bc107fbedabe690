//! Folders of a call: what a guest can do with files, what it cannot, and what is recorded.

/// Every kind of path with every operation, and somebody who exchanges folders meanwhile.
mod paths;

/// What takes the place of a granted folder.
mod moved;

/// Who may write, until when, and how much.
mod rights;

/// Very many files: open at once, and in one folder.
mod many;

/// Why a use was denied.
mod denials;

/// The same with the other resolver of cap-std.
mod resolver;

use footlight::policy::Rule;
use footlight::vocabulary::item::{Content, PowerUse};
use footlight::{CallOutcome, Host, HostBuilder};
use footlight_tests::folders::{binding, rules};
use footlight_tests::plugins;
use footlight_tests::scripted_call::{Script, builder, follow};
use serde_json::{Value, json};
use std::path::PathBuf;

/// What a file outside of every folder contains. Nothing that a guest sees may contain it.
const CANARY: &str = "canary-7f3a";

/// A folder of the machine with `inside`, which is granted, and `outside`, which is not.
struct Scene {
    root: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        let scene = Self { root };
        std::fs::create_dir(scene.path("inside")).expect("creates");
        std::fs::create_dir(scene.path("outside")).expect("creates");
        std::fs::write(scene.path("outside/file"), CANARY).expect("writes");
        scene
    }

    fn path(&self, name: &str) -> PathBuf {
        let root = self.root.path().canonicalize().expect("it exists");
        root.join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("creates");
        std::fs::write(path, text).expect("writes");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("it exists")
    }
}

async fn host(builder: HostBuilder, bindings: Vec<Rule>) -> Host {
    let builder = builder.attended(false).rules(rules(bindings));
    let host = builder.build().expect("builds");
    host.load(plugins::PROBE).await.expect("loads");
    host
}

/// Returns a host whose `/data` is the folder `inside` of a scene.
async fn data(scene: &Scene, writable: bool) -> Host {
    let bound = binding("/data", &scene.path("inside"), writable);
    host(builder(), vec![bound]).await
}

/// Runs a tool of `probe` to its end.
async fn call(host: &Host, tool: &str, steps: &Value) -> CallOutcome {
    let input = json!({ "steps": steps.to_string() });
    let call = host.call(&format!("probe.{tool}"), input);
    follow(host, call, Script::default()).await.ended
}

/// Returns what each step of a call met.
fn met(ended: &CallOutcome) -> Vec<String> {
    let result = ended.result.as_ref().expect("the call succeeds");
    let text = result.data["content"].as_str().expect("a text");
    serde_json::from_str(text).expect("an array")
}

async fn perform(host: &Host, steps: Value) -> Vec<String> {
    met(&call(host, "perform", &steps).await)
}

/// Performs one step.
async fn one(host: &Host, step: Value) -> String {
    perform(host, json!([step])).await.remove(0)
}

/// Returns what a call did with powers.
fn uses(ended: &CallOutcome) -> Vec<PowerUse> {
    match &ended.items[0].content {
        Content::Tool(tool) => tool.powers.clone(),
        other => panic!("a call begins with its tool: {other:?}"),
    }
}
