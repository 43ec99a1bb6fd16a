//! What an answer of a service means.

use std::time::SystemTime;

use hyper::StatusCode;
use hyper::header::{CONTENT_TYPE, HeaderMap, LOCATION, RETRY_AFTER};
use serde_json::Value;
use weave_host::Outcome;
use weave_runner::FailureKind;

use super::{JSON, Service};
use crate::answer::{failed, failure, invalid};

/// The longest pause that a service may ask for, in milliseconds: a day.
const LONGEST_PAUSE: u64 = 86_400_000;
/// The pause before a call that is still in progress is sent again, in milliseconds.
const IN_PROGRESS: u64 = 1_000;

/// An answer that came as a whole.
pub(super) struct Reply<'a> {
    pub(super) service: &'a Service,
    pub(super) status: StatusCode,
    pub(super) headers: &'a HeaderMap,
    pub(super) body: &'a [u8],
}

impl Reply<'_> {
    /// What it means for the call.
    pub(super) fn outcome(&self) -> Outcome {
        let json = self.json();
        // What a service says itself counts before what its status says.
        if !self.status.is_success()
            && let Ok(Some(outcome)) = json.as_ref().map(failed)
            && self.status != StatusCode::TOO_MANY_REQUESTS
        {
            return outcome;
        }
        match self.status.as_u16() {
            202 => match json.map(|body| body.get("pending").and_then(Value::as_str).map(str::to_owned)) {
                Ok(Some(handle)) => Outcome::Accepted { handle },
                Ok(None) => invalid(format!("{} answered 202 without `pending`", self.service)),
                Err(why) => invalid(why),
            },
            204 => Outcome::Data(Value::Null),
            200..=299 => json.map_or_else(invalid, Outcome::Data),
            300..=399 => {
                let to = self.headers.get(LOCATION).and_then(|to| to.to_str().ok()).map(|to| to.split('?').next().unwrap_or_default());
                let to = to.map(|to| format!(" to `{}`", to.chars().filter(|char| !char.is_control()).take(200).collect::<String>()));
                let message = format!("{} redirects{}; redirects are not followed", self.service, to.unwrap_or_default());
                failure(FailureKind::ExecutionError, message)
            }
            404 => failure(FailureKind::UnknownTool, self.said()),
            // A call with this key is being carried out; the same call will say how it ended.
            409 => Outcome::Refused { after: Some(self.pause().unwrap_or(IN_PROGRESS)), message: self.said() },
            429 => Outcome::Refused { after: self.pause(), message: self.said() },
            503 if self.headers.contains_key(RETRY_AFTER) => Outcome::Refused { after: self.pause(), message: self.said() },
            // These come from proxies, which do not know what the service has done.
            502..=504 => Outcome::Lost { message: self.said() },
            401 | 403 => failure(FailureKind::Denied, self.said()),
            _ => failure(FailureKind::ExecutionError, self.said()),
        }
    }

    fn said(&self) -> String {
        format!("{} answered {}", self.service, self.status)
    }

    fn json(&self) -> Result<Value, String> {
        if !is_json(self.headers) {
            let found = self.headers.get(CONTENT_TYPE).and_then(|found| found.to_str().ok()).unwrap_or("no type");
            let found: String = found.chars().take(100).collect();
            return Err(format!("the answer of {} is not declared as {JSON} but as `{found}`", self.service));
        }
        serde_json::from_slice(self.body).map_err(|error| format!("the answer of {} is not JSON: {error}", self.service))
    }

    /// The pause that it asks for, in milliseconds.
    fn pause(&self) -> Option<u64> {
        let text = self.headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
        let milliseconds = match text.parse::<u64>() {
            Ok(seconds) => seconds.saturating_mul(1_000),
            Err(_) => {
                let at = httpdate::parse_http_date(text).ok()?;
                let left = at.duration_since(SystemTime::now()).unwrap_or_default();
                u64::try_from(left.as_millis()).ok()?
            }
        };
        Some(milliseconds.min(LONGEST_PAUSE))
    }
}

/// Whether a service says with this status that it has not begun.
pub(super) fn is_refusal(status: StatusCode) -> bool {
    matches!(status.as_u16(), 409 | 429)
}

/// Whether an answer is declared to be of a type.
pub(super) fn is_type(headers: &HeaderMap, wanted: &str) -> bool {
    essence(headers).is_some_and(|found| found.eq_ignore_ascii_case(wanted))
}

fn is_json(headers: &HeaderMap) -> bool {
    essence(headers).is_some_and(|found| {
        let found = found.to_ascii_lowercase();
        found == JSON || found.starts_with("application/") && found.ends_with("+json")
    })
}

fn essence(headers: &HeaderMap) -> Option<&str> {
    headers.get(CONTENT_TYPE)?.to_str().ok()?.split(';').next().map(str::trim)
}
