package weavebuild

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// canonical writes JSON in the one form of RFC 8785.
func canonical(value any) []byte { return appendValue(nil, value) }

func appendValue(out []byte, value any) []byte {
	switch value := value.(type) {
	case nil:
		return append(out, "null"...)
	case bool:
		return strconv.AppendBool(out, value)
	case string:
		return append(out, quote(value)...)
	case []any:
		out = append(out, '[')
		for at, item := range value {
			if at > 0 {
				out = append(out, ',')
			}
			out = appendValue(out, item)
		}
		return append(out, ']')
	case map[string]any:
		keys := slices.SortedFunc(maps.Keys(value), func(one, other string) int {
			return slices.Compare(utf16.Encode([]rune(one)), utf16.Encode([]rune(other)))
		})
		out = append(out, '{')
		for at, key := range keys {
			if at > 0 {
				out = append(out, ',')
			}
			out = append(out, quote(key)...)
			out = append(out, ':')
			out = appendValue(out, value[key])
		}
		return append(out, '}')
	}
	number, _ := asFloat(value)
	return append(out, numberText(number)...)
}

func numberText(number float64) string {
	if number == 0 {
		return "0"
	}
	form := byte('f')
	if size := math.Abs(number); size < 1e-6 || size >= 1e21 {
		form = 'e'
	}
	// The exponent has no zero in front.
	return strings.Replace(strconv.FormatFloat(number, form, -1, 64), "e-0", "e-", 1)
}

// quote writes a string.
func quote(text string) string {
	const hex = "0123456789abcdef"
	out := []byte{'"'}
	for at := range len(text) {
		c := text[at]
		switch escaped := strings.IndexByte("\"\\\b\f\n\r\t", c); {
		case escaped >= 0:
			out = append(out, '\\', `"\bfnrt`[escaped])
		case c < ' ':
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			out = append(out, c)
		}
	}
	return string(append(out, '"'))
}

// written is constant JSON with its keys in their order.
func written(value any) (string, error) {
	switch value := value.(type) {
	case Values:
		parts := []string{}
		for _, entry := range value {
			text, err := written(entry.Value)
			if err != nil {
				return "", err
			}
			parts = append(parts, quote(entry.Key)+":"+text)
		}
		return "{" + strings.Join(parts, ",") + "}", nil
	case []any:
		parts := []string{}
		for _, item := range value {
			text, err := written(item)
			if err != nil {
				return "", err
			}
			parts = append(parts, text)
		}
		return "[" + strings.Join(parts, ",") + "]", nil
	}
	plain, err := constant(value)
	if err != nil {
		return "", err
	}
	return string(canonical(plain)), nil
}
