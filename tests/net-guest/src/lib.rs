//! The plugin that the tests of the network call: it sends what it is told to and says what it met.
//!
//! It has no manifest of its own. Each test adds one, with the ports of its servers.

#![forbid(unsafe_code)]

use footlight_sdk::prelude::*;

/// A request.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Told {
    /// The method.
    method: String,
    /// The URL.
    url: String,
    /// The headers.
    #[serde(default)]
    headers: Vec<(String, String)>,
    /// The body.
    #[serde(default)]
    body: String,
    /// The size of the body in bytes, in place of the text.
    #[serde(default)]
    size: usize,
    /// How often the request is sent.
    #[serde(default)]
    times: u32,
    /// The action for which approval is requested first.
    #[serde(default)]
    action: String,
}

/// Sends a request and returns what came of it.
#[tool]
fn fetch(stage: &Stage, #[args] told: Told) -> Text {
    Text::new(sent(stage, &told).to_string())
}

/// Does the same as a tool that says it only reads.
#[tool(read_only)]
fn look(stage: &Stage, #[args] told: Told) -> Text {
    Text::new(sent(stage, &told).to_string())
}

/// Sends a request, and writes what came of it to wherever a plugin can write.
#[tool]
fn leak(stage: &Stage, #[args] told: Told) -> Result<Text> {
    let met = sent(stage, &told).to_string();
    stage.log(Level::Info, &met);
    stage.show(Widget::new("note", &met).fallback(met.clone()))?;
    stage.state(Scope::Session).set("met", &met)?;
    stage.output(Output::new("met"), &met)?;
    Ok(Text::new(met))
}

/// Performs steps in order and returns what each met, as a JSON array: `approve` requests approval of
/// `net.act`, `write` changes a file in `/gated`, and anything else is a URL to post to.
#[tool]
fn steps(
    stage: &Stage,
    /// The steps, with spaces between them.
    steps: String,
) -> Result<Text> {
    let step = |step: &str| match step {
        "approve" => {
            let approval = Approval::new("net.act").reason("I was told to");
            format!("{:?}", stage.approve(approval))
        }
        "write" => {
            let written = std::fs::write("/gated/file", "new");
            format!("{:?}", written.map_err(|error| error.kind()))
        }
        url => match stage.http(Request::new("POST", url)) {
            Ok(response) => response.status().to_string(),
            Err(error) => format!("{error:?}"),
        },
    };
    let met: Vec<String> = steps.split(' ').map(step).collect();
    Ok(Text::new(serde_json::to_string(&met)?))
}

fn sent(stage: &Stage, told: &Told) -> Value {
    if !told.action.is_empty() {
        let approval = Approval::new(&told.action).reason("I was told to");
        if let Err(error) = stage.approve(approval) {
            return json!({ "approval": format!("{error:?}") });
        }
    }
    // A test that cancels does so now.
    stage.progress("sending");
    let mut met = Value::Null;
    for _ in 0..told.times.max(1) {
        let body = match told.size {
            0 => told.body.clone().into_bytes(),
            size => vec![b'x'; size],
        };
        let mut request = Request::new(&told.method, &told.url).body(body);
        for (name, value) in &told.headers {
            request = request.header(name, value);
        }
        met = match stage.http(request) {
            Ok(response) => json!({
                "status": response.status(),
                "headers": response.headers().collect::<Vec<_>>(),
                "body": String::from_utf8_lossy(response.bytes()),
            }),
            Err(error) => json!({ "error": format!("{error:?}") }),
        };
    }
    stage.log(Level::Info, format!("met {met}"));
    met
}

plugin!(tools: [fetch, look, leak, steps], manifest: none);
