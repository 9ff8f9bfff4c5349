//! The service put together: its parts, its routes, its jobs, its start and its end.
//!
//! Owns: the [`App`] that handlers and jobs share.
//! Invariants: a job exists only if it is listed here, a route only if it is in `surface`.
//! Never: holds a rule.

mod gauges;
mod surface;

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::{FromRef, Request};
use axum::middleware::{from_fn_with_state, map_request};
use tokio::net::TcpListener;

use crate::adapters::matrix::{self, Homeserver, Matrix};
use crate::chores;
use crate::extends_core;
use crate::features::account::{self, Accounts};
use crate::features::chat::{self, Chat};
use crate::features::chat_login::ChatLogin;
use crate::features::coins::{self, Coins};
use crate::features::demo::{self, Demo};
use crate::features::desk_stream::DeskStream;
use crate::features::events::{self, Events};
use crate::features::feeds::{self, Feeds};
use crate::features::leagues::{self, Leagues};
use crate::features::login::{self, Login};
use crate::features::nodes::Nodes;
use crate::features::operators::SignIn;
use crate::features::overview::Readiness;
use crate::features::predictions::{self, Predictions};
use crate::features::push::{self, Push};
use crate::features::rehearsal::{self, Rehearsal};
use crate::features::sessions::Sessions;
use crate::features::stream::LiveStream;
use crate::features::teams::Teams;
use crate::features::webhooks::{self, Webhooks};
use crate::features::{catalogue, questions, settlement};
use crate::platform::clock::Clock;
use crate::platform::config::{Config, ConfigError};
use crate::platform::core::Core;
use crate::platform::db::Db;
use crate::platform::error::{Error, Result};
use crate::platform::http::answer::Answerer;
use crate::platform::http::client_address::ClientAddress;
use crate::platform::http::tls::Tls;
use crate::platform::http::{console, metrics, serve, web_files};
use crate::platform::jobs::{BoundJob, Jobs, bind};
use crate::platform::keys::Keys;
use crate::platform::{clock_watch, installation, key_guard};

pub use crate::settings_check::{check_settings, load_config};
pub use surface::openapi;

use surface::{public_pages, router};

/// Where the service is reached.
pub struct Listeners {
    pub api: TcpListener,
    pub metrics: Option<TcpListener>,
    pub console: Option<TcpListener>,
}

/// The running service. A handler takes the part it needs of it (`State<Chat>`), a job is bound to its part.
#[derive(Clone)]
pub struct App(Arc<Parts>);

pub struct Parts {
    core: Core,
    pub sessions: Sessions,
    pub accounts: Accounts,
    pub coins: Coins,
    pub teams: Teams,
    pub events: Events,
    pub stream: LiveStream,
    pub webhooks: Webhooks,
    pub chat: Chat,
    pub predictions: Predictions,
    leagues: Leagues,
    push: Push,
    pub feeds: Feeds,
    pub login: Login,
    chat_login: ChatLogin,
    pub rehearsal: Rehearsal,
    pub sign_in: SignIn,
    pub readiness: Readiness,
    pub nodes: Nodes,
    pub jobs: Jobs,
    desk: DeskStream,
    tls: Option<Tls>,
    homeserver: Option<Homeserver>,
}

extends_core!(Parts);

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

macro_rules! parts {
    ($($field:ident: $part:ty),* $(,)?) => {$(
        impl FromRef<App> for $part {
            fn from_ref(app: &App) -> Self {
                app.0.$field.clone()
            }
        }
    )*};
}

parts! {
    core: Core,
    sessions: Sessions,
    accounts: Accounts,
    coins: Coins,
    teams: Teams,
    events: Events,
    stream: LiveStream,
    webhooks: Webhooks,
    chat: Chat,
    predictions: Predictions,
    leagues: Leagues,
    push: Push,
    feeds: Feeds,
    login: Login,
    chat_login: ChatLogin,
    rehearsal: Rehearsal,
    sign_in: SignIn,
    jobs: Jobs,
    readiness: Readiness,
    nodes: Nodes,
    desk: DeskStream,
}

impl App {
    /// Opens the database, brings its schema up to date and puts the parts together.
    pub async fn open(config: Config, clock: Clock) -> Result<Self> {
        Self::open_with_jobs(config, clock, None).await
    }

