//! Laying settings over one another: the default file is the schema, and what it lacks does not exist.

use std::collections::BTreeMap;
use std::path::Path;

use toml::{Table, Value};

use super::{ConfigError, DEFAULTS};

const ENVIRONMENT_PREFIX: &str = "TOUCHLINE_";

pub fn default_table() -> Result<Table, ConfigError> {
    DEFAULTS.parse().map_err(|error: toml::de::Error| {
        ConfigError(format!("config.default.toml is not valid: {}.", one_line(&error.to_string())))
    })
}

pub fn overlay_file(settings: &mut Table, text: &str, path: &Path) -> Result<(), ConfigError> {
    let file: Table = text.parse().map_err(|error: toml::de::Error| {
        let reason = one_line(&error.to_string());
        ConfigError(format!(
            "The configuration file {} is not valid TOML: {reason}.",
            path.display()
        ))
    })?;
    overlay(settings, file, "")
}

fn overlay(settings: &mut Table, changes: Table, section: &str) -> Result<(), ConfigError> {
    for (key, new) in changes {
        let name = format!("{section}{key}");
        match (settings.get_mut(&key), new) {
            (None, _) => return Err(unknown_key(&name)),
            (Some(Value::Table(below)), Value::Table(new)) => {
                overlay(below, new, &format!("{name}."))?;
            }
            (Some(old), new) => *old = accept(&name, old, new)?,
        }
    }
    Ok(())
}

pub fn overlay_environment(
    settings: &mut Table,
    variables: impl Iterator<Item = (String, String)>,
) -> Result<(), ConfigError> {
    // Sorted, so that the same environment always complains about the same variable first.
    let variables: BTreeMap<_, _> = variables.filter(|(name, _)| is_ours(name)).collect();
    for (variable, text) in variables {
        let keys = variable.trim_start_matches(ENVIRONMENT_PREFIX).to_lowercase();
        let old = find_key(settings, &keys).ok_or_else(|| unknown_key(&variable))?;
        let new = read_text(&text, old)
            .ok_or_else(|| ConfigError(format!("{variable} must be {}.", kind_of(old))))?;
        *old = accept(&variable, old, new)?;
    }
    Ok(())
}

fn is_ours(name: &str) -> bool {
    name.strip_prefix(ENVIRONMENT_PREFIX).is_some_and(|rest| !is_of_kubernetes(rest))
}

/// What Kubernetes puts into every container beside a service named `touchline`: `TOUCHLINE_PORT`, `TOUCHLINE_SERVICE_HOST`,
/// `TOUCHLINE_PORT_8080_TCP_ADDR` and the like. Names are matched whole, so that a misspelt setting is still refused.
fn is_of_kubernetes(rest: &str) -> bool {
    let words: Vec<&str> = rest.split('_').collect();
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    match words.as_slice() {
        ["PORT"] | ["SERVICE", "HOST" | "PORT"] => true,
        ["SERVICE", "PORT", name @ ..] => name.iter().all(|word| !word.is_empty()),
        ["PORT", number, "TCP" | "UDP" | "SCTP"]
        | ["PORT", number, "TCP" | "UDP" | "SCTP", "PROTO" | "PORT" | "ADDR"] => is_number(number),
        _ => false,
    }
}

fn find_key<'a>(settings: &'a mut Table, keys: &str) -> Option<&'a mut Value> {
    match keys.split_once("__") {
        Some((section, rest)) => match settings.get_mut(section)? {
            Value::Table(below) => find_key(below, rest),
            _ => None,
        },
        None => settings.get_mut(keys).filter(|value| !value.is_table()),
    }
}

/// An environment variable's text, read as the type that the default has.
fn read_text(text: &str, like: &Value) -> Option<Value> {
    Some(match like {
        Value::Integer(_) => Value::Integer(text.trim().parse().ok()?),
        Value::Float(_) => Value::Float(text.trim().parse().ok()?),
        Value::Boolean(_) => Value::Boolean(text.trim().parse().ok()?),
        Value::Array(_) => Value::Array(
            text.split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .map(|item| Value::String(item.to_owned()))
                .collect(),
        ),
        _ => Value::String(text.to_owned()),
    })
}

fn accept(name: &str, old: &Value, new: Value) -> Result<Value, ConfigError> {
    let fits = match (old, &new) {
        (Value::Integer(_), Value::Integer(number)) => *number >= 0,
        (Value::String(default), Value::Boolean(_)) => default == "auto",
        (Value::Array(_), Value::Array(items)) => items.iter().all(Value::is_str),
        (old, new) => old.same_type(new),
    };
    if fits { Ok(new) } else { Err(ConfigError(format!("{name} must be {}.", kind_of(old)))) }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Integer(_) => "a whole number, 0 or more",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Array(_) => "a list of texts",
        Value::Table(_) => "a section",
        _ => "a text",
    }
}

fn unknown_key(name: &str) -> ConfigError {
    ConfigError(format!(
        "{name} is not a setting of Touchline; config.default.toml lists them all."
    ))
}

pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches('.').to_owned()
}
