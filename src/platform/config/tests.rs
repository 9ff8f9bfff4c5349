//! Settings as they are read, and the sentences that refuse wrong ones.

use super::*;

fn load(variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let mut settings = default_table()?;
    overlay_environment(&mut settings, variables)?;
    Config::from_table(settings)
}

fn load_file(text: &str) -> Result<Config, ConfigError> {
    let mut settings = default_table()?;
    overlay_file(&mut settings, text, Path::new("touchline.toml"))?;
    Config::from_table(settings)
}

#[test]
fn the_default_file_and_the_struct_agree_key_by_key() {
    let printed = Table::try_from(Config::defaults().unwrap()).unwrap();
    assert_eq!(printed, default_table().unwrap());
}

#[test]
fn every_key_of_the_default_file_is_explained_by_a_comment() {
    let mut explained = false;
    for line in DEFAULTS.lines() {
        if line.starts_with('#') {
            explained = true;
        } else if line.is_empty() || line.starts_with('[') {
            explained = false;
        } else {
            assert!(explained, "no comment above: {line}");
        }
    }
}

#[test]
fn an_environment_variable_wins_over_the_default() {
    let config = load(&[
        ("TOUCHLINE_LISTEN", "127.0.0.1:0"),
        ("TOUCHLINE_HTTP__BODY_LIMIT_BYTES", "1000"),
        ("TOUCHLINE_HTTP__CORS_ORIGINS", "https://a.example, https://b.example"),
        ("TOUCHLINE_DEMO_DATA", "false"),
        ("HOME", "/root"),
    ])
    .unwrap();
    assert_eq!(config.listen.port(), 0);
    assert_eq!(config.http.body_limit_bytes, 1000);
    assert_eq!(config.http.cors_origins, ["https://a.example", "https://b.example"]);
    assert!(!config.loads_demo_data());
}

#[test]
fn the_fan_page_is_on_where_a_developer_works_and_elsewhere_by_request() {
    let shown = |variables: &[(&str, &str)]| {
        let config = load(variables).unwrap();
        (config.shows_fan_page(), config.shows_public_matches())
    };
    let testing = ("TOUCHLINE_ENVIRONMENT", "testing");
    assert_eq!(shown(&[]), (true, true));
    assert_eq!(shown(&[("TOUCHLINE_FAN_PAGE", "false")]), (false, false));
    assert_eq!(shown(&[testing]), (false, false));
    assert_eq!(shown(&[testing, ("TOUCHLINE_FAN_PAGE", "true")]), (true, true));
    assert_eq!(shown(&[testing, ("TOUCHLINE_PUBLIC_MATCHES", "true")]), (false, true));
    assert_eq!(shown(&[("TOUCHLINE_PUBLIC_MATCHES", "false")]), (true, false));
}

#[test]
fn the_console_is_beside_the_api_where_a_developer_works_and_elsewhere_on_its_own_address() {
    let served = |variables: &[(&str, &str)]| {
        let config = load(variables).unwrap();
        (config.shows_console_to_all(), config.console_url())
    };
    let staging = ("TOUCHLINE_ENVIRONMENT", "staging");
    let own = ("TOUCHLINE_CONSOLE_LISTEN", "0.0.0.0:8081");
    let (on, off) = (("TOUCHLINE_CONSOLE", "true"), ("TOUCHLINE_CONSOLE", "false"));
    let here = Some("http://127.0.0.1:8080/console".to_owned());
    let there = Some("http://127.0.0.1:8081/console".to_owned());
    assert_eq!(served(&[]), (true, here.clone()));
    assert_eq!(served(&[off]), (false, None));
    assert_eq!(served(&[staging]), (false, None));
    assert_eq!(served(&[staging, on]), (true, here));
    for settings in [&[own][..], &[own, staging], &[own, on]] {
        assert_eq!(served(settings), (false, there.clone()), "{settings:?}");
    }
    assert_eq!(served(&[own, off]), (false, None));
    assert!(load(&[("TOUCHLINE_CONSOLE_LISTEN", "8081")]).is_err());
}

