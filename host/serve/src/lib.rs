//! Footlight over HTTP: an API for sessions, and live streams that any client can follow.
//!
//! A [`Server`] is an embedder of the library: it uses the public interface of `footlight` and nothing
//! else. Turns run in the server and outlive every client; whoever connects later reads the record and
//! follows from there.
//!
//! ```no_run
//! use footlight::{Host, Observer};
//! use footlight_serve::{Identity, Permission, Server, Tokens};
//!
//! # async fn example(model: impl footlight::model::Model) -> Result<(), Box<dyn std::error::Error>> {
//! let host = Host::builder().attended(true).build()?;
//! let mut tokens = Tokens::new(None)?;
//! let person = Identity { person: "ada".into(), may: Permission::Approve };
//! let token = tokens.mint(person)?;
//! let server = Server::new(host, model, tokens).bind("127.0.0.1:0").await?;
//! println!("http://{} with the token {token}", server.address());
//! server.run(std::future::pending()).await;
//! # Ok(())
//! # }
//! ```
//!
//! Modules in reading order: [`access`](Tokens) is who a client is, `links` is who may settle one request,
//! `guard` what every request passes,
//! `route` the table of routes, `api` their handlers, `sessions` the sessions that are held open, `live`
//! the streams, `dev` the screens of a plugin that its author is working on, `chatkit` the protocol of ChatKit's front end, `markup` what a page draws, `page` the page
//! itself, `listen` the connections, `openapi` the document.
//!
//! Invariant: it serves no byte that a plugin wrote as anything but data.

#![forbid(unsafe_code)]

mod access;
mod api;
mod chatkit;
mod dev;
pub mod export;
mod guard;
mod links;
mod listen;
mod live;
mod log;
mod markup;
mod metrics;
mod notify;
mod openapi;
mod page;
mod player;
mod problem;
mod rate;
mod route;
mod sessions;
mod tls;

pub use access::{Identity, Permission, SignOut, TokenError, Tokens};
pub use dev::{Dev, DevBuild, DevCall, DevSurface};
pub use problem::{Problem, ProblemCode};
pub use tls::{TlsError, TlsIdentity};

use footlight::model::Model;
use footlight::{Host, Observer};
use links::Links;
use metrics::Metrics;
use notify::Inbox;
use rate::Rates;
use sessions::Sessions;
use std::collections::BTreeSet;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, ToSocketAddrs};
use tokio::sync::{Semaphore, watch};

/// The bodies of fuzz targets. Not part of the public interface.
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing {
    pub use crate::chatkit::fuzzing as chatkit;
}

/// How many connections are open at once, by default.
const MAX_CONNECTIONS: usize = 256;

/// What every request can reach.
pub(crate) struct App {
    pub(crate) host: Host,
    pub(crate) model: Arc<dyn Model>,
    pub(crate) tokens: Tokens,
    pub(crate) sessions: Sessions,
    pub(crate) rates: Rates,
    pub(crate) logins: Rates,
    pub(crate) links: Links,
    /// Limits each link, and all attempts to guess one together.
    pub(crate) link_rates: Rates,
    pub(crate) metrics: Arc<Metrics>,
    /// What running calls log.
    pub(crate) logs: Arc<live::LogTails>,
    /// The names of the server that a request may have in `Host`.
    pub(crate) hosts: Vec<String>,
    pub(crate) scheme: &'static str,
    /// The scheme and the name by which other devices reach the server, such as `https://tools.example`.
    pub(crate) public_origin: Option<String>,
    /// Other sites whose pages may use the routes of ChatKit.
    pub(crate) origins: Vec<String>,
    /// The folder with the renderers of the site's owner.
    pub(crate) renderers: Option<PathBuf>,
    /// Random, so that request ids of two runs differ.
    pub(crate) instance: String,
    /// Turns true when the server shuts down.
    pub(crate) closing: watch::Receiver<bool>,
    /// The OpenAPI document.
    pub(crate) document: String,
    /// Limits how many sessions are exported at once.
    pub(crate) exports: Arc<Semaphore>,
    /// What ChatKit's front ends must name.
    pub(crate) chatkit_domain_key: Option<String>,
    /// The people whose lasting approvals are kept.
    pub(crate) keeps_rules_of: BTreeSet<String>,
    /// The plugin that its author is working on.
    pub(crate) dev: Option<Dev>,
}

