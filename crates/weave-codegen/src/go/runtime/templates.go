package weaveruntime

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

const (
	openBraces  = "{{"
	quotedOpen  = `{{"{{"}}`
	quotedBrace = `{{"{"}}`

	// The default of a placeholder is no deeper: readers of JSON bound the depth of values.
	deepestDefault = 127
)

// Template is a template that was read once and can be filled in often, also many times at once.
type Template struct{ parts []templatePart }

// templatePart is text, or a placeholder with what takes its place if it is absent or null.
type templatePart struct {
	text     string
	path     []step
	fallback *value
}

// ParseTemplate reads a template. What is none is told by a [*ValidationError].
func ParseTemplate(text string) (*Template, error) {
	template, err := parseTemplate(text)
	if err != nil {
		return nil, err.asError()
	}
	return template, nil
}

// Render is what the template yields, as JSON: the value itself where it is one placeholder and nothing else, and text in every other case;
// nil if that is absent. An error is an [*EvaluationError]: a value in a text is nested too deeply.
func (t *Template) Render(scope *Scope) (json.RawMessage, error) {
	found, err := t.render(scope)
	if err != nil || found == nil {
		return nil, err
	}
	return canonical(found), nil
}

// Text is what the template says as text, also where it is one placeholder: strings as they are, everything else as JSON; what is absent is
// empty.
func (t *Template) Text(scope *Scope) (string, error) {
	var out []byte
	for _, part := range t.parts {
		found := part.value(scope)
		switch {
		case found == nil:
			out = append(out, part.text...)
		case found.is(kindString):
			out = append(out, found.text...)
		case found.isDeeper(deepest):
			return "", evaluationError(TooDeep, fmt.Sprintf("a value in a text is nested deeper than %d levels", deepest))
		default:
			out = append(out, canonical(found)...)
		}
	}
	return string(out), nil
}

func (t *Template) render(scope *Scope) (*value, error) {
	if len(t.parts) == 1 && t.parts[0].path != nil {
		return t.parts[0].value(scope), nil
	}
	text, err := t.Text(scope)
	return textValue(text), err
}

// value is what stands in the place of a placeholder; nil for text, and for what is absent.
func (p templatePart) value(scope *Scope) *value {
	found := scope.read(p.path)
	if p.fallback != nil && (found == nil || found.isNull()) {
		return p.fallback
	}
	return found
}

// isDeeper says whether a value is nested deeper than so many levels.
func (v *value) isDeeper(limit int) bool {
	level := []*value{v}
	for depth := 0; len(level) > 0; depth++ {
		if depth > limit {
			return true
		}
		var next []*value
		for _, inner := range level {
			next = append(next, inner.items...)
		}
		level = next
	}
	return false
}

// Payload is a payload or output of a definition that was read once and can be filled in often: every string in it is a template, at any
// depth; keys stay as they are.
type Payload struct {
	shape     *value
	templates map[*value]*Template
}

// ParsePayload reads a payload. What is wrong is told by a [*ValidationError] with the path of the string that is no template.
func ParsePayload(text []byte) (*Payload, error) {
	shape, err := parseTree(text)
	if err != nil {
		return nil, err.asError()
	}
	payload := &Payload{shape, map[*value]*Template{}}
	if err := payload.prepare(shape, &place{}); err != nil {
		return nil, err.asError()
	}
	return payload, nil
}

func (p *Payload) prepare(from *value, at *place) *ValidationError {
	if from.is(kindString) {
		template, err := parseTemplate(from.text)
		if err != nil {
			return at.refuse(err.Message)
		}
		p.templates[from] = template
	}
	for index, inner := range from.items {
		var part any = index
		if from.is(kindObject) {
			part = from.keys[index]
		}
		at.path = append(at.path, part)
		if err := p.prepare(inner, at); err != nil {
			return err
		}
		at.leave()
	}
	return nil
}

// Render is the payload with everything filled in, as JSON. An entry whose value is absent is left out; an element, or the whole, is null. An
// error is an [*EvaluationError]: a value in a text is nested too deeply.
func (p *Payload) Render(scope *Scope) (json.RawMessage, error) {
	found, err := p.render(p.shape, scope)
	if err != nil {
		return nil, err
	}
	if found == nil {
		found = nullValue()
	}
	return canonical(found), nil
}

func (p *Payload) render(from *value, scope *Scope) (*value, error) {
	switch from.kind {
	case kindString:
		return p.templates[from].render(scope)
	case kindList, kindObject:
		made := &value{kind: from.kind}
		for index, inner := range from.items {
			found, err := p.render(inner, scope)
			switch {
			case err != nil:
				return nil, err
			case from.is(kindObject) && found != nil:
				made.put(from.keys[index], found)
			case from.is(kindList) && found == nil:
				made.items = append(made.items, nullValue())
			case from.is(kindList):
				made.items = append(made.items, found)
			}
		}
		return made, nil
	default:
		return from, nil
	}
}

// templateReader reads one template. Each has exactly one text, and no other text of it is read.
type templateReader struct {
	text string
	at   int
}

