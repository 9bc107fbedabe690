//! Finds model servers on this machine.
//!
//! [`discover`] asks the usual ports for their lists of models, all at once and with a short
//! timeout. It sends nothing a person said, and it chooses nothing.
//!
//! Invariant: only loopback is asked, without a proxy and without a key.

use crate::tls;
use reqwest::{Client, redirect};
use serde::Deserialize;
use std::time::Duration;

/// The usual ports of model servers, and the profile of each.
const PORTS: [(u16, &str); 4] = [
    (11434, "ollama"),
    (1234, "lmstudio"),
    (8080, "llama.cpp"),
    (8000, "vllm"),
];

/// The timeout of the search.
const TIMEOUT: Duration = Duration::from_millis(300);
/// The largest list of models that is read, in bytes.
const MAX_LIST: usize = 1 << 20;
/// How many models of a server are listed.
const MAX_MODELS: usize = 256;

/// A model server on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LocalServer {
    /// The name of its profile, from the port or from its own answer.
    pub name: String,
    /// The base of its addresses: `http://127.0.0.1:11434/v1`.
    pub address: String,
    /// Its models, in its own order.
    pub models: Vec<String>,
}

impl LocalServer {
    /// Returns the name of its first model, as [`HttpModel::open`](crate::model::HttpModel::open)
    /// parses it.
    #[must_use]
    pub fn spec(&self) -> Option<String> {
        let model = self.models.first()?;
        Some(format!("{}:{model}@{}", self.name, self.address))
    }
}

/// Finds model servers on this machine, in the order of the usual ports.
pub async fn discover() -> Vec<LocalServer> {
    discover_at(&PORTS, TIMEOUT).await
}

async fn discover_at(ports: &[(u16, &'static str)], budget: Duration) -> Vec<LocalServer> {
    let Some(client) = client(budget) else {
        return Vec::new();
    };
    let mut asking = tokio::task::JoinSet::new();
    for (at, &(port, name)) in ports.iter().enumerate() {
        let client = client.clone();
        asking.spawn(async move {
            let asked = tokio::time::timeout(budget, ask(&client, port, name)).await;
            Some((at, asked.ok()??))
        });
    }
    let mut found: Vec<_> = asking.join_all().await.into_iter().flatten().collect();
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, found)| found).collect()
}

fn client(budget: Duration) -> Option<Client> {
    let client = Client::builder()
        .tls_backend_preconfigured(tls::config(None, false).ok()?)
        .redirect(redirect::Policy::none())
        .no_proxy()
        .connect_timeout(budget);
    client.build().ok()
}

async fn ask(client: &Client, port: u16, name: &str) -> Option<LocalServer> {
    let address = format!("http://127.0.0.1:{port}/v1");
    let mut response = client.get(format!("{address}/models")).send().await.ok()?;
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.ok()? {
        if !response.status().is_success() || body.len() + piece.len() > MAX_LIST {
            return None;
        }
        body.extend_from_slice(&piece);
    }
    let (owner, models) = list(&body)?;
    Some(LocalServer {
        name: owner.unwrap_or(name).to_owned(),
        address,
        models,
    })
}

/// Parses a list of models. The owner is the profile of a server that names itself.
fn list(body: &[u8]) -> Option<(Option<&'static str>, Vec<String>)> {
    #[derive(Deserialize)]
    struct List {
        data: Vec<Listed>,
    }
    #[derive(Deserialize)]
    struct Listed {
        id: String,
        owned_by: Option<String>,
    }
    let list: List = serde_json::from_slice(body).ok()?;
    let first = list.data.first();
    let owner = match first.and_then(|model| model.owned_by.as_deref()) {
        Some("library") => Some("ollama"),
        Some("llamacpp") => Some("llama.cpp"),
        Some("vllm") => Some("vllm"),
        Some("organization_owner") => Some("lmstudio"),
        _ => None,
    };
    // Names that a person could not type are left out.
    let fits = |id: &String| {
        let plain = !id.chars().any(|c| c.is_control() || c.is_whitespace());
        plain && (1..=256).contains(&id.len())
    };
    let models = list.data.into_iter().map(|model| model.id);
    Some((owner, models.filter(fits).take(MAX_MODELS).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    async fn server(answer: Option<&'static str>) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut asked = [0; 4096];
                let read = stream.read(&mut asked).await.unwrap_or(0);
                assert!(asked[..read].starts_with(b"GET /v1/models HTTP/1.1\r\n"));
                match answer {
                    Some(body) => {
                        let long = body.len();
                        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {long}\r\n\r\n");
                        let _ = stream.write_all(head.as_bytes()).await;
                        let _ = stream.write_all(body.as_bytes()).await;
                    }
                    // It says nothing, ever.
                    None => std::future::pending().await,
                }
            }
        });
        port
    }

    #[tokio::test]
    async fn servers_are_found_with_their_models_and_silent_ones_are_not() {
        let ollama = r#"{"object":"list","data":[{"id":"qwen3:4b","owned_by":"library"}]}"#;
        let ports = [
            (server(None).await, "lmstudio"),
            (server(Some(ollama)).await, "llama.cpp"),
            (server(Some("<html>")).await, "vllm"),
            (server(Some(r#"{"data":[]}"#)).await, "vllm"),
        ];
        let found = discover_at(&ports, Duration::from_secs(2)).await;
        let address = |at: usize| format!("http://127.0.0.1:{}/v1", ports[at].0);
        assert_eq!(
            found,
            [
                LocalServer {
                    name: "ollama".to_owned(),
                    address: address(1),
                    models: vec!["qwen3:4b".to_owned()],
                },
                LocalServer {
                    name: "vllm".to_owned(),
                    address: address(3),
                    models: Vec::new(),
                },
            ]
        );
        let spec = found[0].spec().expect("it has a model");
        super::super::spec::Spec::parse(&spec).expect("what is found can be typed");
        assert_eq!(found[1].spec(), None);
    }

    proptest! {
        #[test]
        fn any_list_is_read_without_harm(ids in proptest::collection::vec(".{0,12}", 0..20)) {
            let data: Vec<_> = ids.iter().map(|id| serde_json::json!({ "id": id })).collect();
            let body = serde_json::json!({ "data": data }).to_string();
            let (_, models) = list(body.as_bytes()).expect("it is a list");
            prop_assert!(models.len() <= ids.len());
            prop_assert!(models.iter().all(|id| !id.contains(char::is_whitespace)));
        }

        #[test]
        fn any_bytes_are_read_without_harm(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = list(&body);
        }
    }
}
