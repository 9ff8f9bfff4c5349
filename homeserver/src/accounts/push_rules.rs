//! Push rules: kept as account data, so that every device learns of a change by `/sync`.

use ruma::UserId;
use ruma::api::client::push::{
    delete_pushrule, get_pushers, get_pushrule, get_pushrule_actions, get_pushrule_enabled,
    get_pushrules_all, get_pushrules_global_scope, set_pushrule, set_pushrule_actions,
    set_pushrule_enabled,
};
use ruma::push::{RuleKind, Ruleset};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::data::{find_data, set_data};
use crate::error::{Error, Result};
use crate::http::{Call, Endpoint, Routes, empty, ok};

pub const PUSH_RULES: &str = "m.push_rules";

pub fn routes(routes: Routes) -> Routes {
    routes
        .serve(async |call: Call<get_pushrules_all::v3::Request>| {
            ok(json!({"global": get_rules(&call).await?}))
        })
        .serve(async |call: Call<get_pushrules_global_scope::v3::Request>| {
            ok(get_rules(&call).await?)
        })
        .serve(async |call: Call<get_pushrule::v3::Request>| {
            ok(get_rule(&call, call.body.kind.clone(), &call.body.rule_id).await?)
        })
        .serve(async |call: Call<get_pushrule_actions::v3::Request>| {
            let rule = get_rule(&call, call.body.kind.clone(), &call.body.rule_id).await?;
            ok(json!({"actions": rule.get("actions")}))
        })
        .serve(async |call: Call<get_pushrule_enabled::v3::Request>| {
            let rule = get_rule(&call, call.body.kind.clone(), &call.body.rule_id).await?;
            ok(json!({"enabled": rule.get("enabled")}))
        })
        .serve(async |call: Call<set_pushrule::v3::Request>| {
            let me = call.me()?.user.clone();
            let body = call.body;
            let change = move |rules: &mut Ruleset| {
                rules
                    .insert(body.rule, body.after.as_deref(), body.before.as_deref())
                    .map_err(|cause| Error::invalid_param(cause.to_string()))
            };
            call.hs.store.write(move |tx| update(tx, &me, change)).await?;
            empty()
        })
        .serve(async |call: Call<delete_pushrule::v3::Request>| {
            let me = call.me()?.user.clone();
            let body = call.body;
            let change = move |rules: &mut Ruleset| {
                rules.remove(body.kind, body.rule_id).map_err(|_| unknown_rule())
            };
            call.hs.store.write(move |tx| update(tx, &me, change)).await?;
            empty()
        })
        .serve(async |call: Call<set_pushrule_actions::v3::Request>| {
            let me = call.me()?.user.clone();
            let body = call.body;
            let change = move |rules: &mut Ruleset| {
                let changed = rules.set_actions(body.kind, body.rule_id, body.actions);
                changed.map_err(|_| unknown_rule())
            };
            call.hs.store.write(move |tx| update(tx, &me, change)).await?;
            empty()
        })
        .serve(async |call: Call<set_pushrule_enabled::v3::Request>| {
            let me = call.me()?.user.clone();
            let body = call.body;
            let change = move |rules: &mut Ruleset| {
                let changed = rules.set_enabled(body.kind, body.rule_id, body.enabled);
                changed.map_err(|_| unknown_rule())
            };
            call.hs.store.write(move |tx| update(tx, &me, change)).await?;
            empty()
        })
        // Clients ask at start; there is nothing that pushes to phones.
        .serve(async |_: Call<get_pushers::v3::Request>| ok(json!({"pushers": []})))
}

fn unknown_rule() -> Error {
    Error::not_found("Unknown rule")
}

/// The user's own rules, or None while they are the default.
pub fn find_own(conn: &Connection, user: &str) -> Result<Option<Ruleset>> {
    let stored = find_data(conn, user, 0, PUSH_RULES)?;
    let rules = stored.and_then(|mut data| data.get_mut("global").map(Value::take));
    Ok(rules.map(serde_json::from_value).transpose()?)
}

pub fn load(conn: &Connection, user: &UserId) -> Result<Ruleset> {
    Ok(find_own(conn, user.as_str())?.unwrap_or_else(|| Ruleset::server_default(user)))
}

async fn get_rules<T>(call: &Call<T>) -> Result<Ruleset> {
    let me = call.me()?.user.clone();
    call.hs.store.read(move |conn| load(conn, &me)).await
}

async fn get_rule<T>(call: &Call<T>, kind: RuleKind, id: &str) -> Result<Value> {
    let rules = serde_json::to_value(get_rules(call).await?)?;
    rules
        .get(kind.as_str())
        .and_then(Value::as_array)
        .and_then(|rules| rules.iter().find(|rule| rule.get("rule_id") == Some(&id.into())))
        .cloned()
        .ok_or_else(unknown_rule)
}

fn update(
    tx: &mut crate::store::Tx<'_>,
    user: &UserId,
    change: impl FnOnce(&mut Ruleset) -> Result<()>,
) -> Result<()> {
    let mut rules = load(tx.conn, user)?;
    change(&mut rules)?;
    let content = json!({"global": rules}).to_string();
    set_data(tx, user.as_str(), 0, PUSH_RULES, &content)
}
