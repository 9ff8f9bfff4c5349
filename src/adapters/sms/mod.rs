//! Delivering text messages through the providers that the settings name, in their order.
//!
//! Owns: the providers, failover from one to the next, and which of them is passed over for a while.
//! Invariants: a message ends within `total_timeout_ms` whatever the providers do; every attempt is reported, in order,
//! and the last one tells whether the message was sent; an error names neither the phone, the text nor a secret.
//! Never: touches the database, follows a redirect or keeps a message.

mod exchange;
mod gateway;
mod template;
mod twilio;
mod vonage;

#[cfg(test)]
mod tests;

use std::fmt;
use std::time::Duration;

use reqwest::{Client, RequestBuilder, Url};
use tokio::time::{Instant, sleep, timeout};
use tracing::Instrument;

use crate::platform::config::{ConfigError, SmsConfig};
use crate::platform::outage::Outage;
use crate::platform::{outbound, trace};

use self::exchange::{GatewayAnswer, SendError, SendErrorKind};
use self::gateway::Gateway;
use self::twilio::Twilio;
use self::vonage::Vonage;
use crate::platform::breaker::Breaker;

const LOG: &str = "log";
const FAILING_PREFIX: &str = "+1500555";
/// A busy provider that asks for more than this is left for the next one.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// With less time left than this, a request would be sent but its answer missed.
const SHORTEST_ATTEMPT: Duration = Duration::from_millis(50);

/// One try at one provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendAttempt {
    pub provider: &'static str,
    /// Counts the tries at one message, from 1.
    pub number: i64,
    /// A short, safe sentence; none if the provider took the message.
    pub error: Option<String>,
    /// What sort of failure it was: `refused`, `busy`, `timed_out` or `broken`; none if the provider took the message.
    pub failure: Option<&'static str>,
    /// Whether it may have been sent in spite of the error, because its answer never came or said nothing.
    pub may_have_arrived: bool,
}

#[derive(Clone, Copy)]
struct Message<'a> {
    phone: &'a str,
    text: &'a str,
}

