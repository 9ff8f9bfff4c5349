//! Request input: JSON bodies and query strings become typed values, or a list of what is wrong with which field.
//!
//! Owns: the [`Valid`] and [`Params`] extractors, the `input!` macro, and the readers of plain types.
//! Invariants: a handler that runs has only acceptable values; all wrong fields are named at once; unknown fields are ignored.
//! Never: accepts a control character in a text, so both databases see the same values.

use axum::extract::{FromRef, FromRequest, FromRequestParts, Request};
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::{Map, Value};

use crate::platform::core::Core;
use crate::platform::error::{Error, FieldErrors, Result};
use crate::platform::texts::Said;

/// A value as it came in: typed by JSON, or plain text of a query string.
#[derive(Debug)]
pub enum Raw {
    Json(Value),
    Text(String),
}

/// What is wrong with a value: a sentence about it, or sentences about its own fields.
#[derive(Debug)]
pub enum Complaint {
    Here(Said),
    Inside(FieldErrors),
}

impl<T: Into<Said>> From<T> for Complaint {
    fn from(sentence: T) -> Self {
        Self::Here(sentence.into())
    }
}

/// A type that can be read from input; its rule of acceptance lives in the type.
pub trait FromInput: Sized {
    fn from_input(raw: Raw) -> Result<Self, Complaint>;
}

/// A field of an input struct: required as `T`, optional as `Option<T>`.
pub trait Field: Sized {
    fn read(raw: Option<Raw>, name: &str, errors: &mut FieldErrors) -> Option<Self>;
}

impl<T: FromInput> Field for T {
    fn read(raw: Option<Raw>, name: &str, errors: &mut FieldErrors) -> Option<Self> {
        match raw {
            Some(raw) => note(T::from_input(raw), name, errors),
            None => {
                errors.add(name, text!("This field is required."));
                None
            }
        }
    }
}

impl<T: FromInput> Field for Option<T> {
    fn read(raw: Option<Raw>, name: &str, errors: &mut FieldErrors) -> Option<Self> {
        match raw {
            None | Some(Raw::Json(Value::Null)) => Some(None),
            Some(raw) => note(T::from_input(raw), name, errors).map(Some),
        }
    }
}

fn note<T>(read: Result<T, Complaint>, name: &str, errors: &mut FieldErrors) -> Option<T> {
    match read {
        Ok(value) => Some(value),
        Err(Complaint::Here(sentence)) => {
            errors.add(name, sentence);
            None
        }
        Err(Complaint::Inside(inner)) => {
            for (field, sentences) in inner.by_field() {
                for sentence in sentences {
                    errors.add(&format!("{name}.{field}"), sentence.clone());
                }
            }
            None
        }
    }
}

/// Where an input struct takes its fields from.
pub trait Source {
    fn take(&mut self, name: &str) -> Option<Raw>;
}

impl Source for Map<String, Value> {
    fn take(&mut self, name: &str) -> Option<Raw> {
        self.remove(name).map(Raw::Json)
    }
}

struct QueryPairs(Vec<(String, String)>);

impl Source for QueryPairs {
    fn take(&mut self, name: &str) -> Option<Raw> {
        let at = self.0.iter().position(|(key, _)| key == name)?;
        Some(Raw::Text(self.0.swap_remove(at).1))
    }
}

/// A struct that `input!` made.
pub trait Input: Sized {
    fn read(source: &mut dyn Source) -> Result<Self, FieldErrors>;
}

