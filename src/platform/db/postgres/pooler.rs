//! Notices a pooler that lends one server connection to several clients in turn.
//!
//! What a session holds here (prepared statements, settings, LISTEN) would be another client's there: statements of two nodes would be
//! taken for each other's, and `default_transaction_read_only` would be set for whoever comes next. So nothing is set while looking.

use std::time::Duration;

use tokio_postgres::{Client, SimpleQueryMessage};

use super::limited;
use super::server::Server;
use crate::platform::error::{DatabaseError, DatabaseResult};

/// A pool that others use may give us one of its other connections at first.
const OTHERS: usize = 3;
const ANSWER_WAIT: Duration = Duration::from_secs(3);
const SHARED: &str = "a pooler gives its connections to several clients in turn (PgBouncer's transaction or statement mode), which \
                      prepared statements, settings and notifications do not survive: give database_url the server's own address, or \
                      that of a pool in session mode";

/// An error if connections are shared.
pub async fn refuse_shared(server: &Server) -> DatabaseResult<()> {
    let (first, connection) = server.dial().await?;
    tokio::spawn(connection);
    let mine = server_process(&first).await?;
    let mut others = Vec::new();
    for _ in 0..OTHERS {
        // That there is no room for another is not what is asked here; a pool lets it wait.
        let Ok((other, connection)) = server.dial().await else { break };
        tokio::spawn(connection);
        let Ok(theirs) = server_process(&other).await else { break };
        // Keeps what it has been lent, so that the next one is lent something else. Not even that is possible in statement mode.
        drop(other.batch_execute("BEGIN").await);
        if theirs == mine || server_process(&first).await? != mine {
            return Err(DatabaseError::Setup(SHARED.to_owned()));
        }
        others.push(other);
    }
    Ok(())
}

async fn server_process(client: &Client) -> DatabaseResult<Option<String>> {
    // A simple query, which needs no prepared statement.
    let asking = client.simple_query("SELECT pg_backend_pid()");
    let messages = limited(Some(ANSWER_WAIT), asking).await?;
    Ok(messages.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }))
}
