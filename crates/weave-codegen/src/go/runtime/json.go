package weaveruntime

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindList
	kindObject
)

// value is a JSON value as it was read, with the keys of objects in their order.
type value struct {
	kind   kind
	truth  bool
	text   string
	number float64
	// The items of a list, or what stands under the keys of an object.
	items []*value
	keys  []string
	index map[string]int
}

// fewKeys are looked through faster than a map.
const fewKeys = 8

// get gives what stands under a key, nil if there is none.
func (v *value) get(key string) *value {
	if v.index != nil {
		if at, ok := v.index[key]; ok {
			return v.items[at]
		}
		return nil
	}
	if at := slices.Index(v.keys, key); at >= 0 {
		return v.items[at]
	}
	return nil
}

// put adds a key; it says whether the key was new.
func (v *value) put(key string, item *value) bool {
	if v.get(key) != nil {
		return false
	}
	v.keys = append(v.keys, key)
	v.items = append(v.items, item)
	switch {
	case v.index != nil:
		v.index[key] = len(v.keys) - 1
	case len(v.keys) > fewKeys:
		v.index = make(map[string]int, 2*len(v.keys))
		for at, known := range v.keys {
			v.index[known] = at
		}
	}
	return true
}

func textValue(text string) *value                     { return &value{kind: kindString, text: text} }
func numberValue(n float64) *value                     { return &value{kind: kindNumber, number: n} }
func boolValue(truth bool) *value                      { return &value{kind: kindBool, truth: truth} }
func nullValue() *value                                { return &value{kind: kindNull} }
func listValue(items []*value) *value                  { return &value{kind: kindList, items: items} }
func objectValue() *value                              { return &value{kind: kindObject} }
func (v *value) isNull() bool                          { return v.kind == kindNull }
func (v *value) is(wanted kind) bool                   { return v.kind == wanted }
func (v *value) finite() bool                          { return !math.IsInf(v.number, 0) && !math.IsNaN(v.number) }
func parseText(text string) (*value, *ValidationError) { return parse([]byte(text)) }

// deepestText bounds how deep a text may be nested before anybody asks what it means.
const deepestText = 10_000

// parser reads one JSON text as RFC 8259 says: no key twice, no half of a pair of surrogates, nothing but UTF-8.
type parser struct {
	text []byte
	at   int
	path place
}

// parse reads a JSON text.
func parse(text []byte) (*value, *ValidationError) {
	p := &parser{text: text}
	read, err := p.value()
	if err != nil {
		return nil, err
	}
	p.space()
	if p.at < len(p.text) {
		return nil, p.syntax()
	}
	return read, nil
}

func (p *parser) syntax() *ValidationError {
	message := "is not JSON: it ends too early"
	if p.at < len(p.text) {
		message = "is not JSON at byte " + strconv.Itoa(p.at)
	}
	return &ValidationError{Message: message, syntax: true}
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// next passes over white space and gives the byte behind it, 0 at the end.
func (p *parser) next() byte {
	p.space()
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) value() (*value, *ValidationError) {
	switch first := p.next(); {
	case first == '{':
		return p.object()
	case first == '[':
		return p.list()
	case first == '"':
		text, err := p.string()
		if err != nil {
			return nil, err
		}
		return textValue(text), nil
	case first == '-' || first >= '0' && first <= '9':
		return p.number()
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if bytes.HasPrefix(p.text[p.at:], []byte(word)) {
			p.at += len(word)
			if word == "null" {
				return nullValue(), nil
			}
			return boolValue(word == "true"), nil
		}
	}
	return nil, p.syntax()
}

func (p *parser) enter(part any) *ValidationError {
	if len(p.path.path) >= deepestText {
		return p.path.refuse("is nested too deeply")
	}
	p.path.path = append(p.path.path, part)
	return nil
}

func (p *parser) list() (*value, *ValidationError) {
	p.at++
	read := listValue(nil)
	if p.next() == ']' {
		p.at++
		return read, nil
	}
	for {
		if err := p.enter(len(read.items)); err != nil {
			return nil, err
		}
		item, err := p.value()
		if err != nil {
			return nil, err
		}
		p.path.leave()
		read.items = append(read.items, item)
		switch p.next() {
		case ',':
			p.at++
		case ']':
			p.at++
			return read, nil
		default:
			return nil, p.syntax()
		}
	}
}

func (p *parser) object() (*value, *ValidationError) {
	p.at++
	read := objectValue()
	if p.next() == '}' {
		p.at++
		return read, nil
	}
	for {
		if p.next() != '"' {
			return nil, p.syntax()
		}
		key, err := p.string()
		if err != nil {
			return nil, err
		}
		if p.next() != ':' {
			return nil, p.syntax()
		}
		p.at++
		if err := p.enter(key); err != nil {
			return nil, err
		}
		item, err := p.value()
		if err != nil {
			return nil, err
		}
		if !read.put(key, item) {
			return nil, p.path.refuse("is there twice")
		}
		p.path.leave()
		switch p.next() {
		case ',':
			p.at++
		case '}':
			p.at++
			return read, nil
		default:
			return nil, p.syntax()
		}
	}
}

func (p *parser) string() (string, *ValidationError) {
	p.at++
	start := p.at
	var made []byte
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '"':
			part := p.text[start:p.at]
			p.at++
			if made != nil {
				part = append(made, part...)
			}
			if !utf8.Valid(part) {
				return "", p.path.refuse("must be UTF-8")
			}
			return string(part), nil
		case c == '\\':
			made = append(made, p.text[start:p.at]...)
			var err *ValidationError
			if made, err = p.escape(made); err != nil {
				return "", err
			}
			start = p.at
		case c < ' ':
			return "", p.syntax()
		default:
			p.at++
		}
	}
	return "", p.syntax()
}

