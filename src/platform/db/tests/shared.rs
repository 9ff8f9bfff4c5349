//! Callers that wait, share.

use std::sync::{Arc, Mutex, mpsc};

use futures_util::future::{BoxFuture, join_all};
use futures_util::{FutureExt, poll};

use super::super::{Engine, Shared, Wish};
use super::*;

/// What became of a kind of wish: how many each run was given.
type Runs = Arc<Mutex<Vec<usize>>>;

/// Adds an item; one without a name is refused, one called `panic` makes its script panic.
struct Add {
    name: &'static str,
    amount: i64,
    runs: Runs,
    /// Says that it has begun, and waits to be let go on.
    gate: Option<(mpsc::Sender<()>, Mutex<mpsc::Receiver<()>>)>,
}

impl Wish for Add {
    type Granted = i64;
    const WRITES: bool = true;

    fn turn(&self) -> Option<u64> {
        u64::try_from(self.amount).ok()
    }

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<i64>>> {
        wishes[0].runs.lock().unwrap().push(wishes.len());
        let grant = |wish: &Self| {
            if let Some((begun, go_on)) = &wish.gate {
                begun.send(()).unwrap();
                go_on.lock().unwrap().recv().unwrap();
            }
            match wish.name {
                "" => Ok(Err(not_found!("user"))),
                "panic" => panic!("on purpose"),
                name => insert(tx, name, wish.amount).map(Ok),
            }
        };
        wishes.iter().map(grant).collect()
    }
}

fn add(name: &'static str, amount: i64, runs: &Runs) -> Add {
    Add { name, amount, runs: Runs::clone(runs), gate: None }
}

/// A wish whose script has begun and goes on when it is told to.
struct Held {
    asked: tokio::task::JoinHandle<Result<i64>>,
    let_go: mpsc::Sender<()>,
}

impl Held {
    async fn new(shared: &Shared<Add>, name: &'static str, amount: i64, runs: &Runs) -> Self {
        let ((begun, has_begun), (let_go, go_on)) = (mpsc::channel(), mpsc::channel());
        let wish = Add { gate: Some((begun, Mutex::new(go_on))), ..add(name, amount, runs) };
        let shared = shared.clone();
        let asked = tokio::spawn(async move { shared.ask(wish).await });
        tokio::task::spawn_blocking(move || has_begun.recv().unwrap()).await.unwrap();
        Self { asked, let_go }
    }

    async fn let_go(self) {
        self.let_go.send(()).unwrap();
        self.asked.await.unwrap().unwrap();
    }
}

/// Occupies every run of the kind, lets `wishes` come, and answers what became of them once the runs are over.
async fn together(db: &Db, runs: &Runs, wishes: Vec<Add>) -> Vec<Result<i64>> {
    let shared = Shared::new(db);
    let mut held = vec![Held::new(&shared, "held 1", 1_000, runs).await];
    if db.engine() == Engine::Postgres {
        held.push(Held::new(&shared, "held 2", 1_001, runs).await);
    }
    runs.lock().unwrap().clear();
    let mut asked: Vec<BoxFuture<'_, _>> =
        wishes.into_iter().map(|wish| shared.ask(wish).boxed()).collect();
    for ask in &mut asked {
        assert!(poll!(ask).is_pending());
    }
    for held in held {
        held.let_go().await;
    }
    join_all(asked).await
}

fn runs_of(runs: &Runs) -> Vec<usize> {
    runs.lock().unwrap().clone()
}

const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

#[tokio::test]
async fn whoever_is_alone_goes_at_once() {
    for db in engines().await {
        with_items(&db).await;
        let runs = Runs::default();
        let shared = Shared::new(&db);
        shared.ask(add("a", 1, &runs)).await.unwrap();
        shared.ask(add("b", 2, &runs)).await.unwrap();
        assert_eq!(runs_of(&runs), [1, 1]);
        assert_eq!(names(&db).await, ["a", "b"]);
    }
}

#[tokio::test]
async fn those_who_wait_at_the_same_time_share_a_script_and_each_has_its_own_answer() {
    for db in engines().await {
        with_items(&db).await;
        let runs = Runs::default();
        let wishes = NAMES.iter().zip(1..).map(|(name, amount)| add(name, amount, &runs)).collect();
        let ids = together(&db, &runs, wishes).await;
        let shares = runs_of(&runs);
        assert_eq!(shares.iter().sum::<usize>(), NAMES.len());
        match db.engine() {
            Engine::Sqlite => assert_eq!(shares, [NAMES.len()]),
            // Others may begin while some are held up, so a slow machine may make two runs of it.
            Engine::Postgres => assert!(shares.len() < NAMES.len(), "{shares:?}"),
        }
        for (name, id) in NAMES.iter().zip(ids) {
            let found: i64 = db
                .read(move |tx| tx.one("SELECT id FROM items WHERE name = $1", params![*name]))
                .await
                .unwrap();
            assert_eq!(found, id.unwrap());
        }
    }
}

#[tokio::test]
async fn who_is_refused_costs_the_others_nothing() {
    for db in engines().await {
        with_items(&db).await;
        let runs = Runs::default();
        let wishes = vec![add("a", 1, &runs), add("", 2, &runs), add("b", 3, &runs)];
        let answers = together(&db, &runs, wishes).await;
        assert!(matches!(answers[1], Err(Error::NotFound(_))));
        assert!(answers[0].is_ok() && answers[2].is_ok());
        assert!(names(&db).await.starts_with(&["a".to_owned(), "b".to_owned()]));
    }
}

