//! The database as it is on disk, read without the service.

pub struct Books {
    url: String,
}

impl Books {
    pub fn of(url: &str) -> Self {
        Self { url: url.to_owned() }
    }

    /// Every row's columns as text; null is empty.
    pub async fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        match self.url.strip_prefix("sqlite:") {
            Some(path) => sqlite_rows(path, sql),
            None => postgres_rows(&self.url, sql).await,
        }
    }

    pub async fn count(&self, sql: &str) -> i64 {
        self.rows(sql).await[0][0].parse().unwrap()
    }

    /// For preparing more than the API could in the time.
    pub async fn change(&self, sql: &str) {
        match self.url.strip_prefix("sqlite:") {
            Some(path) => {
                let database = rusqlite::Connection::open(path).unwrap();
                database.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
                database.execute_batch(sql).unwrap();
            }
            None => drop(postgres_rows(&self.url, sql).await),
        }
    }
}

fn sqlite_rows(path: &str, sql: &str) -> Vec<Vec<String>> {
    use rusqlite::types::ValueRef;
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let database = rusqlite::Connection::open_with_flags(path, flags).unwrap();
    database.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
    let mut statement = database.prepare(sql).unwrap();
    let columns = statement.column_count();
    let text = |value: ValueRef<'_>| match value {
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8(text.to_vec()).unwrap(),
        ValueRef::Null => String::new(),
        other => panic!("no text in {other:?}"),
    };
    let row = |row: &rusqlite::Row<'_>| {
        (0..columns).map(|column| row.get_ref(column).map(text)).collect::<Result<Vec<_>, _>>()
    };
    statement.query_map([], row).unwrap().collect::<Result<_, _>>().unwrap()
}

async fn postgres_rows(url: &str, sql: &str) -> Vec<Vec<String>> {
    use tokio_postgres::SimpleQueryMessage::Row;
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    let messages = client.simple_query(sql).await.unwrap();
    drop(client);
    connection.await.unwrap().unwrap();
    let mut rows = Vec::new();
    for message in messages {
        if let Row(row) = message {
            let text = |column| row.get(column).unwrap_or_default().to_owned();
            rows.push((0..row.len()).map(text).collect());
        }
    }
    rows
}
