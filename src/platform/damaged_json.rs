//! For tests: valid documents with something wrong in them, as whoever reads documents from outside must expect them.

use proptest::collection::{hash_map, vec};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

#[derive(Debug, Clone)]
enum Change {
    Drop,
    Put(Value),
}

/// The document after a few changes: places left out, of another type, far too large, negative, or nonsense.
pub fn damaged(document: Value) -> impl Strategy<Value = Value> {
    let change = prop_oneof![1 => Just(Change::Drop), 4 => any_json().prop_map(Change::Put)];
    vec((any::<Index>(), change), 1..4).prop_map(move |changes| {
        let mut damaged = document.clone();
        for (at, change) in changes {
            let mut all = Vec::new();
            places(&damaged, "", &mut all);
            let place: &String = at.get(&all);
            apply(&mut damaged, place, change);
        }
        damaged
    })
}

fn apply(document: &mut Value, place: &str, change: Change) {
    let new = match change {
        Change::Put(new) => new,
        Change::Drop => {
            let (parent, name) = place.rsplit_once('/').unwrap_or_default();
            if let Some(Value::Object(fields)) = document.pointer_mut(parent) {
                fields.remove(name);
            }
            return;
        }
    };
    if let Some(old) = document.pointer_mut(place) {
        *old = new;
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-3_i64..120).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,20}".prop_map(Value::from),
        Just(json!("\u{0}\u{7}")),
        Just(json!("x".repeat(70_000))),
        Just(json!("9999-99-99")),
        Just(json!("9999-12-31T23:59:59Z")),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            hash_map("[a-z]{1,6}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Every place in a document, as a JSON pointer.
fn places(value: &Value, here: &str, found: &mut Vec<String>) {
    found.push(here.to_owned());
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                places(item, &format!("{here}/{at}"), found);
            }
        }
        Value::Object(fields) => {
            for (name, item) in fields {
                places(item, &format!("{here}/{name}"), found);
            }
        }
        _ => {}
    }
}
