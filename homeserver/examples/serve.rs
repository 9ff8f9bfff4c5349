//! Runs the homeserver alone, for SDK and load tests:
//! `serve <database> <port> <as_token> [<hs_token> <appservice url> [<server name>]]`

use std::error::Error;
use std::path::Path;

use touchline_homeserver::{Appservice, Config, Homeserver, Rate};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |name: &str| arguments.next().ok_or_else(|| format!("missing {name}"));
    let (path, port, as_token) = (next("database")?, next("port")?, next("as_token")?);
    let hs_token = next("hs_token").unwrap_or_else(|_| "hs_secret".to_owned());
    let url = next("appservice url").ok();
    let server_name = next("server name").unwrap_or_else(|_| "localtest".to_owned());
    let config = Config {
        server_name,
        public_base_url: format!("http://127.0.0.1:{port}"),
        appservice: Some(Appservice {
            id: "touchline".to_owned(),
            url: url.clone().unwrap_or_default(),
            as_token,
            hs_token,
            sender_localpart: "touchline".to_owned(),
            alias_prefix: "match_".to_owned(),
            takes_reports: false,
        }),
        // The scripts are impatient.
        message_rate: Rate::UNLIMITED,
        request_rate: Rate::UNLIMITED,
        room_rate: Rate::UNLIMITED,
        membership_rate: Rate::UNLIMITED,
        backup_rate: Rate::UNLIMITED,
        ..Config::default()
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let homeserver = Homeserver::open(Path::new(&path), config)?;
        if url.is_some_and(|url| !url.is_empty()) {
            homeserver.start_push();
        }
        let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
        let stop = async {
            let _ = tokio::signal::ctrl_c().await;
        };
        // Serving the router itself would build it anew for every connection, at 100 KB each.
        let service = homeserver.router().into_make_service();
        tokio::select! {
            served = axum::serve(listener, service).into_future() => served?,
            () = stop => {}
        }
        homeserver.close().await;
        Ok(())
    })
}
