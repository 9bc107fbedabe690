//! TLS for clients: of models, and of plugins.
//!
//! Invariant: nothing global is installed, and no environment variable is read.

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt as _;
use std::sync::Arc;

/// Configures TLS with a provider of our own. Without TLS no certificate is loaded.
pub(crate) fn config(roots: Option<&[u8]>, tls: bool) -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be set up: {error}"))?;
    let mut store = RootCertStore::empty();
    match roots {
        None if tls => {
            let verified = builder.with_platform_verifier();
            let verified = verified.map_err(|_| {
                "the operating system has no trusted certificates; install them, or give others"
                    .to_owned()
            })?;
            return Ok(verified.with_no_client_auth());
        }
        None => {}
        Some(pem) => {
            for certificate in CertificateDer::pem_slice_iter(pem) {
                let added = certificate.ok().and_then(|one| store.add(one).ok());
                added.ok_or("a given certificate cannot be read")?;
            }
            if store.is_empty() {
                return Err("the given certificates are empty".to_owned());
            }
        }
    }
    Ok(builder.with_root_certificates(store).with_no_client_auth())
}
