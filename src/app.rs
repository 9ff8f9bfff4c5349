//! The service put together: its parts, its routes, its jobs, its start and its end.
//!
//! Owns: the [`App`] that handlers and jobs share.
//! Invariants: a route or a job exists only if it is listed here.
//! Never: holds a rule.

use std::ops::Deref;
use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRef, Request};
use axum::middleware::{from_fn_with_state, map_request};
use http::{HeaderName, HeaderValue, Method, header};
use serde_json::Value;
use tokio::net::TcpListener;
use touchline_homeserver::Homeserver;
use tower::util::option_layer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;

use crate::adapters::matrix::{self, Matrix};
use crate::chores;
use crate::extends_core;
use crate::features::account::{self, Accounts};
use crate::features::chat::{self, Chat};
use crate::features::coins::{self, Coins};
use crate::features::demo::{self, Demo};
use crate::features::events::{self, Events};
use crate::features::feeds::{self, Feeds};
use crate::features::login::{self, Login};
use crate::features::nodes::{self, Nodes};
use crate::features::overview::{self, Readiness};
use crate::features::predictions::{self, Predictions};
use crate::features::rehearsal::{self, Rehearsal};
use crate::features::sessions::Sessions;
use crate::features::stream::{self, LiveStream};
use crate::features::teams::{self, Teams};
use crate::features::webhooks::{self, Webhooks};
use crate::features::{
    catalogue, job_control, leaderboards, match_desk, operators, people, room_figures, settlement,
    users,
};
use crate::platform::clock::Clock;
use crate::platform::config::{Config, ConfigError, Environment};
use crate::platform::core::Core;
use crate::platform::db::Db;
use crate::platform::error::{Error, Result};
use crate::platform::http::answer::Answerer;
use crate::platform::http::client_address::ClientAddress;
use crate::platform::http::description::{self, ApiDoc};
use crate::platform::http::{docs, fan_page};
use crate::platform::http::{metrics, request_id, serve};
use crate::platform::jobs::{BoundJob, Jobs, bind};
use crate::platform::keys::Keys;
use crate::platform::{clock_watch, idempotency, installation, key_guard};

pub use crate::settings_check::{check_settings, load_config};

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
    pub feeds: Feeds,
    pub login: Login,
    pub rehearsal: Rehearsal,
    pub readiness: Readiness,
    pub nodes: Nodes,
    pub jobs: Jobs,
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
    feeds: Feeds,
    login: Login,
    rehearsal: Rehearsal,
    jobs: Jobs,
    readiness: Readiness,
    nodes: Nodes,
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
        let events = Events::new(&core);
        let login = Login::open(&core, &chat)?;
        let mut parts = Parts {
            sessions: Sessions::new(&core),
            accounts: Accounts::new(&core),
            coins: Coins::new(&core),
            teams: Teams::new(&core),
            predictions: Predictions::new(&core, &events),
            events,
            stream: LiveStream::new(&core),
            webhooks: Webhooks::open(&core)?,
            feeds: Feeds::open(&core)?,
            rehearsal: Rehearsal::new(&core, login.sms_outage(), chat.matrix.outage()),
            login,
            readiness: Readiness::new(&core, &chat),
            nodes: Nodes::new(&core),
            jobs: Jobs::new(&core, Vec::new()),
            chat,
            homeserver,
            core,
        };
        let with_demo = prepare_demo(&parts.core).await?;
        parts.jobs = Jobs::new(&parts.core, jobs.unwrap_or_else(|| all_jobs(&parts, with_demo)));
        parts.jobs.prepare().await?;
        Ok(Self(Arc::new(parts)))
    }

    /// Serves until the stop signal, then drains requests and jobs and closes the database.
    pub async fn run(self, listener: TcpListener, metrics_listener: Option<TcpListener>) {
        let metrics = serve_metrics(metrics_listener, &self.core);
        tokio::join!(
            self.serve(listener),
            self.jobs.run(),
            metrics,
            clock_watch::watch(&self.core)
        );
        if let Some(homeserver) = &self.homeserver {
            homeserver.close().await;
        }
        self.db.close().await;
    }

    /// Serves the API alone, without jobs, until the stop signal.
    pub async fn serve(&self, listener: TcpListener) {
        let limits = self.config.http.clone();
        let mut answerer = Answerer::new(router(self), &limits, self.stop.clone());
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
        let api = serve::serve(listener, answerer, limits, self.stop.clone());
        tokio::join!(api, self.stream.follow(), self.login.keep_figures(), self.nodes.keep_seen());
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
        let answerer = Answerer::new(metrics::router(handle), &limits, stop.clone());
        serve::serve(listener, answerer, limits, stop).await;
    }
}

