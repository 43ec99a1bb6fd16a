//! Moments, days and lengths of time.
//!
//! A moment is a number of nanoseconds since the start of 1970 in UTC, a day a number of days since the first of the year 0, a
//! length a number of nanoseconds.

const SECOND: i128 = 1_000_000_000;
const SECONDS_OF_A_DAY: i128 = 86_400;
/// The first day of 1970, counted from the first of the year 0.
const FIRST_OF_1970: i64 = 719_528;
/// The first day of the year 1, and of the year 10000.
const FIRST_OF_YEAR_1: i64 = 366;
const FIRST_OF_YEAR_10000: i64 = 3_652_425;
/// CEL's own bound, some ten thousand years: every difference of two moments is within it.
const GREATEST_LENGTH: i128 = crate::duration::LONGEST as i128 * 1_000_000;

/// The text of a moment, RFC 3339 in UTC: `2026-01-31T08:00:00.250Z`.
#[must_use]
pub fn timestamp(milliseconds_since_1970: i64) -> String {
    moment_text(i128::from(milliseconds_since_1970) * 1_000_000)
}

/// The milliseconds since the start of 1970 of an RFC 3339 text, or nothing if it is none.
#[must_use]
pub fn read_timestamp(text: &str) -> Option<i64> {
    i64::try_from(read_moment(text).ok()?.div_euclid(1_000_000)).ok()
}

/// The milliseconds of an ISO 8601 duration without years and months, rounded up, or nothing if it is none. One below zero has none.
#[must_use]
pub fn read_duration(text: &str) -> Option<u64> {
    let nanoseconds = read_length(text).ok()?.max(0);
    u64::try_from((nanoseconds + 999_999) / 1_000_000).ok()
}

/// Why a text or number is no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeError {
    /// The text does not have the form.
    Form,
    /// The time is beyond what can be computed with.
    Range,
}

/// A moment, if it is within the years 1 to 9999.
#[must_use]
pub fn moment(nanoseconds: i128) -> Option<i128> {
    let start_of = |day: i64| i128::from(day - FIRST_OF_1970) * SECONDS_OF_A_DAY * SECOND;
    (start_of(FIRST_OF_YEAR_1)..start_of(FIRST_OF_YEAR_10000)).contains(&nanoseconds).then_some(nanoseconds)
}

/// A length, if it is within ten thousand years.
#[must_use]
pub fn length(nanoseconds: i128) -> Option<i128> {
    (-GREATEST_LENGTH..=GREATEST_LENGTH).contains(&nanoseconds).then_some(nanoseconds)
}

/// Reads `2026-01-31`.
#[must_use]
pub fn read_day(text: &str) -> Option<i64> {
    let (year, rest) = digits(text, 4)?;
    let (month, rest) = digits(rest.strip_prefix('-')?, 2)?;
    let (day, rest) = digits(rest.strip_prefix('-')?, 2)?;
    (rest.is_empty() && (1..=12).contains(&month) && day >= 1 && day <= days_of_month(year, month))
        .then(|| first_of_month(year, month) + day - 1)
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

const fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + is_leap(year) as i64,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Counted in years from March, so that the odd day comes last.
const fn first_of_month(year: i64, month: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (month * 153 + 2) / 5 + 60
}

/// Reads RFC 3339. Of a fraction nine digits count; the 60th second is the first of the next minute.
pub fn read_moment(text: &str) -> Result<i128, TimeError> {
    moment(unbounded_moment(text).ok_or(TimeError::Form)?).ok_or(TimeError::Range)
}

fn unbounded_moment(text: &str) -> Option<i128> {
    let (day, time) = text.split_once(['T', 't'])?;
    let day = read_day(day)?;
    let (hour, rest) = digits(time, 2)?;
    let (minute, rest) = digits(rest.strip_prefix(':')?, 2)?;
    let (second, rest) = digits(rest.strip_prefix(':')?, 2)?;
    let (nanoseconds, rest) = rest.strip_prefix('.').map_or(Some((0, rest)), fraction)?;
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let minutes = (day - FIRST_OF_1970) * 1_440 + hour * 60 + minute - offset(rest)?;
    Some(i128::from(minutes * 60 + second) * SECOND + nanoseconds)
}

/// The minutes by which a zone is ahead of UTC.
fn offset(text: &str) -> Option<i64> {
    if matches!(text, "Z" | "z") {
        return Some(0);
    }
    let (hours, rest) = digits(text.strip_prefix(['+', '-'])?, 2)?;
    let (minutes, rest) = digits(rest.strip_prefix(':')?, 2)?;
    let sign = if text.starts_with('-') { -1 } else { 1 };
    (hours <= 23 && minutes <= 59 && rest.is_empty()).then_some(sign * (hours * 60 + minutes))
}

/// Reads an ISO 8601 duration without years and months, also one below zero.
pub fn read_length(text: &str) -> Result<i128, TimeError> {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |text| (-1, text));
    let (date, time) = text.strip_prefix('P').map(|rest| rest.split_once('T').unwrap_or((rest, ""))).ok_or(TimeError::Form)?;
    if date.is_empty() && time.is_empty() || text.ends_with('T') {
        return Err(TimeError::Form);
    }
    let nanoseconds = match date.strip_suffix('W') {
        Some(weeks) if time.is_empty() => count(weeks)?.saturating_mul(7 * SECONDS_OF_A_DAY * SECOND),
        _ => {
            let days = if date.is_empty() { 0 } else { count(date.strip_suffix('D').ok_or(TimeError::Form)?)? };
            days.saturating_mul(SECONDS_OF_A_DAY * SECOND).saturating_add(time_of_length(time)?)
        }
    };
    length(sign * nanoseconds).ok_or(TimeError::Range)
}