    /// Like [`App::open`], with other sorts of work than the service's own.
    pub async fn open_with_jobs(
        config: Config,
        clock: Clock,
        jobs: Option<Vec<BoundJob>>,
    ) -> Result<Self> {
        let tls = Tls::open(&config.tls).map_err(Error::internal)?;
        let keys = Keys::open(&config).map_err(Error::internal)?;
        let db = open_database(&config, clock.clone()).await?;
        let applied = db.migrate().await?;
        if let Some(last) = applied.last() {
            let count = applied.len();
            tracing::info!(count, last, "the schema was brought up to date");
        }
        let settings = matrix::Settings::of(&config, &keys).map_err(Error::internal)?;
        let name = installation::name(&db).await?;
        let homeserver = matrix::open_embedded(&config, &settings, name, clock.clone()).await?;
        // Behind the above: whoever is in the wrong folder has its key too, which must not become the database's.
        key_guard::check(&db, &keys).await?;
        db.compare_clock().await?;
        // A way in of its own: the service's calls never compete with those of a crowd for connections and places.
        let door = homeserver.as_ref().map(Homeserver::door);
        let matrix = Matrix::new(settings, &config.matrix, door).map_err(Error::internal)?;
        let core = Core::new(config, db, clock, keys);
        let chat = Chat::new(&core, matrix);
        if let Some(homeserver) = &homeserver {
            chat::compare_age(&chat, homeserver).await?;
        }
        let events = Events::new(&core);
        let login = Login::open(&core, &chat)?;
        let chat_login = ChatLogin::open(&core, &login, &chat, homeserver.as_ref());
        let stream = LiveStream::new(&core);
        let mut parts = Parts {
            sessions: Sessions::new(&core),
            accounts: Accounts::new(&core),
            coins: Coins::new(&core),
            teams: Teams::new(&core),
            predictions: Predictions::new(&core, &events),
            leagues: Leagues::new(&core),
            push: Push::open(&core).map_err(Error::internal)?,
            events,
            desk: DeskStream::new(&core, &stream),
            stream,
            webhooks: Webhooks::open(&core)?,
            feeds: Feeds::open(&core)?,
            rehearsal: Rehearsal::new(&core, login.sms_outage(), chat.matrix.outage()),
            login,
            chat_login,
            sign_in: SignIn::new(&core),
            readiness: Readiness::new(&core, &chat),
            nodes: Nodes::new(&core),
            jobs: Jobs::new(&core, Vec::new()),
            chat,
            tls,
            homeserver,
            core,
        };
        let with_demo = prepare_demo(&parts.core).await?;
        parts.jobs = Jobs::new(&parts.core, jobs.unwrap_or_else(|| all_jobs(&parts, with_demo)));
        parts.jobs.prepare().await?;
        Ok(Self(Arc::new(parts)))
    }

    /// Serves until the stop signal, then drains requests and jobs and closes the database.
    pub async fn run(self, listeners: Listeners) {
        let metrics = serve_metrics(listeners.metrics, &self.core);
        tokio::join!(
            self.serve(listeners.api),
            self.serve_console(listeners.console),
            self.jobs.run(),
            metrics,
            gauges::keep(&self),
            clock_watch::watch(&self.core)
        );
        if let Some(homeserver) = &self.homeserver {
            homeserver.close().await;
        }
        self.db.close().await;
    }

    /// The console at its own address, if it has one, with places of its own: a crowd at the API does not keep operators out.
    async fn serve_console(&self, listener: Option<TcpListener>) {
        let Some(listener) = listener else { return };
        let (limits, stop) = (self.config.http.clone(), self.stop.clone());
        let front = console::at_front().merge(web_files::shared_router());
        let answerer = Answerer::new("console", router(self, front), &limits, stop.clone());
        // A tunnel ends at a loopback address, and its caller knows the machine by no name that is in the certificate.
        let tls = self.tls.clone().filter(|_| !is_loopback(&listener));
        serve::serve(listener, tls, answerer, limits, stop).await;
    }

