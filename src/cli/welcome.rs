//! What somebody at a terminal wants to know when the service is ready, and where the others in the network reach it.

use std::io::{IsTerminal, Write};
use std::net::{IpAddr, SocketAddr, UdpSocket};

use crate::app::App;
use crate::platform::config::{Config, Environment};

/// A service on all addresses of its machine, which was not told under which apps reach it, takes the one by which the machine itself
/// reaches others: phones in the same network can open it.
pub fn find_public_url(config: &mut Config) {
    if config.public_url.is_empty()
        && config.listen.ip().is_unspecified()
        && let Some(ip) = network_address()
    {
        let scheme = if config.tls.is_on() { "https" } else { "http" };
        config.public_url = format!("{scheme}://{}", SocketAddr::new(ip, config.listen.port()));
    }
}

/// The address that this machine has in its network. Nothing is sent: a connected datagram socket only chooses its route.
fn network_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    // Reserved for documentation, so it is nobody's; the way there is the way to everybody outside.
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_loopback() && !ip.is_unspecified())
}

/// The one line for machines: the service's address first.
pub fn ready_line(app: &App) -> String {
    let address = app.config.own_url();
    let console = app.config.console_url();
    let console = console.map_or_else(String::new, |url| format!(", console at {url}"));
    let chat = app.chat.matrix.settings().describe();
    format!("Touchline is ready at {address} (docs at {address}/docs{console}). {chat}")
}

/// Lines for people, behind the one for machines; only where somebody is looking.
pub fn greet(app: &App) {
    let config = &app.config;
    if shows_codes(config) && !config.listen.ip().is_loopback() {
        tracing::warn!(
            "everybody who reaches {} can read the codes of every login: only in a network that you trust",
            config.listen
        );
    }
    let mut stdout = std::io::stdout();
    if stdout.is_terminal() {
        // A terminal that is gone needs no greeting.
        let _ = stdout.write_all(lines(config, sign_in_link(app)).as_bytes());
    }
}

/// Whether the SMS log is served, where codes stand in clear text.
fn shows_codes(config: &Config) -> bool {
    config.environment != Environment::Production
}

/// Opens the console for whoever reads the terminal, once: they could make themselves a token by a command.
fn sign_in_link(app: &App) -> Option<String> {
    let url = app.config.console_url()?;
    Some(format!("{url}#sign-in={}", app.sign_in.offer()))
}

fn lines(config: &Config, console: Option<String>) -> String {
    let base = config.own_url();
    let mut rows = Vec::new();
    if config.shows_fan_page() {
        rows.push(("Page", format!("{base}/"), "matches that are on, and all that a fan can do"));
    }
    if let Some(link) = console {
        rows.push(("Console", link, "the operators' side; this link works once, within an hour"));
    }
    rows.push(("Docs", format!("{base}/docs"), "every call, to read and to try"));
    if config.public_url() != base {
        rows.push(("Apps", config.public_url(), "the address for phones and other machines"));
    }
    if shows_codes(config) {
        rows.push(("Codes", format!("{base}/api/logs/sms"), "every code that a login asks for"));
    }
    if config.loads_demo_data() {
        let data = config.data_dir.display().to_string();
        rows.push(("Data", data, "an invented league; remove the folder to begin anew"));
    }
    rows.push(("Stop", "Ctrl-C".to_owned(), ""));
    let width = rows.iter().map(|(_, what, _)| what.chars().count()).max().unwrap_or(0);
    let line = |(name, what, why): &(&str, String, &str)| {
        format!("  {name:<7} {what:<width$}   {why}").trim_end().to_owned() + "\n"
    };
    format!("\n{}\n", rows.iter().map(line).collect::<String>())
}