#[test]
fn a_trusted_proxy_is_a_network_or_an_address_alone() {
    let proxies = ("TOUCHLINE_HTTP__TRUSTED_PROXIES", "10.0.0.0/8, 192.0.2.7, ::1, 10.1.2.3/8");
    let read = load(&[proxies]).unwrap().http.trusted_proxies;
    let read: Vec<String> = read.iter().map(ToString::to_string).collect();
    assert_eq!(read, ["10.0.0.0/8", "192.0.2.7/32", "::1/128", "10.1.2.3/8"]);
}

#[test]
fn a_file_wins_over_the_default_and_keeps_the_rest() {
    let config = load_file("demo_data = false\n[http]\nmax_in_flight = 7").unwrap();
    assert_eq!(config.http.max_in_flight, 7);
    assert_eq!(config.http.body_limit_bytes, 65_536);
    assert!(!config.loads_demo_data());
}

#[test]
fn an_unknown_key_is_refused_by_name() {
    let error = load(&[("TOUCHLINE_HTPP__PORT", "1")]).unwrap_err().to_string();
    assert!(error.starts_with("TOUCHLINE_HTPP__PORT is not a setting"), "{error}");
    let error = load_file("[http]\nport = 1").unwrap_err().to_string();
    assert!(error.starts_with("http.port is not a setting"), "{error}");
}

#[test]
fn the_names_that_kubernetes_gives_a_service_are_no_settings() {
    for name in [
        "TOUCHLINE_PORT",
        "TOUCHLINE_PORT_8080_TCP",
        "TOUCHLINE_PORT_8080_TCP_PROTO",
        "TOUCHLINE_PORT_8080_TCP_PORT",
        "TOUCHLINE_PORT_8080_TCP_ADDR",
        "TOUCHLINE_PORT_53_UDP",
        "TOUCHLINE_SERVICE_HOST",
        "TOUCHLINE_SERVICE_PORT",
        "TOUCHLINE_SERVICE_PORT_HTTP",
        "TOUCHLINE_SERVICE_PORT_HTTP_METRICS",
    ] {
        load(&[(name, "tcp://10.0.0.1:8080")]).unwrap();
    }
    for name in [
        "TOUCHLINE_PORTS",
        "TOUCHLINE_PORT_LISTEN",
        "TOUCHLINE_PORT_8080",
        "TOUCHLINE_PORT_8080_TLS",
        "TOUCHLINE_SERVICE",
        "TOUCHLINE_SERVICE__PORT",
        "TOUCHLINE_SERVICE_PORT__HTTP",
        "TOUCHLINE_SERVICE_NAME",
        "TOUCHLINE_LISTEN_PORT",
    ] {
        let error = load(&[(name, "8080")]).unwrap_err().to_string();
        assert!(error.starts_with(name), "{error}");
    }
}

#[test]
fn a_time_or_number_with_which_nothing_works_is_refused_by_name() {
    for key in [
        "http.header_timeout_ms",
        "http.body_timeout_ms",
        "http.handler_timeout_ms",
        "http.idle_timeout_ms",
        "http.write_timeout_ms",
        "http.matrix_timeout_ms",
        "http.body_limit_bytes",
        "sessions.idle_days",
        "sessions.max_days",
        "jobs.poll_ms",
        "jobs.lease_ms",
        "login.sends_per_10_minutes",
        "login.sends_per_day",
        "login.sends_per_address_in_5_minutes",
        "login.sends_per_prefix_an_hour",
        "login.code_kept_hours",
        "stream.heartbeat_s",
    ] {
        let variable = format!("TOUCHLINE_{}", key.replace('.', "__").to_uppercase());
        let error = load(&[(&variable, "0")]).unwrap_err().to_string();
        assert_eq!(error, format!("{key} must be at least 1."));
    }
}