/// What comes after the `T`.
fn time_of_length(mut text: &str) -> Result<i128, TimeError> {
    let mut sum = 0i128;
    for (unit, seconds) in [('H', 3_600), ('M', 60)] {
        if let Some((number, rest)) = text.split_once(unit) {
            sum = sum.saturating_add(count(number)?.saturating_mul(seconds * SECOND));
            text = rest;
        }
    }
    if text.is_empty() {
        return Ok(sum);
    }
    let number = text.strip_suffix('S').ok_or(TimeError::Form)?;
    let (whole, nanoseconds) = match number.split_once('.') {
        Some((whole, rest)) => (whole, fraction(rest).filter(|(_, rest)| rest.is_empty()).ok_or(TimeError::Form)?.0),
        None => (number, 0),
    };
    Ok(sum.saturating_add(count(whole)?.saturating_mul(SECOND)).saturating_add(nanoseconds))
}

/// A whole number of any length; one that no bound can be within stands for all such.
fn count(text: &str) -> Result<i128, TimeError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(TimeError::Form);
    }
    Ok(text.parse::<u64>().map_or(i128::MAX, i128::from))
}

/// That many digits from the front, and what comes after them.
fn digits(text: &str, count: usize) -> Option<(i64, &str)> {
    let (number, rest) = text.split_at_checked(count)?;
    let number = number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse().ok())??;
    Some((number, rest))
}

/// The nanoseconds of a fraction of a second, and what comes after it.
fn fraction(text: &str) -> Option<(i128, &str)> {
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    let nine: String = number.chars().chain("000000000".chars()).take(9).collect();
    (end > 0).then(|| nine.parse().ok()).flatten().map(|nanoseconds| (nanoseconds, rest))
}

/// The text of a moment: RFC 3339 in UTC, with as many digits of a second as it needs.
#[must_use]
pub fn moment_text(nanoseconds: i128) -> String {
    let seconds = nanoseconds.div_euclid(SECOND);
    let second = seconds.rem_euclid(SECONDS_OF_A_DAY);
    let (year, month, day) = date(i64::try_from(seconds.div_euclid(SECONDS_OF_A_DAY)).unwrap_or_default() + FIRST_OF_1970);
    let fraction = fraction_text(nanoseconds.rem_euclid(SECOND));
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}{fraction}Z", second / 3_600, second / 60 % 60, second % 60)
}

/// Year, month and day of a day.
fn date(day: i64) -> (i64, i64, i64) {
    // At most one too great: a year has no more days than a leap year.
    let mut year = day.div_euclid(365);
    while first_of_month(year, 1) > day {
        year -= 1;
    }
    let month = (1..=12).rev().find(|month| first_of_month(year, *month) <= day).unwrap_or(1);
    (year, month, day - first_of_month(year, month) + 1)
}

/// The text of a length: hours, minutes and seconds, without parts that are zero.
#[must_use]
pub fn length_text(nanoseconds: i128) -> String {
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let (seconds, fraction) = (nanoseconds.abs() / SECOND, fraction_text(nanoseconds.abs() % SECOND));
    let part = |number: i128, unit: char| if number == 0 { String::new() } else { format!("{number}{unit}") };
    let (hours, minutes) = (part(seconds / 3_600, 'H'), part(seconds / 60 % 60, 'M'));
    let seconds = match seconds % 60 {
        0 if fraction.is_empty() && nanoseconds != 0 => String::new(),
        seconds => format!("{seconds}{fraction}S"),
    };
    format!("{sign}PT{hours}{minutes}{seconds}")
}

