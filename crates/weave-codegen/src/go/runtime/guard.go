package weaveruntime

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
)

// GreatestWork is how often the bodies of `exists` and `all` are asked in one evaluation at most.
const GreatestWork = 1_000_000

// deepestTree is how deep the tree of a guard may be nested, as that of a definition.
const deepestTree = 1024

// Guard is a guard that was read once and can be evaluated often, also many times at once.
type Guard struct{ root expression }

// ParseGuard reads a guard as it stands in a definition, or its tree alone. What is wrong is told by a [*ValidationError] with its path: what
// has not the form of a guard, operators without meaning for their operands, variables that nobody has, patterns that not everybody reads alike.
func ParseGuard(text []byte) (*Guard, error) {
	tree, err := parseTree(text)
	if err != nil {
		return nil, err.asError()
	}
	reader := &treeReader{}
	root, err := reader.guard(tree)
	if err != nil {
		return nil, err.asError()
	}
	return &Guard{root}, nil
}

// parseTree reads a text that may be no deeper than a definition.
func parseTree(text []byte) (*value, *ValidationError) {
	if isDeeper(text, deepestTree) {
		return nil, &ValidationError{Message: fmt.Sprintf("is nested deeper than %d levels", deepestTree)}
	}
	return parse(text)
}

// Evaluate is the value of the guard as JSON, in the form that its type has there; what is absent is null. An error is an [*EvaluationError].
func (g *Guard) Evaluate(scope *Scope) (json.RawMessage, error) {
	found, err := g.value(scope)
	if err != nil {
		return nil, err
	}
	return canonical(found), nil
}

// Holds says whether the guard is true. One that ends in an error is false; the error says why.
func (g *Guard) Holds(scope *Scope) (bool, error) {
	found, err := g.value(scope)
	if err != nil {
		return false, err
	}
	return found.is(kindBool) && found.truth, nil
}

func (g *Guard) value(scope *Scope) (*value, error) {
	found, err := g.root.evaluate(&evaluation{scope: scope})
	if err == nil {
		var written *value
		if written, err = found.wire(); err == nil {
			return written, nil
		}
	}
	return nil, err
}

// expression is a part of a guard.
type expression interface {
	evaluate(in *evaluation) (item, *EvaluationError)
}

type (
	constantPart struct {
		value *value
		of    valueType
	}
	reading struct {
		path []step
		of   valueType
	}
	variable struct {
		name string
		path []step
		of   valueType
	}
	listing struct{ items []expression }
	logic   struct {
		decides  bool
		operands []expression
	}
	application struct {
		operator string
		of       valueType
		operands []expression
		pattern  *regexp.Regexp
	}
	question struct {
		decides  bool
		variable string
		list     expression
		body     expression
	}
)

// evaluation is one evaluation, with the variables of the quantifiers around, the innermost last.
type evaluation struct {
	scope *Scope
	names []string
	bound []item
	work  int
}

func (e *constantPart) evaluate(*evaluation) (item, *EvaluationError) { return readItem(e.value, e.of) }

func (e *reading) evaluate(in *evaluation) (item, *EvaluationError) {
	return readItem(in.scope.read(e.path), e.of)
}

func (e *variable) evaluate(in *evaluation) (item, *EvaluationError) {
	at := len(in.names) - 1
	for at >= 0 && in.names[at] != e.name {
		at--
	}
	if at < 0 {
		return item{}, meaningless(e.name)
	}
	found := in.bound[at]
	switch {
	case found.read != nil:
		return readItem(descend(found.read, e.path), e.of)
	case len(e.path) > 0:
		return readItem(nil, e.of)
	case !found.isList && found.of != e.of:
		return item{}, noForm(e.of)
	default:
		return found, nil
	}
}

func (e *listing) evaluate(in *evaluation) (item, *EvaluationError) {
	items := make([]item, 0, len(e.items))
	for _, part := range e.items {
		found, err := part.evaluate(in)
		if err == nil && found.isList {
			// None of the elements is itself a list that is made of expressions.
			var written *value
			written, err = found.wire()
			found = item{of: typeList, read: written}
		}
		if err != nil {
			return item{}, err
		}
		items = append(items, found)
	}
	return item{of: typeList, isList: true, list: items}, nil
}

func (e *logic) evaluate(in *evaluation) (item, *EvaluationError) {
	return decided(e.decides, len(e.operands), func(at int) (item, *EvaluationError) { return e.operands[at].evaluate(in) })
}

func (e *application) evaluate(in *evaluation) (item, *EvaluationError) {
	operands := make([]item, len(e.operands))
	for at, operand := range e.operands {
		found, err := operand.evaluate(in)
		if err != nil {
			return item{}, err
		}
		operands[at] = found
	}
	return e.apply(operands)
}

