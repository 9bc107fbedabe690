//! A server that does what a test says, and remembers what it was asked.

use super::*;
use std::sync::Mutex;

/// What the server does with one connection.
#[derive(Clone)]
pub(super) enum Does {
    /// Sends these bytes and closes.
    Says(String),
    /// Sends these bytes and then nothing, but stays.
    Hangs(String),
}

pub(super) struct Server {
    pub(super) port: u16,
    pub(super) asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Each connection gets the next thing; the last is repeated.
    pub(super) async fn start(does: Vec<Does>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&asked);
        tokio::spawn(async move {
            let mut staying = Vec::new();
            for at in 0.. {
                let (mut stream, _) = listener.accept().await.expect("it listens");
                let request = request(&mut stream).await;
                heard.lock().expect("nobody panics").push(request);
                let (bytes, stays) = match &does[at.min(does.len() - 1)] {
                    Does::Says(bytes) => (bytes, false),
                    Does::Hangs(bytes) => (bytes, true),
                };
                // A client that has heard enough may be gone.
                let _ = stream.write_all(bytes.as_bytes()).await;
                if stays {
                    staying.push(stream);
                }
            }
        });
        Self { port, asked }
    }

    pub(super) fn model(&self, policy: RetryPolicy) -> HttpModel {
        let spec = format!("chat:m@http://127.0.0.1:{}/v1", self.port);
        let options = HttpOptions {
            retry: Some(policy),
            roots: None,
        };
        HttpModel::open(&spec, |_| Some(KEY.to_owned()), options).expect("the spec is fine")
    }

    pub(super) fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("nobody panics").clone()
    }
}

/// Reads a whole request: its head, and as much as that promises.
pub(super) async fn request(stream: &mut tokio::net::TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let long = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= long.and_then(|long| long.parse().ok()).unwrap_or(0) {
                return text;
            }
        }
        let mut piece = [0; 4096];
        let read = stream.read(&mut piece).await.expect("the client writes");
        assert_ne!(read, 0, "the client left in the middle of {text}");
        bytes.extend_from_slice(&piece[..read]);
    }
}