// escape reads what stands behind a backslash.
func (p *parser) escape(made []byte) ([]byte, *ValidationError) {
	if p.at+1 >= len(p.text) {
		p.at = len(p.text)
		return nil, p.syntax()
	}
	c := p.text[p.at+1]
	if at := strings.IndexByte(`"\/bfnrt`, c); at >= 0 {
		p.at += 2
		return append(made, "\"\\/\b\f\n\r\t"[at]), nil
	}
	unit, ok := p.unit()
	if !ok {
		return nil, p.syntax()
	}
	if utf16.IsSurrogate(unit) {
		low, ok := p.unit()
		if !ok || utf16.DecodeRune(unit, low) == utf8.RuneError {
			return nil, p.path.refuse("must not have half of a pair of surrogates")
		}
		unit = utf16.DecodeRune(unit, low)
	}
	return utf8.AppendRune(made, unit), nil
}

// unit reads an escape of four digits.
func (p *parser) unit() (rune, bool) {
	if p.at+6 > len(p.text) || p.text[p.at] != '\\' || p.text[p.at+1] != 'u' {
		return 0, false
	}
	var unit rune
	for _, digit := range p.text[p.at+2 : p.at+6] {
		at := strings.IndexByte("0123456789abcdef", digit|0x20)
		if at < 0 || digit < '0' {
			return 0, false
		}
		unit = unit<<4 | rune(at)
	}
	p.at += 6
	return unit, true
}

func (p *parser) number() (*value, *ValidationError) {
	start := p.at
	p.accept('-')
	if !p.accept('0') && p.digits() == 0 {
		return nil, p.syntax()
	}
	if p.accept('.') && p.digits() == 0 {
		return nil, p.syntax()
	}
	if p.accept('e') || p.accept('E') {
		if !p.accept('+') {
			p.accept('-')
		}
		if p.digits() == 0 {
			return nil, p.syntax()
		}
	}
	text := string(p.text[start:p.at])
	// What is too great is infinite, and refused where it is looked at.
	number, _ := strconv.ParseFloat(text, 64)
	return &value{kind: kindNumber, number: number, text: text}, nil
}

func (p *parser) accept(wanted byte) bool {
	if p.at < len(p.text) && p.text[p.at] == wanted {
		p.at++
		return true
	}
	return false
}

func (p *parser) digits() int {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at - start
}

// canonical writes a value in the one form of RFC 8785.
func canonical(v *value) []byte { return appendValue(nil, v, true) }

// asWritten writes a value with its keys in their order and its numbers as they were read.
func asWritten(v *value) []byte { return appendValue(nil, v, false) }

func appendValue(out []byte, v *value, sorted bool) []byte {
	switch v.kind {
	case kindBool:
		return strconv.AppendBool(out, v.truth)
	case kindNumber:
		if !sorted && v.text != "" {
			return append(out, v.text...)
		}
		return appendNumber(out, v.number)
	case kindString:
		return appendText(out, v.text)
	case kindList:
		out = append(out, '[')
		for at, item := range v.items {
			if at > 0 {
				out = append(out, ',')
			}
			out = appendValue(out, item, sorted)
		}
		return append(out, ']')
	case kindObject:
		order := make([]int, len(v.keys))
		for at := range order {
			order[at] = at
		}
		if sorted {
			slices.SortFunc(order, func(one, other int) int { return compareUnits(v.keys[one], v.keys[other]) })
		}
		out = append(out, '{')
		for place, at := range order {
			if place > 0 {
				out = append(out, ',')
			}
			out = appendText(out, v.keys[at])
			out = append(out, ':')
			out = appendValue(out, v.items[at], sorted)
		}
		return append(out, '}')
	default:
		return append(out, "null"...)
	}
}

// compareUnits compares texts by their units of UTF-16, as JavaScript sorts them.
func compareUnits(one, other string) int {
	for one != "" && other != "" {
		left, leftSize := utf8.DecodeRuneInString(one)
		right, rightSize := utf8.DecodeRuneInString(other)
		if left != right {
			return slices.Compare(utf16.Encode([]rune{left}), utf16.Encode([]rune{right}))
		}
		one, other = one[leftSize:], other[rightSize:]
	}
	return len(one) - len(other)
}

func appendNumber(out []byte, number float64) []byte {
	if number == 0 {
		return append(out, '0')
	}
	form := byte('f')
	if size := math.Abs(number); size < 1e-6 || size >= 1e21 {
		form = 'e'
	}
	text := strconv.FormatFloat(number, form, -1, 64)
	// The exponent has no zero in front.
	text = strings.Replace(text, "e-0", "e-", 1)
	return append(out, text...)
}

func appendText(out []byte, text string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	for at := range len(text) {
		c := text[at]
		if escaped := strings.IndexByte("\"\\\b\f\n\r\t", c); escaped >= 0 {
			out = append(out, '\\', `"\bfnrt`[escaped])
			continue
		}
		if c < ' ' {
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			continue
		}
		out = append(out, c)
	}
	return append(out, '"')
}
