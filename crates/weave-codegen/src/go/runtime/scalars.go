package weaveruntime

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Decimal is a decimal number of any precision, as text: "12.50".
type Decimal string

// Timestamp is a point in time as RFC 3339 writes it. It stays as it was written, with its offset and all its digits.
type Timestamp string

// TimestampOf writes a point in time.
func TimestampOf(t time.Time) Timestamp { return Timestamp(t.Format(time.RFC3339Nano)) }

// Time is the point in time, to the nanosecond; a leap second is the one after it.
func (t Timestamp) Time() (time.Time, bool) {
	at, ok := moment(string(t))
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(at.seconds, at.nanoseconds).UTC(), true
}

// Date is a day such as "2026-11-21".
type Date string

// Time is the start of the day in UTC.
func (d Date) Time() (time.Time, bool) {
	days, ok := day(string(d))
	return time.Unix(days*86_400, 0).UTC(), ok
}

// Duration is a length of time as ISO 8601 writes it, without years and months: "PT1M30S".
type Duration string

// DurationOf writes a length of time.
func DurationOf(d time.Duration) Duration {
	sign := ""
	seconds, rest := int64(d/time.Second), int64(d%time.Second)
	if d < 0 {
		sign, seconds, rest = "-", -seconds, -rest
	}
	text := sign + "PT" + strconv.FormatInt(seconds, 10)
	if rest != 0 {
		digits := strconv.FormatInt(rest, 10)
		text += "." + strings.TrimRight(strings.Repeat("0", 9-len(digits))+digits, "0")
	}
	return Duration(text + "S")
}

// Duration is the length of time, where Go can say it: up to 292 years.
func (d Duration) Duration() (time.Duration, bool) {
	span, ok := length(string(d))
	if !ok || span.seconds > math.MaxInt64/1_000_000_000-1 || span.seconds < math.MinInt64/1_000_000_000+1 {
		return 0, false
	}
	return time.Duration(span.seconds*1_000_000_000 + span.nanoseconds), true
}

// UUID is a UUID, as text.
type UUID string

// URI is a URI.
type URI string

// Email is an e-mail address.
type Email string

// Limit bounds a scalar: its value where it is a number or a time, its length where it is text or bytes.
type Limit func(*limits)

type limits struct {
	min, max       string
	hasMin, hasMax bool
	pattern        *regexp.Regexp
}

// Min is the least value or length.
func Min(bound string) Limit { return func(l *limits) { l.min, l.hasMin = bound, true } }

// Max is the greatest value or length.
func Max(bound string) Limit { return func(l *limits) { l.max, l.hasMax = bound, true } }

// Pattern is what a part of the text must match.
func Pattern(expression string) Limit {
	pattern := regexp.MustCompile(expression)
	return func(l *limits) { l.pattern = pattern }
}

func limitsOf(given []Limit) limits {
	var found limits
	for _, set := range given {
		set(&found)
	}
	return found
}

// bounded compares a value with its bounds, which are read as it was.
func bounded[V any](l limits, held V, read func(string) V, compare func(V, V) int, at *place) *ValidationError {
	if l.hasMin && compare(held, read(l.min)) < 0 {
		return at.refuse("must not be less than " + l.min)
	}
	if l.hasMax && compare(held, read(l.max)) > 0 {
		return at.refuse("must not be greater than " + l.max)
	}
	return nil
}

func (l limits) sized(count int, unit string, at *place) *ValidationError {
	if l.hasMin && float64(count) < number(l.min) {
		return at.refuse("must have at least " + l.min + " " + unit)
	}
	if l.hasMax && float64(count) > number(l.max) {
		return at.refuse("must have at most " + l.max + " " + unit)
	}
	return nil
}

func (l limits) matches(text string, at *place) *ValidationError {
	if l.pattern != nil && !l.pattern.MatchString(text) {
		return at.refuse("must match " + l.pattern.String())
	}
	return nil
}

func number(text string) float64 {
	read, _ := strconv.ParseFloat(text, 64)
	return read
}

