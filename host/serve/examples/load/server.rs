//! The server under load: sessions of many people, and a model that streams a few words.

use footlight::Host;
use footlight::model::{Delta, Finished, Model, ModelError, Request, Step};
use footlight_serve::{Identity, Permission, Server, Tokens};
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;
use std::time::Duration;

/// The words of an answer, and the time between them.
const WORDS: [&str; 5] = ["It ", "will ", "rain ", "in ", "Bergen."];
const PAUSE: Duration = Duration::from_millis(20);

/// Where the server is, and a token of each person. Each has a session of their own, so that limits on
/// one person limit nobody else.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Address {
    pub(crate) address: SocketAddr,
    pub(crate) tokens: Vec<String>,
}

/// A model that streams a few words.
struct Talker;

impl Model for Talker {
    fn name(&self) -> &str {
        "talker"
    }

    fn step(&self, _: Request) -> Step {
        Step::from_fn(|sender| async move {
            for word in WORDS {
                tokio::time::sleep(PAUSE).await;
                sender.send(Delta::Text(word.to_owned()));
            }
            Ok::<_, ModelError>(Finished::text(WORDS.concat()))
        })
    }
}

/// Starts a server for this many people, as a task.
pub(crate) async fn start(people: usize, max_connections: usize) -> Address {
    let host = Host::builder().attended(true).build().expect("builds");
    let mut tokens = Tokens::new(None).expect("no file");
    let identity = |n: usize| Identity {
        person: format!("person-{n}"),
        may: Permission::Use,
    };
    let minted = (0..people).map(|n| tokens.mint(identity(n)).expect("randomness"));
    let minted = minted.collect();
    let server = Server::new(host, Talker, tokens).max_connections(max_connections);
    let server = server.bind("127.0.0.1:0").await.expect("a free port");
    let address = server.address();
    tokio::spawn(server.run(std::future::pending()));
    Address {
        address,
        tokens: minted,
    }
}
