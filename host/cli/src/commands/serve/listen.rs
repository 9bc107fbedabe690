//! Where a server listens, under which names, and who may come.

use crate::data;
use crate::duration::duration;
use crate::exit::ExitError;
use anyhow::{Context, Result};
use clap::Args;
use footlight_serve::{BoundServer, Identity, Server, TlsIdentity, Tokens};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;
use tokio::runtime::Runtime;

/// How long a link for one decision works at most.
const MAX_LINK_LIFETIME: Duration = Duration::from_secs(24 * 3600);

/// The most bytes of a file with a token, and the fewest and most characters of the token.
const MAX_TOKEN_FILE: usize = 4 << 10;
const TOKEN_LENGTH: std::ops::RangeInclusive<usize> = 32..=256;

/// Where a server listens.
#[derive(Debug, Args)]
pub(super) struct ListenFlags {
    /// The address; beyond loopback it needs a token of yours, and TLS
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_name = "ADDRESS")]
    listen: IpAddr,
    /// The port; 0 for any that is free
    #[arg(long, default_value_t = 7390, value_name = "PORT")]
    port: u16,
    /// A name by which clients reach the server, with the port unless it is the scheme's own
    #[arg(long = "name", value_name = "HOST", value_parser = host_name)]
    names: Vec<String>,
    /// How many connections are open at once
    #[arg(long, default_value_t = 256, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    max_connections: u32,
    /// Accept the token in this file instead of a new one
    #[arg(long, value_name = "FILE")]
    pub(super) token_file: Option<PathBuf>,
    /// Accept the tokens in this file as well, each with the person whose it is
    #[arg(long, value_name = "FILE")]
    tokens: Option<PathBuf>,
    /// Serve HTTPS with this certificate, a PEM file
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of the certificate, a PEM file
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Listen beyond loopback without TLS, such as behind a proxy that encrypts
    #[arg(long, conflicts_with = "tls_cert")]
    unencrypted: bool,
    /// The address by which other devices reach the server, be it through a proxy, such as
    /// https://tools.example; links for one decision begin with it
    #[arg(long, value_name = "URL", value_parser = public_url)]
    public_url: Option<String>,
    /// How long a link for one decision works, such as 90s or 1h; 10m by default, 1d at most
    #[arg(long, value_name = "TIME", value_parser = link_lifetime, requires = "public_url")]
    link_lifetime: Option<Duration>,
    /// Let pages of this site use the routes of ChatKit, such as https://chat.example
    #[arg(long = "allow-origin", value_name = "ORIGIN", value_parser = origin)]
    allow_origins: Vec<String>,
}

impl ListenFlags {
    /// Refuses what would be open to more than whoever is meant.
    pub(super) fn check(&self) -> Result<()> {
        if let Some(host) = self
            .public_url
            .as_deref()
            .and_then(|url| url.strip_prefix("http://"))
            && !self.unencrypted
            && !is_here(host)
        {
            return Err(ExitError::usage(
                "a link with `http:` sends what opens it in the clear: give `--public-url` an `https:` address, or add `--unencrypted`",
            ));
        }
        if self.listen.is_loopback() {
            return Ok(());
        }
        if self.token_file.is_none() && self.tokens.is_none() {
            return Err(ExitError::usage(
                "others can reach this address, so the server needs a token that you chose: add `--token-file` or `--tokens`",
            ));
        }
        if self.tls_cert.is_none() && !self.unencrypted {
            return Err(ExitError::usage(
                "others can read what is sent to this address: add `--tls-cert` and `--tls-key`, or `--unencrypted` if something else encrypts it",
            ));
        }
        if self.listen.is_unspecified() && self.names.is_empty() && self.public_url.is_none() {
            return Err(ExitError::usage(
                "add the name by which clients reach the server, such as `--name tools.example:7390`",
            ));
        }
        Ok(())
    }

