//! HTTP clients: of a running server, and of registries.
//!
//! Invariant: no redirect is followed by itself, and requests to this machine pass through no proxy.

use anyhow::{Context, Result};
use reqwest::{ClientBuilder, Url, redirect};
use std::sync::Arc;
use std::time::Duration;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Returns a client for one server.
pub(crate) fn builder(server: &Url) -> Result<ClientBuilder> {
    let http = reqwest::Client::builder()
        .tls_backend_preconfigured(tls(server.scheme() == "https")?)
        .redirect(redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(concat!("footlight/", env!("CARGO_PKG_VERSION")));
    Ok(match is_loopback(server) {
        true => http.no_proxy(),
        false => http,
    })
}

/// Reports whether a URL is one of this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost" | "[::1]") => true,
        Some(host) => host
            .parse::<std::net::Ipv4Addr>()
            .is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}

/// Configures TLS. Without TLS no certificate is loaded.
fn tls(is_used: bool) -> Result<rustls::ClientConfig> {
    use rustls_platform_verifier::BuilderVerifierExt as _;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .context("TLS cannot be set up")?;
    let builder = match is_used {
        true => builder
            .with_platform_verifier()
            .context("the operating system has no trusted certificates; install them")?,
        false => builder.with_root_certificates(rustls::RootCertStore::empty()),
    };
    Ok(builder.with_no_client_auth())
}
