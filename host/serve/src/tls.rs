//! TLS: the certificate of a server and its key.

use footlight::bounded_file;
use std::io;
use std::path::Path;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};

/// The most bytes of a file with certificates, or with a key.
const MAX_FILE: usize = 1 << 20;

/// The certificate of a server and its key.
#[derive(Clone)]
pub struct TlsIdentity(Arc<ServerConfig>);

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A file cannot be read, or the one of the key not used, because others can read or change it.
    #[error("`{0}` cannot be used")]
    Unreadable(String, #[source] io::Error),
    /// A file is not PEM.
    #[error("`{0}` is not a PEM file")]
    File(String, #[source] pem::Error),
    /// The certificate and the key do not belong together, or are not supported.
    #[error("the certificate and the key cannot be used")]
    Invalid(#[from] rustls::Error),
}

impl TlsIdentity {
    /// Reads a certificate chain and its key from two PEM files.
    ///
    /// # Errors
    /// When a file cannot be read, others can read or change the key, or the two do not belong together.
    pub fn from_pem_files(certificates: &Path, key: &Path) -> Result<Self, TlsError> {
        let file = |path: &Path| {
            let path = path.display().to_string();
            |error| TlsError::File(path, error)
        };
        let unreadable = |path: &Path| {
            let path = path.display().to_string();
            |error| TlsError::Unreadable(path, error)
        };
        let chain = bounded_file::read(certificates, MAX_FILE).map_err(unreadable(certificates))?;
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&chain).collect();
        let chain = chain.map_err(file(certificates))?;
        let text = bounded_file::read_secret(key, MAX_FILE).map_err(unreadable(key))?;
        let key = PrivateKeyDer::from_pem_slice(text.as_bytes()).map_err(file(key))?;
        let provider = Arc::new(ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider);
        let config = config.with_safe_default_protocol_versions()?;
        let mut config = config.with_no_client_auth().with_single_cert(chain, key)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self(Arc::new(config)))
    }

    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(Arc::clone(&self.0))
    }
}

impl std::fmt::Debug for TlsIdentity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TlsIdentity").finish_non_exhaustive()
    }
}