/// A service that takes one HTTP request for a message.
trait Provider: fmt::Debug + Send + Sync {
    fn request(&self, client: &Client, message: Message<'_>) -> RequestBuilder;

    /// Whether the answer says that the message was taken.
    fn judge(&self, answer: &GatewayAnswer) -> Result<(), SendError>;

    /// Whether a 2xx alone leaves open what became of the message.
    fn needs_body(&self) -> bool {
        true
    }
}

#[derive(Debug)]
struct Route {
    /// As the settings, the SMS log and the metrics call it.
    name: &'static str,
    /// None for `log`, which sends nothing: the SMS log is all there is.
    network: Option<(Client, Box<dyn Provider>)>,
    breaker: Breaker,
}

/// A provider's name, and what it is if it needs the network.
type Chosen = (&'static str, Option<Box<dyn Provider>>);

#[derive(Debug)]
pub struct Sms {
    /// At least one.
    routes: Vec<Route>,
    attempt_timeout: Duration,
    total_timeout: Duration,
    outage: Outage,
}

/// A message on its way, with what was tried so far.
struct Delivery<'a> {
    message: Message<'a>,
    deadline: Instant,
    attempts: Vec<SendAttempt>,
}

/// Whether [`Sms::open`] would find everything it needs.
pub fn check(config: &SmsConfig) -> Result<(), ConfigError> {
    if !config.text.contains("{code}") {
        return Err(ConfigError::new("sms.text must contain {code}."));
    }
    for (language, text) in &config.texts {
        if !text.is_empty() && !text.contains("{code}") {
            let sentence =
                format!("sms.texts.{} must contain {{code}}, or be empty.", language.code());
            return Err(ConfigError::new(sentence));
        }
    }
    for (key, value) in [
        ("attempt_timeout_ms", config.attempt_timeout_ms),
        ("total_timeout_ms", config.total_timeout_ms),
        ("breaker_failures", config.breaker_failures.into()),
    ] {
        if value == 0 {
            return Err(ConfigError::new(format!("sms.{key} must be at least 1.")));
        }
    }
    if config.providers.is_empty() {
        return Err(ConfigError::new(
            "sms.providers must name at least one of log, twilio, vonage and http.",
        ));
    }
    for (index, name) in config.providers.iter().enumerate() {
        if config.providers.iter().take(index).any(|earlier| earlier == name) {
            return Err(ConfigError::new(format!("sms.providers must name {name} only once.")));
        }
        provider(name, config)?;
    }
    Ok(())
}

fn provider(name: &str, config: &SmsConfig) -> Result<Chosen, ConfigError> {
    Ok(match name {
        LOG => (LOG, None),
        twilio::NAME => (twilio::NAME, Some(Box::new(Twilio::open(&config.twilio)?))),
        vonage::NAME => (vonage::NAME, Some(Box::new(Vonage::open(&config.vonage)?))),
        gateway::NAME => (gateway::NAME, Some(Box::new(Gateway::open(&config.http)?))),
        _ => {
            return Err(ConfigError::new(format!(
                "sms.providers names {name:?}, which is none of log, twilio, vonage and http."
            )));
        }
    })
}

/// Refuses a setting that the chosen provider cannot do without.
fn require(provider: &str, key: &str, is_set: bool) -> Result<(), ConfigError> {
    if is_set {
        Ok(())
    } else {
        Err(ConfigError::new(format!(
            "sms.{provider}.{key} must be set, since sms.providers names {provider}."
        )))
    }
}

/// A setting that is an address, without the slash at its end.
fn base_url(key: &str, text: &str) -> Result<String, ConfigError> {
    if is_web_address(text) {
        Ok(text.trim_end_matches('/').to_owned())
    } else {
        Err(not_a_web_address(key))
    }
}

fn is_web_address(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

fn not_a_web_address(key: &str) -> ConfigError {
    ConfigError::new(format!("{key} must be an address that begins with https:// or http://."))
}

impl Sms {
    pub fn open(config: &SmsConfig) -> Result<Self, ConfigError> {
        check(config)?;
        let routes = config.providers.iter().map(|name| Route::open(name, config));
        Ok(Self {
            routes: routes.collect::<Result<_, _>>()?,
            attempt_timeout: Duration::from_millis(
                config.attempt_timeout_ms.min(config.total_timeout_ms),
            ),
            total_timeout: Duration::from_millis(config.total_timeout_ms),
            outage: Outage::default(),
        })
    }

    /// Taking messages away: while it is on, no provider is asked and every message fails.
    pub const fn outage(&self) -> &Outage {
        &self.outage
    }

    /// The providers in their order, each with whether it is in use: one that keeps failing is passed over for a while.
    pub fn standing(&self) -> Vec<(&'static str, bool)> {
        self.routes.iter().map(|route| (route.name, route.breaker.is_closed())).collect()
    }

    /// What becomes of a message to this phone, where nothing has to be sent to know: the first provider is `log`.
    pub fn without_network(&self, phone: &str) -> Option<SendAttempt> {
        let first = self.routes.first()?;
        let outcome = if self.outage.is_on() {
            Err(rehearsed())
        } else if first.network.is_none() {
            pretend(phone)
        } else {
            return None;
        };
        Some(SendAttempt {
            provider: first.name,
            number: 1,
            failure: outcome.as_ref().err().map(|failure| failure.kind.word()),
            error: outcome.err().map(|failure| failure.words),
            may_have_arrived: false,
        })
    }

    /// Hands the message to the first provider that takes it. At least one is tried.
    pub async fn send(&self, phone: &str, text: &str) -> Vec<SendAttempt> {
        let mut delivery = Delivery {
            message: Message { phone, text },
            deadline: Instant::now() + self.total_timeout,
            attempts: Vec::new(),
        };
        for route in &self.routes {
            if route.breaker.admits(Instant::now()) && self.offer(route, &mut delivery).await {
                return delivery.attempts;
            }
        }
        if delivery.attempts.is_empty() {
            // Every provider is being passed over: a try that may fail is better than a failure for certain.
            for route in &self.routes {
                if self.offer(route, &mut delivery).await {
                    break;
                }
            }
        }
        delivery.attempts
    }

    /// Tries one provider, and once more if it was busy for a moment only. True if it took the message.
    async fn offer(&self, route: &Route, delivery: &mut Delivery<'_>) -> bool {
        let mut may_retry = true;
        loop {
            let left = delivery.left();
            if left < SHORTEST_ATTEMPT && !delivery.attempts.is_empty() {
                return false;
            }
            let bound = left.min(self.attempt_timeout);
            let result = route.attempt(delivery.message, bound).await;
            let kind = result.as_ref().err().map(|failure| failure.kind);
            // A provider that got only what slower ones before it had left is not to blame for the time.
            if kind != Some(SendErrorKind::TimedOut) || bound >= self.attempt_timeout / 2 {
                route.learn(kind);
            }
            delivery.note(route.name, result);
            match kind {
                Some(SendErrorKind::Busy(pause))
                    if may_retry
                        && route.breaker.is_closed()
                        && pause <= LONGEST_PAUSE
                        && pause + SHORTEST_ATTEMPT <= delivery.left() =>
                {
                    sleep(pause).await;
                    may_retry = false;
                }
                _ => return kind.is_none(),
            }
        }
    }
}

impl Delivery<'_> {
    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    fn note(&mut self, provider: &'static str, result: Result<(), SendError>) {
        let number = self.attempts.last().map_or(1, |last| last.number + 1);
        let may_have_arrived = result.as_ref().is_err_and(|failure| failure.may_have_arrived);
        let failure = result.as_ref().err().map(|failure| failure.kind.word());
        let error = result.err().map(|failure| failure.words);
        if let Some(error) = &error {
            tracing::warn!(provider, number, error, "a provider did not take a message");
        }
        self.attempts.push(SendAttempt { provider, number, error, failure, may_have_arrived });
    }
}

impl Route {
    fn open(name: &str, config: &SmsConfig) -> Result<Self, ConfigError> {
        let pause = Duration::from_millis(config.breaker_pause_ms);
        let breaker = Breaker::new(config.breaker_failures, pause);
        let (name, provider) = provider(name, config)?;
        let bound = Duration::from_millis(config.attempt_timeout_ms);
        let client = outbound::client(bound).map_err(|error| {
            ConfigError::new(format!("The client for sms.providers cannot be made: {error}."))
        })?;
        Ok(Self { name, network: provider.map(|provider| (client, provider)), breaker })
    }