#[test]
fn a_value_of_the_wrong_type_is_refused_by_name() {
    for (variable, value) in [
        ("TOUCHLINE_HTTP__MAX_IN_FLIGHT", "many"),
        ("TOUCHLINE_HTTP__MAX_IN_FLIGHT", "-1"),
        ("TOUCHLINE_HTTP__MAX_IN_FLIGHT", ""),
    ] {
        let error = load(&[(variable, value)]).unwrap_err().to_string();
        assert_eq!(error, "TOUCHLINE_HTTP__MAX_IN_FLIGHT must be a whole number, 0 or more.");
    }
    let error = load_file("listen = 8080").unwrap_err().to_string();
    assert_eq!(error, "listen must be a text.");
}

#[test]
fn a_value_outside_its_set_is_refused_by_name() {
    for (variable, value, named) in [
        ("TOUCHLINE_ENVIRONMENT", "prod", "environment"),
        ("TOUCHLINE_LISTEN", "8080", "listen"),
        ("TOUCHLINE_DATABASE_URL", "mysql://x", "database_url"),
        ("TOUCHLINE_SECRET_KEY", "short", "secret_key"),
        ("TOUCHLINE_OPERATOR_TOKEN", "short", "operator_token"),
        ("TOUCHLINE_DATABASE__REPLICA_URLS", "postgres://x", "database.replica_urls"),
        ("TOUCHLINE_DATABASE__REPLICA_MAX_AGE_MS", "499", "database.replica_max_age_ms"),
        ("TOUCHLINE_DATABASE__REPLICA_CONNECTIONS", "0", "database.replica_connections"),
        ("TOUCHLINE_HTTP__MAX_CONNECTIONS", "0", "http.max_connections"),
        ("TOUCHLINE_HTTP__TRUSTED_PROXIES", "10.0.0.0/99", "trusted_proxies"),
    ] {
        let error = load(&[(variable, value)]).unwrap_err().to_string();
        assert!(error.contains(named), "{variable}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn production_refuses_a_missing_secret_the_demo_data_private_addresses_and_the_log_provider() {
    let key = "0123456789abcdef0123456789abcdef";
    let production = ("TOUCHLINE_ENVIRONMENT", "production");
    let error = load(&[production]).unwrap_err().to_string();
    assert!(error.contains("secret_key"), "{error}");
    let demo = ("TOUCHLINE_DEMO_DATA", "true");
    let error = load(&[production, ("TOUCHLINE_SECRET_KEY", key), demo]).unwrap_err().to_string();
    assert!(error.contains("demo_data"), "{error}");
    let plays = ("TOUCHLINE_DEMO__PLAYS", "true");
    let error = load(&[production, ("TOUCHLINE_SECRET_KEY", key), plays]).unwrap_err().to_string();
    assert!(error.contains("demo.plays"), "{error}");
    let private = ("TOUCHLINE_PUSH__ALLOWS_PRIVATE_NETWORKS", "true");
    let error =
        load(&[production, ("TOUCHLINE_SECRET_KEY", key), private]).unwrap_err().to_string();
    assert!(error.contains("push.allows_private_networks"), "{error}");
    let error = load(&[production, ("TOUCHLINE_SECRET_KEY", key)]).unwrap_err().to_string();
    assert!(error.contains("sms.providers"), "{error}");
}

#[test]
fn secrets_are_hidden_when_printed() {
    let config = load(&[
        ("TOUCHLINE_SECRET_KEY", "0123456789abcdef0123456789abcdef"),
        ("TOUCHLINE_SMS__TWILIO__AUTH_TOKEN", "0123456789"),
        ("TOUCHLINE_SMS__VONAGE__API_SECRET", "0123456789"),
        ("TOUCHLINE_SMS__HTTP__SECRET", "0123456789"),
        ("TOUCHLINE_DATABASE_URL", "postgres://fan:pass:w@rd@db.example/touchline"),
        ("TOUCHLINE_DATABASE__REPLICA_URLS", "postgres://fan:pass:w@rd@near.example/touchline"),
    ])
    .unwrap();
    let printed = toml::to_string(&config).unwrap();
    assert!(!printed.contains("0123456789") && !printed.contains("w@rd"), "{printed}");
    assert!(printed.contains("postgres://(hidden)@db.example/touchline"), "{printed}");
    assert!(printed.contains("postgres://(hidden)@near.example/touchline"), "{printed}");
    assert!(!format!("{config:?}").contains("0123456789"));
}
