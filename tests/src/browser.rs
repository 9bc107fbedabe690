//! A headless browser that opens pages, evaluates expressions on them and reports their events.
//!
//! It speaks the DevTools protocol over a pipe: JSON messages separated by zero bytes, no socket, no dependency.
//! Chromium expects the pipe at file descriptors 3 and 4, which a shell sets up.
//!
//! A click is one of the page's own, made by an expression; keys are real ones.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long the browser may take to answer a command.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    child: Child,
    requests: ChildStdin,
    messages: Receiver<Value>,
    last: u64,
    session: Option<String>,
    happened: Vec<Value>,
}

/// A tab that is not looked at.
#[derive(Debug)]
pub struct Tab(Option<String>);

/// How a page is displayed.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Width of the window in pixels.
    pub width: u32,
    /// Whether the system prefers a dark theme.
    pub dark: bool,
}

impl Browser {
    /// Starts the browser with an empty profile in `folder`.
    ///
    /// # Panics
    /// If it does not start.
    #[must_use]
    pub fn start(chromium: &Path, folder: &Path) -> Self {
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >&2"])
            .arg(chromium)
            .args([
                "--headless",
                "--no-sandbox",
                "--remote-debugging-pipe",
                "--disable-gpu",
                "--disable-quic",
                "--disable-sync",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--no-first-run",
            ])
            .arg(format!("--user-data-dir={}", folder.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Chromium complains here about the machine: no D-Bus, no GPU.
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let requests = child.stdin.take().expect("is piped");
        let answers = BufReader::new(child.stdout.take().expect("is piped"));
        let (send, messages) = channel();
        std::thread::spawn(move || {
            for message in answers.split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("the protocol is JSON");
                if send.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Self {
            child,
            requests,
            messages,
            last: 0,
            session: None,
            happened: Vec::new(),
        };
        browser.open_tab();
        browser
    }

    /// Opens another tab, which from now on is the one that is looked at. Returns what names the tab before.
    pub fn open_tab(&mut self) -> Tab {
        let before = Tab(self.session.take());
        let page = self.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = self.ask("Target.attachToTarget", attach);
        self.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Network", "Runtime", "Log", "Security"] {
            self.ask(&format!("{domain}.enable"), json!({}));
        }
        before
    }

    /// Looks at another tab. Returns what names the tab before.
    pub fn look_at(&mut self, tab: Tab) -> Tab {
        let before = Tab(std::mem::replace(&mut self.session, tab.0));
        // A tab behind another one draws no frames.
        self.ask("Page.bringToFront", json!({}));
        before
    }

    /// Waits until an expression on the page is true.
    pub fn until(&mut self, expression: &str) {
        let found = self.evaluate(&format!(
            "new Promise(done => {{ const end = Date.now() + 20000; const look = () => {{ \
             if ({expression}) done(true); else if (Date.now() > end) done(document.body.innerText); \
             else setTimeout(look, 20); }}; look(); }})"
        ));
        assert_eq!(found, true, "never true: {expression}");
    }

    /// Presses a key, such as `a`, `Enter` or `Escape`, with the control key if `control`.
    pub fn key(&mut self, key: &str, control: bool) {
        let code = match key {
            "Enter" => 13,
            "Escape" => 27,
            "Tab" => 9,
            key => key
                .bytes()
                .next()
                .map_or(0, |byte| byte.to_ascii_uppercase()),
        };
        let text = match key {
            "Enter" => Some("\r"),
            key if key.len() == 1 && !control => Some(key),
            _ => None,
        };
        let modifiers = if control { 2 } else { 0 };
        let mut event = json!({
            "type": "keyDown", "key": key, "modifiers": modifiers, "windowsVirtualKeyCode": code
        });
        if let Some(text) = text {
            event["text"] = text.into();
        }
        self.ask("Input.dispatchKeyEvent", event.clone());
        event["type"] = "keyUp".into();
        self.ask("Input.dispatchKeyEvent", event);
    }

    /// Types text where the focus is.
    pub fn write(&mut self, text: &str) {
        self.ask("Input.insertText", json!({ "text": text }));
    }

    /// Reloads the page and waits until it is loaded.
    pub fn reload(&mut self) {
        self.happened.clear();
        self.ask("Page.reload", json!({}));
        self.wait_for_load();
    }

    /// Returns what has happened since the last page was opened, in all tabs.
    pub fn events(&mut self) -> Vec<Value> {
        // The answer comes after the events before it.
        self.evaluate("0");
        std::mem::take(&mut self.happened)
    }

    fn wait_for_load(&mut self) {
        while !self
            .happened
            .iter()
            .any(|event| event["method"] == "Page.loadEventFired")
        {
            let event = self.receive();
            self.happened.push(event);
        }
    }

    /// Sets the size of the window and the theme of the system.
    pub fn set_look(&mut self, look: Look) {
        let theme = if look.dark { "dark" } else { "light" };
        let metrics = json!({
            "width": look.width, "height": 900, "deviceScaleFactor": 1, "mobile": false
        });
        self.ask("Emulation.setDeviceMetricsOverride", metrics);
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
        self.ask("Emulation.setEmulatedMedia", media);
    }

    /// Shows the page as it is printed, or as on a screen.
    pub fn set_print(&mut self, is_print: bool) {
        let media = if is_print { "print" } else { "" };
        self.ask("Emulation.setEmulatedMedia", json!({ "media": media }));
    }

    /// Opens a page and returns the events until it was loaded.
    pub fn open(&mut self, url: &str, look: Look) -> Vec<Value> {
        self.set_look(look);
        self.happened.clear();
        self.ask("Page.navigate", json!({ "url": url }));
        self.wait_for_load();
        // After two frames, everything that is deferred until drawing has happened.
        self.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))",
        );
        std::mem::take(&mut self.happened)
    }

