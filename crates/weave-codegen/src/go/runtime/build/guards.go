package weavebuild

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Kind is the type of a value in a condition.
type Kind string

// The types of values in conditions.
const (
	Bool      Kind = "bool"
	Int       Kind = "int"
	Int64     Kind = "int64"
	Float     Kind = "float"
	Decimal   Kind = "decimal"
	String    Kind = "string"
	Bytes     Kind = "bytes"
	Timestamp Kind = "timestamp"
	Date      Kind = "date"
	Duration  Kind = "duration"
	Null      Kind = "null"
	List      Kind = "list"
	Map       Kind = "map"
	Record    Kind = "record"
	JSON      Kind = "json"
)

// cel is a text of CEL, and how tightly it binds.
type cel struct {
	text  string
	binds int
}

const (
	unary  = 5
	member = 6
)

func (c cel) atLeast(binds int) string {
	if c.binds < binds {
		return "(" + c.text + ")"
	}
	return c.text
}

// Expr is a condition, or a part of one.
type Expr struct {
	tree map[string]any
	kind Kind
	// The same in CEL, if CEL can say it.
	cel *cel
	// What is read, if it is a value that is read.
	ref *Ref
	err error
}

func (e Expr) guard() map[string]any {
	if e.cel == nil {
		return map[string]any{"expr": e.tree}
	}
	return map[string]any{"cel": e.cel.text, "expr": e.tree}
}

var reserved = words("as break const continue else false for function if import in let loop namespace null package return true var void while")
var celTypes = words("bool bytes double duration dyn int list map null_type string timestamp type uint")

func words(text string) map[string]bool {
	found := map[string]bool{}
	for _, word := range strings.Fields(text) {
		found[word] = true
	}
	return found
}

func usable(name string) bool { return !reserved[name] && !celTypes[name] }

// rawText is a path in CEL, if it reads from nothing that may be missing.
func rawText(root string, steps []pathStep) (string, bool) {
	if !usable(root) {
		return "", false
	}
	path := root
	for _, step := range steps {
		if step.maybe || (step.how != isField && step.how != isEntry) {
			return "", false
		}
		if step.how == isField && isName(step.key) && !reserved[step.key] {
			path += "." + step.key
		} else {
			path += "[" + quote(step.key) + "]"
		}
	}
	return path, true
}

// entryText asks whether the entry of a map is there that a path ends with.
func (r Ref) entryText() (string, bool) {
	if len(r.steps) == 0 || r.steps[len(r.steps)-1].how != isEntry {
		return "", false
	}
	last := len(r.steps) - 1
	path, ok := rawText(r.root, r.steps[:last])
	return quote(r.steps[last].key) + " in " + path, ok
}

// readText is what a path reads, in CEL.
func (r Ref) readText() *cel {
	path, ok := rawText(r.root, r.steps)
	if !ok {
		return nil
	}
	if entry, is := r.entryText(); is && !r.steps[len(r.steps)-1].present {
		// An entry that is not there is an error in CEL, and null here.
		path = "(" + entry + " ? " + path + " : null)"
	}
	return &cel{path, member}
}

