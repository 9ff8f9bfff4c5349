//! Push rules: kept as account data, so that every device learns of a change by `/sync`.

use ruma::UserId;
use ruma::api::client::push::{
    delete_pushrule, get_pushrule, get_pushrule_actions, get_pushrule_enabled, get_pushrules_all,
    get_pushrules_global_scope, set_pushrule, set_pushrule_actions, set_pushrule_enabled,
};
use ruma::push::{RuleKind, Ruleset};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::data::{find_data, set_data};
use crate::budget::{self, number};
use crate::error::{Error, Result};
use crate::http::{Caller, Done, Look, Routes};
use crate::pushers;
use crate::store::Tx;

pub const PUSH_RULES: &str = "m.push_rules";

pub fn routes(routes: Routes) -> Routes {
    routes
        .look(|look, _: get_pushrules_all::v3::Request| {
            Ok(json!({"global": load(look.conn, &look.me.user)?}))
        })
        .look(|look, _: get_pushrules_global_scope::v3::Request| load(look.conn, &look.me.user))
        .look(|look, body: get_pushrule::v3::Request| get_rule(look, &body.kind, &body.rule_id))
        .look(|look, body: get_pushrule_actions::v3::Request| {
            let rule = get_rule(look, &body.kind, &body.rule_id)?;
            Ok(json!({"actions": rule.get("actions")}))
        })
        .look(|look, body: get_pushrule_enabled::v3::Request| {
            let rule = get_rule(look, &body.kind, &body.rule_id)?;
            Ok(json!({"enabled": rule.get("enabled")}))
        })
        .change(|tx, me, body: set_pushrule::v3::Request| {
            update(tx, me, |rules| {
                rules
                    .insert(body.rule, body.after.as_deref(), body.before.as_deref())
                    .map_err(|cause| Error::invalid_param(cause.to_string()))
            })
        })
        .change(|tx, me, body: delete_pushrule::v3::Request| {
            update(tx, me, |rules| {
                rules.remove(body.kind, body.rule_id).map_err(|_| unknown_rule())
            })
        })
        .change(|tx, me, body: set_pushrule_actions::v3::Request| {
            update(tx, me, |rules| {
                let changed = rules.set_actions(body.kind, body.rule_id, body.actions);
                changed.map_err(|_| unknown_rule())
            })
        })
        .change(|tx, me, body: set_pushrule_enabled::v3::Request| {
            update(tx, me, |rules| {
                let changed = rules.set_enabled(body.kind, body.rule_id, body.enabled);
                changed.map_err(|_| unknown_rule())
            })
        })
}

fn unknown_rule() -> Error {
    Error::not_found("Unknown rule")
}

/// The user's own rules, or None while they are the default.
pub fn find_own(conn: &Connection, user: &str) -> Result<Option<Ruleset>> {
    find_data(conn, user, 0, PUSH_RULES)?.map_or(Ok(None), read)
}

/// The rules in account data.
pub fn read(mut data: Value) -> Result<Option<Ruleset>> {
    let rules = data.get_mut("global").map(Value::take);
    Ok(rules.map(serde_json::from_value).transpose()?)
}

pub fn load(conn: &Connection, user: &UserId) -> Result<Ruleset> {
    Ok(find_own(conn, user.as_str())?.unwrap_or_else(|| Ruleset::server_default(user)))
}

fn get_rule(look: &Look<'_>, kind: &RuleKind, id: &str) -> Result<Value> {
    let rules = serde_json::to_value(load(look.conn, &look.me.user)?)?;
    rules
        .get(kind.as_str())
        .and_then(Value::as_array)
        .and_then(|rules| rules.iter().find(|rule| rule.get("rule_id") == Some(&id.into())))
        .cloned()
        .ok_or_else(unknown_rule)
}

fn update(
    tx: &mut Tx<'_>,
    me: &Caller,
    change: impl FnOnce(&mut Ruleset) -> Result<()>,
) -> Result<Done> {
    let mut rules = load(tx.conn, &me.user)?;
    change(&mut rules)?;
    let content = json!({"global": rules}).to_string();
    budget::PUSH_RULES.check_one(content.len())?;
    budget::PUSH_RULES.check_all(me, (number(rules.iter().count()), 0))?;
    pushers::note_own_rules(tx, me.id())?;
    set_data(tx, me.id(), 0, PUSH_RULES, &content).map(|()| Done {})
}
