//! What the service answers: every route of the API, the pages, and who may ask from other origins.

use axum::Router;
use http::{HeaderName, HeaderValue, Method, header};
use serde_json::Value;
use tower::util::option_layer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;

use crate::features::{
    account, catalogue, chat, chat_login, coins, desk_stream, events, feeds, job_control,
    leaderboards, leagues, login, match_desk, nodes, operators, overview, people, predictions,
    push, questions, rehearsal, room_figures, settlement, stream, teams, users, webhooks,
};
use crate::platform::config::{Config, Environment};
use crate::platform::http::description::{self, ApiDoc};
use crate::platform::http::{console, docs, fan_page, request_id, web_files};
use crate::platform::idempotency;

use super::App;

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
        .merge(operators::sign_in_routes::routes())
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
        .merge(leagues::routes::routes())
        .merge(leagues::member_routes::routes())
        .merge(leagues::table_routes::routes())
        .merge(leagues::operator_routes::routes())
        .merge(questions::routes::routes())
        .merge(questions::operator_routes::routes())
        .merge(push::routes::routes())
        .merge(push::settings_routes::routes())
        .merge(push::operator_routes::routes())
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
        .merge(desk_stream::routes::routes())
}

/// The API's description, as served and as committed in `docs/openapi.json`.
pub fn openapi() -> Value {
    let (_, document) = api(&Switched::ALL).split_for_parts();
    description::complete(&document)
}

/// What people open in a browser where everybody reaches the service.
pub fn public_pages(config: &Config) -> Router<App> {
    let (has_fan_page, has_console) = (config.shows_fan_page(), config.shows_console_to_all());
    let mut pages = if has_fan_page {
        fan_page::router(&[config.public_url(), config.matrix.homeserver_url.clone()])
    } else {
        fan_page::without(overview::routes::show_front_page)
    };
    if has_console {
        pages = pages.merge(console::router());
    }
    if chat_login::is_offered(config) {
        pages = pages.merge(chat_login::routes::routes());
    }
    if has_fan_page || has_console {
        pages = pages.merge(web_files::shared_router());
    }
    pages
}

pub fn router(app: &App, pages: Router<App>) -> Router {
    let (routes, _) = api(&Switched::by(&app.config)).split_for_parts();
    routes
        .merge(docs::router(openapi))
        .merge(pages)
        .merge(chat::homeserver_routes::routes())
        .merge(push::gateway_routes::routes())
        .fallback(|| async { not_found!("page") })
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
