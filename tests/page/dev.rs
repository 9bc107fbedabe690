//! The screens of a plugin that its author is working on: a form made from a schema, a call, and the same call
//! with the next build.

use super::{Stage, WIDE};
use footlight::model::Script;
use footlight::store::MemoryStore;
use footlight::{Host, Observed};
use footlight_serve::{Dev, DevBuild, DevCall, DevSurface, Identity, Permission, Server, Tokens};
use footlight_tests::plugins;
use footlight_tests::scripted_call::builder;
use std::sync::Arc;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A terminal that writes its width, and what a model would read.
struct Terminal;

impl DevSurface for Terminal {
    fn draw(&self, call: &DevCall, columns: usize) -> String {
        let read = call.reads.as_deref().unwrap_or_default();
        format!("\u{1b}[1m{columns}\u{1b}[0m {read}")
    }

    fn called(&self, _: DevCall) {}

    fn host_call(&self, event: &Observed<'_>) -> Option<String> {
        match event {
            Observed::HostCall {
                number, function, ..
            } => Some(format!("#{number} of {function}")),
            _ => None,
        }
    }
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

/// A server whose screens show a plugin.
struct Working {
    host: Host,
    dev: Dev,
    url: String,
    end: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Working {
    async fn start(plugin: &str, component: &[u8]) -> Self {
        let store = Arc::new(MemoryStore::default());
        let host = builder().store(store).build().expect("builds");
        host.replace(component, plugin).await.expect("loads");
        let identity = Identity {
            person: "ada".to_owned(),
            may: Permission::Approve,
        };
        let dev = Dev::new("ada", format!("plugins/{plugin}"), Terminal);
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
        Self {
            host,
            dev,
            url,
            end,
            task,
        }
    }

    async fn end(self) {
        drop(self.end);
        self.task.await.expect("the server ends");
    }
}

pub(super) async fn tools_of_buttons_and_tools_without_fields_have_forms_too(stage: &mut Stage) {
    let gallery = std::fs::read(plugins::GALLERY).expect("is built");
    let working = Working::start("gallery", &gallery).await;
    working.dev.building();
    working.dev.loaded(DevBuild {
        plugin: "gallery".to_owned(),
        ..DevBuild::default()
    });
    stage.browser.open(&working.url, WIDE);
    // Without the card whose button calls it.
    stage.click("[data-tool=next_act]");
    stage.until("document.querySelector('[data-field=act]')");
    stage.run(
        "const act = document.querySelector('[data-field=act]'); act.value = '2'; \
         act.dispatchEvent(new Event('input', { bubbles: true }))",
    );
    stage.click("[data-part=call]");
    stage.sees("Act 2 is on.");
    stage.click("[data-tab=log]");
    stage
        .until("document.querySelector('#panel-log').innerText.includes('#1 of gallery.next_act')");
    stage.click("[data-tab=page]");
    stage.click("[data-tool=prompt]");
    stage.until("document.querySelector('.dev-input').innerText.includes('no fields')");
    stage.click("[data-part=call]");
    stage.sees("Shall it be whispered?");
    working.end().await;
}

pub(super) async fn a_tool_is_called_from_a_form_and_again_with_the_next_build(stage: &mut Stage) {
    let hello = std::fs::read(plugins::HELLO).expect("is built");
    let working = Working::start("hello", &hello).await;
    let (dev, host) = (working.dev.clone(), working.host.clone());
    let build = || DevBuild {
        plugin: "hello".to_owned(),
        millis: 900,
        ..DevBuild::default()
    };
    dev.building();
    dev.failed("\u{1b}[31merror\u{1b}[0m: expected `;` <img src=x onerror=alert(1)>");
    stage.browser.open(&working.url, WIDE);
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
    working.end().await;
}
