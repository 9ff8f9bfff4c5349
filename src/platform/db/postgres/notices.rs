//! The one connection that hears and sends PostgreSQL's notifications for this process.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_postgres::{AsyncMessage, Client};

use super::server::Server;
use super::{limited, new_runtime};
use crate::platform::db::notices::{NoticeChannels, Outgoing, RESTARTED};
use crate::platform::error::DatabaseResult;

const RECONNECT_PAUSE: Duration = Duration::from_millis(250);
/// A server that stands still says as little as one that has nothing to say, so it is asked.
const ASK_EVERY: Duration = Duration::from_secs(5);
const ANSWER_WAIT: Duration = Duration::from_secs(10);
const TELL: &str = "SELECT pg_notify(pair ->> 0, pair ->> 1) FROM jsonb_array_elements(CAST($1 AS TEXT)::jsonb) AS pair";

pub struct NoticeListener {
    pub server: Arc<Server>,
    pub channels: Arc<NoticeChannels>,
    pub outgoing: Arc<Outgoing>,
    /// Channels that got their first listener; closed when the layer is.
    pub new_channels: UnboundedReceiver<&'static str>,
}

enum Ended {
    Lost,
    Closed,
}

impl NoticeListener {
    pub fn run(mut self) {
        let runtime = match new_runtime() {
            Ok(runtime) => runtime,
            Err(error) => return tracing::error!(%error, "notifications are not heard"),
        };
        runtime.block_on(async {
            // It costs a connection, which there is from the first channel, or the first thing to tell, on.
            tokio::select! {
                () = self.outgoing.more() => {}
                added = self.new_channels.recv() => if added.is_none() && self.outgoing.is_empty() {
                    return;
                }
            }
            loop {
                match self.hear().await {
                    Ok(Ended::Closed) => return,
                    Ok(Ended::Lost) => tracing::debug!("the listening connection was lost"),
                    Err(error) => tracing::debug!(%error, "cannot listen for notifications"),
                }
                if self.new_channels.is_closed() {
                    return;
                }
                tokio::time::sleep(RECONNECT_PAUSE).await;
            }
        });
    }

    /// Listens until the connection is lost or the layer is closed.
    async fn hear(&mut self) -> DatabaseResult<Ended> {
        let (client, mut connection) = self.server.dial().await?;
        let channels = Arc::clone(&self.channels);
        let mut delivering = tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
                if let AsyncMessage::Notification(notice) = message {
                    channels.deliver(notice.channel(), notice.payload());
                }
            }
        });
        let mut channels = self.channels.names();
        let ask = || limited(Some(ANSWER_WAIT), client.batch_execute(""));
        loop {
            for channel in channels {
                let listen = format!("LISTEN \"{}\"", channel.replace('"', "\"\""));
                limited(Some(ANSWER_WAIT), client.batch_execute(&listen)).await?;
                self.channels.deliver(channel, RESTARTED);
            }
            channels = Vec::new();
            self.tell(&client).await?;
            tokio::select! {
                added = self.new_channels.recv() => match added {
                    Some(channel) => channels.push(channel),
                    None => {
                        self.tell(&client).await?;
                        return Ok(Ended::Closed);
                    }
                },
                () = self.outgoing.more() => {}
                _ = &mut delivering => return Ok(Ended::Lost),
                () = tokio::time::sleep(ASK_EVERY) => ask().await?,
            }
        }
    }

    /// Sends what waits, in one statement.
    async fn tell(&self, client: &Client) -> DatabaseResult<()> {
        let notices = self.outgoing.take();
        if notices.is_empty() {
            return Ok(());
        }
        let pairs: Vec<_> = notices.iter().map(|it| (it.channel, it.payload.as_str())).collect();
        let pairs = json!(pairs).to_string();
        let telling = limited(Some(ANSWER_WAIT), client.query(TELL, &[&pairs])).await;
        if telling.is_err() {
            // Twice does no harm.
            self.outgoing.add(notices);
        }
        telling.map(drop)
    }
}