func parseTemplate(text string) (*Template, *ValidationError) {
	r := &templateReader{text: text}
	template := &Template{}
	for r.at < len(text) {
		start := r.at
		said := r.words()
		isBeforeSlot := r.at < len(text)
		written := strings.ReplaceAll(said, openBraces, quotedOpen)
		if before, ok := strings.CutSuffix(written, "{"); ok && isBeforeSlot {
			// A brace that stood right before a placeholder would be taken for its first one.
			written = before + quotedBrace
		}
		if written != text[start:r.at] {
			return nil, r.refuse("is a template that is not written in its one form", start)
		}
		if said != "" {
			template.parts = append(template.parts, templatePart{text: said})
		}
		if isBeforeSlot {
			slot, err := r.slot()
			if err != nil {
				return nil, err
			}
			template.parts = append(template.parts, slot)
		}
	}
	return template, nil
}

func (r *templateReader) refuse(message string, at int) *ValidationError {
	return &ValidationError{Message: fmt.Sprintf("%s (at byte %d)", message, at)}
}

func (r *templateReader) rest() string { return r.text[r.at:] }

func (r *templateReader) takes(wanted string) bool {
	if !strings.HasPrefix(r.rest(), wanted) {
		return false
	}
	r.at += len(wanted)
	return true
}

func (r *templateReader) found(form *regexp.Regexp) string {
	found := form.FindString(r.rest())
	r.at += len(found)
	return found
}

// words is what stands there as it is, up to the next placeholder.
func (r *templateReader) words() string {
	var said strings.Builder
	for r.at < len(r.text) {
		end := strings.Index(r.rest(), openBraces)
		if end < 0 {
			end = len(r.rest())
		}
		said.WriteString(r.rest()[:end])
		r.at += end
		switch {
		case r.takes(quotedOpen):
			said.WriteString(openBraces)
		case r.takes(quotedBrace):
			said.WriteByte('{')
		default:
			return said.String()
		}
	}
	return said.String()
}

var (
	nameForm  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*`)
	indexForm = regexp.MustCompile(`^(?:0|[1-9][0-9]{0,9})`)
)

func (r *templateReader) slot() (templatePart, *ValidationError) {
	start := r.at
	r.at += len(openBraces)
	if !r.takes(".") {
		return templatePart{}, r.refuse("has a `{{` that opens no placeholder; a path begins with a dot, and a literal `{{` is written `"+quotedOpen+"`", start)
	}
	root, err := r.step(true)
	if err != nil {
		return templatePart{}, err
	}
	if root == nil || !root.isKey() {
		return templatePart{}, r.refuse("has a path that does not begin with the name of a root", start)
	}
	slot := templatePart{path: []step{*root}}
	for {
		next, err := r.step(false)
		if err != nil {
			return slot, err
		}
		if next == nil {
			break
		}
		slot.path = append(slot.path, *next)
	}
	if r.takes(" ?? ") {
		if slot.fallback, err = r.json(); err != nil {
			return slot, err
		}
	}
	if !r.takes("}}") {
		return slot, r.refuse("has a placeholder that is not closed by `}}`", start)
	}
	return slot, nil
}

// step reads a step; nil if there is none. Behind the dot of a root its name stands at once.
func (r *templateReader) step(isRoot bool) (*step, *ValidationError) {
	start := r.at
	if !isRoot {
		r.takes("?")
	}
	if strings.HasPrefix(r.rest(), "[") {
		return r.bracket()
	}
	if isRoot || r.takes(".") {
		name := r.found(nameForm)
		if name == "" {
			return nil, r.refuse("has a dot without a name", start)
		}
		return &step{key: name}, nil
	}
	r.at = start
	return nil, nil
}

// bracket reads `[]`, `[0]` or `["any key"]`.
func (r *templateReader) bracket() (*step, *ValidationError) {
	start := r.at
	r.at++
	if r.takes("]") {
		return &step{isAll: true}, nil
	}
	read := &step{}
	fits := false
	if strings.HasPrefix(r.rest(), `"`) {
		key, err := r.json()
		if fits = err == nil && nameForm.FindString(key.text) != key.text || err == nil && key.text == ""; fits {
			read.key = key.text
		}
	} else {
		index, err := strconv.ParseUint(r.found(indexForm), 10, 32)
		read.index, read.isIndex, fits = int(index), true, err == nil
	}
	if !fits || !r.takes("]") {
		return nil, r.refuse("has brackets with something else than an index or a key that needs them: `[0]`, `[\"any key\"]`, `[]`", start)
	}
	return read, nil
}

// json reads a JSON value without space in it.
func (r *templateReader) json() (*value, *ValidationError) {
	p := &parser{text: []byte(r.rest())}
	read, err := p.value()
	written := p.text[:p.at]
	if err != nil || string(asWritten(read)) != string(written) || isDeeper(written, deepestDefault) || !read.allFinite() {
		return nil, r.refuse("has a `??` or a bracket that is not followed by JSON without spaces", r.at)
	}
	r.at += p.at
	return read, nil
}

// allFinite says whether no number in a value is too great for a double.
func (v *value) allFinite() bool {
	for _, inner := range v.items {
		if !inner.allFinite() {
			return false
		}
	}
	return v.finite()
}
