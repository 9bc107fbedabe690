//! What must hold for any URL and any address.

use crate::power::net::{Destination, check_address};
use footlight_vocabulary::manifest::Scheme;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A URL: what is accepted is spelled in one way, means the same to another parser and goes where it
/// says. The same bytes as an address: nothing passes that is known not to be public.
///
/// # Panics
/// When a promise is broken.
pub fn egress(bytes: &[u8]) {
    if let Ok(url) = std::str::from_utf8(bytes) {
        check_url(url);
        check_url(&format!("https://{url}"));
    }
    if let Some(v4) = bytes.first_chunk::<4>() {
        check_one_address(IpAddr::from(*v4));
    }
    if let Some(v6) = bytes.first_chunk::<16>() {
        check_one_address(IpAddr::from(*v6));
    }
}

/// Checks one URL against what is promised of [`Destination`], and against the parser of `http`.
///
/// # Panics
/// When a promise is broken.
pub(crate) fn check_url(url: &str) {
    let other: Option<http::Uri> = url.parse().ok();
    let Ok(parsed) = Destination::parse("GET", url) else {
        return;
    };
    let Destination {
        scheme,
        host,
        port,
        path,
        address,
        ..
    } = &parsed;
    assert!(
        host.is_ascii() && !host.is_empty() && *host == host.to_ascii_lowercase(),
        "{url:?}"
    );
    assert!(
        !host.contains(['@', '/', '?', '#', '%', '\\']),
        "{url:?}: {host}"
    );
    assert!(
        path.starts_with('/') && !path.contains('#'),
        "{url:?}: {path}"
    );
    assert!(
        path.bytes().all(|b| b.is_ascii_graphic()),
        "{url:?}: {path}"
    );
    if host.parse::<Ipv4Addr>().is_ok() || host.starts_with('[') {
        let bare = host.trim_matches(['[', ']']);
        assert_eq!(bare.parse::<IpAddr>().ok(), *address, "{url:?}");
    }

    // The destination, written out, is the same destination.
    let written = format!("{}{path}", parsed.origin());
    assert_eq!(
        Destination::parse("GET", &written).as_ref(),
        Ok(&parsed),
        "{url:?}"
    );

    // Another parser agrees about it, and about the text that the guest wrote if it can read it.
    let again: http::Uri = written
        .parse()
        .expect("an accepted URL can be read by others");
    for (read, is_raw) in [(Some(again), false), (other, true)] {
        let Some(read) = read else { continue };
        assert_eq!(
            read.scheme_str().map(str::to_ascii_lowercase).as_deref(),
            Some(scheme.as_str()),
            "{url:?}"
        );
        let read_host = read.host().map(str::to_ascii_lowercase);
        // It does not translate names of other scripts.
        if !is_raw || url.is_ascii() {
            assert_eq!(read_host.as_deref(), Some(host.as_str()), "{url:?}");
        }
        let default = match scheme {
            Scheme::Https => 443,
            Scheme::Http => 80,
        };
        assert_eq!(read.port_u16().unwrap_or(default), *port, "{url:?}");
        if !is_raw {
            let read_path = read.path_and_query().map(http::uri::PathAndQuery::as_str);
            assert_eq!(read_path, Some(path.as_str()), "{url:?}");
        }
    }
}

/// Checks one address against the classification of the standard library.
///
/// # Panics
/// When an address passes that the standard library knows not to be public.
pub(crate) fn check_one_address(address: IpAddr) {
    let passes = check_address(address).is_ok();
    let standard = match address {
        IpAddr::V4(v4) => known_v4(v4),
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => known_v4(v4),
            None => known_v6(v6),
        },
    };
    assert!(!(passes && standard), "{address} passes");
    if let IpAddr::V4(v4) = address {
        let mapped = IpAddr::V6(v4.to_ipv6_mapped());
        assert_eq!(check_address(mapped), check_address(address), "{address}");
        assert!(
            check_address(IpAddr::V6(compatible(v4))).is_err(),
            "{address}"
        );
    }
}

/// Returns the obsolete form of an IPv4 address in IPv6.
fn compatible(address: Ipv4Addr) -> Ipv6Addr {
    Ipv6Addr::from(u128::from(u32::from(address)))
}

fn known_v4(address: Ipv4Addr) -> bool {
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_documentation()
        || address.is_multicast()
        || address.is_unspecified()
}

fn known_v6(address: Ipv6Addr) -> bool {
    address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        || address.is_unique_local()
        || address.is_unicast_link_local()
        || address.to_ipv4().is_some()
}
