//! Values that need more than a plain type: secrets, switches, networks.

use std::fmt;
use std::net::IpAddr;

use ipnet::IpNet;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::Value;

/// A text that is never shown; empty means "not set".
#[derive(Clone, Default)]
pub struct Secret(SecretString);

impl Secret {
    pub fn new(text: impl Into<String>) -> Self {
        Self(SecretString::from(text.into()))
    }

    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    pub fn is_set(&self) -> bool {
        !self.expose().is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_set() { "(hidden)" } else { "(not set)" })
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(if self.is_set() { "(hidden)" } else { "" })
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(String::deserialize(deserializer)?))
    }
}

/// A switch whose default depends on the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    Auto,
    On,
    Off,
}

impl Switch {
    /// What it was set to, or what it is by itself.
    pub fn or(self, by_itself: bool) -> bool {
        match self {
            Self::Auto => by_itself,
            Self::On => true,
            Self::Off => false,
        }
    }
}

impl Serialize for Switch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::On => serializer.serialize_bool(true),
            Self::Off => serializer.serialize_bool(false),
        }
    }
}

impl<'de> Deserialize<'de> for Switch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)?.to_string().trim_matches('"') {
            "auto" => Ok(Self::Auto),
            "true" => Ok(Self::On),
            "false" => Ok(Self::Off),
            _ => Err(serde::de::Error::custom("expected true, false or auto")),
        }
    }
}

/// Networks such as `10.0.0.0/8`; an address alone is a network of one, which [`IpNet`] by itself does not read.
pub fn read_networks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpNet>, D::Error> {
    let read = |text: &String| match text.split_once('/') {
        Some((address, length)) => IpNet::new(address.parse().ok()?, length.parse().ok()?).ok(),
        None => Some(text.parse::<IpAddr>().ok()?.into()),
    };
    let refusal = "http.trusted_proxies takes addresses or networks like 10.0.0.0/8";
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| read(text).ok_or_else(|| serde::de::Error::custom(refusal))).collect()
}

/// A database address as it may be shown.
fn without_password(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://(hidden)@{host}"),
        _ => url.to_owned(),
    }
}

pub fn hide_password<S: Serializer>(url: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&without_password(url))
}

pub fn hide_passwords<S: Serializer>(urls: &[String], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(urls.iter().map(|url| without_password(url)))
}