func compareNumbers(one, other float64) int {
	switch {
	case one < other:
		return -1
	case one > other:
		return 1
	default:
		return 0
	}
}

// ofText is a scalar that is a text in JSON, and that check looks at.
func ofText[T ~string](check func(text string, at *place) *ValidationError) Node[T] {
	return Node[T]{
		nullable: never,
		read: func(v *value, at *place) (T, *ValidationError) {
			if err := textual(v, at); err != nil {
				return "", err
			}
			return T(v.text), check(v.text, at)
		},
		write: func(from T, _ *place) (*value, *ValidationError) { return textValue(string(from)), nil },
	}
}

func textual(v *value, at *place) *ValidationError {
	if !v.is(kindString) {
		return at.refuse("must be a string")
	}
	if !utf8.ValidString(v.text) {
		return at.refuse("must be UTF-8")
	}
	return nil
}

// String is text, whose length counts code points.
func String(given ...Limit) Node[string] {
	l := limitsOf(given)
	return ofText[string](func(text string, at *place) *ValidationError {
		if l.hasMin || l.hasMax {
			if err := l.sized(utf8.RuneCountInString(text), "characters", at); err != nil {
				return err
			}
		}
		return l.matches(text, at)
	})
}

// Bool is true or false.
func Bool() Node[bool] {
	return Node[bool]{
		nullable: never,
		read: func(v *value, at *place) (bool, *ValidationError) {
			if !v.is(kindBool) {
				return false, at.refuse("must be true or false")
			}
			return v.truth, nil
		},
		write: func(from bool, _ *place) (*value, *ValidationError) { return boolValue(from), nil },
	}
}

// greatestInt is the greatest whole number that all languages can say.
const greatestInt = 1<<53 - 1

// Int is a whole number within ±(2^53−1).
func Int(given ...Limit) Node[int64] {
	l := limitsOf(given)
	return Node[int64]{
		nullable: never,
		read: func(v *value, at *place) (int64, *ValidationError) {
			if !v.is(kindNumber) || v.number != math.Trunc(v.number) || math.Abs(v.number) > greatestInt {
				return 0, at.refuse("must be a whole number")
			}
			return int64(v.number), bounded(l, v.number, number, compareNumbers, at)
		},
		write: func(from int64, _ *place) (*value, *ValidationError) { return numberValue(float64(from)), nil },
	}
}

// Float is a finite double.
func Float(given ...Limit) Node[float64] {
	l := limitsOf(given)
	return Node[float64]{
		nullable: never,
		read: func(v *value, at *place) (float64, *ValidationError) {
			if !v.is(kindNumber) || !v.finite() {
				return 0, at.refuse("must be a finite number")
			}
			// JSON knows no zero with a sign.
			return v.number + 0, bounded(l, v.number, number, compareNumbers, at)
		},
		write: func(from float64, _ *place) (*value, *ValidationError) { return numberValue(from), nil },
	}
}

var int64Form = regexp.MustCompile(`^-?[0-9]{1,19}$`)

// Int64 is a whole number of 64 bits, a text in JSON.
func Int64(given ...Limit) Node[int64] {
	l := limitsOf(given)
	whole := func(text string) int64 {
		read, _ := strconv.ParseInt(text, 10, 64)
		return read
	}
	compare := func(one, other int64) int {
		switch {
		case one < other:
			return -1
		case one > other:
			return 1
		default:
			return 0
		}
	}
	return Node[int64]{
		nullable: never,
		read: func(v *value, at *place) (int64, *ValidationError) {
			if err := textual(v, at); err != nil {
				return 0, err
			}
			if !int64Form.MatchString(v.text) {
				return 0, at.refuse("must be a whole number in quotes")
			}
			read, err := strconv.ParseInt(v.text, 10, 64)
			if err != nil {
				return 0, at.refuse("must be a whole number of 64 bits")
			}
			return read, bounded(l, read, whole, compare, at)
		},
		write: func(from int64, _ *place) (*value, *ValidationError) {
			return textValue(strconv.FormatInt(from, 10)), nil
		},
	}
}

