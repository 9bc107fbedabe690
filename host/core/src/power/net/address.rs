//! Which addresses a host name may stand for.
//!
//! A name that a person granted is looked up by whoever runs the name's server. It must not lead into
//! this machine, its network or the metadata service of a cloud, so only addresses of the public
//! internet pass. IPv6 is refused unless it is known to be public; addresses that carry an IPv4
//! address are judged by that one, or refused where the form is obsolete.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An address that cannot be reached by name, by its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AddressKind {
    /// `0.0.0.0/8` and `::`, which some systems take for this machine.
    Unspecified,
    /// This machine.
    Loopback,
    /// A private network, in IPv6 a unique local or site-local address.
    Private,
    /// `100.64.0.0/10`, shared by the customers of a provider.
    Shared,
    /// The local link, which has the metadata service of most clouds.
    LinkLocal,
    /// The metadata service of a cloud at an otherwise public address.
    Metadata,
    /// A group and not a host.
    Multicast,
    /// For examples in documents.
    Documentation,
    /// For measurements.
    Benchmarking,
    /// An obsolete or local form of IPv4 in IPv6: IPv4-compatible, 6to4, Teredo or local NAT64.
    Transition,
    /// Not assigned to the public internet.
    Reserved,
}

impl fmt::Display for AddressKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unspecified => "an unspecified address",
            Self::Loopback => "this machine",
            Self::Private => "a private network",
            Self::Shared => "a provider's own network",
            Self::LinkLocal => "the local link",
            Self::Metadata => "the metadata service of a cloud",
            Self::Multicast => "a multicast group",
            Self::Documentation => "an address for documentation",
            Self::Benchmarking => "an address for measurements",
            Self::Transition => "an obsolete transition address",
            Self::Reserved => "a reserved address",
        })
    }
}

/// Checks that an address belongs to the public internet.
///
/// # Errors
/// With the range of the address otherwise.
pub fn check_address(address: IpAddr) -> Result<(), AddressKind> {
    match address {
        IpAddr::V4(address) => check_v4(address),
        IpAddr::V6(address) => check_v6(address),
    }
}

fn check_v4(address: Ipv4Addr) -> Result<(), AddressKind> {
    Err(match address.octets() {
        [0, ..] => AddressKind::Unspecified,
        [127, ..] => AddressKind::Loopback,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => AddressKind::Private,
        [100, 64..=127, ..] => AddressKind::Shared,
        [169, 254, ..] => AddressKind::LinkLocal,
        // Azure.
        [168, 63, 129, 16] => AddressKind::Metadata,
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => AddressKind::Documentation,
        [198, 18..=19, ..] => AddressKind::Benchmarking,
        // Protocol assignments, and the relays of 6to4.
        [192, 0, 0, _] | [192, 88, 99, _] => AddressKind::Reserved,
        [224..=239, ..] => AddressKind::Multicast,
        [240..=255, ..] => AddressKind::Reserved,
        _ => return Ok(()),
    })
}

fn check_v6(address: Ipv6Addr) -> Result<(), AddressKind> {
    if let Some(mapped) = address.to_ipv4_mapped() {
        return check_v4(mapped);
    }
    let last_v4 = || {
        let [.., a, b, c, d] = address.octets();
        Ipv4Addr::new(a, b, c, d)
    };
    Err(match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => AddressKind::Unspecified,
        [0, 0, 0, 0, 0, 0, 0, 1] => AddressKind::Loopback,
        [0, 0, 0, 0, 0, 0, ..] => AddressKind::Transition,
        // Networks without IPv4 reach all of it this way.
        [0x64, 0xff9b, 0, 0, 0, 0, ..] => return check_v4(last_v4()),
        [0x64, 0xff9b, ..] => AddressKind::Transition,
        [0xfc00..=0xfdff, ..] | [0xfec0..=0xfeff, ..] => AddressKind::Private,
        [0xfe80..=0xfebf, ..] => AddressKind::LinkLocal,
        [0xff00..=0xffff, ..] => AddressKind::Multicast,
        [0x2001, 0, ..] | [0x2002, ..] => AddressKind::Transition,
        [0x2001, 2, 0, ..] => AddressKind::Benchmarking,
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => AddressKind::Documentation,
        // Protocol assignments.
        [0x2001, 0..=0x1ff, ..] => AddressKind::Reserved,
        [0x2000..=0x3fff, ..] => return Ok(()),
        _ => AddressKind::Reserved,
    })
}
