//! The screens of a plugin that its author is working on: a form made from a schema, a call, and the same call
//! with the next build.

use super::{Stage, WIDE};
use footlight::model::Script;
use footlight::store::MemoryStore;
use footlight_serve::{Dev, DevBuild, DevCall, DevSurface, Identity, Permission, Server, Tokens};
use footlight_tests::plugins;
use footlight_tests::scripted_call::builder;
use std::sync::Arc;
use tokio::sync::oneshot;

/// A terminal that writes its width, and what a model would read.
struct Terminal;

impl DevSurface for Terminal {
    fn draw(&self, call: &DevCall, columns: usize) -> String {
        let read = call.reads.as_deref().unwrap_or_default();
        format!("\u{1b}[1m{columns}\u{1b}[0m {read}")
    }

    fn called(&self, _: DevCall) {}
}

/// Returns a component that says something else, of the same length.
fn edited(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_owned();
    let places = 0..bytes.len() - from.len();
    let places: Vec<usize> = places.filter(|at| bytes[*at..].starts_with(from)).collect();
    assert!(!places.is_empty(), "the component says it");
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
    bytes
}

pub(super) async fn a_tool_is_called_from_a_form_and_again_with_the_next_build(stage: &mut Stage) {
    let store = Arc::new(MemoryStore::default());
    let host = builder().store(store).build().expect("builds");
    let hello = std::fs::read(plugins::HELLO).expect("is built");
    host.replace(&hello, "hello").await.expect("loads");
    let identity = Identity {
        person: "ada".to_owned(),
        may: Permission::Approve,
    };
    let dev = Dev::new("ada", "plugins/hello", Terminal);
    let tokens = Tokens::new(None).expect("no file");
    let model = Script::parse("dev", "steps: []").expect("a script");
    let server = Server::new(host.clone(), model, tokens).dev(dev.clone());
    let server = server.bind("127.0.0.1:0").await.expect("a port");
    let code = server.mint_code(identity).expect("randomness");
    let url = format!("http://{}/dev#c={code}", server.address());
    let (end, ended) = oneshot::channel::<()>();
    let task = tokio::spawn(server.run(async {
        let _ = ended.await;
    }));
    let build = || DevBuild {
        plugin: "hello".to_owned(),
        millis: 900,
        ..DevBuild::default()
    };
    dev.building();
    dev.failed("\u{1b}[31merror\u{1b}[0m: expected `;` <img src=x onerror=alert(1)>");
    stage.browser.open(&url, WIDE);
    stage.until("document.querySelector('.dev-output .fl-fg1')?.textContent === 'error'");
    assert_eq!(
        stage.read("document.querySelectorAll('.dev-output img').length"),
        0
    );

    dev.building();
    dev.loaded(build());
    stage.until("document.querySelector('.dev-output').hidden");
    stage.until("document.querySelector('[data-field=name]')?.type === 'text'");
    stage.run(
        "const name = document.querySelector('[data-field=name]'); name.value = 'Ada'; \
         name.dispatchEvent(new Event('input', { bubbles: true }))",
    );
    stage.click("[data-part=call]");
    stage.sees("Hello, Ada!");
    let seen = |words: &str| {
        format!("document.querySelector('.dev-previews').innerText.includes('{words}')")
    };
    for (tab, words) in [
        ("themes", "Hello, Ada!"),
        ("terminal", "120 {"),
        ("model", "about 7 tokens"),
        ("log", "logged nothing"),
    ] {
        stage.click(&format!("[data-tab={tab}]"));
        stage.until(&seen(words));
    }
    let grounds = "[...document.querySelectorAll('.dev-theme')].map(one => getComputedStyle(one).backgroundColor)";
    assert_eq!(
        stage.read(grounds),
        serde_json::json!(["rgb(255, 255, 255)", "rgb(20, 22, 26)"])
    );

    // The next build says something else; the input is the same.
    let other = edited(&hello, b"Hello, ", b"Howdy, ");
    stage.click("[data-tab=page]");
    dev.building();
    host.replace(&other, "hello").await.expect("loads");
    dev.loaded(DevBuild {
        changes: vec!["tools changed: greet".to_owned()],
        ..build()
    });
    stage.sees("Howdy, Ada!");
    stage.until("document.querySelector('.dev-state').innerText.includes('tools changed: greet')");
    stage.browser.reload();
    stage.sees("Howdy, Ada!");
    assert_eq!(
        stage.read("document.querySelector('[data-field=name]').value"),
        "Ada"
    );
    drop(end);
    task.await.expect("the server ends");
}