/// A server that is not bound to an address yet.
#[derive(Debug)]
#[must_use = "a server does nothing until `bind` and `run`"]
pub struct Server {
    host: Host,
    model: ModelHandle,
    tokens: Tokens,
    names: Vec<String>,
    origins: Vec<String>,
    public_origin: Option<String>,
    link_lifetime: Duration,
    tls: Option<TlsIdentity>,
    is_open: bool,
    notify: Option<PathBuf>,
    renderers: Option<PathBuf>,
    max_connections: usize,
    chatkit_domain_key: Option<String>,
    keeps_rules_of: BTreeSet<String>,
    dev: Option<Dev>,
}

/// A model, which need not be `Debug`.
struct ModelHandle(Arc<dyn Model>);

impl std::fmt::Debug for ModelHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.name())
    }
}

impl Server {
    /// Creates a server for the plugins of a host, with one model for all sessions.
    pub fn new(host: Host, model: impl Model, tokens: Tokens) -> Self {
        Self::shared(host, Arc::new(model), tokens)
    }

    /// Creates a server with a shared model.
    pub fn shared(host: Host, model: Arc<dyn Model>, tokens: Tokens) -> Self {
        Self {
            host,
            model: ModelHandle(model),
            tokens,
            names: Vec::new(),
            origins: Vec::new(),
            public_origin: None,
            link_lifetime: links::LIFETIME,
            tls: None,
            is_open: false,
            notify: None,
            renderers: None,
            max_connections: MAX_CONNECTIONS,
            chatkit_domain_key: None,
            keeps_rules_of: BTreeSet::new(),
            dev: None,
        }
    }