func (e *question) evaluate(in *evaluation) (item, *EvaluationError) {
	container, err := e.list.evaluate(in)
	if err != nil {
		return item{}, err
	}
	asked, err := elementsOrKeys(container)
	if err != nil {
		return item{}, err
	}
	return decided(e.decides, len(asked), func(at int) (item, *EvaluationError) {
		if in.work++; in.work > GreatestWork {
			return item{}, evaluationError(TooMuchWork, fmt.Sprintf("the bodies of exists and all are asked more than %d times", GreatestWork))
		}
		in.names, in.bound = append(in.names, e.variable), append(in.bound, asked[at])
		answer, err := e.body.evaluate(in)
		last := len(in.names) - 1
		in.names, in.bound = in.names[:last], in.bound[:last]
		return answer, err
	})
}

// elementsOrKeys are what a quantifier asks about: of a list its elements, of a map its keys in order.
func elementsOrKeys(container item) ([]item, *EvaluationError) {
	if container.read == nil || !container.read.is(kindObject) {
		return container.elements()
	}
	var found []item
	for _, key := range slices.Sorted(slices.Values(container.read.keys)) {
		found = append(found, item{of: typeString, read: textValue(key)})
	}
	return found, nil
}

// decided says whether one of all is what decides; an error counts only if none does, unless it ends the whole evaluation.
func decided(decides bool, count int, ask func(at int) (item, *EvaluationError)) (item, *EvaluationError) {
	var first *EvaluationError
	for at := range count {
		answer, err := ask(at)
		if err == nil {
			var truth scalar
			if truth, err = answer.some(typeBool); err == nil && truth.truth == decides {
				return truthItem(decides), nil
			}
		}
		if err != nil && err.Kind == TooMuchWork {
			return item{}, err
		}
		if first == nil {
			first = err
		}
	}
	return truthItem(!decides), first
}

// treeReader reads the tree of an expression, and says where it is none.
type treeReader struct {
	at        place
	variables []string
}

func (r *treeReader) guard(from *value) (expression, *ValidationError) {
	if !from.is(kindObject) || from.get("expr") == nil {
		return r.expression(from)
	}
	if err := r.only(from, "cel", "expr"); err != nil {
		return nil, err
	}
	return treeBelow(r, from, "expr", r.expression)
}

func (r *treeReader) expression(from *value) (expression, *ValidationError) {
	has := func(key string) bool { return from.get(key) != nil }
	switch {
	case !from.is(kindObject):
		return nil, r.at.refuse("must be an object")
	case has("const"):
		of, err := r.typed(from, "const", "type")
		return &constantPart{from.get("const"), of}, err
	case has("op") && has("var"):
		return r.question(from)
	case has("op"):
		return r.application(from)
	case has("var"):
		return r.variable(from)
	case has("path"):
		return r.reading(from)
	case has("list"):
		if err := r.only(from, "list"); err != nil {
			return nil, err
		}
		items, err := treeBelow(r, from, "list", r.expressions)
		return &listing{items}, err
	default:
		return nil, r.at.refuse("must have the key const, path, var, list or op")
	}
}

// typed is the type of a leaf that has these keys and no others.
func (r *treeReader) typed(from *value, keys ...string) (valueType, *ValidationError) {
	if err := r.only(from, keys...); err != nil {
		return "", err
	}
	return treeBelow(r, from, "type", r.valueType)
}

func (r *treeReader) variable(from *value) (expression, *ValidationError) {
	if err := r.only(from, "var", "path", "type"); err != nil {
		return nil, err
	}
	name, err := treeBelow(r, from, "var", r.text)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(r.variables, name) {
		return nil, r.at.refuseBelow("var", "no exists or all around it has this variable")
	}
	read := &variable{name: name}
	if from.get("path") != nil {
		if read.path, err = treeBelow(r, from, "path", r.steps); err != nil {
			return nil, err
		}
	}
	read.of, err = treeBelow(r, from, "type", r.valueType)
	return read, err
}

func (r *treeReader) reading(from *value) (expression, *ValidationError) {
	if err := r.only(from, "path", "type"); err != nil {
		return nil, err
	}
	path, err := treeBelow(r, from, "path", r.steps)
	if err != nil {
		return nil, err
	}
	if len(path) == 0 || !path[0].isKey() {
		return nil, r.at.refuseBelow("path", "must begin with the name of a root")
	}
	of, err := treeBelow(r, from, "type", r.valueType)
	return &reading{path, of}, err
}

