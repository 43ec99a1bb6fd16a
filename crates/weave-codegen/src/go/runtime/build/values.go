// Package weavebuild puts the definitions of workflows together: with it a program writes what a .weave file says, and gets the definition
// that the compiler writes for that file.
package weavebuild

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var name = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func isName(text string) bool { return name.MatchString(text) }

// timeText is a length of time as a definition has it: PT1M30S.
func timeText(length time.Duration) (string, error) {
	total := length.Milliseconds()
	if length < 0 || length%time.Millisecond != 0 {
		return "", fmt.Errorf("%v is no length of time in whole milliseconds", length)
	}
	text := "PT"
	if hours := total / 3_600_000; hours > 0 {
		text += fmt.Sprintf("%dH", hours)
	}
	if minutes := total % 3_600_000 / 60_000; minutes > 0 {
		text += fmt.Sprintf("%dM", minutes)
	}
	if rest := total % 60_000; rest > 0 || total == 0 {
		text += strconv.FormatFloat(float64(rest)/1000, 'f', -1, 64) + "S"
	}
	return text, nil
}

var durationForm = regexp.MustCompile(`^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,3}))?S)?$`)

// milliseconds reads what timeText writes.
func milliseconds(text string) (int64, bool) {
	found := durationForm.FindStringSubmatch(text)
	if found == nil || text == "PT" {
		return 0, false
	}
	number := func(digits string) int64 {
		read, _ := strconv.ParseInt("0"+digits, 10, 64)
		return read
	}
	fraction := number((found[4] + "000")[:3])
	return ((number(found[1])*60+number(found[2]))*60+number(found[3]))*1000 + fraction, true
}

type how int

const (
	isField how = iota
	isEntry
	isLoose
	isIndex
	isAll
)

type pathStep struct {
	how      how
	key      string
	index    int
	maybe    bool
	present  bool
	nullable bool
}

// Ref is a value that is read when the workflow runs.
type Ref struct {
	root  string
	steps []pathStep
	// Whether it is the element of an Exists or ForAll around.
	bound bool
	maybe bool
	err   error
}

func (r Ref) then(steps ...pathStep) Ref {
	if len(steps) > 0 {
		steps[0].maybe = r.maybe
	}
	return Ref{root: r.root, steps: append(append([]pathStep{}, r.steps...), steps...), bound: r.bound, err: r.err}
}

// At is what stands in it under these names, one in the other; a number is the place of an element.
func (r Ref) At(keys ...any) Ref {
	var steps []pathStep
	for _, key := range keys {
		switch key := key.(type) {
		case string:
			steps = append(steps, pathStep{how: isField, key: key})
		case int:
			steps = append(steps, pathStep{how: isIndex, index: key})
		default:
			r.err = fmt.Errorf("%v is neither the name of a field nor the place of an element", key)
		}
	}
	return r.then(steps...)
}

// EntryNote is what is known of an entry of a map.
type EntryNote func(*pathStep)

// Present says that it has been asked for before and is there.
func Present() EntryNote { return func(step *pathStep) { step.present = true } }

// Nullable says that its type has null.
func Nullable() EntryNote { return func(step *pathStep) { step.nullable = true } }

// Entry is what stands in it under a name that nobody declared: an entry of a map.
func (r Ref) Entry(key string, notes ...EntryNote) Ref {
	step := pathStep{how: isEntry, key: key}
	for _, note := range notes {
		note(&step)
	}
	return r.then(step)
}

// Loose is what stands in it under a name if it is an object at all, as in a value of type json.
func (r Ref) Loose(key string) Ref { return r.then(pathStep{how: isLoose, key: key}) }

// Maybe is the same; what is read from it may be absent.
func (r Ref) Maybe() Ref {
	r.maybe = true
	return r
}

// All is all answers of a step, and what is read from each of them.
func (r Ref) All() Ref { return r.then(pathStep{how: isAll}) }

// OrElse is this value, or another one where it is absent or null.
func (r Ref) OrElse(fallback any) Filled { return Filled{r, fallback} }

