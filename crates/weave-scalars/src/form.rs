//! The types whose values are strings in JSON.

use std::cmp::Ordering;

use crate::{base64, identifier, number, time};

/// A type whose values are strings in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A whole number of 64 bits: at most 19 digits.
    Int64,
    /// A decimal number of any length, without an exponent.
    Decimal,
    /// Bytes, as base64 with the standard alphabet and padding.
    Bytes,
    /// A moment as in RFC 3339, within the years 1 to 9999 in UTC.
    Timestamp,
    /// A day: `2027-01-31`.
    Date,
    /// A length of time as in ISO 8601, without years and months; not below zero, at most ten thousand years.
    Duration,
    /// A UUID in its text form of 36 characters.
    Uuid,
    /// An absolute URI as in RFC 3986.
    Uri,
    /// An address of a mailbox, without quoted parts, display names and comments.
    Email,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 9] =
        [Self::Int64, Self::Decimal, Self::Bytes, Self::Timestamp, Self::Date, Self::Duration, Self::Uuid, Self::Uri, Self::Email];

    /// The `format` of the type in a JSON Schema; bytes have a `contentEncoding` instead.
    #[must_use]
    pub const fn schema_format(self) -> Option<&'static str> {
        Some(match self {
            Self::Int64 => "int64",
            Self::Decimal => "decimal",
            Self::Bytes => return None,
            Self::Timestamp => "date-time",
            Self::Date => "date",
            Self::Duration => "duration",
            Self::Uuid => "uuid",
            Self::Uri => "uri",
            Self::Email => "email",
        })
    }

    /// Whether a text is a value of the type.
    #[must_use]
    pub fn fits(self, text: &str) -> bool {
        match self {
            Self::Int64 => number::int64(text).is_some(),
            Self::Decimal => number::is_decimal(text),
            Self::Bytes => base64::is_base64(text),
            Self::Timestamp => time::read_moment(text).is_ok(),
            Self::Date => time::read_day(text).is_some(),
            // Guards compute lengths below zero, but no data has one.
            Self::Duration => !text.starts_with('-') && time::read_length(text).is_ok(),
            Self::Uuid => identifier::is_uuid(text),
            Self::Uri => identifier::is_uri(text),
            Self::Email => identifier::is_email(text),
        }
    }

    /// How two values compare, as guards compare them; `None` if a text is not a value, and for bytes, which have no order in the language.
    #[must_use]
    pub fn compare(self, one: &str, other: &str) -> Option<Ordering> {
        match self {
            Self::Int64 => Some(number::int64(one)?.cmp(&number::int64(other)?)),
            Self::Decimal => number::compare_decimals(one, other),
            Self::Bytes => None,
            Self::Timestamp => Some(time::read_moment(one).ok()?.cmp(&time::read_moment(other).ok()?)),
            Self::Date => Some(time::read_day(one)?.cmp(&time::read_day(other)?)),
            Self::Duration => Some(time::read_length(one).ok()?.cmp(&time::read_length(other).ok()?)),
            // They are strings to guards.
            Self::Uuid | Self::Uri | Self::Email => Some(one.cmp(other)),
        }
    }

    /// A text that is a value of the type.
    #[must_use]
    pub const fn example(self) -> &'static str {
        match self {
            Self::Int64 => "9007199254740993",
            Self::Decimal => "12.50",
            Self::Bytes => "aGVsbG8=",
            Self::Timestamp => "2027-01-31T12:00:00Z",
            Self::Date => "2027-01-31",
            Self::Duration => "PT24H",
            Self::Uuid => "123e4567-e89b-12d3-a456-426614174000",
            Self::Uri => "https://example.com/",
            Self::Email => "ada@example.com",
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_form_takes_its_own_texts_and_no_others() {
        let cases: [(Form, &[&str], &[&str]); 9] = [
            (
                Form::Int64,
                &["0", "-5", "-0", "007", "9223372036854775807", "-9223372036854775808", "0000000000000000001"],
                &["", "-", "+1", "9223372036854775808", "-9223372036854775809", "00000000000000000001", "1.0", "x", "--1", " 1"],
            ),
            (Form::Decimal, &["0", "-12.50", "100", "0.001", "01", "-0.0"], &["", "-", "1.", ".5", "1e3", "+1", "1.-5", "1.2.3", "--1"]),
            (Form::Bytes, &["", "aGVsbG8=", "QUI="], &["aGVsbG8", "a===", "_-4=", "====", "QUI=QUI="]),
            (
                Form::Timestamp,
                &["2027-01-31T12:00:00Z", "2024-02-29T23:59:60.5+01:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.9Z"],
                &[
                    "0000-12-31T23:59:59Z",
                    "0001-01-01T00:00:00+00:01",
                    "9999-12-31T23:59:60Z",
                    "9999-12-31T23:59:59-00:01",
                    "2027-01-31",
                    "2027-02-29T12:00:00Z",
                    "2027-01-31T25:00:00Z",
                    "2027-01-31T12:00:00",
                    "2027-01-31T12:00:00Zx",
                ],
            ),
            (Form::Date, &["2024-02-29", "0000-01-01"], &["2023-02-29", "2024-13-01", "24-01-01", "2024-01-00"]),
            (
                Form::Duration,
                &["PT24H", "P1DT1M", "PT0.5S", "P2W", "PT315576000000S"],
                &["PT315576000000.1S", "P999999999W", "P", "PT", "24h", "P1Y", "PT1M2H", "P1DT", "-PT1S", "-PT0S"],
            ),
            (Form::Uuid, &["123e4567-e89b-12d3-a456-426614174000"], &["123e4567e89b12d3a456426614174000", "x"]),
            (
                Form::Uri,
                &["https://example.com/a?b#c", "urn:isbn:1", "http://[::1]:80/", "http://a@b:/%20?x", "mailto:a@b", "a:"],
                &[
                    "example.com",
                    ":x",
                    "http://a b",
                    "http://a/%2",
                    "http://[::g]/",
                    "http://a:b/",
                    "a:b#c#d",
                    "a:[b]",
                    "http://a/?[b]",
                    "http://a@b@c/",
                ],
            ),
            (
                Form::Email,
                &["ada@example.com", "a.b+c@x"],
                &[
                    "ada",
                    "@x",
                    "a@",
                    "a b@c.d",
                    "a@-b.c",
                    "a..b@c",
                    "a@b..c",
                    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@b.c",
                ],
            ),
        ];
        for (form, good, bad) in cases {
            for text in good.iter().chain([&form.example()]) {
                assert!(form.fits(text), "{form:?} should take {text:?}");
            }
            for text in bad {
                assert!(!form.fits(text), "{form:?} should refuse {text:?}");
            }
        }
    }

    #[test]
    fn texts_compare_by_what_they_say() {
        for (form, one, other, expected) in [
            (Form::Decimal, "12.50", "12.5", Some(Ordering::Equal)),
            (Form::Decimal, "012.50", "12.5", Some(Ordering::Equal)),
            (Form::Decimal, "-2", "-10", Some(Ordering::Greater)),
            (Form::Decimal, "0.09", "0.1", Some(Ordering::Less)),
            (Form::Decimal, "-0", "0.0", Some(Ordering::Equal)),
            (Form::Decimal, "1e3", "0.0", None),
            (Form::Int64, "9", "10", Some(Ordering::Less)),
            (Form::Int64, "010", "10", Some(Ordering::Equal)),
            (Form::Timestamp, "2027-01-01T00:00:00+01:00", "2026-12-31T23:00:00Z", Some(Ordering::Equal)),
            (Form::Timestamp, "2027-03-01T00:00:00Z", "2027-02-28T23:59:59.9Z", Some(Ordering::Greater)),
            (Form::Duration, "PT60M", "PT1H", Some(Ordering::Equal)),
            (Form::Duration, "P1D", "PT23H", Some(Ordering::Greater)),
            (Form::Date, "2024-12-31", "2025-01-01", Some(Ordering::Less)),
            (Form::Bytes, "QUI=", "QUI=", None),
        ] {
            assert_eq!(form.compare(one, other), expected, "{form:?}: {one} and {other}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_value_or_not(text in "[-+0-9.PTZWDHMS:eE=@/%#?\\[\\]a-f]{0,30}|\\PC{0,20}") {
            for form in Form::ALL {
                let equal = form.compare(&text, &text) == Some(Ordering::Equal);
                if form.fits(&text) && form != Form::Bytes {
                    prop_assert!(equal, "{:?}", form);
                }
            }
        }
    }
}