    /// Serves the API alone, without jobs, until the stop signal.
    pub async fn serve(&self, listener: TcpListener) {
        let limits = self.config.http.clone();
        let router = router(self, public_pages(&self.config));
        let mut answerer =
            Answerer::new("api", router, &limits, self.stop.clone()).with_writers(&self.db);
        if let Some(homeserver) = &self.homeserver {
            let mut router = homeserver.router().layer(map_request(tell_address));
            if rehearsal::is_allowed(&self.config) {
                let rehearsal = self.rehearsal.clone();
                router = router.layer(from_fn_with_state(rehearsal, rehearsal::routes::or_away));
            }
            answerer = answerer.with_homeserver(router, &limits);
            homeserver.start_push();
        }
        let greeting = tokio::spawn(chat::greet_homeserver(self.chat.clone()));
        let api = serve::serve(listener, self.tls.clone(), answerer, limits, self.stop.clone());
        let live = async { tokio::join!(self.stream.follow(), self.desk.follow(&self.jobs)) };
        let certificate = async {
            if let Some(tls) = &self.tls {
                tls.keep_fresh(&self.stop).await;
            }
        };
        tokio::join!(api, live, certificate, self.login.keep_figures(), self.nodes.keep_seen());
        greeting.abort();
        self.login.flush_figures().await;
    }
}

pub async fn open_database(config: &Config, clock: Clock) -> Result<Db> {
    if config.database_url.is_empty() {
        std::fs::create_dir_all(&config.data_dir).map_err(|error| {
            let folder = config.data_dir.display();
            Error::internal(ConfigError::new(format!("data_dir {folder} cannot be made: {error}.")))
        })?;
    }
    Db::open(&config.database_url(), &config.database, clock).await
}

/// Loads the demo into an empty catalogue, where it is wanted. Answers whether it is there and is to be played.
async fn prepare_demo(core: &Core) -> Result<bool> {
    let at = |clock: Clock| open_database(&core.config, clock);
    let is_played = demo::prepare(core, at).await?;
    let is_wanted = core.config.loads_demo_data() && !core.config.plays_demo();
    if is_wanted && core.db.write(catalogue::demo::load).await? {
        tracing::info!("the demo catalogue was loaded; demo_data = false keeps it out");
    }
    Ok(is_played)
}

/// The embedded homeserver shows users where their devices called from, and does not know of proxies.
async fn tell_address(mut request: Request) -> Request {
    if let Some(address) = request.extensions().get::<ClientAddress>().copied() {
        let address = touchline_homeserver::ClientAddress(address.ip());
        request.extensions_mut().insert(address);
    }
    request
}

async fn serve_metrics(listener: Option<TcpListener>, core: &Core) {
    if let (Some(listener), Some(handle)) = (listener, metrics::install()) {
        let (limits, stop) = (core.config.http.clone(), core.stop.clone());
        let answerer = Answerer::new("metrics", metrics::router(handle), &limits, stop.clone());
        serve::serve(listener, None, answerer, limits, stop).await;
    }
}

fn is_loopback(listener: &TcpListener) -> bool {
    listener.local_addr().is_ok_and(|address| address.ip().is_loopback())
}

/// Every sort of work that runs outside a request, with the part of the service that it needs.
fn all_jobs(parts: &Parts, with_demo: bool) -> Vec<BoundJob> {
    let mut jobs = vec![
        bind::<chores::ForgetExpired>(&parts.core),
        bind::<account::EndBan>(&parts.core),
        bind::<coins::Reconcile>(&parts.core),
        bind::<coins::FoldFlows>(&parts.core),
        bind::<events::KickOff>(&parts.events),
        bind::<events::ForgetAnnouncements>(&parts.events),
        bind::<webhooks::Dispatch>(&parts.webhooks),
        bind::<webhooks::Deliver>(&parts.webhooks),
        bind::<webhooks::Forget>(&parts.webhooks),
        bind::<events::Settle>(&parts.core),
        bind::<settlement::MakeFinal>(&parts.core),
        bind::<leagues::Recount>(&parts.core),
        bind::<questions::SettleQuestion>(&parts.core),
        bind::<questions::CountPicks>(&parts.core),
        bind::<leagues::FollowLeague>(&parts.chat),
        bind::<leagues::FindRoomless>(&parts.chat),
        bind::<predictions::TellPredictions>(&parts.predictions),
        bind::<feeds::SchedulePolls>(&parts.feeds),
        bind::<feeds::Poll>(&parts.feeds),
        bind::<login::ForgetCodes>(&parts.login),
    ];
    jobs.extend(chat::jobs(&parts.chat));
    jobs.extend(push::jobs(&parts.push));
    if with_demo {
        jobs.extend(demo::jobs(&Demo::new(&parts.core, &parts.chat, &parts.predictions)));
    }
    jobs
}