    /// Adds a name by which clients reach the server, with the port if it is not the scheme's own, such
    /// as `tools.example:8443`. Without one, only the address itself and `localhost` are accepted.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.names.push(name.into());
        self
    }

    /// Sets the scheme and the name by which other devices reach the server, such as
    /// `https://tools.example`, be it through a proxy. It is accepted as a name, and links for one decision
    /// begin with it; without it there are none.
    pub fn public_origin(mut self, origin: impl Into<String>) -> Self {
        self.public_origin = Some(origin.into());
        self
    }

    /// Sets how long a link for one decision works; ten minutes by default.
    pub fn link_lifetime(mut self, lifetime: Duration) -> Self {
        self.link_lifetime = lifetime;
        self
    }

    /// Lets pages of another site, such as `https://chat.example`, use the routes of ChatKit. No other
    /// route answers them.
    pub fn allow_origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into());
        self
    }

    /// Lets a person approve for longer than a session. Whoever runs the server keeps such approvals: it
    /// adds the rules of the person's [grants](footlight::Person::grants) to the person's own.
    pub fn keeps_rules_of(mut self, person: impl Into<String>) -> Self {
        self.keeps_rules_of.insert(person.into());
        self
    }

    /// Serves HTTPS alone, with this certificate.
    pub fn tls(mut self, identity: TlsIdentity) -> Self {
        self.tls = Some(identity);
        self
    }

    /// Permits an address beyond loopback without TLS: whoever can listen in on the network reads
    /// everything, tokens included. It is for servers behind a proxy that encrypts.
    pub fn allow_unencrypted(mut self) -> Self {
        self.is_open = true;
        self
    }

    /// Runs a program once for each new question or request for approval, with a JSON object on its
    /// standard input: `id`, `session`, `person`, `kind`, `plugin`, `tool`, and `prompt` or `subject`.
    pub fn notify(mut self, program: impl Into<PathBuf>) -> Self {
        self.notify = Some(program.into());
        self
    }

    /// Loads the modules (`.js`) of a folder into the page, where they draw widgets in their own way. They
    /// run with the rights of the page.
    pub fn renderers(mut self, folder: impl Into<PathBuf>) -> Self {
        self.renderers = Some(folder.into());
        self
    }

    /// Sets how many connections are open at once; 256 by default. Further ones are closed.
    pub fn max_connections(mut self, most: usize) -> Self {
        self.max_connections = most.max(1);
        self
    }

    /// Requires ChatKit's front ends to name this key in the header `X-ChatKit-Domain-Key`. It takes the
    /// place of nothing: a token is needed as well.
    pub fn chatkit_domain_key(mut self, key: impl Into<String>) -> Self {
        self.chatkit_domain_key = Some(key.into());
        self
    }

    /// Adds the screens at `/dev` for a plugin that its author is working on, and their routes.
    pub fn dev(mut self, dev: Dev) -> Self {
        self.dev = Some(dev);
        self
    }

    /// Binds the server to an address.
    ///
    /// # Errors
    /// When the address is in use, there is no randomness, or the address is beyond loopback and the
    /// server has neither TLS nor [permission](Self::allow_unencrypted) to do without, or no
    /// [name](Self::name) that a client could use, or its [public origin](Self::public_origin) is not a
    /// scheme and a name.
    pub async fn bind(self, address: impl ToSocketAddrs) -> io::Result<BoundServer> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let refused = |why: &str| Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        if !address.ip().is_loopback() && self.tls.is_none() && !self.is_open {
            return refused("beyond loopback a server needs TLS, or permission to do without");
        }
        let public_host = match self.public_origin.as_deref().map(host_of) {
            Some(None) => return refused("a public origin is written like https://tools.example"),
            Some(Some(host)) => Some(host.to_owned()),
            None => None,
        };
        if address.ip().is_unspecified() && self.names.is_empty() && public_host.is_none() {
            return refused("a server on every address needs a name that clients use for it");
        }
        let mut instance = [0; 4];
        getrandom::fill(&mut instance).map_err(|_| io::Error::other("no randomness"))?;
        let (close, closing) = watch::channel(false);
        let metrics = Arc::new(Metrics::default());
        self.host
            .add_observer(Arc::clone(&metrics) as Arc<dyn Observer>);
        let logs = Arc::new(live::LogTails::default());
        self.host
            .add_observer(Arc::clone(&logs) as Arc<dyn Observer>);
        let inbox = self.notify.map(|program| {
            let (notices, inbox) = notify::channel(program);
            self.host.add_observer(Arc::new(notices));
            inbox
        });
        if let Some(dev) = &self.dev {
            self.host.add_observer(Arc::new(dev.clone()));
        }
        let mut hosts = own_names(address);
        hosts.extend(self.names.iter().map(|name| name.to_ascii_lowercase()));
        hosts.extend(public_host);
        let app = Arc::new(App {
            host: self.host,
            model: self.model.0,
            tokens: self.tokens,
            sessions: Sessions::default(),
            rates: Rates::default(),
            logins: Rates::default(),
            links: Links::new(self.link_lifetime),
            link_rates: Rates::of_links(),
            metrics,
            logs,
            hosts,
            scheme: match self.tls {
                Some(_) => "https",
                None => "http",
            },
            public_origin: self.public_origin,
            origins: self.origins,
            renderers: self.renderers,
            instance: access::hex(&instance),
            closing,
            document: openapi::document(&routes(self.dev.as_ref())).to_string(),
            exports: Arc::new(Semaphore::new(api::export::MAX_EXPORTS)),
            chatkit_domain_key: self.chatkit_domain_key,
            keeps_rules_of: self.keeps_rules_of,
            dev: self.dev,
        });
        Ok(BoundServer {
            listener,
            address,
            app,
            close,
            tls: self.tls,
            inbox,
            max_connections: self.max_connections,
        })
    }
}

