//! The file by which a homeserver knows this service.

use serde_json::Value;

use super::{ALIAS_PREFIX, APPSERVICE_ID, Settings};

/// The registration as YAML. Users are not claimed exclusively: that would cost them notifications and the directory.
pub fn registration(settings: &Settings) -> String {
    let server = escape(settings.server_name.as_str());
    // A JSON text is a YAML text, so nothing in a value can break out of its line.
    let text = |value: &str| Value::from(value).to_string();
    let lines = [
        "# Made by `touchline matrix-registration`; holds secrets. Name it in app_service_config_files of the homeserver."
            .to_owned(),
        format!("id: {APPSERVICE_ID}"),
        format!("url: {}", text(&settings.appservice_url)),
        format!("as_token: {}", text(settings.as_token.expose())),
        format!("hs_token: {}", text(settings.hs_token.expose())),
        format!("sender_localpart: {}", text(settings.bot.localpart())),
        "rate_limited: false".to_owned(),
        "namespaces:".to_owned(),
        "  users:".to_owned(),
        "    - exclusive: false".to_owned(),
        format!("      regex: {}", text(&format!("@.*:{server}$"))),
        "  aliases:".to_owned(),
        "    - exclusive: true".to_owned(),
        format!("      regex: {}", text(&format!("#{ALIAS_PREFIX}.*:{server}$"))),
        "  rooms: []".to_owned(),
    ];
    lines.join("\n")
}

fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if !letter.is_ascii_alphanumeric() && letter != '-' {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