var decimalForm = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// CompareDecimals compares decimal numbers exactly: -1, 0 or 1.
func CompareDecimals(one, other Decimal) int { return compareDecimals(string(one), string(other)) }

func compareDecimals(one, other string) int {
	left, right := magnitude(one), magnitude(other)
	leftNegative, rightNegative := isBelowZero(one, left), isBelowZero(other, right)
	switch {
	case leftNegative && !rightNegative:
		return -1
	case rightNegative && !leftNegative:
		return 1
	case leftNegative:
		left, right = right, left
	}
	if len(left.whole) != len(right.whole) {
		return compareNumbers(float64(len(left.whole)), float64(len(right.whole)))
	}
	if order := strings.Compare(left.whole, right.whole); order != 0 {
		return order
	}
	return strings.Compare(left.fraction, right.fraction)
}

// digits are those of a number without its sign and without zeros that say nothing.
type digits struct{ whole, fraction string }

func magnitude(text string) digits {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	return digits{strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")}
}

func isBelowZero(text string, size digits) bool {
	return strings.HasPrefix(text, "-") && size != digits{}
}

// DecimalNumber is a decimal number of any precision, a text in JSON.
func DecimalNumber(given ...Limit) Node[Decimal] {
	l := limitsOf(given)
	return ofText[Decimal](func(text string, at *place) *ValidationError {
		if !decimalForm.MatchString(text) {
			return at.refuse("must be a decimal number in quotes")
		}
		return bounded(l, text, func(bound string) string { return bound }, compareDecimals, at)
	})
}

// instant is a point in time, or a length of time.
type instant struct{ seconds, nanoseconds int64 }

func compareInstants(one, other instant) int {
	if one.seconds != other.seconds {
		return compareNumbers(float64(one.seconds), float64(other.seconds))
	}
	return compareNumbers(float64(one.nanoseconds), float64(other.nanoseconds))
}

var dayForm = regexp.MustCompile(`^([0-9]{4})-([0-9]{2})-([0-9]{2})$`)

// day is the number of days since the first of 1970, if there is such a day.
func day(text string) (int64, bool) {
	found := dayForm.FindStringSubmatch(text)
	if found == nil {
		return 0, false
	}
	year, month, date := int(number(found[1])), int(number(found[2])), int(number(found[3]))
	made := time.Date(year, time.Month(month), date, 0, 0, 0, 0, time.UTC)
	return made.Unix() / 86_400, made.Year() == year && int(made.Month()) == month && made.Day() == date
}

var momentForm = regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))$`)

// moment is a point in time of the years 1 to 9999, since the start of 1970.
func moment(text string) (instant, bool) {
	at, ok := anyMoment(text)
	return at, ok && at.isMoment()
}

// isMoment says whether it is within the years 1 to 9999.
func (at instant) isMoment() bool {
	return at.seconds >= -62_135_596_800 && at.seconds < 253_402_300_800
}

// anyMoment is a point in time that may be outside the years 1 to 9999.
func anyMoment(text string) (instant, bool) {
	found := momentForm.FindStringSubmatch(text)
	if found == nil {
		return instant{}, false
	}
	days, ok := day(found[1])
	part := func(index int) int64 { return int64(number(found[index])) }
	if !ok || part(2) > 23 || part(3) > 59 || part(4) > 60 || part(7) > 23 || part(8) > 59 {
		return instant{}, false
	}
	ahead := part(7)*60 + part(8)
	if found[6] == "-" {
		ahead = -ahead
	}
	seconds := days*86_400 + (part(2)*60+part(3)-ahead)*60 + part(4)
	return instant{seconds, fraction(found[5])}, true
}

// fraction is the nanoseconds of the digits behind a point.
func fraction(digits string) int64 {
	read, _ := strconv.ParseInt((digits + "000000000")[:9], 10, 64)
	return read
}

var lengthForm = regexp.MustCompile(`^(-?)P(?:([0-9]+)W|(?:([0-9]+)D)?(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)(?:\.([0-9]+))?S)?)?)$`)

// longest is the longest length of time, in seconds.
const longest = 315_576_000_000

// length is a length of time without years and months.
func length(text string) (instant, bool) {
	span, ok := anyLength(text)
	return span, ok && span.isLength()
}

// isLength says whether it is within ten thousand years.
func (at instant) isLength() bool {
	bound := instant{seconds: longest}
	if at.seconds < 0 || at.nanoseconds < 0 {
		bound.seconds = -longest
		return compareInstants(at, bound) >= 0
	}
	return compareInstants(at, bound) <= 0
}

// anyLength is a length of time that may be too long.
func anyLength(text string) (instant, bool) {
	found := lengthForm.FindStringSubmatch(text)
	if found == nil || strings.HasSuffix(text, "P") || strings.HasSuffix(text, "T") {
		return instant{}, false
	}
	var seconds int64
	for index, unit := range map[int]int64{2: 604_800, 3: 86_400, 4: 3_600, 5: 60, 6: 1} {
		count := strings.TrimLeft(found[index], "0")
		if len(count) > 12 {
			// Too long in each of the units.
			count = "999999999999"
		}
		seconds += int64(number(count)) * unit
	}
	span := instant{seconds, fraction(found[7])}
	if found[1] == "-" {
		span = instant{-span.seconds, -span.nanoseconds}
	}
	return span, true
}

func ordered[T ~string](read func(string) (instant, bool), what string, given []Limit) Node[T] {
	l := limitsOf(given)
	bound := func(text string) instant {
		at, _ := read(text)
		return at
	}
	return ofText[T](func(text string, at *place) *ValidationError {
		held, ok := read(text)
		if !ok {
			return at.refuse("must be " + what)
		}
		return bounded(l, held, bound, compareInstants, at)
	})
}

// PointInTime is a point in time, RFC 3339 in JSON.
func PointInTime(given ...Limit) Node[Timestamp] {
	return ordered[Timestamp](moment, "a point in time, as RFC 3339 writes it", given)
}

// Day is a day, such as "2026-11-21" in JSON.
func Day(given ...Limit) Node[Date] {
	read := func(text string) (instant, bool) {
		days, ok := day(text)
		return instant{seconds: days}, ok
	}
	return ordered[Date](read, "a date such as 2026-11-21", given)
}

// Length is a length of time, ISO 8601 in JSON.
func Length(given ...Limit) Node[Duration] {
	return ordered[Duration](length, "a length of time such as PT1M30S, without years and months", given)
}

func formatted[T ~string](form *regexp.Regexp, what string) Node[T] {
	return ofText[T](func(text string, at *place) *ValidationError {
		if !form.MatchString(text) {
			return at.refuse("must be " + what)
		}
		return nil
	})
}

const (
	atom      = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
	label     = `[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?`
	plain     = `[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2}`
	authority = `(?:(?:` + plain + `|:)*@)?(?:\[[0-9A-Fa-f:.]+\]|(?:` + plain + `)*)(?::[0-9]*)?`
	segment   = `(?:` + plain + `|[:@])`
	path      = `(?://` + authority + `(?:/` + segment + `*)*|/(?:` + segment + `+(?:/` + segment + `*)*)?|` + segment + `+(?:/` + segment + `*)*)?`
)

var (
	uuidForm  = regexp.MustCompile(`^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)
	uriForm   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:` + path + `(?:\?(?:` + plain + `|[:@/?])*)?(?:#(?:` + plain + `|[:@/?])*)?$`)
	emailForm = regexp.MustCompile(`^` + atom + `(?:\.` + atom + `)*@` + label + `(?:\.` + label + `)*$`)
)

// UUIDText is a UUID.
func UUIDText() Node[UUID] { return formatted[UUID](uuidForm, "a UUID") }

// URIText is a URI.
func URIText() Node[URI] { return formatted[URI](uriForm, "a URI") }

// EmailText is an e-mail address.
func EmailText() Node[Email] { return formatted[Email](emailForm, "an e-mail address") }
