package weaveruntime

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// EvaluationErrorKind says what went wrong in an evaluation.
type EvaluationErrorKind string

// What can go wrong in an evaluation.
const (
	NullValue      EvaluationErrorKind = "null"
	WrongForm      EvaluationErrorKind = "form"
	Overflow       EvaluationErrorKind = "overflow"
	DivisionByZero EvaluationErrorKind = "division_by_zero"
	OutOfRange     EvaluationErrorKind = "out_of_range"
	NotFinite      EvaluationErrorKind = "not_finite"
	Meaningless    EvaluationErrorKind = "meaningless"
	TooDeep        EvaluationErrorKind = "too_deep"
	TooMuchWork    EvaluationErrorKind = "too_much_work"
)

// EvaluationError says why an expression has no value.
type EvaluationError struct {
	Kind    EvaluationErrorKind
	Message string
}

// Error says what went wrong.
func (e *EvaluationError) Error() string { return e.Message }

func evaluationError(kind EvaluationErrorKind, message string) *EvaluationError {
	return &EvaluationError{Kind: kind, Message: message}
}

func noForm(wanted valueType) *EvaluationError {
	return evaluationError(WrongForm, "a value does not have the form of its type, which is "+string(wanted))
}

func errNull() *EvaluationError {
	return evaluationError(NullValue, "a value is null or absent where one is needed")
}

// valueType is the type of a value in a guard.
type valueType string

const (
	typeBool      valueType = "bool"
	typeInt       valueType = "int"
	typeInt64     valueType = "int64"
	typeFloat     valueType = "float"
	typeDecimal   valueType = "decimal"
	typeString    valueType = "string"
	typeBytes     valueType = "bytes"
	typeTimestamp valueType = "timestamp"
	typeDate      valueType = "date"
	typeDuration  valueType = "duration"
	typeNull      valueType = "null"
	typeList      valueType = "list"
	typeMap       valueType = "map"
	typeRecord    valueType = "record"
	typeJSON      valueType = "json"
)

// exact is a decimal number: its digits, and how many of them stand behind the point.
type exact struct {
	digits *big.Int
	scale  int
}

// scalar is a value that is no list, map, record or other JSON. Its type says which of the fields it is.
type scalar struct {
	of     valueType
	truth  bool
	whole  int64
	float  float64
	exact  exact
	text   string
	octets []byte
	at     instant
}

// item is a value with its type: what was read keeps its form, and an operator reads it as the type that it works on.
type item struct {
	of valueType

	// What was read; nil for what an operator made.
	read *value
	made scalar

	// A list that is made of expressions, none of which is such a list.
	isList bool
	list   []item
}

func truthItem(truth bool) item {
	return item{of: typeBool, made: scalar{of: typeBool, truth: truth}}
}

func countItem(count int) item {
	return item{of: typeInt, made: scalar{of: typeInt, whole: int64(count)}}
}

// readItem is a value that was read; it must have the form of its type unless it is null.
func readItem(v *value, of valueType) (item, *EvaluationError) {
	if v == nil {
		v = nullValue()
	}
	if !v.isNull() {
		if err := checkForm(v, of); err != nil {
			return item{}, err
		}
	}
	return item{of: of, read: v}, nil
}

func (i item) isNull() bool { return i.read != nil && i.read.isNull() }

// checkForm demands that a value that is not null has the form of a type.
func checkForm(v *value, of valueType) *EvaluationError {
	fits := false
	switch of {
	case typeNull:
	case typeList:
		fits = v.is(kindList)
	case typeMap, typeRecord:
		fits = v.is(kindObject)
	case typeJSON:
		fits = true
	default:
		_, err := readScalar(v, of)
		return err
	}
	if fits {
		return nil
	}
	return noForm(of)
}

// scalar is the value as one of this type; false if it is null.
func (i item) scalar(wanted valueType) (scalar, bool, *EvaluationError) {
	switch {
	case i.isNull():
		return scalar{}, false, nil
	case i.read != nil:
		read, err := readScalar(i.read, wanted)
		return read, err == nil, err
	case i.isList || i.of != wanted:
		return scalar{}, false, noForm(wanted)
	default:
		return i.made, true, nil
	}
}

// some is the value as a scalar of this type, where null is an error.
func (i item) some(wanted valueType) (scalar, *EvaluationError) {
	found, ok, err := i.scalar(wanted)
	if err == nil && !ok {
		err = errNull()
	}
	return found, err
}

// elements are those of a list, where null is an error.
func (i item) elements() ([]item, *EvaluationError) {
	switch {
	case i.isList:
		return i.list, nil
	case i.isNull():
		return nil, errNull()
	case i.read == nil || !i.read.is(kindList):
		return nil, noForm(typeList)
	}
	found := make([]item, len(i.read.items))
	for at, element := range i.read.items {
		found[at] = item{of: typeJSON, read: element}
	}
	return found, nil
}

