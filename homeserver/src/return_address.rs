//! Where a client wants its user back after signing in, as anybody may have made it up.
//!
//! Owns: which addresses are taken, what each is called to the person who is asked, where the token goes.
//! Invariants: what is named is what is gone to, since both are read from the address once it is parsed as browsers do; a name is
//! ASCII and whole; the token is the only one in the address.
//! Never: says that somebody may be trusted.

use std::net::{Ipv4Addr, Ipv6Addr};

use url::form_urlencoded;
use url::{Host, Url};

/// Bytes of an address: those of clients have some hundred.
const LONGEST: usize = 2048;
/// A longer name of a host is made to push what matters, its end, out of sight.
const LONGEST_HOST: usize = 100;
const LONGEST_SCHEME: usize = 64;
const PARAMETER: &str = "loginToken";

/// Schemes that run something in the page, show a file, or lead to somewhere that their name does not tell. All others belong to apps.
const REFUSED_SCHEMES: [&str; 24] = [
    "about",
    "blob",
    "cid",
    "content",
    "data",
    "file",
    "filesystem",
    "ftp",
    "intent",
    "jar",
    "javascript",
    "livescript",
    "mailto",
    "mid",
    "mocha",
    "resource",
    "sms",
    "smsto",
    "tel",
    "urn",
    "vbscript",
    "view-source",
    "ws",
    "wss",
];

/// An address that may be gone back to.
#[derive(Clone, Debug)]
pub struct ReturnAddress(Url);

/// Who gets the token there, in words that whoever made the address up cannot choose freely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A site, by its scheme, host and port.
    Site(String),
    /// A program that listens on the device itself.
    Device(String),
    /// An app, by the scheme that it has registered on the device.
    App(String),
}

impl ReturnAddress {
    /// Nothing for an address that nobody is to be sent to.
    pub fn parse(text: &str) -> Option<Self> {
        // What cannot be seen is in no honest address, and the parser would leave some of it out.
        let is_plain = !text.chars().any(|c| c.is_control() || c.is_whitespace());
        if text.len() > LONGEST || !is_plain {
            return None;
        }
        let mut url = Url::parse(text).ok()?;
        let scheme = url.scheme();
        // Browsers have pages of their own under such names, and so have their extensions.
        let is_of_a_browser = ["chrome", "edge", "moz"].iter().any(|name| scheme.starts_with(name));
        if REFUSED_SCHEMES.contains(&scheme) || is_of_a_browser || scheme.len() > LONGEST_SCHEME {
            return None;
        }
        if matches!(scheme, "http" | "https") {
            let has_user = !url.username().is_empty() || url.password().is_some();
            let host = url.host_str().filter(|host| !host.is_empty() && host.len() <= LONGEST_HOST);
            if has_user || host.is_none_or(|host| !host.is_ascii()) {
                return None;
            }
        }
        remove_tokens(&mut url);
        Some(Self(url))
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub fn place(&self) -> Place {
        let scheme = self.0.scheme();
        let Some(host) = self.0.host().filter(|_| matches!(scheme, "http" | "https")) else {
            return Place::App(scheme.to_owned());
        };
        let port = self.0.port().map(|port| format!(":{port}")).unwrap_or_default();
        let name = format!("{scheme}://{host}{port}");
        let is_device = match host {
            Host::Domain(name) => name == "localhost" || name.ends_with(".localhost"),
            Host::Ipv4(address) => Ipv4Addr::is_loopback(&address),
            Host::Ipv6(address) => Ipv6Addr::is_loopback(&address),
        };
        if is_device { Place::Device(name) } else { Place::Site(name) }
    }

    /// The address with a login token, beside what it asks for anyway.
    pub fn with_token(&self, token: &str) -> String {
        let mut url = self.0.clone();
        url.query_pairs_mut().append_pair(PARAMETER, token);
        url.into()
    }
}

/// Somebody else's token in front of ours would log the client in as them.
fn remove_tokens(url: &mut Url) {
    let Some(query) = url.query() else { return };
    let is_token = |part: &&str| {
        form_urlencoded::parse(part.as_bytes()).next().is_some_and(|(name, _)| name == PARAMETER)
    };
    let kept: Vec<&str> = query.split('&').filter(|part| !is_token(part)).collect();
    let kept = kept.join("&");
    url.set_query(Some(kept.as_str()).filter(|kept| !kept.is_empty()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> Option<Place> {
        ReturnAddress::parse(text).map(|address| address.place())
    }

    #[test]
    fn a_place_is_called_what_it_is() {
        let site = |name: &str| Some(Place::Site(name.to_owned()));
        let device = |name: &str| Some(Place::Device(name.to_owned()));
        let app = |name: &str| Some(Place::App(name.to_owned()));
        for (text, expected) in [
            ("https://app.element.io/?a=1#/home", site("https://app.element.io")),
            ("https://APP.Element.io:443", site("https://app.element.io")),
            ("http://chat.example:8080/x", site("http://chat.example:8080")),
            ("https://xn--bcher-kva.example/", site("https://xn--bcher-kva.example")),
            ("https:evil.example/touchline.example", site("https://evil.example")),
            ("https:\\\\evil.example\\@touchline.example", site("https://evil.example")),
            ("https://evil.example#@touchline.example", site("https://evil.example")),
            ("https://evil.example?@touchline.example", site("https://evil.example")),
            ("http://localhost:41273/", device("http://localhost:41273")),
            ("http://2130706433:80/", device("http://127.0.0.1")),
            ("http://[::1]:9/", device("http://[::1]:9")),
            ("http://localhost.evil.example/", site("http://localhost.evil.example")),
            ("im.fluffychat://login", app("im.fluffychat")),
            ("element://vector/webapp/", app("element")),
            ("org.example.app:/oauth", app("org.example.app")),
        ] {
            assert_eq!(place(text), expected, "{text}");
        }
    }

    #[test]
    fn nobody_is_sent_to_what_runs_or_hides_something() {
        let long = format!("https://touchline.example.{}evil.example/", "a.".repeat(60));
        for text in [
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "java\tscript:alert(1)",
            " javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "blob:https://touchline.example/1",
            "about:blank",
            "vbscript:x",
            "view-source:https://a.example",
            "intent://x#Intent;scheme=https;end",
            "chrome-extension://abc/",
            "/relative",
            "//evil.example/",
            "evil.example",
            "",
            "https://",
            "https:///",
            "https://touchline.example@evil.example/",
            "https://a:b@evil.example/",
            // Other letters come in their ASCII form, as browsers write them, and are shown so.
            "https://touchline.ex\u{430}mple/",
            "https://evil.example/\u{0}",
            "https://evil.example/a b",
            "https://evil\u{202e}elpmaxe.example/",
            &long,
            &format!("https://a.example/{}", "a".repeat(LONGEST)),
        ] {
            assert_eq!(place(text), None, "{text}");
        }
    }

    #[test]
    fn the_token_is_added_to_what_is_there_and_is_the_only_one() {
        for (text, expected) in [
            ("https://a.example/", "https://a.example/?loginToken=t"),
            ("https://a.example/?a=1&b=%20", "https://a.example/?a=1&b=%20&loginToken=t"),
            (
                "https://a.example/?loginToken=x&a&login%54oken=y#top",
                "https://a.example/?a&loginToken=t#top",
            ),
            ("im.fluffychat://login", "im.fluffychat://login?loginToken=t"),
            ("app:back?x=1", "app:back?x=1&loginToken=t"),
        ] {
            let address = ReturnAddress::parse(text).unwrap();
            assert_eq!(address.with_token("t"), expected, "{text}");
        }
    }
}
