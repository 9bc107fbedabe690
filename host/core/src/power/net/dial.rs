//! From a destination to a connection: look up the name, check every address, connect to one of them.
//!
//! Invariant: a name is looked up once, and what is connected to is an address that was checked, never
//! the name. The name only goes into TLS and into the `host` header. One forbidden address among
//! several refuses the name: whoever mixes them wants to be let through by chance.
//!
//! No proxy is used, and no environment variable is read.

use super::address::{AddressKind, check_address};
use super::destination::Destination;
use super::exchange::ExchangeError;
use super::{Network, Resolver};
use crate::sandbox::limits::Caps;
use crate::tls;
use footlight_vocabulary::manifest::Scheme;
use rustls::client::Resumption;
use rustls::pki_types::ServerName;
use rustls::{CertificateError, ClientConfig};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::sync::{Arc, OnceLock};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

/// A connection, with or without TLS.
pub(super) trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Connection for T {}

/// Connects to destinations.
pub(super) struct Dialer {
    pub(super) network: Network,
    tls: OnceLock<Result<Arc<ClientConfig>, String>>,
    pub(super) lookups: Arc<Semaphore>,
    /// Where the tests connect to in place of a public address.
    #[cfg(test)]
    pub(super) in_place_of: Option<(SocketAddr, SocketAddr)>,
}

impl Dialer {
    pub(super) fn new(network: Network) -> Self {
        Self {
            network,
            tls: OnceLock::new(),
            lookups: Arc::new(Semaphore::new(Caps::LOOKUPS)),
            #[cfg(test)]
            in_place_of: None,
        }
    }

    /// Connects to a destination. `literal` says that manifest and person named this very address, or
    /// this machine.
    pub(super) async fn connect(
        &self,
        destination: &Destination,
        literal: bool,
    ) -> Result<Box<dyn Connection>, ExchangeError> {
        let connecting = async {
            let addresses = self.addresses(destination, literal).await?;
            let stream = self
                .connect_to(&addresses, destination.port, literal)
                .await?;
            match destination.scheme {
                Scheme::Http => Ok(Box::new(stream) as Box<dyn Connection>),
                Scheme::Https => self.encrypt(stream, &destination.host).await,
            }
        };
        let connected = timeout(self.network.connect_timeout, connecting).await;
        connected.unwrap_or(Err(ExchangeError::TimedOut))
    }

    /// Returns the addresses of a destination, all of them checked.
    pub(super) async fn addresses(
        &self,
        destination: &Destination,
        literal: bool,
    ) -> Result<Vec<IpAddr>, ExchangeError> {
        if let Some(address) = destination.address {
            if !literal {
                check_address(address).map_err(ExchangeError::Address)?;
            }
            return Ok(vec![address]);
        }
        if destination.host == "localhost" {
            // It always means this machine, whatever a name server says.
            return match literal {
                true => Ok(vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]),
                false => Err(ExchangeError::Address(AddressKind::Loopback)),
            };
        }
        let addresses = self.look_up(&destination.host).await?;
        for address in &addresses {
            check_address(*address).map_err(ExchangeError::Address)?;
        }
        Ok(addresses)
    }

    async fn look_up(&self, host: &str) -> Result<Vec<IpAddr>, ExchangeError> {
        let lookups = Arc::clone(&self.lookups).acquire_owned().await;
        let (host, resolver) = (host.to_owned(), self.network.resolver.clone());
        let span = tracing::Span::current();
        let found = tokio::task::spawn_blocking(move || {
            let _span = span.entered();
            // A lookup cannot be stopped. It keeps its place until it has ended.
            let _place = lookups;
            resolver.map_or_else(
                || system_resolver(&host),
                |Resolver(look_up)| look_up(&host),
            )
        });
        match found.await {
            Ok(Ok(found)) if found.len() > Caps::ADDRESSES => Err(ExchangeError::NoAddress),
            Ok(Ok(found)) if !found.is_empty() => Ok(found),
            _ => Err(ExchangeError::NoAddress),
        }
    }

    /// Connects to the first address that answers.
    async fn connect_to(
        &self,
        addresses: &[IpAddr],
        port: u16,
        literal: bool,
    ) -> Result<TcpStream, ExchangeError> {
        let mut failure = ExchangeError::NoAddress;
        for address in addresses {
            let target = SocketAddr::new(*address, port);
            match timeout(Caps::ATTEMPT_TIME, TcpStream::connect(self.route(target))).await {
                Ok(Ok(stream)) => {
                    // A connection to a public address of this machine has it on both ends.
                    let own = stream.local_addr().map(|own| own.ip().to_canonical());
                    if !literal && own.is_ok_and(|own| own == address.to_canonical()) {
                        return Err(ExchangeError::Address(AddressKind::Loopback));
                    }
                    let _ = stream.set_nodelay(true);
                    return Ok(stream);
                }
                Ok(Err(_)) => failure = ExchangeError::Unreachable,
                Err(_) => failure = ExchangeError::TimedOut,
            }
        }
        Err(failure)
    }

    #[cfg(not(test))]
    fn route(&self, target: SocketAddr) -> SocketAddr {
        target
    }

    #[cfg(test)]
    fn route(&self, target: SocketAddr) -> SocketAddr {
        match self.in_place_of {
            Some((public, here)) if public == target => here,
            // No test reaches out.
            _ if !target.ip().is_loopback() => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 1),
            _ => target,
        }
    }

    async fn encrypt(
        &self,
        stream: TcpStream,
        host: &str,
    ) -> Result<Box<dyn Connection>, ExchangeError> {
        let config = self.tls.get_or_init(|| tls_config(&self.network));
        let config = config.clone().map_err(ExchangeError::Setup)?;
        let name = host.trim_start_matches('[').trim_end_matches(']');
        let name = ServerName::try_from(name.to_owned()).map_err(|_| ExchangeError::NoAddress)?;
        let encrypted = TlsConnector::from(config).connect(name, stream).await;
        match encrypted {
            Ok(stream) => Ok(Box::new(stream)),
            Err(error) => Err(tls_error(&error)),
        }
    }
}

fn system_resolver(host: &str) -> std::io::Result<Vec<IpAddr>> {
    let found = (host, 0).to_socket_addrs()?;
    // One more than allowed, so that too many are noticed.
    Ok(found
        .map(|found| found.ip())
        .take(Caps::ADDRESSES + 1)
        .collect())
}

/// Configures TLS for HTTP/1.1. Nothing is kept of a connection that could serve another plugin.
fn tls_config(network: &Network) -> Result<Arc<ClientConfig>, String> {
    let mut config = tls::config(network.roots.as_deref(), true)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    config.resumption = Resumption::disabled();
    Ok(Arc::new(config))
}

/// Says why there is no encrypted connection, without a word of the server's.
fn tls_error(error: &std::io::Error) -> ExchangeError {
    let inner = error.get_ref();
    match inner.and_then(|error| error.downcast_ref::<rustls::Error>()) {
        Some(rustls::Error::InvalidCertificate(error)) => ExchangeError::Certificate(match error {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => "has expired",
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                "is not valid yet"
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "is for another name"
            }
            CertificateError::UnknownIssuer => "is from an issuer that is not trusted",
            CertificateError::Revoked => "was revoked",
            _ => "is not valid",
        }),
        Some(_) => ExchangeError::Tls,
        None => ExchangeError::Unreachable,
    }
}