// As is this value in a condition, with its type.
func (r Ref) As(kind Kind) Expr {
	path := []any{}
	if !r.bound {
		path = append(path, r.root)
	}
	for _, step := range r.steps {
		switch step.how {
		case isIndex:
			path = append(path, step.index)
		case isAll:
			path = append(path, map[string]any{"all": true})
		default:
			path = append(path, step.key)
		}
	}
	tree := map[string]any{"type": string(kind)}
	if r.bound {
		tree["var"] = r.root
	}
	if len(path) > 0 {
		tree["path"] = path
	}
	made := Expr{tree: tree, kind: kind, ref: &r, err: r.err}
	if kind != Decimal {
		made.cel = r.readText()
	}
	return made
}

func (r Ref) pathText() string {
	text := "." + r.root
	if !isName(r.root) {
		text = ".[" + quote(r.root) + "]"
	}
	for _, step := range r.steps {
		if step.maybe {
			text += "?"
		}
		switch {
		case step.how == isIndex:
			text += fmt.Sprintf("[%d]", step.index)
		case step.how == isAll:
			text += "[]"
		case isName(step.key):
			text += "." + step.key
		default:
			text += "[" + quote(step.key) + "]"
		}
	}
	return text
}

func (r Ref) placeholder() (string, error) { return "{{" + r.pathText() + "}}", r.err }

// Filled is a value with another one in its place where it is absent or null.
type Filled struct {
	ref      Ref
	fallback any
}

func (f Filled) placeholder() (string, error) {
	fallback, err := written(f.fallback)
	if err != nil {
		return "", err
	}
	return "{{" + f.ref.pathText() + " ?? " + fallback + "}}", f.ref.err
}

// Filling is a value that can stand in a text: a Ref or a Filled.
type Filling interface{ placeholder() (string, error) }

// Template is a text in which values are filled in.
type Template struct {
	text string
	err  error
}

func escaped(text string) string { return strings.ReplaceAll(text, "{{", `{{"{{"}}`) }

// Text is a text in which values are filled in: Text("Hello ", input.At("name")).
func Text(parts ...any) Template {
	var made Template
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			made.text += escaped(part)
		case Filling:
			text, err := part.placeholder()
			if err != nil {
				made.err = err
			}
			// A brace that stood right before a placeholder would be taken for its first one.
			if before, ends := strings.CutSuffix(made.text, "{"); ends {
				made.text = before + `{{"{"}}`
			}
			made.text += text
		default:
			made.err = fmt.Errorf("%T can stand in no text; say what is read: step.Answer", part)
		}
	}
	return made
}

// Pair is an entry of an object.
type Pair struct {
	Key   string
	Value any
}

// Set is an entry of an object.
func Set(key string, value any) Pair { return Pair{key, value} }

// Values is an object of JSON, whose values may be read when the workflow runs.
type Values []Pair

// Object is an object of JSON.
func Object(entries ...Pair) Values { return entries }

// Items is a list of JSON.
func Items(items ...any) []any { return append([]any{}, items...) }

type null struct{}

// JSONNull is null where a field of what is given has it: a field that is nil is left out.
var JSONNull null

// lower is a value as a definition has it.
func lower(value any) (any, error) {
	switch value := value.(type) {
	case Filling:
		return value.placeholder()
	case Template:
		return value.text, value.err
	case string:
		return escaped(value), nil
	default:
		return plain(value, lower)
	}
}

// constant is a value in which nothing is filled in.
func constant(value any) (any, error) {
	if text, is := value.(string); is {
		return text, nil
	}
	return plain(value, constant)
}

func plain(value any, inner func(any) (any, error)) (any, error) {
	switch value := value.(type) {
	case nil, bool:
		return value, nil
	case null:
		return nil, nil
	case []any:
		made := []any{}
		for _, item := range value {
			lowered, err := inner(item)
			if err != nil {
				return nil, err
			}
			made = append(made, lowered)
		}
		return made, nil
	case Values:
		made := map[string]any{}
		for _, entry := range value {
			lowered, err := inner(entry.Value)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", entry.Key, err)
			}
			made[entry.Key] = lowered
		}
		return made, nil
	}
	if _, is := asFloat(value); is {
		return value, nil
	}
	return nil, fmt.Errorf("%T is no value of a workflow; it takes nil, JSONNull, bool, numbers, string, Object, Items, Text and what is read", value)
}

func asFloat(value any) (float64, bool) {
	switch value := value.(type) {
	case int:
		return float64(value), true
	case int64:
		return float64(value), true
	case float64:
		return value, true
	case json.Number:
		number, err := value.Float64()
		return number, err == nil
	}
	return 0, false
}
