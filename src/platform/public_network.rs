//! Addresses that users name must not lead into the operator's own network: names are resolved here, and what is not on the public
//! internet is as good as not there.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, LazyLock};

use ipnet::{Ipv4Net, Ipv6Net};
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// What is set aside for other uses than hosts that everybody reaches (IANA's registries of special addresses).
const SPECIAL_V4: [&str; 15] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
];
/// Of the sixth version only this is given out at all, and not all of it for hosts.
const GLOBAL_V6: &str = "2000::/3";
const SPECIAL_V6: [&str; 4] = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

static SPECIAL: LazyLock<(Vec<Ipv4Net>, Option<Ipv6Net>, Vec<Ipv6Net>)> = LazyLock::new(|| {
    let v4 = SPECIAL_V4.iter().filter_map(|net| net.parse().ok()).collect();
    let v6 = SPECIAL_V6.iter().filter_map(|net| net.parse().ok()).collect();
    (v4, GLOBAL_V6.parse().ok(), v6)
});

/// Whether an address is one that everybody reaches.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !SPECIAL.0.iter().any(|net| net.contains(&address))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let (_, global, special) = &*SPECIAL;
    global.is_some_and(|global| global.contains(&address))
        && !special.iter().any(|net| net.contains(&address))
}

/// Whether an address on the web may be called: `https`, no name or password in it, and no number that is not public. A name is looked at
/// when it is resolved.
pub fn accepts(url: &Url) -> bool {
    let is_plain = url.username().is_empty() && url.password().is_none();
    let is_host = match url.domain() {
        Some(name) => name.contains('.') && !name.ends_with(".localhost"),
        None => {
            let number = url.host_str().map(|host| host.trim_matches(['[', ']']).parse());
            matches!(number, Some(Ok(address)) if is_public(address))
        }
    };
    url.scheme() == "https" && is_plain && is_host
}

/// Finds the public addresses of a name, and no others.
pub fn resolver() -> Arc<impl Resolve> {
    Arc::new(PublicOnly)
}

struct PublicOnly;

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|address| is_public(address.ip())).collect();
            if public.is_empty() {
                return Err("no public address".into());
            }
            let addresses: Addrs = Box::new(public.into_iter());
            Ok(addresses)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_ones_own_network_is_not_public() {
        for private in [
            "127.0.0.1",
            "10.1.2.3",
            "172.31.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fc00::1",
            "fe80::1",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "ff02::1",
            "2001:db8::1",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
        for public in ["1.1.1.1", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
    }

    #[test]
    fn every_net_of_the_tables_is_one() {
        let (v4, global, v6) = &*SPECIAL;
        assert_eq!(
            (v4.len(), global.is_some(), v6.len()),
            (SPECIAL_V4.len(), true, SPECIAL_V6.len())
        );
    }

    #[test]
    fn only_a_host_on_the_public_web_is_accepted() {
        for (text, is_accepted) in [
            ("https://push.example.org/abc", true),
            ("http://push.example.org/abc", false),
            ("https://localhost/abc", false),
            ("https://a.localhost/abc", false),
            ("https://intranet/abc", false),
            ("https://127.0.0.1/abc", false),
            ("https://0x7f.1/abc", false),
            ("https://2130706433/", false),
            ("https://[::1]/", false),
            ("https://name:word@push.example.org/", false),
            ("ftp://push.example.org/", false),
        ] {
            assert_eq!(accepts(&text.parse().unwrap()), is_accepted, "{text}");
        }
    }
}
