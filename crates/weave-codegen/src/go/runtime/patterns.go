package weaveruntime

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// mostRepeated bounds repetitions, those within each other multiplied: all of RE2's family refuse more.
const mostRepeated = 1000

// deepestGroup bounds how groups are nested.
const deepestGroup = 100

// patternReader reads a regular expression of the common part of RE2, ECMAScript, Python and Rust, and writes it as Go does.
type patternReader struct {
	text    []rune
	at      int
	depth   int
	problem string
}

// compilePattern gives the expression, and nil with what is wrong if it is none that everybody reads alike.
func compilePattern(text string) (pattern *regexp.Regexp, problem string) {
	p := &patternReader{text: []rune(text)}
	written, most := p.choice()
	if p.at < len(p.text) {
		p.refuse("a `)` closes nothing")
	}
	if most > mostRepeated {
		p.refuse("more than 1,000 repetitions, those within each other multiplied, are not understood everywhere")
	}
	if p.problem != "" {
		return nil, p.problem
	}
	pattern, err := regexp.Compile(written)
	if err != nil {
		return nil, err.Error()
	}
	return pattern, ""
}

// refuse says what is wrong first; nothing is read from there on.
func (p *patternReader) refuse(message string) {
	if p.problem == "" {
		p.problem = fmt.Sprintf("%s (at character %d of the pattern)", message, p.at)
	}
	p.at = len(p.text)
}

// next is the next character, -1 at the end.
func (p *patternReader) next() rune {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return -1
}

func (p *patternReader) take() rune {
	taken := p.next()
	if taken < 0 {
		p.refuse("it ends too early")
		return taken
	}
	p.at++
	return taken
}

func (p *patternReader) takes(wanted rune) bool {
	if p.next() != wanted {
		return false
	}
	p.at++
	return true
}

// choice is what parts between `|` become, and how often something in them is repeated at most.
func (p *patternReader) choice() (written string, most int) {
	var out strings.Builder
	for {
		part, times := p.sequence()
		out.WriteString(part)
		most = max(most, times)
		if !p.takes('|') {
			return out.String(), most
		}
		out.WriteByte('|')
	}
}

func (p *patternReader) sequence() (written string, most int) {
	var out strings.Builder
	most = 1
	for p.at < len(p.text) && p.next() != '|' && p.next() != ')' {
		isAssertion := p.isAssertion()
		part, inner := p.one()
		repeated, times := p.repetition(isAssertion)
		out.WriteString(part + repeated)
		most = max(most, inner*times)
	}
	return out.String(), most
}

func (p *patternReader) isAssertion() bool {
	if p.next() == '\\' && p.at+1 < len(p.text) {
		return p.text[p.at+1]|0x20 == 'b'
	}
	return p.next() == '^' || p.next() == '$'
}

func (p *patternReader) one() (written string, most int) {
	switch taken := p.take(); taken {
	case '.', '^', '$':
		return string(taken), 1
	case '(':
		return p.group()
	case '[':
		return p.class(), 1
	case '\\':
		if p.next() == 'b' || p.next() == 'B' {
			return `\` + string(p.take()), 1
		}
		written, _, _ := p.escape()
		return written, 1
	case '*', '+', '?', '{':
		p.refuse("there is nothing that can be repeated")
		return "", 1
	default:
		return literal(taken), 1
	}
}

func literal(character rune) string {
	if character < 0 {
		return ""
	}
	return `\x{` + strconv.FormatInt(int64(character), 16) + `}`
}

func (p *patternReader) group() (written string, most int) {
	if p.takes('?') && !p.takes(':') {
		p.refuse("only `(…)` and `(?:…)` are groups that are understood everywhere")
	}
	if p.depth++; p.depth > deepestGroup {
		p.refuse("groups are nested too deeply")
		return "", 1
	}
	inner, most := p.choice()
	p.depth--
	if !p.takes(')') {
		p.refuse("a group is not closed")
	}
	return "(?:" + inner + ")", most
}

// escape is what stands for characters behind a backslash, and which one if it is one alone.
func (p *patternReader) escape() (written string, alone rune, isAlone bool) {
	escaped := p.take()
	if at := strings.IndexRune("afnrtv", escaped); at >= 0 {
		alone = rune("\a\f\n\r\t\v"[at])
		return literal(alone), alone, true
	}
	switch {
	case strings.ContainsRune("dDwWsS", escaped):
		return `\` + string(escaped), 0, false
	case escaped == 'x':
		digits := string([]rune{p.take(), p.take()})
		point, err := strconv.ParseUint(digits, 16, 8)
		if err != nil || len(digits) != 2 {
			p.refuse("`\\x` has two digits")
		}
		return literal(rune(point)), rune(point), true
	case escaped < 0 || escaped >= utf8.RuneSelf || strings.ContainsRune("<>", escaped) || isAlphanumeric(escaped):
		p.refuse("this escape is not understood everywhere")
		return "", 0, false
	default:
		return literal(escaped), escaped, true
	}
}

func isAlphanumeric(character rune) bool {
	return character >= '0' && character <= '9' || character|0x20 >= 'a' && character|0x20 <= 'z'
}

func (p *patternReader) class() string {
	var out strings.Builder
	out.WriteByte('[')
	if p.takes('^') {
		out.WriteByte('^')
	}
	isFirst := true
	for p.takes('-') {
		out.WriteString(literal('-'))
		isFirst = false
	}
	for p.problem == "" && (isFirst || p.next() != ']') {
		isFirst = false
		written, from, isAlone := p.member()
		out.WriteString(written)
		if p.next() != '-' || p.at+1 < len(p.text) && p.text[p.at+1] == ']' {
			continue
		}
		p.at++
		written, to, alsoAlone := p.member()
		if !isAlone || !alsoAlone || from > to {
			p.refuse("this is no range of characters")
		}
		out.WriteString("-" + written)
	}
	p.takes(']')
	return out.String() + "]"
}

func (p *patternReader) member() (written string, alone rune, isAlone bool) {
	switch taken := p.take(); {
	case taken == '\\':
		return p.escape()
	case taken == '[' || strings.ContainsRune("&-~", taken) && p.next() == taken:
		p.refuse("this is not understood everywhere in a class")
		return "", 0, false
	default:
		return literal(taken), taken, true
	}
}

// repetition is what says how often something may be repeated, if there is something, and how often that is counted.
func (p *patternReader) repetition(isAssertion bool) (written string, times int) {
	start := p.at
	times = 1
	if !p.takes('*') && !p.takes('+') && !p.takes('?') {
		if !p.takes('{') {
			return "", 1
		}
		least, ok := p.number()
		most, isOpen := least, false
		if p.takes(',') {
			var isBounded bool
			most, isBounded = p.number()
			isOpen = !isBounded
		}
		if isOpen {
			most = least
		}
		if !ok || !p.takes('}') || least > most {
			p.refuse("a repetition is `{m}`, `{m,}` or `{m,n}`")
		}
		times = max(most, 1)
	}
	p.takes('?')
	switch {
	case isAssertion:
		p.refuse("what stands for no character is not repeated")
	case p.at < len(p.text) && strings.ContainsRune("*+?{", p.next()):
		p.refuse("what is repeated twice stands in a group")
	}
	return string(p.text[start:p.at]), times
}

func (p *patternReader) number() (read int, ok bool) {
	for ; p.next() >= '0' && p.next() <= '9'; p.at++ {
		// No pattern has so many repetitions, and no number is too large to be told.
		read, ok = min(read*10+int(p.next()-'0'), mostRepeated+1), true
	}
	return read, ok
}