    /// Says what listening beyond loopback means.
    pub(super) fn warning(&self) -> Option<String> {
        if self.listen.is_loopback() {
            return None;
        }
        let unencrypted = match self.unencrypted {
            true => "; nothing is encrypted here, tokens included",
            false => "",
        };
        Some(format!(
            "whoever can reach {} and has a token can use the plugins with what you granted them{unencrypted}",
            self.listen
        ))
    }

    /// Adds the tokens that the server accepts. Returns the one that was made for it, if any.
    pub(super) fn token(&self, tokens: &mut Tokens, local: Identity) -> Result<Option<String>> {
        if let Some(file) = &self.tokens {
            tokens.configure(file).with_context(|| {
                format!("cannot use the tokens in `{}`", data::display_path(file))
            })?;
        }
        let Some(file) = &self.token_file else {
            // Beyond loopback, whoever started the server has chosen the tokens.
            return match self.listen.is_loopback() {
                true => Ok(Some(tokens.mint(local)?)),
                false => Ok(None),
            };
        };
        let token = data::read_secret(file, MAX_TOKEN_FILE)?;
        let token = token.trim();
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if !TOKEN_LENGTH.contains(&token.len()) || !token.bytes().all(is_plain) {
            return Err(ExitError::usage(format!(
                "`{}` has no token: one has 32 to 256 letters, digits, `-`, `.`, `_` or `~`, such as from `openssl rand -hex 32`",
                data::display_path(file)
            )));
        }
        tokens.add(token, local);
        Ok(None)
    }

    /// Returns the address of a server as clients write it: by its name, if it has one.
    pub(super) fn url(&self, server: &BoundServer) -> String {
        let url = server.url();
        match (self.names.first(), url.split_once("://")) {
            (Some(name), Some((scheme, _))) => format!("{scheme}://{name}"),
            _ => url,
        }
    }

    /// Binds a server.
    pub(super) fn bind(&self, mut server: Server, runtime: &Runtime) -> Result<BoundServer> {
        server = server.max_connections(self.max_connections as usize);
        for name in &self.names {
            server = server.name(name);
        }
        if let Some(url) = &self.public_url {
            server = server.public_origin(url);
        }
        if let Some(lifetime) = self.link_lifetime {
            server = server.link_lifetime(lifetime);
        }
        for origin in &self.allow_origins {
            server = server.allow_origin(origin);
        }
        if let (Some(certificate), Some(key)) = (&self.tls_cert, &self.tls_key) {
            data::ensure_key_is_private(key)?;
            server = server.tls(TlsIdentity::from_pem_files(certificate, key)?);
        }
        if self.unencrypted {
            server = server.allow_unencrypted();
        }
        let address = SocketAddr::new(self.listen, self.port);
        runtime.block_on(server.bind(address)).map_err(|error| {
            ExitError::usage(format!(
                "cannot listen on {address}: {error}; choose another port with `--port`, or 0 for any"
            ))
        })
    }
}

/// Reads the origin of a site: scheme, host and perhaps a port, as a browser writes it.
fn origin(text: &str) -> Result<String, String> {
    let wrong = || "an origin is written like https://chat.example or http://localhost:5173";
    let (scheme, host) = text.split_once("://").ok_or_else(wrong)?;
    (["http", "https"].contains(&scheme) && is_host(host))
        .then(|| text.to_owned())
        .ok_or_else(|| wrong().to_owned())
}

/// Reads a name by which clients reach the server, as they write it in the header `Host`.
fn host_name(text: &str) -> Result<String, String> {
    let wrong = "a name is written like tools.example, tools.example:7390 or [2001:db8::1]:7390";
    is_host(text)
        .then(|| text.to_owned())
        .ok_or_else(|| wrong.to_owned())
}

/// Reports whether a text is a host as a browser writes it: a name or an address, in lower case, and
/// perhaps a port.
fn is_host(text: &str) -> bool {
    let is_port = |port: &str| {
        let is_plain = !port.starts_with('0') && port.bytes().all(|byte| byte.is_ascii_digit());
        is_plain && port.parse::<u16>().is_ok()
    };
    if let Some((address, port)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        let is_written_so = |parsed: Ipv6Addr| parsed.to_string() == address;
        let is_address = address.parse().is_ok_and(is_written_so);
        return is_address && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port));
    }
    let (name, port) = match text.split_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (text, None),
    };
    let is_letter =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    let is_label = |label: &str| (1..=63).contains(&label.len()) && label.bytes().all(is_letter);
    name.len() <= 253 && name.split('.').all(is_label) && port.is_none_or(is_port)
}

