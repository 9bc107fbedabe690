//! The server, over real connections.
//!
//! `credentials` is about who may make a request, `sources` about where it comes from, `listening`
//! about addresses and TLS, `logs` about what running calls log, `signed_out` about tokens that end, `links` about links for one decision, `conversation` about turns,
//! `streams` about clients that follow them, `frames` about what they send, `surfaces` about several
//! clients of one session, `load` about many sessions at once, `schemathesis` about the document, `markup` about what a page draws, `records`
//! about reading what a session holds, `people` about what one client can reach of another's,
//! `content` about outputs and counters, `chatkit` about ChatKit's front ends.

mod chatkit;
mod client;
mod content;
mod conversation;
mod credentials;
mod frames;
mod links;
mod listening;
mod load;
mod logs;
mod markup;
mod people;
mod records;
mod schemathesis;
mod signed_out;
mod sources;
mod streams;
mod surfaces;

use client::Client;
use footlight::Host;
use footlight::model::Model;
use footlight::store::{MemoryStore, Store};
use footlight_serve::{Identity, Permission, Server, Tokens};
use footlight_tests::plugins;
use footlight_tests::scripted_call::builder;
use footlight_tests::scripted_session::{Answer, Scripted};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A server with the tokens of three people.
struct Running {
    address: SocketAddr,
    /// May do everything.
    ada: String,
    /// May do everything, too.
    bob: String,
    /// A token of Ada's that may only read.
    viewer: String,
    /// A token of Ada's that may do everything but approve.
    user: String,
    /// A token of Ada's that has expired.
    expired: String,
    /// How many unfinished turns of Ada's it has resumed.
    resumed: usize,
    end: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

/// Returns a client with a token.
pub(crate) fn client(address: SocketAddr, token: &str) -> Client {
    Client::new(address, Some(token))
}

impl Running {
    async fn start(answers: impl IntoIterator<Item = Answer>) -> Self {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
        let host = builder().store(store).build().expect("builds");
        for path in [
            plugins::WEATHER,
            plugins::TODO,
            plugins::GALLERY,
            plugins::ROGUE,
        ] {
            host.load(path).await.expect("loads");
        }
        Self::over(host, answers).await
    }

    async fn over(host: Host, answers: impl IntoIterator<Item = Answer>) -> Self {
        Self::with_model(host, Scripted::new(answers)).await
    }

    async fn with_model(host: Host, model: impl Model) -> Self {
        Self::with(host, model, |server| server).await
    }

    /// Starts a server that is configured further.
    async fn with(host: Host, model: impl Model, configure: impl FnOnce(Server) -> Server) -> Self {
        let mut tokens = Tokens::new(None).expect("no file");
        let mut mint = |person: &str, may| {
            let person = person.to_owned();
            tokens.mint(Identity { person, may }).expect("randomness")
        };
        let (ada, bob) = (
            mint("ada", Permission::Approve),
            mint("bob", Permission::Approve),
        );
        let viewer = mint("ada", Permission::View);
        let user = mint("ada", Permission::Use);
        let expired = "expired".repeat(8);
        let file = tempfile::NamedTempFile::new().expect("a file");
        let hash = footlight::Digest::of(expired.as_bytes());
        let row =
            format!("[[token]]\nhash = '{hash}'\nperson = 'ada'\nmay = 'approve'\nexpires = 1\n");
        std::fs::write(file.path(), row).expect("is written");
        tokens.configure(file.path()).expect("tokens");
        let server = configure(Server::new(host, model, tokens));
        let server = server.bind("127.0.0.1:0").await.expect("a free port");
        let address = server.address();
        let resumed = server.resume("ada").await.expect("the store works");
        let (end, ended) = oneshot::channel::<()>();
        let task = tokio::spawn(server.run(async {
            let _ = ended.await;
        }));
        Self {
            address,
            ada,
            bob,
            viewer,
            user,
            expired,
            resumed,
            end,
            task,
        }
    }

    fn client(&self, token: &str) -> Client {
        Client::new(self.address, Some(token))
    }

    /// Starts a session and returns its id.
    async fn session(&self, token: &str) -> String {
        let made = self.client(token).post("/api/sessions", "{}").await;
        assert_eq!(made.status, 201, "{}", made.body);
        made.json()["id"].as_str().expect("an id").to_owned()
    }

    /// Returns the published schema of the frames of a live stream.
    async fn frames(&self) -> jsonschema::Validator {
        let anybody = Client::new(self.address, None);
        let document = anybody.get("/api/openapi.json").await.json();
        let schema = serde_json::json!({
            "$ref": "#/components/schemas/LiveFrame",
            "components": document["components"],
        });
        jsonschema::draft202012::new(&schema).expect("a schema")
    }

    async fn stop(self) {
        let _ = self.end.send(());
        self.task.await.expect("the server ends");
    }
}