    async fn attempt(&self, message: Message<'_>, bound: Duration) -> Result<(), SendError> {
        let Some((client, provider)) = &self.network else { return pretend(message.phone) };
        let began = Instant::now();
        let span = trace::call("sms", || self.name.to_owned());
        let exchange = exchange::exchange(client, provider.as_ref(), message);
        let result = timeout(bound, exchange.instrument(span.clone()))
            .await
            .unwrap_or_else(|_| Err(SendError::timed_out()));
        let outcome = match &result {
            Ok(()) => "ok",
            Err(failure) => failure.kind.word(),
        };
        span.record("outcome", outcome);
        let service = format!("sms_{}", self.name);
        metrics::histogram!("touchline_outbound_seconds", "service" => service, "outcome" => outcome)
            .record(began.elapsed());
        result
    }

    /// Tells the breaker how the provider is. One that refuses a message works: were refusals counted, a few wrong
    /// numbers would cut everybody off.
    fn learn(&self, failure: Option<SendErrorKind>) {
        match failure {
            None | Some(SendErrorKind::Refused) => {
                if self.breaker.succeed() {
                    tracing::info!(provider = self.name, "a provider of messages works again");
                }
            }
            Some(SendErrorKind::Busy(_) | SendErrorKind::TimedOut | SendErrorKind::Broken) => {
                if self.breaker.fail(Instant::now()) {
                    tracing::warn!(
                        provider = self.name,
                        "a provider of messages keeps failing and is passed over for a while"
                    );
                }
            }
        }
    }
}

fn rehearsed() -> SendError {
    SendError::new(SendErrorKind::Broken, "messages are away, which is rehearsed")
}

/// What the `log` provider answers.
fn pretend(phone: &str) -> Result<(), SendError> {
    if phone.starts_with(FAILING_PREFIX) {
        Err(SendError::new(SendErrorKind::Refused, "the number is set to fail"))
    } else {
        Ok(())
    }
}