    /// Returns the value of an expression on the page. The page's content security policy does not apply to it.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let call = json!({
            "expression": expression, "returnByValue": true, "awaitPromise": true
        });
        let answer = self.ask("Runtime.evaluate", call);
        assert!(
            answer.get("exceptionDetails").is_none(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].clone()
    }

    /// Returns for how many seconds the page's main thread has worked.
    ///
    /// # Panics
    /// If the browser does not say.
    pub fn task_seconds(&mut self) -> f64 {
        self.ask("Performance.enable", json!({}));
        let metrics = self.ask("Performance.getMetrics", json!({}));
        let metrics = metrics["metrics"].as_array().expect("a list");
        let busy = metrics.iter().find(|one| one["name"] == "TaskDuration");
        busy.and_then(|one| one["value"].as_f64()).expect("a time")
    }

    /// Returns a screenshot of the whole page, as a PNG.
    pub fn picture(&mut self) -> Vec<u8> {
        let how = json!({ "format": "png", "captureBeyondViewport": true });
        let answer = self.ask("Page.captureScreenshot", how);
        decoded(answer["data"].as_str().expect("a picture"))
    }

    /// Sends a command and waits for its answer; events in between are kept.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let mut command = json!({ "id": self.last, "method": method, "params": params });
        if let Some(session) = &self.session {
            command["sessionId"] = session.as_str().into();
        }
        let mut bytes = command.to_string().into_bytes();
        bytes.push(0);
        self.requests
            .write_all(&bytes)
            .expect("the browser listens");
        loop {
            let message = self.receive();
            if message["id"] == self.last {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
            self.happened.push(message);
        }
    }

    fn receive(&mut self) -> Value {
        let message = self.messages.recv_timeout(TIMEOUT);
        message.expect("the browser answers within a minute")
    }
}

/// Decodes base64.
fn decoded(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0);
    for letter in text.bytes().take_while(|letter| *letter != b'=') {
        let value = LETTERS
            .iter()
            .position(|known| *known == letter)
            .expect("base64");
        bits = bits << 6 | value as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
