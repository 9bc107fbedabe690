//! What the page of the server costs a browser: opening a long conversation, and each piece of an answer that
//! streams in.
//!
//! `cargo bench -p footlight-tests --bench page` serves a session of 1,000 items to headless Chromium and prints
//! both. The design's targets are 300 ms and 4 ms.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "a benchmark prints its numbers")]

use footlight::model::{Finished, Model, ModelError, ModelPart, Request, Step, ToolCall};
use footlight_serve::{Identity, Permission, Server, Tokens};
use footlight_tests::browser::{Browser, Look};
use footlight_tests::plugins;
use footlight_tests::programs::program;
use footlight_tests::scripted_call::builder;
use serde_json::json;
use std::time::Duration;

/// How many items the conversation has. A turn has four: a card, a call with a table, a call with text, and an
/// answer.
const ITEMS: u64 = 1_000;
const TURNS: u64 = ITEMS / 4;

/// How often the conversation is opened.
const OPENED: usize = 7;

/// How many pieces an answer has, and how much time is between them.
const PIECES: u32 = 400;
const PAUSE: Duration = Duration::from_millis(15);

const ANSWER: &str = "## Two plays\n\nA *short* paragraph with `code`.\n\n- one\n- two\n\n```rust\nfn main() {}\n```\n";

const LOOK: Look = Look {
    width: 1_280,
    dark: false,
};

/// A model that calls three tools and then answers, or streams a long answer.
struct Author;

impl Model for Author {
    fn name(&self) -> &str {
        "author"
    }

    fn step(&self, request: Request) -> Step {
        let text = format!("{:?}", request.messages.last());
        if text.contains("stream") {
            return Step::from_fn(|deltas| async move {
                let mut written = String::new();
                for n in 0..PIECES {
                    let piece = match n % 40 {
                        0 => "\n\n## A heading\n\n".to_owned(),
                        20 => "\n\n- an *entry* of a list\n- ".to_owned(),
                        _ => format!("word{n} "),
                    };
                    written.push_str(&piece);
                    deltas.text(piece);
                    tokio::time::sleep(PAUSE).await;
                }
                Ok::<_, ModelError>(Finished::text(written))
            });
        }
        if !text.contains("show") {
            return Step::finished(Finished::text(ANSWER));
        }
        let call = |(n, name): (usize, &str)| {
            ModelPart::Call(ToolCall::new(format!("m{n}"), name, json!({}).to_string()))
        };
        let tools = ["gallery__card", "gallery__table", "gallery__text"];
        Step::finished(Finished::new(
            tools.into_iter().enumerate().map(call).collect(),
        ))
    }
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let Some(chromium) = program("chromium", "install Debian's package `chromium`") else {
        return;
    };
    let host = builder().build().expect("builds");
    host.load(plugins::GALLERY).await.expect("loads");
    let identity = Identity {
        person: "ada".to_owned(),
        may: Permission::Approve,
    };
    let server = Server::new(host, Author, Tokens::new(None).expect("no file"));
    let server = server.bind("127.0.0.1:0").await.expect("a free port");
    let address = server.address();
    let code = server.mint_code(identity).expect("randomness");
    tokio::spawn(server.run(std::future::pending()));

    let profile = tempfile::tempdir().expect("a folder");
    let mut browser = Browser::start(&chromium, profile.path());
    browser.open(&format!("http://{address}/#c={code}"), LOOK);
    browser.until("document.querySelector('.home')");
    let id = browser.evaluate(&fill());
    let id = id.as_str().expect("an id");

    let (mut opened, mut answered, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..OPENED {
        let times = browser.evaluate(&open(id));
        let millis = |name: &str| times[name].as_f64().expect("a time");
        opened.push(millis("opened"));
        answered.push(millis("answered"));
        whole.push(millis("whole"));
    }
    let items = browser.evaluate(&format!(
        "import('/page/api.js').then(async ({{ get }}) => (await get('/api/sessions/{id}')).record.items.length)"
    ));
    let build = if cfg!(debug_assertions) {
        "debug"
    } else {
        "release"
    };
    println!("server: {build} build; a conversation of {items} items");
    println!(
        "opened after {:.0} ms (median of {OPENED}), of which the server takes {:.0} ms; target 300 ms",
        median(&mut opened),
        median(&mut answered)
    );
    println!(
        "all of it at once would take the server {:.0} ms",
        median(&mut whole)
    );

    let before = browser.task_seconds();
    let seconds = browser.evaluate(&stream());
    let busy = browser.task_seconds() - before;
    println!(
        "streamed {PIECES} pieces in {:.1} s; the main thread worked {:.2} ms for each; target 4 ms",
        seconds.as_f64().expect("a time"),
        busy * 1_000.0 / f64::from(PIECES)
    );
}

/// Prompts one turn after the other, and returns the session.
fn fill() -> String {
    format!(
        "import('/page/api.js').then(async ({{ request, get }}) => {{
             const wait = (time) => new Promise((done) => setTimeout(done, time));
             const {{ id }} = await request('POST', '/api/sessions', {{}});
             // A turn at a time, and no more requests than the server takes.
             const patiently = async (send) => {{
                 for (;;) try {{ return await send(); }} catch {{ await wait(20); }}
             }};
             for (let n = 0; n < {TURNS}; n += 1) {{
                 await patiently(() => request('POST', `/api/sessions/${{id}}/prompts`, {{ prompt: `show ${{n}}` }}));
             }}
             while ((await patiently(() => get(`/api/sessions/${{id}}`))).running) await wait(50);
             // The page is opened by somebody who has not just sent hundreds of requests.
             await wait(3_000);
             return id;
         }})"
    )
}

/// Opens a conversation from the first screen, until it is painted. Returns that time, and how long the server takes
/// to answer alone, with as many turns as the page asks for and with all.
fn open(id: &str) -> String {
    format!(
        "import('/page/api.js').then(async ({{ get }}) => {{
             const time = async (query) => {{
                 const asked = performance.now();
                 await get(`/api/sessions/{id}?markup=true${{query}}`);
                 return performance.now() - asked;
             }};
             const {{ atOnce }} = document.querySelector('fl-app').conversation;
             const [whole, answered] = [await time(''), await time(`&turns=${{atOnce}}`)];
             location.hash = '#/';
             const frame = () => new Promise(requestAnimationFrame);
             while (!document.querySelector('.home')) await frame();
             await new Promise((done) => setTimeout(done, 300));
             const start = performance.now();
             location.hash = '#/s/{id}';
             while (!document.querySelector('.turn:last-child .turn-tools')) await frame();
             await frame();
             return {{ opened: performance.now() - start, answered, whole }};
         }})"
    )
}

/// Streams an answer at the end of the conversation. Returns how many seconds it took.
fn stream() -> String {
    "(async () => {
         const area = document.querySelector('textarea');
         area.value = 'stream';
         area.dispatchEvent(new Event('input', { bubbles: true }));
         const start = performance.now();
         document.querySelector('.composer').requestSubmit();
         const later = () => new Promise((done) => setTimeout(done, 50));
         const { session } = document.querySelector('fl-conversation');
         while (!session.isRunning) await later();
         while (session.isRunning) await later();
         return (performance.now() - start) / 1_000;
     })()"
        .to_owned()
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