func floatText(number float64) string {
	if number == math.Trunc(number) {
		return strconv.FormatFloat(number, 'f', 1, 64)
	}
	if math.Abs(number) >= 1e-5 {
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	return strings.Replace(strconv.FormatFloat(number, 'e', -1, 64), "e-0", "e-", 1)
}

func durationText(value string) (string, bool) {
	total, ok := milliseconds(value)
	if !ok {
		return "", false
	}
	if total%1000 == 0 {
		return fmt.Sprintf(`duration("%ds")`, total/1000), true
	}
	return fmt.Sprintf(`duration("%dms")`, total), true
}

func constantText(value any, kind Kind) (string, bool) {
	if value == nil {
		return "null", true
	}
	text := string(canonical(value))
	switch kind {
	case Decimal, Bytes:
		return "", false
	case Float:
		if number, is := asFloat(value); is {
			return floatText(number), true
		}
	case Int64:
		if digits, is := value.(string); is {
			return digits, true
		}
	case Timestamp:
		return "timestamp(" + text + ")", true
	case Duration:
		words, _ := value.(string)
		return durationText(words)
	}
	return text, true
}

// Constant is a constant with its type, in the form that it has in JSON.
func Constant(value any, kind Kind) Expr {
	lowered, err := lower(value)
	if _, is := value.(string); is {
		lowered = value
	}
	if lowered == nil {
		kind = Null
	}
	made := Expr{tree: map[string]any{"const": lowered, "type": string(kind)}, kind: kind, err: err}
	if text, ok := constantText(lowered, kind); ok {
		made.cel = &cel{text, member}
		if strings.HasPrefix(text, "-") {
			// A sign is an operator.
			made.cel.binds = unary
		}
	}
	return made
}

func isWire(kind Kind) bool {
	switch kind {
	case Int64, Decimal, Bytes, Timestamp, Date, Duration:
		return true
	}
	return false
}

func lift(operand any, beside any) Expr {
	var kind Kind
	if other, is := beside.(Expr); is {
		kind = other.kind
	}
	switch operand := operand.(type) {
	case Expr:
		return operand
	case nil:
		return Constant(nil, Null)
	case bool:
		return Constant(operand, Bool)
	case string:
		if isWire(kind) {
			return Constant(operand, kind)
		}
		return Constant(operand, String)
	}
	if number, is := asFloat(operand); is {
		if kind == Float || number != math.Trunc(number) {
			return Constant(operand, Float)
		}
		return Constant(operand, Int)
	}
	return Expr{err: fmt.Errorf("%T is no part of a condition; say the type of a value that is read: x.As(weavebuild.String)", operand)}
}

var binding = map[string]int{"||": 0, "&&": 1, "==": 2, "!=": 2, "<": 2, "<=": 2, ">": 2, ">=": 2, "in": 2, "+": 3, "-": 3, "*": 4, "/": 4, "%": 4}

// operandKind is the type that an operator works on.
func operandKind(op string, left, right Kind) Kind {
	if op == "==" || op == "!=" {
		if left == Null || right == Null {
			return Null
		}
		if left != right {
			return JSON
		}
	}
	if (op == "+" || op == "-") && (left == Timestamp || right == Timestamp) {
		return Timestamp
	}
	if (left == JSON || left == Null) && op != "in" && right != Null {
		return right
	}
	if left == Null {
		return JSON
	}
	return left
}

// compared is what stands beside another: what is compared with null may be of a type that CEL does not have.
func compared(expr, other Expr) *cel {
	if _, constant := other.tree["const"]; constant && expr.ref != nil && other.kind == Null {
		return expr.ref.readText()
	}
	return expr.cel
}

func operandsOf(expr Expr, op string, kind any) []any {
	if args, is := expr.tree["args"].([]any); is && expr.tree["op"] == op && expr.tree["type"] == kind {
		return args
	}
	return []any{expr.tree}
}

// untyped is the tree of what is compared: whether a value is null does not depend on its type.
func untyped(expr Expr, operands any) map[string]any {
	_, isPath := expr.tree["path"]
	_, isVariable := expr.tree["var"]
	_, isOperation := expr.tree["op"]
	if operands != string(Null) || isOperation || !isPath && !isVariable {
		return expr.tree
	}
	tree := map[string]any{}
	for key, value := range expr.tree {
		tree[key] = value
	}
	tree["type"] = string(JSON)
	return tree
}

func binary(op string, left, right Expr) Expr {
	logical := op == "&&" || op == "||"
	arithmetic := binding[op] >= 3
	made := Expr{tree: map[string]any{"op": op}, kind: Bool, err: errors.Join(left.err, right.err)}
	var operands any
	if !logical {
		kind := operandKind(op, left.kind, right.kind)
		operands = string(kind)
		made.tree["type"] = operands
		if arithmetic {
			made.kind = kind
		}
		if op == "-" && left.kind == Timestamp && right.kind == Timestamp {
			made.kind = Duration
		}
	}
	args := []any{untyped(left, operands)}
	if logical || arithmetic {
		args = operandsOf(left, op, operands)
	}
	more := []any{untyped(right, operands)}
	if logical {
		more = operandsOf(right, op, nil)
	}
	made.tree["args"] = append(append([]any{}, args...), more...)
	first, second := compared(left, right), compared(right, left)
	if first != nil && second != nil {
		binds := binding[op]
		tightness := binds
		if !logical {
			// `a && (b && c)` is the same without parentheses; `a - (b - c)` is not.
			tightness++
		}
		made.cel = &cel{first.atLeast(binds) + " " + op + " " + second.atLeast(tightness), binds}
	}
	return made
}

func chain(op string, first, second any, more []any) Expr {
	sum := binary(op, lift(first, second), lift(second, first))
	for _, operand := range more {
		sum = binary(op, sum, lift(operand, sum))
	}
	return sum
}

// And is all of these.
func And(first, second any, more ...any) Expr { return chain("&&", first, second, more) }

// Or is one of these at least.
func Or(first, second any, more ...any) Expr { return chain("||", first, second, more) }

// Eq is equality.
func Eq(left, right any) Expr { return chain("==", left, right, nil) }

// Ne is inequality.
func Ne(left, right any) Expr { return chain("!=", left, right, nil) }

// Lt asks whether the left one is less.
func Lt(left, right any) Expr { return chain("<", left, right, nil) }

// Le asks whether the left one is less or equal.
func Le(left, right any) Expr { return chain("<=", left, right, nil) }

// Gt asks whether the left one is greater.
func Gt(left, right any) Expr { return chain(">", left, right, nil) }

// Ge asks whether the left one is greater or equal.
func Ge(left, right any) Expr { return chain(">=", left, right, nil) }

// IsIn asks whether something is an element of a list, or a key of a map.
func IsIn(element, list any) Expr { return chain("in", element, list, nil) }

// Add is the sum, or one text behind the other.
func Add(first, second any, more ...any) Expr { return chain("+", first, second, more) }

// Sub is the difference, from left to right.
func Sub(first, second any, more ...any) Expr { return chain("-", first, second, more) }

// Mul is the product.
func Mul(first, second any, more ...any) Expr { return chain("*", first, second, more) }

// Div is the quotient, from left to right.
func Div(first, second any, more ...any) Expr { return chain("/", first, second, more) }

// Rem is the remainder, from left to right.
func Rem(first, second any, more ...any) Expr { return chain("%", first, second, more) }

// Not is the opposite.
func Not(condition any) Expr {
	inner := lift(condition, nil)
	made := Expr{tree: map[string]any{"op": "!", "args": []any{inner.tree}}, kind: Bool, err: inner.err}
	if inner.cel != nil {
		made.cel = &cel{"!" + inner.cel.atLeast(unary), unary}
	}
	return made
}

// Neg is the other sign.
func Neg(operand any) Expr {
	inner := lift(operand, nil)
	tree := map[string]any{"op": "negate", "type": string(inner.kind), "args": []any{inner.tree}}
	made := Expr{tree: tree, kind: inner.kind, err: inner.err}
	switch {
	case inner.cel == nil:
	case inner.kind == Duration:
		// The sign of CEL stands before numbers only.
		made.cel = &cel{`duration("0s") - ` + inner.cel.atLeast(4), 3}
	case strings.HasPrefix(inner.cel.text, "-"):
		// Two signs are none in CEL, but the smallest integer has no opposite.
		made.cel = &cel{"-" + inner.cel.atLeast(member), unary}
	default:
		made.cel = &cel{"-" + inner.cel.atLeast(unary), unary}
	}
	return made
}

// Size is how many characters, octets, elements or entries there are.
func Size(operand any) Expr {
	inner := lift(operand, nil)
	tree := map[string]any{"op": "size", "type": string(inner.kind), "args": []any{inner.tree}}
	made := Expr{tree: tree, kind: Int, err: inner.err}
	if inner.cel != nil {
		made.cel = &cel{"size(" + inner.cel.text + ")", member}
	}
	return made
}

// Has asks whether a value is there and not null.
func Has(value Expr) Expr {
	made := Expr{tree: map[string]any{"op": "has", "args": []any{value.tree}}, kind: Bool, err: value.err}
	if value.ref == nil {
		made.err = errors.New("Has asks for a value that is read")
		return made
	}
	path, ok := rawText(value.ref.root, value.ref.steps)
	if !ok {
		return made
	}
	entry, isOne := value.ref.entryText()
	switch {
	case !isOne:
		made.cel = &cel{path + " != null", 2}
	case value.ref.steps[len(value.ref.steps)-1].nullable:
		made.cel = &cel{entry + " && " + path + " != null", 1}
	default:
		made.cel = &cel{entry, 2}
	}
	return made
}

func question(op string, whole, part any) Expr {
	receiver, argument := lift(whole, nil), lift(part, nil)
	tree := map[string]any{"op": op, "args": []any{receiver.tree, argument.tree}}
	made := Expr{tree: tree, kind: Bool, err: errors.Join(receiver.err, argument.err)}
	if receiver.cel != nil && argument.cel != nil {
		made.cel = &cel{receiver.cel.atLeast(member) + "." + op + "(" + argument.cel.text + ")", member}
	}
	return made
}

// Contains asks whether a text contains another.
func Contains(whole, part any) Expr { return question("contains", whole, part) }

// StartsWith asks whether a text starts with another.
func StartsWith(whole, start any) Expr { return question("startsWith", whole, start) }

// EndsWith asks whether a text ends with another.
func EndsWith(whole, end any) Expr { return question("endsWith", whole, end) }

// Matches asks whether a pattern is found in a text.
func Matches(whole any, pattern string) Expr { return question("matches", whole, pattern) }

// ListOf is a list.
func ListOf(items ...any) Expr {
	made := Expr{kind: List}
	constants, trees, texts := []any{}, []any{}, []string{}
	for _, item := range items {
		lifted := lift(item, nil)
		made.err = errors.Join(made.err, lifted.err)
		trees = append(trees, lifted.tree)
		if constant, is := lifted.tree["const"]; is {
			constants = append(constants, constant)
		}
		if lifted.cel != nil {
			texts = append(texts, lifted.cel.text)
		}
	}
	// A list of constants is a constant.
	made.tree = map[string]any{"list": trees}
	if len(constants) == len(items) {
		made.tree = map[string]any{"const": constants, "type": string(List)}
	}
	if len(texts) == len(items) {
		made.cel = &cel{"[" + strings.Join(texts, ", ") + "]", member}
	}
	return made
}

func quantified(op string, list Expr, name string, body Expr) Expr {
	tree := map[string]any{"op": op, "var": name, "in": list.tree, "body": body.tree}
	made := Expr{tree: tree, kind: Bool, err: errors.Join(list.err, body.err)}
	if usable(name) && list.cel != nil && body.cel != nil {
		made.cel = &cel{list.cel.atLeast(member) + "." + op + "(" + name + ", " + body.cel.text + ")", member}
	}
	return made
}

// Exists asks whether it is true of one element of a list, or of one key of a map, at least.
func Exists(list Expr, name string, body Expr) Expr { return quantified("exists", list, name, body) }

// ForAll asks whether it is true of all elements of a list, or of all keys of a map.
func ForAll(list Expr, name string, body Expr) Expr { return quantified("all", list, name, body) }
