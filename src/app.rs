//! The service put together: its parts, its routes, its jobs, its start and its end.
//!
//! Owns: the [`App`] that handlers and jobs share.
//! Invariants: a route or a job exists only if it is listed here.
//! Never: holds a rule.

use std::ops::Deref;
use std::sync::Arc;

use axum::Router;
use http::{HeaderName, HeaderValue, Method, header};
use tokio::net::TcpListener;
use touchline_homeserver::Homeserver;
use tower::util::option_layer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::adapters::matrix::{self, Matrix};
use crate::adapters::sms::Sms;
use crate::chores;
use crate::features::feeds::{self, Feeds};
use crate::features::{
    account, catalogue, chat, coins, events, leaderboards, login, operators, predictions,
    room_figures, sessions, settlement, stream, teams, users, webhooks,
};
use crate::platform::clock::Clock;
use crate::platform::config::{Config, ConfigError, Environment};
use crate::platform::db::{self, Db};
use crate::platform::error::{Error, Result};
use crate::platform::http::answer::Answerer;
use crate::platform::http::docs::{self, ApiDoc};
use crate::platform::http::request_id;
use crate::platform::http::{health, metrics, serve};
use crate::platform::keys::Keys;
use crate::platform::stop::{Stop, StopSender};
use crate::platform::{idempotency, jobs};

#[derive(Clone)]
pub struct App(Arc<Parts>);