#[tokio::test]
async fn of_those_who_share_a_script_that_fails_each_is_tried_alone() {
    for db in engines().await {
        with_items(&db).await;
        db.write(|tx| insert(tx, "taken", 1)).await.unwrap();
        let runs = Runs::default();
        let wishes = vec![
            add("a", 1, &runs),
            add("taken", 2, &runs),
            add("panic", 3, &runs),
            add("b", 4, &runs),
        ];
        let mut answers = together(&db, &runs, wishes).await;
        assert!(answers.pop().unwrap().is_ok());
        assert_eq!(cause(answers.pop().unwrap()), DatabaseError::Panicked);
        assert_eq!(cause(answers.pop().unwrap()), present("items.name"));
        assert!(answers.pop().unwrap().is_ok());
        let there = names(&db).await;
        assert!(there.starts_with(&["a".to_owned(), "b".to_owned()]), "{there:?}");
    }
}

#[tokio::test]
async fn two_of_the_same_turn_never_share_a_script() {
    for db in engines().await {
        with_items(&db).await;
        let runs = Runs::default();
        let wishes = NAMES.iter().map(|name| add(name, 7, &runs)).collect();
        for answer in together(&db, &runs, wishes).await {
            answer.unwrap();
        }
        assert_eq!(runs_of(&runs), [1; NAMES.len()]);
    }
}

#[tokio::test]
async fn whoever_waits_goes_on_while_others_are_held_up() {
    for db in engines().await.into_iter().filter(|db| db.engine() == Engine::Postgres) {
        with_items(&db).await;
        let (runs, shared) = (Runs::default(), Shared::new(&db));
        let held = [
            Held::new(&shared, "held 1", 1_000, &runs).await,
            Held::new(&shared, "held 2", 1_001, &runs).await,
        ];
        // Nobody else asks meanwhile, and many of one turn are one after the other.
        let asked = NAMES.iter().map(|name| shared.ask(add(name, 7, &runs)));
        for answer in join_all(asked).await {
            answer.unwrap();
        }
        assert_eq!(names(&db).await, NAMES);
        for held in held {
            held.let_go().await;
        }
    }
}

#[tokio::test]
async fn who_has_gone_before_the_script_began_is_left_out() {
    for db in engines().await {
        with_items(&db).await;
        let runs = Runs::default();
        let shared = Shared::new(&db);
        let first = Held::new(&shared, "first", 1, &runs).await;
        if db.engine() == Engine::Sqlite {
            let mut gone = shared.ask(add("gone", 2, &runs)).boxed();
            assert!(poll!(&mut gone).is_pending());
            drop(gone);
        }
        first.let_go().await;
        shared.ask(add("last", 3, &runs)).await.unwrap();
        assert_eq!(names(&db).await, ["first", "last"]);
    }
}

#[tokio::test]
async fn a_closed_layer_answers_whoever_still_asks() {
    for db in engines().await {
        with_items(&db).await;
        let (runs, shared) = (Runs::default(), Shared::new(&db));
        db.close().await;
        assert_eq!(cause(shared.ask(add("a", 1, &runs)).await), DatabaseError::Closed);
        assert_eq!(cause(shared.ask(add("a", 1, &runs)).await), DatabaseError::Closed);
    }
}

/// Finds an item's amount.
struct Amount(i64);

impl Wish for Amount {
    type Granted = Option<i64>;
    const WRITES: bool = false;

    fn grant(tx: &mut Tx, wishes: &[Self]) -> Result<Vec<Result<Self::Granted>>> {
        let ids: Vec<i64> = wishes.iter().map(|Self(id)| *id).collect();
        let ids = serde_json::to_string(&ids).unwrap();
        let found = tx.all(
            "SELECT asked.key, i.amount FROM json_each($1) asked JOIN items i ON i.id = CAST(asked.value AS BIGINT)",
            params![ids],
        )?;
        Ok(super::super::by_position(wishes.len(), found).into_iter().map(Ok).collect())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_who_look_something_up_each_find_their_own() {
    for db in engines().await {
        db.migrate().await.unwrap();
        with_items(&db).await;
        let ids = db
            .write(|tx| {
                (0..50).map(|n| insert(tx, &format!("item {n}"), n * n)).collect::<Result<Vec<_>>>()
            })
            .await
            .unwrap();
        let shared = Shared::new(&db);
        let ask = |round: usize| {
            let (shared, ids) = (shared.clone(), ids.clone());
            tokio::spawn(async move {
                let n = round % 50;
                let expected = i64::try_from(n * n).unwrap();
                assert_eq!(shared.ask(Amount(ids[n])).await.unwrap(), Some(expected));
                assert_eq!(shared.ask(Amount(-1)).await.unwrap(), None);
            })
        };
        for asked in join_all((0..400).map(ask)).await {
            asked.unwrap();
        }
    }
}

#[tokio::test]
async fn a_row_of_several_columns_is_read_alike_from_json_on_both() {
    for db in engines().await {
        db.migrate().await.unwrap();
        let rows: Vec<(i64, String, Option<i64>, Vec<u8>)> = db
            .read(|tx| {
                tx.all(
                    "SELECT CAST(value ->> 0 AS BIGINT), value ->> 1, CAST(value ->> 2 AS BIGINT), unhex(value ->> 3)
                     FROM json_each($1, '$') ORDER BY key",
                    params![r#"[[1,"12",null,"00ff"],[-2,"it's \"é\"",9,""]]"#],
                )
            })
            .await
            .unwrap();
        let expected = [
            (1, "12".to_owned(), None, vec![0, 255]),
            (-2, "it's \"é\"".to_owned(), Some(9), vec![]),
        ];
        assert_eq!(rows, expected);
    }
}