/// Declares a request body or query whose fields are read, all of them, before the handler runs.
#[macro_export]
macro_rules! input {
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_vis:vis $field:ident : $type:ty),* $(,)?
    }) => {
        $(#[$meta])*
        $vis struct $name { $($(#[$field_meta])* $field_vis $field: $type),* }

        impl $crate::platform::http::input::Input for $name {
            fn read(
                source: &mut dyn $crate::platform::http::input::Source,
            ) -> ::std::result::Result<Self, $crate::platform::error::FieldErrors> {
                let mut errors = $crate::platform::error::FieldErrors::default();
                $(let $field = <$type as $crate::platform::http::input::Field>::read(
                    source.take(stringify!($field)), stringify!($field), &mut errors,
                );)*
                match ($($field,)*) {
                    ($(Some($field),)*) if errors.is_empty() => Ok(Self { $($field),* }),
                    _ => Err(errors),
                }
            }
        }
    };
}

/// A text newtype with `TryFrom<&str, Error = Text>` becomes readable input.
#[macro_export]
macro_rules! text_input {
    ($($type:ty),* $(,)?) => {$(
        impl $crate::platform::http::input::FromInput for $type {
            fn from_input(
                raw: $crate::platform::http::input::Raw,
            ) -> ::std::result::Result<Self, $crate::platform::http::input::Complaint> {
                let text = String::from_input(raw)?;
                <$type>::try_from(text.as_str()).map_err(Into::into)
            }
        }
    )*};
}

/// A tuple newtype around a positive `i64` becomes readable input.
#[macro_export]
macro_rules! id_input {
    ($($type:ident),* $(,)?) => {$(
        impl $crate::platform::http::input::FromInput for $type {
            fn from_input(
                raw: $crate::platform::http::input::Raw,
            ) -> ::std::result::Result<Self, $crate::platform::http::input::Complaint> {
                match i64::from_input(raw) {
                    Ok(id) if id > 0 => Ok(Self(id)),
                    _ => Err(text!("Must be a whole number from 1.").into()),
                }
            }
        }
    )*};
}

/// Input structs become readable as objects inside other input.
#[macro_export]
macro_rules! object_input {
    ($($type:ident),* $(,)?) => {$(
        impl $crate::platform::http::input::FromInput for $type {
            fn from_input(
                raw: $crate::platform::http::input::Raw,
            ) -> ::std::result::Result<Self, $crate::platform::http::input::Complaint> {
                $crate::platform::http::input::read_nested(raw)
            }
        }
    )*};
}

pub fn read_nested<T: Input>(raw: Raw) -> Result<T, Complaint> {
    match raw {
        Raw::Json(Value::Object(mut object)) => T::read(&mut object).map_err(Complaint::Inside),
        _ => Err(text!("Must be an object.").into()),
    }
}

/// A JSON body that was read whole and found acceptable.
pub struct Valid<T>(pub T);

impl<T: Input, S: Send + Sync> FromRequest<S> for Valid<T>
where
    Core: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let object = read_object(request, &Core::from_ref(state)).await?;
        Self::of(object)
    }
}

/// The same where no body at all is as good as an empty object.
pub struct ValidIfAny<T>(pub T);

impl<T: Input, S: Send + Sync> FromRequest<S> for ValidIfAny<T>
where
    Core: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let is_empty = http_body::Body::size_hint(request.body()).exact() == Some(0);
        let object = if is_empty {
            Map::new()
        } else {
            read_object(request, &Core::from_ref(state)).await?
        };
        Ok(Self(Valid::of(object)?.0))
    }
}

/// The same for a document of an operator, which may be as large as 4 MiB.
pub struct ValidDocument<T>(pub T);

pub const DOCUMENT_LIMIT_BYTES: usize = 4 * 1024 * 1024;

impl<T: Input, S: Send + Sync> FromRequest<S> for ValidDocument<T>
where
    Core: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let object =
            read_object_within(request, &Core::from_ref(state), DOCUMENT_LIMIT_BYTES).await?;
        Ok(Self(Valid::of(object)?.0))
    }
}

impl<T: Input> Valid<T> {
    pub fn of(mut object: Map<String, Value>) -> Result<Self> {
        Ok(Self(T::read(&mut object)?))
    }
}

/// A query string that was found acceptable.
pub struct Params<T>(pub T);

impl<T: Input, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let axum::extract::Query(pairs) =
            axum::extract::Query::<Vec<(String, String)>>::try_from_uri(&parts.uri)
                .map_err(|_| Error::Malformed(text!("The query string cannot be read.")))?;
        Ok(Self(T::read(&mut QueryPairs(pairs))?))
    }
}

/// The body as a JSON object, within the limits of size, time and type.
pub async fn read_object(request: Request, core: &Core) -> Result<Map<String, Value>> {
    read_object_within(request, core, core.config.http.body_limit_bytes).await
}

