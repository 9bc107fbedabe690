//! Requests against servers on loopback that do what no good server does.
//!
//! A name stands for a public address here, and a connection to that address goes to the server:
//! everything between is what a plugin's request goes through.

mod decision;
mod sockets;
mod tls;

#[allow(unreachable_pub, reason = "the tests of the whole program use it too")]
#[path = "../../../../../tests/src/loopback.rs"]
mod loopback;

#[allow(unreachable_pub, reason = "the tests of the whole program use it too")]
#[path = "../../../../../tests/src/loopback_tls.rs"]
mod loopback_tls;

use super::destination::Destination;
use super::exchange::{ExchangeError, Received, Traffic};
use super::fetch::Outgoing;
use super::{Egress, Network, headers};
use crate::power::secret::MemorySecrets;
use loopback::Server;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// An address of the public internet, which no test reaches.
const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::new(93, 184, 216, 34));

/// Returns a network on which every name stands for a public address, with short limits.
fn network() -> Network {
    Network::new()
        .resolver(|_| Ok(vec![PUBLIC]))
        .connect_timeout(Duration::from_secs(5))
        .idle_timeout(Duration::from_millis(400))
        .exchange_timeout(Duration::from_secs(20))
}

/// Returns what reaches this server at the public address.
fn egress(network: Network, server: &Server) -> Egress {
    let mut egress = Egress::new(network, Arc::<MemorySecrets>::default(), None);
    let public = SocketAddr::new(PUBLIC, server.port());
    egress.dialer.in_place_of = Some((public, server.address()));
    egress
}

/// Returns a request to a server by name.
fn outgoing(method: &str, url: &str) -> Outgoing {
    Outgoing {
        destination: Destination::parse(method, url).expect("a destination"),
        headers: headers::checked(&[]).expect("no headers"),
        body: bytes::Bytes::new(),
        literal: false,
        secrets: Vec::new(),
    }
}

/// Sends a GET by name to a server.
async fn get(network: Network, server: &Server) -> Result<Received, ExchangeError> {
    let url = format!("http://api.example.com:{}/path?q=1", server.port());
    let egress = egress(network, server);
    egress.send(outgoing("GET", &url), &Arc::default()).await
}

/// Returns what a GET is answered by a server that sends these bytes and closes.
async fn answered(bytes: impl Into<Vec<u8>>) -> Result<Received, ExchangeError> {
    let server = Server::sending(bytes).await;
    get(network(), &server).await
}

/// Returns how much was sent and received by a request.
async fn traffic_of(server: &Server) -> Arc<Traffic> {
    let url = format!("http://api.example.com:{}/", server.port());
    let traffic = Arc::default();
    let egress = egress(network(), server);
    let _ = egress.send(outgoing("POST", &url), &traffic).await;
    traffic
}
