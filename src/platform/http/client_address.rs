//! Who is calling, as an address: the peer, or what a trusted proxy says of it.
//!
//! Owns: reading `X-Forwarded-For` and folding an address into the unit that limits count.
//! Invariants: the header counts only when the peer is a configured proxy, and is read from its right end, since
//! everything left of the first untrusted hop can be invented by the caller.
//! Never: trusts a header on its own word.

use std::net::{IpAddr, Ipv6Addr};

use axum::extract::{FromRef, FromRequestParts};
use http::HeaderMap;
use http::request::Parts;
use ipnet::IpNet;

use super::places::Holder;
use super::serve::Peer;
use crate::platform::core::Core;
use crate::platform::db::Reader;
use crate::platform::error::{Error, Result};

/// The caller's address, as far as it can be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress(IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for ClientAddress
where
    Core: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let Some(Peer(peer)) = parts.extensions.get() else {
            return Err(Error::internal("the connection has no peer address"));
        };
        let trusted = &Core::from_ref(state).config.http.trusted_proxies;
        Ok(Self::find(peer.ip(), &parts.headers, trusted))
    }
}

impl ClientAddress {
    /// Who holds a connection, of which only the peer is known; nobody if that is a proxy, which stands for many callers.
    pub fn of_connection(peer: IpAddr, trusted: &[IpNet]) -> Option<Self> {
        let peer = peer.to_canonical();
        (!is_trusted(peer, trusted)).then_some(Self(peer))
    }

    pub fn find(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> Self {
        let mut client = peer.to_canonical();
        let forwarded: Vec<&str> = headers
            .get_all("x-forwarded-for")
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .collect();
        for hop in forwarded.into_iter().rev() {
            if !is_trusted(client, trusted) {
                break;
            }
            match parse_hop(hop) {
                Some(address) => client = address,
                None => break,
            }
        }
        Self(client)
    }

    pub fn ip(self) -> IpAddr {
        self.0
    }

    /// What a limit counts: an IPv4 address, or an IPv6 /64, which one household or phone holds whole.
    fn unit(self) -> IpAddr {
        match self.0 {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
            address @ IpAddr::V4(_) => address,
        }
    }

    /// The same as a text.
    pub fn limit_key(self) -> String {
        match self.unit() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(network) => format!("{network}/64"),
        }
    }

    pub fn holder(self) -> Holder {
        Holder::Address(self.unit())
    }

    /// Whom a long list is read for.
    pub fn reader(self, user: Option<i64>) -> Reader {
        Reader { address: self.unit(), user }
    }
}

fn is_trusted(address: IpAddr, trusted: &[IpNet]) -> bool {
    trusted.iter().any(|network| network.contains(&address))
}

/// One entry of the header: an address, perhaps with a port or in brackets.
fn parse_hop(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.trim_start_matches('[').split(']').next().unwrap_or(text);
    let address: IpAddr = match bare.parse() {
        Ok(address) => address,
        Err(_) => text.parse::<std::net::SocketAddr>().ok()?.ip(),
    };
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn headers(value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", value.parse().unwrap());
        headers
    }

    fn find(peer: &str, forwarded: &str, trusted: &[&str]) -> String {
        let trusted: Vec<IpNet> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        ClientAddress::find(peer.parse().unwrap(), &headers(forwarded), &trusted).limit_key()
    }

    #[test]
    fn the_caller_is_who_a_trusted_proxy_says_and_otherwise_the_peer() {
        for (peer, forwarded, trusted, expected) in [
            ("203.0.113.9", "198.51.100.1", &[][..], "203.0.113.9"),
            ("203.0.113.9", "198.51.100.1", &["10.0.0.0/8"], "203.0.113.9"),
            ("10.1.2.3", "198.51.100.1", &["10.0.0.0/8"], "198.51.100.1"),
            // What the caller put left of the first untrusted hop is ignored.
            ("10.1.2.3", "1.1.1.1, 198.51.100.1, 10.9.9.9", &["10.0.0.0/8"], "198.51.100.1"),
            // An entry that is no address ends the search.
            ("10.0.0.1", "198.51.100.1, unknown", &["10.0.0.0/8"], "10.0.0.1"),
            // An IPv4 address mapped into IPv6 is the IPv4 caller.
            ("::ffff:203.0.113.9", "", &[], "203.0.113.9"),
            // A hop may carry a port or brackets.
            ("10.0.0.1", "198.51.100.1:443", &["10.0.0.1/32"], "198.51.100.1"),
            ("10.0.0.1", "[2001:db8::1]:443", &["10.0.0.1/32"], "2001:db8::/64"),
            ("10.0.0.1", "[2001:db8::1]", &["10.0.0.1/32"], "2001:db8::/64"),
            // A network of length zero holds every address of its family.
            ("203.0.113.9", "198.51.100.1", &["0.0.0.0/0"], "198.51.100.1"),
            ("2001:db8::1", "198.51.100.1", &["::/0"], "198.51.100.1"),
            ("2001:db8::1", "198.51.100.1", &["0.0.0.0/0"], "2001:db8::/64"),
        ] {
            assert_eq!(find(peer, forwarded, trusted), expected, "{peer} {forwarded}");
        }
    }

    #[test]
    fn addresses_of_one_ipv6_64_are_one_caller() {
        let one = find("2001:db8:1:2::1", "", &[]);
        let other = find("2001:db8:1:2:ffff:ffff:ffff:ffff", "", &[]);
        assert_eq!(one, other);
        assert_ne!(one, find("2001:db8:1:3::1", "", &[]));
    }

    proptest! {
        #[test]
        fn no_header_changes_an_untrusted_peer(text in "[ -~]{0,60}") {
            prop_assert_eq!(find("203.0.113.9", &text, &[]), "203.0.113.9");
        }

        #[test]
        fn no_bytes_break_the_parser(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let Ok(value) = http::HeaderValue::from_bytes(&bytes) else { return Ok(()) };
            let headers = HeaderMap::from_iter([(http::HeaderName::from_static("x-forwarded-for"), value)]);
            let peer = "10.0.0.1".parse().unwrap();
            ClientAddress::find(peer, &headers, &["10.0.0.0/8".parse().unwrap()]).limit_key();
        }

        #[test]
        fn the_caller_is_the_last_hop_that_is_no_trusted_proxy(
            hops in proptest::collection::vec((0_u8..4, any::<u8>(), any::<bool>()), 0..6),
        ) {
            // 10.0.0.0/8 are the proxies; a hop may carry a port.
            let address = |(net, host, _): &(u8, u8, bool)| {
                format!("{}.0.0.{host}", if *net == 0 { 198 } else { 10 })
            };
            let written: Vec<String> = hops
                .iter()
                .map(|hop| if hop.2 { format!(" {}:443", address(hop)) } else { address(hop) })
                .collect();
            let first_stranger = hops.iter().rev().find(|(net, ..)| *net == 0).or(hops.first());
            let expected = first_stranger.map_or("10.0.0.1".to_owned(), address);
            prop_assert_eq!(find("10.0.0.1", &written.join(","), &["10.0.0.0/8"]), expected);
        }
    }
}