fn fraction_text(nanoseconds: i128) -> String {
    if nanoseconds == 0 {
        return String::new();
    }
    format!(".{}", format!("{nanoseconds:09}").trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn days_are_counted() {
        assert_eq!(read_day("0000-01-01"), Some(0));
        assert_eq!(read_day("0001-01-01"), Some(FIRST_OF_YEAR_1));
        assert_eq!(read_day("1970-01-01"), Some(FIRST_OF_1970));
        assert_eq!(read_day("9999-12-31"), Some(FIRST_OF_YEAR_10000 - 1));
        assert_eq!(read_day("2024-03-01").zip(read_day("2024-02-28")).map(|(one, other)| one - other), Some(2));
        for text in
            ["2023-02-29", "1900-02-29", "2024-13-01", "2024-00-01", "2024-01-00", "2024-04-31", "24-01-01", "2024-1-1", "2024-01-01 "]
        {
            assert_eq!(read_day(text), None, "{text}");
        }
    }

    #[test]
    fn moments_are_read() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01t00:00:00.000000001z", 1),
            ("1970-01-01T00:00:00.1234567899Z", 123_456_789),
            ("1970-01-01T01:00:00+01:00", 0),
            ("1969-12-31T23:30:00-00:30", 0),
            ("2009-02-13T23:31:30Z", 1_234_567_890 * SECOND),
            ("2016-12-31T23:59:60Z", 1_483_228_800 * SECOND),
        ] {
            assert_eq!(read_moment(text), Ok(expected), "{text}");
        }
        for text in ["0000-12-31T23:59:59Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"] {
            assert_eq!(read_moment(text), Err(TimeError::Range), "{text}");
        }
        for text in [
            "",
            "2027-01-31",
            "2027-01-31T12:00Z",
            "2027-01-31T24:00:00Z",
            "2027-01-31T12:60:00Z",
            "2027-01-31T12:00:61Z",
            "2027-01-31T12:00:00",
            "2027-01-31T12:00:00.Z",
            "2027-01-31T12:00:00+1:00",
            "2027-01-31T12:00:00+24:00",
            "2027-01-31 12:00:00Z",
            "10000-01-01T00:00:00Z",
            "2027-01-31T12:00:00Zé",
        ] {
            assert_eq!(read_moment(text), Err(TimeError::Form), "{text}");
        }
    }

    #[test]
    fn lengths_are_read() {
        for (text, seconds) in [
            ("PT0S", 0),
            ("PT24H", 86_400),
            ("P1D", 86_400),
            ("P2W", 1_209_600),
            ("P1DT1H1M1S", 90_061),
            ("PT90M", 5_400),
            ("PT1H1S", 3_601),
            ("-PT1S", -1),
            ("PT0000000000000000000000000001S", 1),
            ("PT315576000000S", 315_576_000_000),
        ] {
            assert_eq!(read_length(text), Ok(seconds * SECOND), "{text}");
        }
        assert_eq!(read_length("PT0.0000000019S"), Ok(1));
        for text in ["PT315576000000.1S", "PT99999999999999999999999999999999999999999H", "-P999999999999W"] {
            assert_eq!(read_length(text), Err(TimeError::Range), "{text}");
        }
        for text in [
            "", "P", "PT", "P1DT", "P1Y", "P1M", "P1W1D", "P1WT1S", "PT1M1H", "PT1.5H", "PTS", "PT.5S", "PT1.S", "PT1", "1S", "P-1D",
            "+PT1S", "PT1S ", "P1D1W", "PT1H1H",
        ] {
            assert_eq!(read_length(text), Err(TimeError::Form), "{text}");
        }
    }

    #[test]
    fn texts_are_short() {
        assert_eq!(moment_text(0), "1970-01-01T00:00:00Z");
        assert_eq!(moment_text(-1), "1969-12-31T23:59:59.999999999Z");
        assert_eq!(length_text(0), "PT0S");
        assert_eq!(length_text(-3_600_500_000_000), "-PT1H0.5S");
        assert_eq!(length_text(90 * SECOND), "PT1M30S");
    }

    proptest! {
        #[test]
        fn printed_times_are_read_again(nanoseconds in -62_135_596_800_000_000_000i128..253_402_300_800_000_000_000) {
            prop_assert_eq!(read_moment(&moment_text(nanoseconds)), Ok(nanoseconds));
            prop_assert_eq!(read_length(&length_text(nanoseconds)), Ok(nanoseconds));
        }

        #[test]
        fn any_text_is_read_or_not(text in "[-PTZWDHMS0-9:.+]{0,20}|\\PC{0,20}") {
            let _ = (read_day(&text), read_moment(&text), read_length(&text));
        }
    }
}