func (r *treeReader) application(from *value) (expression, *ValidationError) {
	if err := r.only(from, "op", "type", "args"); err != nil {
		return nil, err
	}
	operator, err := treeBelow(r, from, "op", r.operator)
	if err != nil {
		return nil, err
	}
	operands, err := treeBelow(r, from, "args", r.expressions)
	if err != nil {
		return nil, err
	}
	known := signatures[operator]
	if len(operands) < known.least || len(operands) > known.most {
		return nil, r.at.refuseBelow("args", operator+" takes another number of operands")
	}
	read := &application{operator: operator, operands: operands}
	if known.types == nil {
		if err := r.only(from, "op", "args"); err != nil {
			return nil, err
		}
		if operator == "&&" || operator == "||" {
			return &logic{operator == "||", operands}, nil
		}
		if operator == "matches" {
			read.pattern, err = r.pattern(operands[1])
		}
		return read, err
	}
	if read.of, err = treeBelow(r, from, "type", r.valueType); err != nil {
		return nil, err
	}
	if !slices.Contains(known.types, read.of) {
		return nil, r.at.refuseBelow("type", operator+" has no meaning for the type "+string(read.of))
	}
	return read, nil
}

func (r *treeReader) pattern(operand expression) (*regexp.Regexp, *ValidationError) {
	r.at.path = append(r.at.path, "args", 1)
	held, ok := operand.(*constantPart)
	if !ok || held.of != typeString || !held.value.is(kindString) {
		return nil, r.at.refuse("must be a constant string")
	}
	pattern, problem := compilePattern(held.value.text)
	if pattern == nil {
		return nil, r.at.refuseBelow("const", "is a pattern that cannot be used: "+problem)
	}
	r.at.path = r.at.path[:len(r.at.path)-2]
	return pattern, nil
}

func (r *treeReader) question(from *value) (expression, *ValidationError) {
	if err := r.only(from, "op", "var", "in", "body"); err != nil {
		return nil, err
	}
	operator := from.get("op")
	if !operator.is(kindString) || operator.text != "exists" && operator.text != "all" {
		return nil, r.at.refuseBelow("op", "must be exists or all")
	}
	name, err := treeBelow(r, from, "var", r.text)
	if err != nil {
		return nil, err
	}
	list, err := treeBelow(r, from, "in", r.expression)
	if err != nil {
		return nil, err
	}
	r.variables = append(r.variables, name)
	body, err := treeBelow(r, from, "body", r.expression)
	r.variables = r.variables[:len(r.variables)-1]
	return &question{operator.text == "exists", name, list, body}, err
}

// only demands that an object has no other keys.
func (r *treeReader) only(from *value, keys ...string) *ValidationError {
	for _, key := range from.keys {
		if !slices.Contains(keys, key) {
			return r.at.refuseBelow(key, "does not belong here")
		}
	}
	return nil
}

// treeBelow reads what stands under a key.
func treeBelow[T any](r *treeReader, from *value, key string, read func(*value) (T, *ValidationError)) (found T, err *ValidationError) {
	inner := from.get(key)
	if inner == nil {
		return found, r.at.refuseBelow(key, "is missing")
	}
	r.at.path = append(r.at.path, key)
	if found, err = read(inner); err == nil {
		r.at.leave()
	}
	return found, err
}

// treeEach reads the items of a list.
func treeEach[T any](r *treeReader, from *value, read func(*value) (T, *ValidationError)) ([]T, *ValidationError) {
	if !from.is(kindList) {
		return nil, r.at.refuse("must be a list")
	}
	found := make([]T, 0, len(from.items))
	for at, inner := range from.items {
		r.at.path = append(r.at.path, at)
		one, err := read(inner)
		if err != nil {
			return nil, err
		}
		r.at.leave()
		found = append(found, one)
	}
	return found, nil
}

func (r *treeReader) text(from *value) (string, *ValidationError) {
	if !from.is(kindString) {
		return "", r.at.refuse("must be a string")
	}
	return from.text, nil
}

func (r *treeReader) valueType(from *value) (valueType, *ValidationError) {
	of := valueType(from.text)
	if !from.is(kindString) || !slices.Contains(allTypes, of) {
		return "", r.at.refuse("must be a type")
	}
	return of, nil
}

func (r *treeReader) operator(from *value) (string, *ValidationError) {
	if _, ok := signatures[from.text]; !ok || !from.is(kindString) {
		return "", r.at.refuse("must be an operator")
	}
	return from.text, nil
}

func (r *treeReader) expressions(from *value) ([]expression, *ValidationError) {
	found, err := treeEach(r, from, r.expression)
	if err == nil && len(found) == 0 {
		err = r.at.refuse("must not be empty")
	}
	return found, err
}

func (r *treeReader) steps(from *value) ([]step, *ValidationError) { return treeEach(r, from, r.step) }

func (r *treeReader) step(from *value) (step, *ValidationError) {
	all := from.get("all")
	switch {
	case from.is(kindString):
		return step{key: from.text}, nil
	case from.is(kindNumber) && from.number == math.Trunc(from.number) && from.number >= 0 && from.number <= math.MaxUint32:
		return step{index: int(from.number), isIndex: true}, nil
	case from.is(kindObject) && len(from.keys) == 1 && all != nil && all.is(kindBool) && all.truth:
		return step{isAll: true}, nil
	default:
		return step{}, r.at.refuse(`must be a key, an index or {"all": true}`)
	}
}