pub struct Parts {
    pub config: Config,
    pub db: Db,
    pub clock: Clock,
    pub keys: Keys,
    pub checker: login::Checker,
    pub sms: Sms,
    pub matrix: Matrix,
    homeserver: Option<Homeserver>,
    pub hub: stream::Hub,
    pub sessions: sessions::SessionCache,
    pub event_pages: events::PageCache,
    pub team_pages: teams::PageCache,
    pub prediction_lists: predictions::ListCache,
    pub feeds: Feeds,
    pub webhooks: webhooks::Sender,
    job_kinds: Arc<[jobs::Kind]>,
    stop: StopSender,
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl App {
    /// Opens the database, brings its schema up to date and puts the parts together.
    pub async fn open(config: Config, clock: Clock) -> Result<Self> {
        Self::open_with_jobs(config, clock, job_kinds()).await
    }

    /// Like [`App::open`], with other sorts of work than the service's own.
    pub async fn open_with_jobs(
        config: Config,
        clock: Clock,
        job_kinds: Vec<jobs::Kind>,
    ) -> Result<Self> {
        let keys = Keys::open(&config).map_err(Error::internal)?;
        let db = open_database(&config, clock.clone()).await?;
        for name in db.migrate().await? {
            tracing::info!(migration = name, "the schema was brought up to date");
        }
        let checker = login::Checker::new(keys.clone(), &config.login)?;
        let sms = Sms::open(&config.sms).map_err(Error::internal)?;
        let feeds = Feeds::open(&config.feeds)?;
        let settings = matrix::Settings::of(&config, &keys).map_err(Error::internal)?;
        let homeserver = matrix::open_embedded(&config, &settings, clock.clone()).await?;
        let matrix = Matrix::new(settings, &config.matrix).map_err(Error::internal)?;
        let job_kinds = job_kinds.into();
        let sessions = sessions::cache(db.engine());
        let app = Self(Arc::new(Parts {
            config,
            db,
            clock,
            keys,
            checker,
            sms,
            matrix,
            homeserver,
            hub: stream::Hub::new(),
            sessions,
            event_pages: events::page_cache(),
            team_pages: teams::page_cache(),
            prediction_lists: predictions::list_cache(),
            feeds,
            webhooks: webhooks::Sender::open()?,
            job_kinds,
            stop: StopSender::new(),
        }));
        jobs::schedule_chores(&app).await?;
        if app.config.loads_demo_data() && app.db.write(catalogue::demo::load).await? {
            tracing::info!("the demo catalogue was loaded; demo_data = false keeps it out");
        }
        Ok(app)
    }

    pub fn job_kinds(&self) -> Arc<[jobs::Kind]> {
        self.job_kinds.clone()
    }

    /// Signals that the service is to end: no new connections, no new jobs.
    pub fn stop(&self) {
        self.stop.give();
    }

    pub fn is_stopping(&self) -> bool {
        self.stop.is_given()
    }

    pub fn stopping(&self) -> Stop {
        self.stop.subscribe()
    }

    /// Serves until [`App::stop`], then drains requests and jobs and closes the database.
    pub async fn run(self, listener: TcpListener, metrics_listener: Option<TcpListener>) {
        let jobs = jobs::start(self.clone(), self.stopping());
        let metrics = serve_metrics(metrics_listener, self.config.http.clone(), self.stopping());
        tokio::join!(self.serve(listener), jobs, metrics);
        if let Some(homeserver) = &self.homeserver {
            homeserver.close().await;
        }
        self.db.close().await;
    }

    /// Serves the API alone, without jobs, until [`App::stop`].
    pub async fn serve(&self, listener: TcpListener) {
        let limits = self.config.http.clone();
        let mut answerer = Answerer::new(router(self), &limits, self.stopping());
        if let Some(homeserver) = &self.homeserver {
            answerer = answerer.with_homeserver(homeserver.router(), &limits);
            homeserver.start_push();
        }
        let greeting = tokio::spawn(chat::greet_homeserver(self.clone(), self.stopping()));
        let api = serve::serve(listener, answerer, limits, self.stopping());
        tokio::join!(api, self.hub.follow(self, self.stopping()));
        greeting.abort();
    }
}

pub async fn open_database(config: &Config, clock: Clock) -> Result<Db> {
    if config.database_url.is_empty() {
        std::fs::create_dir_all(&config.data_dir).map_err(|error| {
            let folder = config.data_dir.display();
            Error::internal(ConfigError::new(format!("data_dir {folder} cannot be made: {error}.")))
        })?;
    }
    let given = &config.database;
    let settings = db::Settings {
        url: config.database_url(),
        sqlite_readers: given.sqlite_readers,
        postgres_connections: given.postgres_connections,
        statement_timeout_ms: given.statement_timeout_ms,
        group_limit: given.group_limit,
        queue_limit: given.queue_limit,
        tls_ca_file: (!given.tls_ca_file.is_empty()).then(|| given.tls_ca_file.clone().into()),
    };
    Db::open(&settings, clock).await
}

async fn serve_metrics(
    listener: Option<TcpListener>,
    limits: crate::platform::config::HttpConfig,
    stop: Stop,
) {
    if let (Some(listener), Some(handle)) = (listener, metrics::install()) {
        let answerer = Answerer::new(metrics::router(handle), &limits, stop.clone());
        serve::serve(listener, answerer, limits, stop).await;
    }
}

/// Every route of the API with its description.
fn api(environment: Environment) -> OpenApiRouter<App> {
    let development = match environment {
        Environment::Production => OpenApiRouter::new(),
        _ => login::routes::development_routes(),
    };
    OpenApiRouter::with_openapi(ApiDoc::openapi())
        .merge(development)
        .merge(health::routes())
        .merge(sessions::routes::routes())
        .merge(login::routes::routes())
        .merge(users::routes::routes())
        .merge(coins::routes::routes())
        .merge(account::routes::routes())
        .merge(stream::routes::routes())
        .merge(webhooks::routes::routes())
        .merge(teams::routes::routes())
        .merge(events::routes::routes())
        .merge(events::operator::routes::routes())
        .merge(catalogue::routes::routes())
        .merge(predictions::routes::routes())
        .merge(settlement::routes::routes())
        .merge(settlement::operator_routes::routes())
        .merge(leaderboards::routes::routes())
        .merge(feeds::routes::routes())
        .merge(operators::routes::routes())
        .merge(chat::routes::routes())
        .merge(chat::operator_routes::routes())
        .merge(room_figures::routes::routes())
        .merge(matrix::routes::discovery_routes())
}

/// Every sort of work that runs outside a request.
fn job_kinds() -> Vec<jobs::Kind> {
    let mut kinds = vec![
        chores::FORGET_EXPIRED,
        login::FORGET_CODES,
        events::KICK_OFF,
        events::FORGET_FEED,
        coins::RECONCILE,
        webhooks::DISPATCH,
        webhooks::DELIVER,
        webhooks::FORGET,
        settlement::SETTLE,
        settlement::FINAL,
        predictions::TELL_PREDICTIONS,
        feeds::SCHEDULE,
        feeds::POLL,
    ];
    kinds.extend_from_slice(chat::JOBS);
    kinds
}

/// The API's description, as served and as committed in `docs/openapi.json`.
pub fn openapi() -> OpenApi {
    let (_, mut document) = api(Environment::Local).split_for_parts();
    docs::complete(&mut document);
    document
}

pub fn router(app: &App) -> Router {
    let (routes, _) = api(app.config.environment).split_for_parts();
    routes
        .merge(docs::router(&openapi()))
        .merge(matrix::routes::routes())
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
            HeaderName::from_static(idempotency::HEADER),
            HeaderName::from_static("last-event-id"),
        ])
        .expose_headers([
            header::RETRY_AFTER,
            HeaderName::from_static(request_id::HEADER),
            HeaderName::from_static(idempotency::REPLAYED),
        ]);
    Some(layer)
}
