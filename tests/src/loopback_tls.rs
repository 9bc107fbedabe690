//! A server on loopback that speaks TLS with a certificate of its own. The tests of `host/core` include
//! this file.

use super::loopback::{Server, read_request};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use tokio::io::AsyncWriteExt as _;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// How many authorities were made.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// An authority that signs certificates.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

impl Authority {
    /// Makes an authority.
    ///
    /// # Panics
    /// If there is no randomness.
    #[must_use]
    pub fn new() -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        // Authorities of one name would be taken for each other.
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("authority {number}");
        params.distinguished_name.push(DnType::CommonName, name);
        let pem = params.self_signed(&key).expect("a certificate").pem();
        Self {
            issuer: Issuer::new(params, key),
            pem,
        }
    }

    /// Returns its certificate.
    #[must_use]
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// Returns the configuration of a server with a certificate for this name.
    ///
    /// # Panics
    /// If the name cannot be in a certificate.
    #[must_use]
    pub fn server(&self, name: &str, expired: bool) -> Arc<ServerConfig> {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new([name.to_owned()]).expect("a name");
        if expired {
            params.not_before = date_time_ymd(2000, 1, 1);
            params.not_after = date_time_ymd(2001, 1, 1);
        }
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key);
        let mut config = config.expect("a certificate and its key");
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Arc::new(config)
    }
}

/// Starts a server that answers each request over TLS, and remembers the name and the protocol that it
/// was asked for in front of it. Without a goodbye it ends the connection like somebody who cuts it.
pub async fn serving(
    config: Arc<ServerConfig>,
    answer: impl Fn(&str) -> String + Send + Sync + Clone + 'static,
    says_goodbye: bool,
) -> Server {
    Server::serving(move |stream, requests| {
        let acceptor = TlsAcceptor::from(Arc::clone(&config));
        let answer = answer.clone();
        async move {
            let Ok(mut stream) = acceptor.accept(stream).await else {
                return;
            };
            let session = stream.get_ref().1;
            let name = session.server_name().unwrap_or("nobody").to_owned();
            let protocol = session.alpn_protocol().map(String::from_utf8_lossy);
            let protocol = protocol.unwrap_or_default().into_owned();
            let request = read_request(&mut stream).await;
            let answer = answer(&request);
            let seen = format!("{name} {protocol} {request}");
            requests
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(seen);
            let _ = stream.write_all(answer.as_bytes()).await;
            let _ = stream.flush().await;
            if says_goodbye {
                let _ = stream.shutdown().await;
            }
        }
    })
    .await
}