impl App {
    /// Returns the scheme under which a client reaches a name of the server.
    pub(crate) fn scheme_of(&self, host: &str) -> &str {
        let public = self.public_origin.as_deref();
        let public = public.and_then(|origin| origin.split_once("://"));
        match public {
            Some((scheme, name)) if name == host => scheme,
            _ => self.scheme,
        }
    }
}

/// Returns the name in an origin, as a browser writes it in `Host`; none if it is no origin.
fn host_of(origin: &str) -> Option<&str> {
    let (scheme, host) = origin.split_once("://")?;
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-:[]".contains(c);
    let is_origin =
        ["http", "https"].contains(&scheme) && !host.is_empty() && host.chars().all(is_plain);
    is_origin.then_some(host)
}

/// Returns the table of routes of a server.
fn routes(dev: Option<&Dev>) -> Vec<route::Route> {
    let mut routes = api::routes();
    if dev.is_some() {
        routes.extend(dev::routes());
    }
    routes
}

/// Returns the names that a client on this machine uses for an address.
fn own_names(address: SocketAddr) -> Vec<String> {
    let port = address.port();
    let mut names = vec![address.to_string()];
    if address.ip().is_loopback() {
        names.extend([
            format!("localhost:{port}"),
            format!("127.0.0.1:{port}"),
            format!("[::1]:{port}"),
        ]);
    }
    names
}

/// A server that is bound to an address.
#[must_use = "a server does nothing until `run`"]
pub struct BoundServer {
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
    close: watch::Sender<bool>,
    tls: Option<TlsIdentity>,
    inbox: Option<Inbox>,
    max_connections: usize,
}

impl BoundServer {
    /// Returns the address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the scheme and the address, such as `http://127.0.0.1:7390`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}://{}", self.app.scheme, self.address)
    }

    /// Makes a login code for a person, which works once and for five minutes.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn mint_code(&self, identity: Identity) -> Result<String, TokenError> {
        self.app.tokens.mint_code(identity)
    }

    /// Resumes the unfinished turns of a person's sessions that a server like this one started. Returns
    /// how many.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn resume(&self, person: &str) -> Result<usize, Problem> {
        let identity = Identity {
            person: person.to_owned(),
            may: Permission::Approve,
        };
        let sessions = &self.app.sessions;
        sessions.resume_unfinished(&self.app, &identity).await
    }

    /// Resumes the unfinished turns of everybody who has a token of this server. Returns how many.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn resume_all(&self) -> Result<usize, Problem> {
        let mut resumed = 0;
        for person in self.app.tokens.people() {
            resumed += self.resume(&person).await?;
        }
        Ok(resumed)
    }

    /// Serves until `end` completes, then ends all streams and connections within five seconds, and
    /// [shuts the host down](Host::shutdown): what waits for a person stays pending, and a later server
    /// resumes it at once.
    pub async fn run(self, end: impl Future<Output = ()>) {
        let router = route::router(routes(self.app.dev.as_ref()), &self.app);
        let (inbox, app) = (self.inbox, Arc::clone(&self.app));
        let notifying = async {
            if let Some(inbox) = inbox {
                inbox.run(app).await;
            }
            std::future::pending::<()>().await;
        };
        let (calling, app) = (self.app.dev.clone(), Arc::clone(&self.app));
        let calling = async move {
            if let Some(dev) = calling {
                dev::serve(app, dev).await;
            }
            std::future::pending::<()>().await;
        };
        let (closing, app) = (self.app.closing.clone(), Arc::clone(&self.app));
        let listening = listen::Listening {
            listener: self.listener,
            tls: self.tls,
            max_connections: self.max_connections,
        };
        let serving = listen::serve(listening, router, self.app, closing);
        let close = async {
            end.await;
            self.close.send_replace(true);
            if let Some(dev) = &app.dev {
                dev.forget(&app).await;
            }
            if let Err(error) = app.host.shutdown().await {
                tracing::error!(%error, "a turn could not be suspended");
            }
        };
        tokio::select! {
            _ = async { tokio::join!(serving, close) } => {}
            () = notifying => {}
            () = calling => {}
        }
    }
}

impl std::fmt::Debug for BoundServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoundServer")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}