async fn read_object_within(
    request: Request,
    core: &Core,
    limit: usize,
) -> Result<Map<String, Value>> {
    if !is_json(request.headers()) {
        return Err(Error::UnsupportedMediaType);
    }
    let bytes = read_bytes(request, limit, core.config.http.body_timeout_ms).await?;
    // serde_json refuses more than 128 levels, so a deep body cannot exhaust the stack.
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Error::invalid("body", text!("Must be a JSON object."))),
        Err(_) => Err(Error::Malformed(text!("The request body is not valid JSON."))),
    }
}

pub async fn read_bytes(request: Request, limit: usize, timeout_ms: u64) -> Result<Bytes> {
    let declared = request.headers().get(header::CONTENT_LENGTH);
    let declared = declared.and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if declared.is_some_and(|length| length > limit) {
        return Err(Error::TooLarge);
    }
    let body = Limited::new(request.into_body(), limit).collect();
    let timeout = std::time::Duration::from_millis(timeout_ms);
    match tokio::time::timeout(timeout, body).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Error::TooLarge),
        Ok(Err(_)) => Err(Error::Malformed(text!("The request body ended early."))),
        Err(_) => Err(Error::Malformed(text!("The request body did not arrive in time."))),
    }
}

/// JSON by its name, or nothing said at all: the lenient reading for callers that set no type.
fn is_json(headers: &HeaderMap) -> bool {
    let Some(kind) = headers.get(header::CONTENT_TYPE) else { return true };
    let Ok(kind) = kind.to_str() else { return false };
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

impl FromInput for String {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        let (Raw::Text(text) | Raw::Json(Value::String(text))) = raw else {
            return Err(text!("Must be a text.").into());
        };
        if text.chars().any(char::is_control) {
            return Err(text!("Must not contain control characters.").into());
        }
        Ok(text)
    }
}

impl FromInput for i64 {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        let number = match raw {
            Raw::Json(Value::Number(number)) => number.as_i64(),
            // Rust would also take a plus sign.
            Raw::Text(text) if !text.starts_with('+') => text.parse().ok(),
            Raw::Text(_) | Raw::Json(_) => None,
        };
        number.ok_or_else(|| text!("Must be a whole number.").into())
    }
}

impl FromInput for bool {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        match raw {
            Raw::Json(Value::Bool(value)) => Ok(value),
            Raw::Text(text) if text == "true" || text == "1" => Ok(true),
            Raw::Text(text) if text == "false" || text == "0" => Ok(false),
            _ => Err(text!("Must be true or false.").into()),
        }
    }
}

impl<T: FromInput> FromInput for Vec<T> {
    fn from_input(raw: Raw) -> Result<Self, Complaint> {
        let Raw::Json(Value::Array(items)) = raw else {
            return Err(text!("Must be a list.").into());
        };
        let mut errors = FieldErrors::default();
        let read: Vec<T> = items
            .into_iter()
            .enumerate()
            .filter_map(|(at, item)| {
                note(T::from_input(Raw::Json(item)), &at.to_string(), &mut errors)
            })
            .collect();
        if errors.is_empty() { Ok(read) } else { Err(Complaint::Inside(errors)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_text_breaks_the_readers_of_query_values(
            text in prop_oneof!["\\PC{0,30}", "[+-]?[0-9]{0,22}"],
        ) {
            let raw = || Raw::Text(text.clone());
            if let Ok(number) = i64::from_input(raw()) {
                prop_assert!(text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit()));
                prop_assert_eq!(text.parse::<i64>(), Ok(number));
            }
            if let Ok(shown) = String::from_input(raw()) {
                prop_assert!(!shown.chars().any(char::is_control));
            }
            let _ = bool::from_input(raw());
        }

        #[test]
        fn no_content_type_breaks_its_reader(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let Ok(value) = http::HeaderValue::from_bytes(&bytes) else { return Ok(()) };
            let _ = is_json(&HeaderMap::from_iter([(header::CONTENT_TYPE, value)]));
        }
    }
}
