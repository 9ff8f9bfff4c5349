//! Deleting a little at a time.

use tokio_util::sync::CancellationToken;

use super::super::params;
use super::*;

async fn with_many_items(db: &Db, count: i64) {
    with_items(db).await;
    let fill = move |tx: &mut Tx| {
        tx.exec(
            "WITH RECURSIVE n(n) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM n WHERE n < $1)
             INSERT INTO items (name, amount) SELECT 'item ' || CAST(n AS TEXT), n FROM n",
            params![count],
        )
    };
    db.write(fill).await.unwrap();
}

fn delete_below(tx: &mut Tx, amount: i64, most: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM items WHERE id IN
             (SELECT id FROM items WHERE amount <= $1 ORDER BY amount LIMIT $2 FOR UPDATE SKIP LOCKED)",
        params![amount, most],
    )
}

#[tokio::test]
async fn what_is_deleted_in_batches_is_gone_and_the_rest_stays() {
    for db in engines().await {
        with_many_items(&db, 1_000).await;
        let delete = |tx: &mut Tx, most| delete_below(tx, 900, most);
        let deleted = db.delete_in_batches(&CancellationToken::new(), delete).await.unwrap();
        assert_eq!(deleted, 900);
        assert_eq!(names(&db).await.len(), 100);
    }
}

#[tokio::test]
async fn a_stop_between_two_batches_keeps_what_the_first_deleted() {
    for db in engines().await {
        with_many_items(&db, 1_000).await;
        let stop = CancellationToken::new();
        let stopping = stop.clone();
        let delete = move |tx: &mut Tx, most| {
            stopping.cancel();
            delete_below(tx, 900, most)
        };
        let deleted = db.delete_in_batches(&stop, delete).await.unwrap();
        assert!((1..900).contains(&deleted), "{deleted}");
        let left = names(&db).await.len();
        assert_eq!(u64::try_from(left).unwrap(), 1_000 - deleted);
    }
}
