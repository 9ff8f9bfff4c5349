//! Sync and pagination filters, and where clients store them.

use ruma::api::client::filter::{
    FilterDefinition, RoomEventFilter, UrlFilter, create_filter, get_filter,
};
use ruma::api::client::sync::sync_events::v3::Filter;
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::budget::FILTERS;
use crate::error::{Error, Result};
use crate::http::{Caller, Routes};
use crate::store::events::Event;
use crate::store::{Tx, find};

pub fn routes(routes: Routes) -> Routes {
    routes.change(create).look(|look, body: get_filter::v3::Request| {
        look.me.only_self(&body.user_id)?;
        let definition = find_definition(look.conn, look.me.id(), &body.filter_id)?;
        let definition = definition.ok_or_else(|| Error::not_found("No such filter"))?;
        Ok(serde_json::from_str::<Value>(&definition)?)
    })
}

fn create(tx: &mut Tx<'_>, me: &Caller, body: create_filter::v3::Request) -> Result<Value> {
    me.only_self(&body.user_id)?;
    let definition = serde_json::to_string(&body.filter)?;
    FILTERS.check_one(definition.len())?;
    let sql = "SELECT filter FROM filters WHERE user = ?1 AND definition = ?2";
    let same: Option<i64> = find(tx.conn, sql, params![me.id(), definition], |row| row.get(0))?;
    if let Some(same) = same {
        return Ok(json!({"filter_id": same.to_string()}));
    }
    let sql = "SELECT COALESCE(MAX(filter) + 1, 0) FROM filters WHERE user = ?1";
    let next: i64 = find(tx.conn, sql, [me.id()], |row| row.get(0))?.unwrap_or(0);
    FILTERS.check_all(me, (next + 1, 0))?;
    tx.execute("INSERT INTO filters VALUES (?1, ?2, ?3)", params![me.id(), next, definition])?;
    Ok(json!({"filter_id": next.to_string()}))
}

fn find_definition(conn: &Connection, user: &str, id: &str) -> Result<Option<String>> {
    let Ok(id) = id.parse::<i64>() else { return Ok(None) };
    let sql = "SELECT definition FROM filters WHERE user = ?1 AND filter = ?2";
    find(conn, sql, params![user, id], |row| row.get(0))
}

/// The filter of a sync request, inline or stored.
pub fn load(conn: &Connection, user: &str, filter: Option<&Filter>) -> Result<FilterDefinition> {
    match filter {
        Some(Filter::FilterDefinition(definition)) => Ok(definition.clone()),
        Some(Filter::FilterId(id)) => {
            let definition = find_definition(conn, user, id)?
                .ok_or_else(|| Error::invalid_param("No such filter"))?;
            Ok(serde_json::from_str(&definition)?)
        }
        _ => Ok(FilterDefinition::default()),
    }
}

pub fn lazy(filter: &RoomEventFilter) -> bool {
    !filter.lazy_load_options.is_disabled()
}

pub fn matches(filter: &RoomEventFilter, event: &Event) -> bool {
    let sender = |user: &ruma::OwnedUserId| user.as_str() == event.sender;
    if filter.not_senders.iter().any(sender) {
        return false;
    }
    if filter.senders.as_ref().is_some_and(|senders| !senders.iter().any(sender)) {
        return false;
    }
    if !matches_type(filter.types.as_deref(), &filter.not_types, &event.kind) {
        return false;
    }
    match &filter.url_filter {
        Some(wanted) => {
            let has_url = event.content_value().get("url").is_some_and(Value::is_string);
            has_url == (*wanted == UrlFilter::EventsWithUrl)
        }
        None => true,
    }
}

/// Leaves only events of the types that are wanted.
pub fn keep_types(events: &mut Vec<Value>, types: Option<&[String]>, not_types: &[String]) {
    events.retain(|event| {
        let kind = event.get("type").and_then(Value::as_str).unwrap_or_default();
        matches_type(types, not_types, kind)
    });
}

fn matches_type(types: Option<&[String]>, not_types: &[String], kind: &str) -> bool {
    !not_types.iter().any(|pattern| wildcard(pattern, kind))
        && types.is_none_or(|types| types.iter().any(|pattern| wildcard(pattern, kind)))
}

/// `*` stands for any number of characters. Leftmost matches suffice, so this is linear enough.
fn wildcard(pattern: &str, text: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut tail) = text.strip_prefix(head) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        match tail.split_once(part) {
            Some((_, after)) => tail = after,
            None => return false,
        }
    }
    tail.ends_with(last)
}
