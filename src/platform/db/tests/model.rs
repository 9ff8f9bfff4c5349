//! Random scripts, some of which fail, against a model that a child could check.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::super::params;
use super::*;

#[derive(Debug, Clone)]
enum Step {
    Insert {
        name: u8,
        amount: i64,
    },
    /// Takes that much, if that much is there.
    Take {
        name: u8,
        amount: i64,
    },
    Double {
        at_least: i64,
    },
    Delete {
        name: u8,
    },
    /// The script gives up here.
    Fail,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let name = 0..6_u8;
    let step = prop_oneof![
        5 => (name.clone(), 0..100_i64).prop_map(|(name, amount)| Step::Insert { name, amount }),
        5 => (name.clone(), 1..60_i64).prop_map(|(name, amount)| Step::Take { name, amount }),
        1 => (0..100_i64).prop_map(|at_least| Step::Double { at_least }),
        3 => name.prop_map(|name| Step::Delete { name }),
        1 => Just(Step::Fail),
    ];
    proptest::collection::vec(step, 1..5)
}

type Model = BTreeMap<String, i64>;

/// What a script leaves behind, or nothing if it fails.
fn predicted(before: &Model, script: &[Step]) -> Option<Model> {
    let mut model = before.clone();
    for step in script {
        match step {
            Step::Insert { name, amount } => {
                if model.insert(name.to_string(), *amount).is_some() {
                    return None;
                }
            }
            Step::Take { name, amount } => {
                if let Some(held) =
                    model.get_mut(&name.to_string()).filter(|held| **held >= *amount)
                {
                    *held -= amount;
                }
            }
            Step::Double { at_least } => {
                model.values_mut().filter(|held| **held >= *at_least).for_each(|held| *held *= 2);
            }
            Step::Delete { name } => drop(model.remove(&name.to_string())),
            Step::Fail => return None,
        }
    }
    Some(model)
}

fn perform(tx: &mut Tx, script: &[Step]) -> Result<()> {
    for step in script {
        match step {
            Step::Insert { name, amount } => drop(insert(tx, &name.to_string(), *amount)?),
            Step::Take { name, amount } => {
                let left: Option<i64> = tx.opt(
                    "UPDATE items SET amount = amount - $2 WHERE name = $1 AND amount >= $2 RETURNING amount",
                    params![name.to_string(), *amount],
                )?;
                assert!(left.is_none_or(|left| left >= 0));
            }
            Step::Double { at_least } => {
                tx.exec(
                    "UPDATE items SET amount = amount * 2 WHERE amount >= $1",
                    params![*at_least],
                )?;
            }
            Step::Delete { name } => {
                tx.exec("DELETE FROM items WHERE name = $1", params![name.to_string()])?;
            }
            Step::Fail => return Err(Error::TooLarge),
        }
    }
    Ok(())
}

async fn check(db: &Db, scripts: &[Vec<Step>]) {
    db.write(|tx| tx.exec("DELETE FROM items", &[])).await.unwrap();
    let mut model = Model::new();
    let mut expected = Vec::new();
    for script in scripts {
        let after = predicted(&model, script);
        expected.push(after.is_some());
        model = after.unwrap_or(model);
    }
    // Queued at once and served in order, so that on SQLite they share commits.
    let answers =
        join_all(scripts.iter().cloned().map(|script| db.write(move |tx| perform(tx, &script))));
    let succeeded: Vec<bool> = answers.await.iter().map(Result::is_ok).collect();
    assert_eq!(succeeded, expected);
    let stored: Vec<(String, i64)> =
        db.read(|tx| tx.all("SELECT name, amount FROM items", &[])).await.unwrap();
    assert_eq!(stored.into_iter().collect::<Model>(), model);
}

#[test]
fn random_scripts_leave_both_engines_as_the_model_says() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let engines = runtime.block_on(async {
        // One connection, so that PostgreSQL too serves them in order.
        let mut engines = vec![sqlite_with(|settings| settings.group_limit = 5).await];
        engines.extend(postgres_with(|settings| settings.postgres_connections = 1).await);
        for db in &engines {
            with_items(db).await;
        }
        engines
    });
    let mut runner = TestRunner::new(Config { cases: 48, ..Config::default() });
    let scripts = proptest::collection::vec(steps(), 1..12);
    let outcome = runner.run(&scripts, |scripts| {
        for db in &engines {
            runtime.block_on(check(db, &scripts));
        }
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}