// wire is the value as it stands in JSON.
func (i item) wire() (*value, *EvaluationError) {
	if i.read != nil {
		return i.read, nil
	}
	if !i.isList {
		return i.made.wire()
	}
	items := make([]*value, len(i.list))
	for at, element := range i.list {
		written, err := element.wire()
		if err != nil {
			return nil, err
		}
		items[at] = written
	}
	return listValue(items), nil
}

func (s scalar) wire() (*value, *EvaluationError) {
	switch s.of {
	case typeBool:
		return boolValue(s.truth), nil
	case typeInt:
		return &value{kind: kindNumber, number: float64(s.whole), text: strconv.FormatInt(s.whole, 10)}, nil
	case typeInt64:
		return textValue(strconv.FormatInt(s.whole, 10)), nil
	case typeFloat:
		if math.IsInf(s.float, 0) || math.IsNaN(s.float) {
			return nil, evaluationError(NotFinite, "an infinity or NaN has no form in JSON")
		}
		return numberValue(s.float), nil
	case typeDecimal:
		return textValue(s.exact.String()), nil
	case typeString:
		return textValue(s.text), nil
	case typeBytes:
		return textValue(base64.StdEncoding.EncodeToString(s.octets)), nil
	case typeTimestamp:
		return textValue(time.Unix(s.at.seconds, s.at.nanoseconds).UTC().Format(time.RFC3339Nano)), nil
	case typeDuration:
		return textValue(spanText(s.at)), nil
	default:
		// No operator makes a day.
		return nil, noForm(s.of)
	}
}

var wholeForm = regexp.MustCompile(`^-?[0-9]+$`)

// readScalar is a value that is not null as a scalar of a type.
func readScalar(v *value, wanted valueType) (scalar, *EvaluationError) {
	found, fits := scalar{of: wanted}, false
	switch {
	case wanted == typeBool && v.is(kindBool):
		found.truth, fits = v.truth, true
	case wanted == typeInt && v.is(kindNumber):
		fits = v.number == math.Trunc(v.number) && math.Abs(v.number) <= greatestInt
		if fits {
			found.whole = int64(v.number)
		}
	case wanted == typeFloat && v.is(kindNumber):
		found.float, fits = v.number, v.finite()
	case v.is(kindString):
		return readTextual(v.text, wanted)
	}
	if !fits {
		return scalar{}, noForm(wanted)
	}
	return found, nil
}

func readTextual(text string, wanted valueType) (scalar, *EvaluationError) {
	found, fits := scalar{of: wanted, text: text}, true
	switch wanted {
	case typeString:
	case typeInt64:
		read, err := strconv.ParseInt(text, 10, 64)
		found.whole, fits = read, err == nil && wholeForm.MatchString(text)
	case typeDecimal:
		if fits = decimalForm.MatchString(text); fits {
			whole, fraction, _ := strings.Cut(text, ".")
			found.exact.scale = len(fraction)
			found.exact.digits, fits = new(big.Int).SetString(whole+fraction, 10)
		}
	case typeBytes:
		read, err := base64.StdEncoding.DecodeString(text)
		// The decoder passes over the ends of lines.
		found.octets, fits = read, err == nil && !strings.ContainsAny(text, "\r\n")
	case typeTimestamp:
		if found.at, fits = anyMoment(text); fits && !found.at.isMoment() {
			return scalar{}, noMoment()
		}
	case typeDate:
		found.at.seconds, fits = day(text)
	case typeDuration:
		if found.at, fits = anyLength(text); fits && !found.at.isLength() {
			return scalar{}, noLength()
		}
	default:
		fits = false
	}
	if !fits {
		return scalar{}, noForm(wanted)
	}
	return found, nil
}

func noMoment() *EvaluationError {
	return evaluationError(OutOfRange, "a moment is outside the years 1 to 9999")
}

func noLength() *EvaluationError {
	return evaluationError(OutOfRange, fmt.Sprintf("a duration is beyond %d seconds", int64(longest)))
}

// compareScalars says how two of one type compare; false for NaN and for two of different types.
func compareScalars(one, other scalar) (int, bool) {
	if one.of != other.of {
		return 0, false
	}
	switch one.of {
	case typeBool:
		return compareNumbers(fromTruth(one.truth), fromTruth(other.truth)), true
	case typeInt, typeInt64:
		switch {
		case one.whole < other.whole:
			return -1, true
		case one.whole > other.whole:
			return 1, true
		default:
			return 0, true
		}
	case typeFloat:
		return compareNumbers(one.float, other.float), !math.IsNaN(one.float) && !math.IsNaN(other.float)
	case typeDecimal:
		left, right, _ := aligned(one.exact, other.exact)
		return left.Cmp(right), true
	case typeString:
		// The order of UTF-8 is that of code points.
		return strings.Compare(one.text, other.text), true
	case typeBytes:
		return bytes.Compare(one.octets, other.octets), true
	default:
		return compareInstants(one.at, other.at), true
	}
}

