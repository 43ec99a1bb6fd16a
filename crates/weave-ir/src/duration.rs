//! Lengths of time as the definition writes them.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use weave_scalars::duration;

/// A length of time in whole milliseconds, written as `PT#H#M#S`: `PT24H`, `PT1M30S`, `PT0.2S`.
///
/// Each length has exactly one text: minutes and seconds stay below 60, a part that is zero is left out, days become hours, and
/// nothing at all is `PT0S`. A text says at most ten thousand years.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration {
    milliseconds: u64,
}

impl Duration {
    /// That many milliseconds.
    #[must_use]
    pub const fn from_milliseconds(milliseconds: u64) -> Self {
        Self { milliseconds }
    }

    /// The length in milliseconds.
    #[must_use]
    pub const fn milliseconds(self) -> u64 {
        self.milliseconds
    }

    /// The length as the language writes it, and as every message and picture prints it: `2d`, `1m30s`.
    #[must_use]
    pub fn words(self) -> String {
        duration::words(self.milliseconds)
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&duration::iso(self.milliseconds))
    }
}

/// Why a text is not a duration of the definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DurationError {
    text: String,
}

impl fmt::Display for DurationError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is not a duration in the form PT#H#M#S, such as PT24H, PT1M30S or PT0.2S", self.text)
    }
}

impl std::error::Error for DurationError {}

fn parse(text: &str) -> Option<Duration> {
    let milliseconds = duration::whole_milliseconds(text).filter(|milliseconds| *milliseconds <= duration::LONGEST)?;
    // The one text of this length is the only one that is read, so the same meaning has the same bytes.
    (duration::iso(milliseconds) == text).then_some(Duration { milliseconds })
}

impl FromStr for Duration {
    type Err = DurationError;

    fn from_str(text: &str) -> Result<Self, DurationError> {
        parse(text).ok_or_else(|| DurationError { text: text.to_owned() })
    }
}

impl Serialize for Duration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Duration {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Duration".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let hours = "[1-9][0-9]*H";
        let minutes = "([1-9]|[1-5][0-9])M";
        let fraction = "[0-9]{0,2}[1-9]";
        let seconds = format!("(([1-9]|[1-5][0-9])(\\.{fraction})?|0\\.{fraction})S");
        json_schema!({
            "type": "string",
            "description": "A length of time: hours, minutes below 60, seconds below 60 with up to three decimals; parts that are zero are left out.",
            // Without look-ahead, which some validators do not have.
            "pattern": format!("^PT(0S|{hours}({minutes})?({seconds})?|{minutes}({seconds})?|{seconds})$"),
            "examples": ["PT24H", "PT1M30S", "PT0.2S"],
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_length_has_one_text() {
        for (milliseconds, text) in [
            (0, "PT0S"),
            (1, "PT0.001S"),
            (200, "PT0.2S"),
            (250, "PT0.25S"),
            (30_000, "PT30S"),
            (60_000, "PT1M"),
            (90_000, "PT1M30S"),
            (3_600_000, "PT1H"),
            (3_600_001, "PT1H0.001S"),
            (86_400_000, "PT24H"),
            (604_800_000, "PT168H"),
        ] {
            let duration = Duration::from_milliseconds(milliseconds);
            assert_eq!(duration.to_string(), text);
            assert_eq!(text.parse::<Duration>(), Ok(duration));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "PT",
            "P1D",
            "PT60S",
            "PT60M",
            "PT01H",
            "PT0H",
            "PT1S1M",
            "PT1.5H",
            "PT0.20S",
            "PT0.0001S",
            "PT.5S",
            "1s",
            "PT-1S",
            "PT1H ",
            "PT99999999999999999999H",
            "PT87660000H0.001S",
            "PT1.S",
        ] {
            assert_eq!(text.parse::<Duration>(), Err(DurationError { text: text.to_owned() }));
        }
    }

    proptest! {
        #[test]
        fn print_and_read_give_it_back(milliseconds in 0..=duration::LONGEST) {
            let duration = Duration::from_milliseconds(milliseconds);
            prop_assert_eq!(duration.to_string().parse::<Duration>(), Ok(duration));
        }
    }
}
