//! `touchline doctor`: the whole link to the homeserver, piece by piece, in plain words.

use super::{Error, Matrix};

/// One thing that was checked: fine, or what is wrong and what to do.
#[derive(Debug)]
pub struct Finding {
    pub what: &'static str,
    pub problem: Option<String>,
}

impl Finding {
    fn of(what: &'static str, outcome: std::result::Result<(), String>) -> Self {
        Self { what, problem: outcome.err() }
    }
}

/// Checks each piece in the order in which they depend on each other, up to the first that is broken.
pub async fn examine(matrix: &Matrix) -> Vec<Finding> {
    let mut findings = vec![Finding::of("the homeserver answers", reach(matrix).await)];
    if findings.iter().all(|finding| finding.problem.is_none()) {
        findings.push(Finding::of("it accepts our token", identify(matrix).await));
    }
    if findings.iter().all(|finding| finding.problem.is_none()) {
        findings.push(Finding::of("it lets us log users in", log_in(matrix).await));
        findings.push(Finding::of("it reaches us", be_reached(matrix).await));
    }
    findings
}

async fn reach(matrix: &Matrix) -> std::result::Result<(), String> {
    let url = &matrix.settings().base_url;
    matrix.is_there().await.map_err(|error| {
        if matrix.settings().is_embedded {
            format!("Nothing answers at {url}: is `touchline serve` running? ({})", error.in_full())
        } else {
            format!("Nothing answers at {url}: check matrix.homeserver_url. ({})", error.in_full())
        }
    })
}

async fn identify(matrix: &Matrix) -> std::result::Result<(), String> {
    let (settings, bot) = (matrix.settings(), matrix.bot());
    match matrix.who_am_i().await {
        Ok(user) if user == bot => Ok(()),
        Ok(user) => Err(format!(
            "The homeserver takes us for {user}, but we are {bot}: matrix.server_name or \
             matrix.sender_localpart differs from the homeserver's."
        )),
        Err(error) if error.is(401) => Err(format!(
            "The homeserver at {} does not know our as_token: give it the output of \
             `touchline matrix-registration` and restart it.",
            settings.base_url
        )),
        Err(error) => Err(format!("The homeserver would not say who we are: {}.", error.in_full())),
    }
}

async fn log_in(matrix: &Matrix) -> std::result::Result<(), String> {
    let bot = matrix.bot();
    // The bot's account is made first of all; it exists from the second time on.
    let _ = matrix.register(bot).await;
    match matrix.end_device(bot, "TLDOCTOR").await {
        Ok(()) => Ok(()),
        Err(error) if error.has_code("M_APPSERVICE_LOGIN_UNSUPPORTED") || error.is(400) => {
            Err(format!(
                "The homeserver refuses logins by application services, as one with delegated \
                 login (MSC4190) does: chat credentials cannot be issued. ({})",
                error.in_full()
            ))
        }
        Err(error) => Err(format!("The homeserver would not log our bot in: {}.", error.in_full())),
    }
}

async fn be_reached(matrix: &Matrix) -> std::result::Result<(), String> {
    let url = &matrix.settings().appservice_url;
    match matrix.ping().await {
        Ok(()) => Ok(()),
        Err(error)
            if error.has_code("M_CONNECTION_FAILED") || error.has_code("M_CONNECTION_TIMEOUT") =>
        {
            Err(format!(
                "The homeserver cannot reach this service at the url of its registration: is \
                 `touchline serve` running, and is matrix.appservice_url ({url}) right from there? \
                 ({})",
                error.in_full()
            ))
        }
        Err(error) if error.has_code("M_BAD_STATUS") => Err(format!(
            "The homeserver reached something that did not take its hs_token: is {url} this \
             service, and is the registration current? ({})",
            error.in_full()
        )),
        Err(Error::Refused { code, .. }) if code == "M_UNRECOGNIZED" => {
            Err("The homeserver is too old to ping application services (Matrix 1.7 is needed)."
                .to_owned())
        }
        Err(error) => Err(format!("The homeserver would not ping us: {}.", error.in_full())),
    }
}