/// Routes that are there in some deployments only; elsewhere their paths are unknown.
struct Switched {
    sms_log: bool,
    public_matches: bool,
    rehearsal: bool,
}

impl Switched {
    const ALL: Self = Self { sms_log: true, public_matches: true, rehearsal: true };

    fn by(config: &Config) -> Self {
        Self {
            sms_log: config.environment != Environment::Production,
            public_matches: config.shows_public_matches(),
            rehearsal: rehearsal::is_allowed(config),
        }
    }

    fn routes(&self) -> OpenApiRouter<App> {
        let mut routes = OpenApiRouter::new();
        if self.sms_log {
            routes = routes.merge(login::routes::development_routes());
        }
        if self.public_matches {
            routes = routes.merge(events::today_routes::routes());
        }
        if self.rehearsal {
            routes = routes.merge(rehearsal::routes::routes());
        }
        routes
    }
}

/// Every route of the API with its description.
fn api(switched: &Switched) -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(ApiDoc::openapi())
        .merge(switched.routes())
        .merge(users::routes::routes())
        .merge(operators::routes::routes())
        .merge(operators::audit_routes::routes())
        .merge(job_control::routes::routes())
        .merge(coins::routes::routes())
        .merge(coins::treasury_routes::routes())
        .merge(teams::routes::routes())
        .merge(events::routes::routes())
        .merge(events::tournament_routes::routes())
        .merge(events::operator::routes::routes())
        .merge(stream::routes::routes())
        .merge(webhooks::routes::routes())
        .merge(chat::routes::routes())
        .merge(chat::operator_routes::routes())
        .merge(chat::desk::routes::routes())
        .merge(chat::homeserver_routes::discovery_routes())
        .merge(predictions::routes::routes())
        .merge(leaderboards::routes::routes())
        .merge(settlement::routes::routes())
        .merge(room_figures::routes::routes())
        .merge(catalogue::routes::routes())
        .merge(feeds::routes::routes())
        .merge(match_desk::routes::routes())
        .merge(login::routes::routes())
        .merge(login::sms_figures_routes::routes())
        .merge(nodes::routes::routes())
        .merge(account::routes::routes())
        .merge(account::profile_routes::routes())
        .merge(people::routes::routes())
        .merge(people::session_routes::routes())
        .merge(people::record_routes::routes())
        .merge(overview::routes::routes())
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
        bind::<predictions::TellPredictions>(&parts.predictions),
        bind::<feeds::SchedulePolls>(&parts.feeds),
        bind::<feeds::Poll>(&parts.feeds),
        bind::<login::ForgetCodes>(&parts.login),
    ];
    jobs.extend(chat::jobs(&parts.chat));
    if with_demo {
        jobs.extend(demo::jobs(&Demo::new(&parts.core, &parts.chat, &parts.predictions)));
    }
    jobs
}

/// The API's description, as served and as committed in `docs/openapi.json`.
pub fn openapi() -> Value {
    let (_, document) = api(&Switched::ALL).split_for_parts();
    description::complete(&document)
}

pub fn router(app: &App) -> Router {
    let (routes, _) = api(&Switched::by(&app.config)).split_for_parts();
    let front = if app.config.shows_fan_page() {
        fan_page::router(&[app.config.public_url(), app.config.matrix.homeserver_url.clone()])
    } else {
        fan_page::without(overview::routes::show_front_page)
    };
    routes
        .merge(docs::router(openapi))
        .merge(front)
        .merge(chat::homeserver_routes::routes())
        .fallback(|| async { Error::NotFound("page") })
        .with_state(app.clone())
        .layer(option_layer(cors(&app.config.http.cors_origins)))
}

/// Browsers of other origins get in only where the configuration names them.
fn cors(origins: &[String]) -> Option<CorsLayer> {
    if origins.is_empty() {
        return None;
    }
    let origins = if origins.iter().any(|origin| origin == "*") {
        AllowOrigin::any()
    } else {
        AllowOrigin::list(origins.iter().filter_map(|origin| HeaderValue::try_from(origin).ok()))
    };
    let layer = CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_MATCH,
            HeaderName::from_static(idempotency::HEADER),
            HeaderName::from_static("last-event-id"),
            HeaderName::from_static(request_id::HEADER),
        ])
        .expose_headers([
            header::ETAG,
            header::RETRY_AFTER,
            HeaderName::from_static(request_id::HEADER),
            HeaderName::from_static(idempotency::REPLAYED),
        ]);
    Some(layer)
}
