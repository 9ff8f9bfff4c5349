//! Plans that PostgreSQL keeps, and those that it makes anew.

mod needs_postgres {
    use super::super::cluster::no_postgres;
    use super::super::*;

    /// How many rows the next look for one of them reads, after the table was short and has become long.
    async fn rows_read_after_growth(db: &Db, find: fn(&mut Tx) -> Result<Option<i64>>) -> i64 {
        with_items(db).await;
        db.write(|tx| insert(tx, "first", 1)).await.unwrap();
        db.write(|tx| tx.exec("ANALYZE items", &[])).await.unwrap();
        for _ in 0..10 {
            db.write(find).await.unwrap();
        }
        let grow = "INSERT INTO items (name, amount) SELECT CAST(n AS TEXT), n FROM generate_series(1, 20000) AS n";
        db.write(move |tx| tx.exec(grow, &[])).await.unwrap();
        db.write(move |tx| {
            find(tx)?;
            let read = "SELECT seq_tup_read + COALESCE(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables WHERE relname = 'items'";
            tx.one(read, &[])
        })
        .await
        .unwrap()
    }

    #[tokio::test]
    #[ignore = "needs PostgreSQL"]
    async fn what_is_planned_anew_finds_the_first_of_many_although_there_were_few() {
        const FIRST: &str = "SELECT id FROM items WHERE amount > $1 ORDER BY name LIMIT 1";
        let one_connection = |config: &mut DatabaseConfig| config.postgres_connections = 1;
        let Some(db) = postgres_with(one_connection).await else { no_postgres() };
        let planned_once = |tx: &mut Tx| tx.opt(FIRST, params![0]);
        assert!(rows_read_after_growth(&db, planned_once).await >= 20_000, "nothing to be mended");
        let Some(db) = postgres_with(one_connection).await else { no_postgres() };
        let planned_anew = |tx: &mut Tx| tx.planned_anew().opt(FIRST, params![0]);
        assert!(rows_read_after_growth(&db, planned_anew).await < 100);
    }
}
