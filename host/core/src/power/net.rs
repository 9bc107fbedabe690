//! The network of plugins: one exchange with a host that the manifest lists and the person granted.
//!
//! `destination` parses what the guest wrote, once; policy decides about the parts; `dial` looks the
//! name up, checks every address and connects to one of them; `exchange` sends the request and reads
//! the response; `redact` removes secrets from it. `fetch` joins them and records the use. In a simulation,
//! `exchanges` answers in place of the network.
//!
//! This client is not that of the models: it has no proxy, no pool, no redirects and no keys but the
//! secrets of one request.

mod address;
mod body;
mod destination;
mod dial;
mod exchange;
mod exchanges;
mod fetch;
mod headers;
mod redact;

#[cfg(test)]
mod tests;

pub use address::{AddressKind, check_address};
pub use destination::{Destination, DestinationError};
pub use exchanges::{Exchanges, HttpFailure, HttpRequest, HttpResponse};
pub(crate) use fetch::CallNetwork;

use crate::power::secret::SecretSource;
use crate::sandbox::limits::Caps;
use crate::sync::lock;
use dial::Dialer;
use std::collections::HashMap;
use std::fmt;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The network that plugins reach: by default the system's resolver and trusted certificates.
///
/// Only a program can set these. No manifest, file or environment variable does.
#[derive(Clone, Debug)]
#[must_use]
pub struct Network {
    resolver: Option<Resolver>,
    roots: Option<Vec<u8>>,
    connect_timeout: Duration,
    idle_timeout: Duration,
    exchange_timeout: Duration,
}

/// A function that looks up names.
#[derive(Clone)]
struct Resolver(Arc<LookUp>);

type LookUp = dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync;

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Resolver(..)")
    }
}

impl Default for Network {
    fn default() -> Self {
        Self {
            resolver: None,
            roots: None,
            connect_timeout: Caps::CONNECT_TIME,
            idle_timeout: Caps::IDLE_TIME,
            exchange_timeout: Caps::EXCHANGE_TIME,
        }
    }
}

impl Network {
    /// Returns the network with the system's resolver and trusted certificates.
    pub fn new() -> Self {
        Self::default()
    }

    /// Looks names up with a function, which may block. What it returns is checked like any other
    /// address. Addresses and `localhost` are not looked up.
    pub fn resolver(
        mut self,
        look_up: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static,
    ) -> Self {
        self.resolver = Some(Resolver(Arc::new(look_up)));
        self
    }

    /// Trusts these certificates, as PEM, instead of the system's.
    pub fn roots(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.roots = Some(pem.into());
        self
    }

    /// Sets how long looking up, connecting and encrypting can take together.
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.connect_timeout = limit;
        self
    }

    /// Sets how long a connection can be silent in both directions.
    pub fn idle_timeout(mut self, limit: Duration) -> Self {
        self.idle_timeout = limit;
        self
    }

    /// Sets how long request and response can take together.
    pub fn exchange_timeout(mut self, limit: Duration) -> Self {
        self.exchange_timeout = limit;
        self
    }
}

/// What all calls of a host use to reach the network.
pub(crate) struct Egress {
    dialer: Dialer,
    secrets: Arc<dyn SecretSource>,
    /// Who answers in place of the network, or records what it answers.
    simulated: Option<Arc<dyn Exchanges>>,
    reads: Arc<Semaphore>,
    exchanges: Mutex<HashMap<String, Arc<Semaphore>>>,
}

impl Egress {
    pub(crate) fn new(
        network: Network,
        secrets: Arc<dyn SecretSource>,
        simulated: Option<Arc<dyn Exchanges>>,
    ) -> Self {
        Self {
            dialer: Dialer::new(network),
            secrets,
            simulated,
            reads: Arc::new(Semaphore::new(Caps::LOOKUPS)),
            exchanges: Mutex::default(),
        }
    }

    /// Waits until the plugin has fewer than [`Caps::EXCHANGES`] requests under way.
    async fn admit(&self, plugin: &str) -> Option<OwnedSemaphorePermit> {
        let places = {
            let mut all = lock(&self.exchanges);
            match all.get(plugin) {
                Some(places) => Arc::clone(places),
                None => {
                    let places = Arc::new(Semaphore::new(Caps::EXCHANGES));
                    all.insert(plugin.to_owned(), Arc::clone(&places));
                    places
                }
            }
        };
        places.acquire_owned().await.ok()
    }
}