func fromTruth(truth bool) float64 {
	if truth {
		return 1
	}
	return 0
}

// aligned are the digits of two decimal numbers with as many behind the point, and how many that are.
func aligned(one, other exact) (left, right *big.Int, scale int) {
	scale = max(one.scale, other.scale)
	return one.scaled(scale), other.scaled(scale), scale
}

func (e exact) scaled(scale int) *big.Int {
	if e.scale == scale {
		return e.digits
	}
	factor := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale-e.scale)), nil)
	return factor.Mul(factor, e.digits)
}

// String is the shortest text of the number.
func (e exact) String() string {
	sign := ""
	if e.digits.Sign() < 0 {
		sign = "-"
	}
	all := new(big.Int).Abs(e.digits).String()
	if len(all) <= e.scale {
		all = strings.Repeat("0", e.scale+1-len(all)) + all
	}
	point := len(all) - e.scale
	fraction := strings.TrimRight(all[point:], "0")
	if fraction == "" {
		return sign + all[:point]
	}
	return sign + all[:point] + "." + fraction
}

// spanText is a length of time in hours, minutes and seconds, without parts that are zero.
func spanText(span instant) string {
	text := "PT"
	if span.seconds < 0 || span.nanoseconds < 0 {
		text, span = "-PT", span.negated()
	}
	for _, part := range []struct {
		count int64
		unit  string
	}{{span.seconds / 3600, "H"}, {span.seconds / 60 % 60, "M"}} {
		if part.count != 0 {
			text += strconv.FormatInt(part.count, 10) + part.unit
		}
	}
	rest := span.seconds % 60
	if span.nanoseconds != 0 {
		return text + strconv.FormatInt(rest, 10) + "." + strings.TrimRight(fmt.Sprintf("%09d", span.nanoseconds), "0") + "S"
	}
	if rest != 0 || span.seconds == 0 {
		text += strconv.FormatInt(rest, 10) + "S"
	}
	return text
}

// plus is the sum; both parts of what is below zero are, as of a length that was read.
func (at instant) plus(other instant) instant {
	sum := instant{at.seconds + other.seconds, at.nanoseconds + other.nanoseconds}
	const second = 1_000_000_000
	sum.seconds += sum.nanoseconds / second
	sum.nanoseconds %= second
	switch {
	case sum.seconds > 0 && sum.nanoseconds < 0:
		return instant{sum.seconds - 1, sum.nanoseconds + second}
	case sum.seconds < 0 && sum.nanoseconds > 0:
		return instant{sum.seconds + 1, sum.nanoseconds - second}
	default:
		return sum
	}
}

func (at instant) negated() instant { return instant{-at.seconds, -at.nanoseconds} }

// asMoment is the point in time with nanoseconds that count forwards, also before 1970.
func (at instant) asMoment() instant {
	if at.nanoseconds < 0 {
		return instant{at.seconds - 1, at.nanoseconds + 1_000_000_000}
	}
	return at
}

// sameJSON says whether two values are the same JSON: numbers by value, objects whatever the order of their keys.
func sameJSON(one, other *value) bool {
	open := [][2]*value{{one, other}}
	for len(open) > 0 {
		left, right := open[len(open)-1][0], open[len(open)-1][1]
		open = open[:len(open)-1]
		if left.kind != right.kind {
			return false
		}
		switch left.kind {
		case kindList:
			if len(left.items) != len(right.items) {
				return false
			}
			for at, element := range left.items {
				open = append(open, [2]*value{element, right.items[at]})
			}
		case kindObject:
			if len(left.keys) != len(right.keys) {
				return false
			}
			for at, key := range left.keys {
				counterpart := right.get(key)
				if counterpart == nil {
					return false
				}
				open = append(open, [2]*value{left.items[at], counterpart})
			}
		case kindNumber:
			if left.number != right.number || math.Abs(left.number) > greatestInt && wholeOf(left).Cmp(wholeOf(right)) != 0 {
				return false
			}
		case kindString:
			if left.text != right.text {
				return false
			}
		default:
			if left.truth != right.truth {
				return false
			}
		}
	}
	return true
}

// wholeOf is a great number as it was written, if that is a whole number of 64 bits, and the double that it is in every other case.
func wholeOf(v *value) *big.Int {
	if read, err := strconv.ParseInt(v.text, 10, 64); err == nil {
		return big.NewInt(read)
	}
	if read, err := strconv.ParseUint(v.text, 10, 64); err == nil {
		return new(big.Int).SetUint64(read)
	}
	if !v.finite() {
		return new(big.Int)
	}
	whole, _ := big.NewFloat(v.number).Int(nil)
	return whole
}