/// Reads the address by which other devices reach the server. There is no path: the page is at the root.
fn public_url(text: &str) -> Result<String, String> {
    origin(text.strip_suffix('/').unwrap_or(text))
}

/// Reads how long a link works.
fn link_lifetime(text: &str) -> Result<Duration, String> {
    let lifetime = duration(text)?;
    if lifetime > MAX_LINK_LIFETIME {
        return Err("a link works for at most 1d".to_owned());
    }
    Ok(lifetime)
}

/// Reports whether a name, with or without a port, is this machine's alone.
fn is_here(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => name,
        _ => host,
    };
    let address = name.trim_matches(['[', ']']).parse::<IpAddr>();
    name == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_unencrypted_on_this_machine_alone() {
        for here in [
            "localhost",
            "localhost:7390",
            "127.0.0.1:80",
            "[::1]:80",
            "[::1]",
        ] {
            assert!(is_here(here), "{here}");
        }
        for elsewhere in [
            "tools.example",
            "127.0.0.1.example:80",
            "[::2]:80",
            "192.0.2.1",
        ] {
            assert!(!is_here(elsewhere), "{elsewhere}");
        }
        assert_eq!(
            public_url("https://tools.example/").as_deref(),
            Ok("https://tools.example")
        );
        assert!(public_url("https://tools.example/path").is_err());
        assert!(link_lifetime("1d").is_ok() && link_lifetime("25h").is_err());
    }

    /// A host means the same as a name, in an origin and in the public address.
    #[test]
    fn a_host_is_a_name_or_an_address_and_perhaps_a_port() {
        for (host, is_host) in [
            ("tools.example", true),
            ("tools", true),
            ("my_box.local:7390", true),
            ("xn--bcher-kva.example", true),
            ("192.0.2.1", true),
            ("192.0.2.1:1", true),
            ("[::1]", true),
            ("[2001:db8::1]:65535", true),
            ("", false),
            ("a b", false),
            ("*", false),
            ("*.example", false),
            ("x,y", false),
            (".", false),
            ("a..b", false),
            ("a.", false),
            (".a", false),
            ("a:", false),
            (":80", false),
            ("a:0", false),
            ("a:080", false),
            ("a:+80", false),
            ("a:65536", false),
            ("a:b", false),
            ("a:1:2", false),
            ("::1", false),
            ("[::1", false),
            ("[::1]x", false),
            ("[::1]:", false),
            ("[0:0:0:0:0:0:0:1]", false),
            ("[a]", false),
            ("Tools.example", false),
            ("tools.example/", false),
            ("a@b", false),
            ("a#b", false),
            ("a?b", false),
            ("a\nb", false),
            ("bücher.example", false),
            (&"a".repeat(64), false),
            (&["a"; 128].join("."), false),
        ] {
            assert_eq!(host_name(host).is_ok(), is_host, "{host:?}");
            let url = format!("https://{host}");
            assert_eq!(origin(&url).is_ok(), is_host, "{url:?}");
            let is_path = host == "tools.example/";
            assert_eq!(public_url(&url).is_ok(), is_host || is_path, "{url:?}");
        }
    }

    #[test]
    fn an_origin_is_exact() {
        for right in [
            "https://chat.example",
            "http://localhost:5173",
            "http://[::1]:80",
        ] {
            assert_eq!(origin(right).as_deref(), Ok(right));
        }
        for wrong in [
            "*",
            "null",
            "https://",
            "chat.example",
            "https://Chat.example",
            "https://a/b",
            "https://*.a",
            "ftp://a",
            "https://a?b",
        ] {
            assert!(origin(wrong).is_err(), "{wrong}");
        }
    }
}
