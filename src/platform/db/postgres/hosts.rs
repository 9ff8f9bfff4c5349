//! What a PostgreSQL URL says: the hosts at which the server may be.

use std::net::IpAddr;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

use crate::platform::error::{DatabaseError, DatabaseResult};

const DEFAULT_PORT: u16 = 5432;

pub fn parse(url: &str) -> DatabaseResult<Config> {
    // `require` checks the certificate and the name in it already, which is what the stricter words ask for.
    let url = url.replace("sslmode=verify-full", "sslmode=require");
    let url = url.replace("sslmode=verify-ca", "sslmode=require");
    // The driver's error names the option at fault and never its value.
    url.parse().map_err(|error: tokio_postgres::Error| {
        let detail = std::error::Error::source(&error).map(ToString::to_string);
        DatabaseError::Setup(format!(
            "the database URL is not understood: {}",
            detail.unwrap_or_default()
        ))
    })
}

/// Whether what is sent to this server is encrypted or does not leave the machine.
pub fn is_private(url: &str) -> DatabaseResult<bool> {
    let config = parse(url)?;
    let stays_here = |host: &Host| match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
        }
        Host::Unix(_) => true,
    };
    let is_here = config.get_hosts().iter().all(stays_here)
        && config.get_hostaddrs().iter().all(IpAddr::is_loopback);
    Ok(is_here || config.get_ssl_mode() == SslMode::Require)
}

/// One configuration for each host, so that each is asked on its own: the driver asks one after the other and waits for each.
pub fn hosts_of(all: &Config) -> DatabaseResult<Vec<Config>> {
    let (names, addresses, ports) = (all.get_hosts(), all.get_hostaddrs(), all.get_ports());
    let count = names.len().max(addresses.len());
    let fits = |given: usize| given == count || given == 0;
    if count == 0
        || !fits(names.len())
        || !fits(addresses.len())
        || !(fits(ports.len()) || ports.len() == 1)
    {
        return Err(DatabaseError::Setup(
            "the database URL must name a host, and as many ports and addresses as hosts"
                .to_owned(),
        ));
    }
    let mut hosts = Vec::new();
    for at in 0..count {
        let mut one = without_hosts(all);
        match names.get(at) {
            Some(Host::Tcp(name)) => drop(one.host(name)),
            Some(Host::Unix(path)) => drop(one.host_path(path)),
            None => {}
        }
        if let Some(address) = addresses.get(at) {
            one.hostaddr(*address);
        }
        one.port(ports.get(at).or(ports.first()).copied().unwrap_or(DEFAULT_PORT));
        if count > 1 {
            // A connection to a standby would be good for reads only, and stay when another server takes writes.
            one.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        hosts.push(one);
    }
    Ok(hosts)
}

/// The driver has no way to take a host out of a configuration.
fn without_hosts(all: &Config) -> Config {
    let mut one = Config::new();
    if let Some(user) = all.get_user() {
        one.user(user);
    }
    if let Some(password) = all.get_password() {
        one.password(password);
    }
    if let Some(name) = all.get_dbname() {
        one.dbname(name);
    }
    if let Some(options) = all.get_options() {
        one.options(options);
    }
    if let Some(wait) = all.get_connect_timeout() {
        one.connect_timeout(*wait);
    }
    one.ssl_mode(all.get_ssl_mode())
        .ssl_negotiation(all.get_ssl_negotiation())
        .channel_binding(all.get_channel_binding())
        .keepalives(all.get_keepalives())
        .target_session_attrs(all.get_target_session_attrs())
        .load_balance_hosts(all.get_load_balance_hosts());
    one
}
