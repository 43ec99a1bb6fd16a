package weaveruntime

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// poison is a key that objects of JavaScript treat as something else; services in all languages refuse it alike.
const poison = "__proto__"

// Nothing is what a tool gives that has no output: null in JSON.
type Nothing struct{}

// NothingCodec reads and writes null.
var NothingCodec = &Codec[Nothing]{schema: newSchema(`{"type":"null"}`), node: Null()}

// Optional is a field that may be absent and, where it is there, may be null.
type Optional[T any] struct {
	// Set says whether it is there.
	Set bool

	// Value is what is there; nil for null.
	Value T
}

// Field is how one field of a record is read and written.
type Field[R any] struct {
	wire  string
	fill  func(into *R, at *place) *ValidationError
	read  func(into *R, found *value, at *place) *ValidationError
	write func(from *R, at *place) (*value, *ValidationError)
}

// field is read unless it is absent, for which `otherwise` stands.
func field[R, F any](wire string, node Node[F], set func(*R, F), get func(*R) (F, bool), otherwise func(*R, *value, *place) *ValidationError) Field[R] {
	return Field[R]{
		wire: wire,
		read: func(into *R, found *value, at *place) *ValidationError {
			if found == nil || found.isNull() && !node.nullable() {
				return otherwise(into, found, at)
			}
			read, err := readBelow(node, found, wire, at)
			if err == nil {
				set(into, read)
			}
			return err
		},
		write: func(from *R, at *place) (*value, *ValidationError) {
			held, ok := get(from)
			if !ok {
				return nil, nil
			}
			return writeBelow(node, held, wire, at)
		},
	}
}

func absent[R any](*R, *value, *place) *ValidationError { return nil }

// Required is a field that is always there.
func Required[R, F any](wire string, node Node[F], of func(*R) *F) Field[R] {
	set := func(into *R, read F) { *of(into) = read }
	get := func(from *R) (F, bool) { return *of(from), true }
	return field(wire, node, set, get, func(_ *R, found *value, at *place) *ValidationError {
		if found == nil {
			return at.refuseBelow(wire, "is missing")
		}
		_, err := readBelow(node, found, wire, at)
		return err
	})
}

// Absent is a field that may be absent, which a nil pointer says; null counts as absent.
func Absent[R, F any](wire string, node Node[F], of func(*R) **F) Field[R] {
	set := func(into *R, read F) { *of(into) = &read }
	get := func(from *R) (held F, ok bool) {
		if there := *of(from); there != nil {
			return *there, true
		}
		return held, false
	}
	return field(wire, node, set, get, absent)
}

// AbsentNil is a field that may be absent, which nil says: a list, a map, bytes, or a value of several types.
func AbsentNil[R, F any](wire string, node Node[F], of func(*R) *F) Field[R] {
	set := func(into *R, read F) { *of(into) = read }
	get := func(from *R) (F, bool) { return *of(from), !node.isNil(*of(from)) }
	return field(wire, node, set, get, absent)
}

// AbsentOrNull is a field that may be absent, and may be null.
func AbsentOrNull[R, F any](wire string, node Node[F], of func(*R) *Optional[F]) Field[R] {
	set := func(into *R, read F) { *of(into) = Optional[F]{Set: true, Value: read} }
	get := func(from *R) (F, bool) { return of(from).Value, of(from).Set }
	return field(wire, node, set, get, absent)
}

// Defaulted is a field that a writer may leave out, and that every reader finds.
func Defaulted[R, F any](wire string, node Node[F], otherwise string, of func(*R) *F) Field[R] {
	set := func(into *R, read F) { *of(into) = read }
	get := func(from *R) (F, bool) { return *of(from), true }
	fill := func(into *R, at *place) *ValidationError {
		fallback, err := parseText(otherwise)
		if err != nil {
			return err
		}
		read, err := readBelow(node, fallback, wire, at)
		if err == nil {
			set(into, read)
		}
		return err
	}
	made := field(wire, node, set, get, func(into *R, _ *value, at *place) *ValidationError { return fill(into, at) })
	made.fill = fill
	return made
}

// Tag is the field that tells which variant of a union a record is.
func Tag[R any](wire, tag string) Field[R] {
	node := OneOf(tag)
	return Field[R]{
		wire: wire,
		read: func(_ *R, found *value, at *place) *ValidationError {
			if found == nil {
				return at.refuseBelow(wire, "is missing")
			}
			_, err := readBelow(node, found, wire, at)
			return err
		},
		write: func(*R, *place) (*value, *ValidationError) { return textValue(tag), nil },
	}
}

// Record is a record with these fields and no others.
func Record[R any](fields ...Field[R]) Node[R] { return record(nil, fields) }

// OpenRecord is a record that may have more than these fields.
func OpenRecord[R any](extra func(*R) *map[string]json.RawMessage, fields ...Field[R]) Node[R] {
	return record(extra, fields)
}

func record[R any](extra func(*R) *map[string]json.RawMessage, fields []Field[R]) Node[R] {
	known := make(map[string]bool, len(fields))
	for _, field := range fields {
		known[field.wire] = true
	}
	read := func(v *value, at *place) (into R, err *ValidationError) {
		if !v.is(kindObject) {
			return into, at.refuse("must be an object")
		}
		for _, field := range fields {
			if err := field.read(&into, v.get(field.wire), at); err != nil {
				return into, err
			}
		}
		for index, key := range v.keys {
			if known[key] {
				continue
			}
			if extra == nil || key == poison {
				return into, at.refuseBelow(key, "is not a field that is known here")
			}
			more, err := readBelow(JSON(), v.items[index], key, at)
			if err != nil {
				return into, err
			}
			if *extra(&into) == nil {
				*extra(&into) = map[string]json.RawMessage{}
			}
			(*extra(&into))[key] = more
		}
		return into, nil
	}
	write := func(from R, at *place) (*value, *ValidationError) {
		into := objectValue()
		for _, field := range fields {
			written, err := field.write(&from, at)
			if err != nil {
				return nil, err
			}
			if written != nil {
				into.put(field.wire, written)
			}
		}
		if extra == nil {
			return into, nil
		}
		for _, key := range sortedKeys(*extra(&from)) {
			if known[key] {
				continue
			}
			written, err := writeBelow(JSON(), (*extra(&from))[key], key, at)
			if err != nil {
				return nil, err
			}
			into.put(key, written)
		}
		return into, nil
	}
	fresh := func() (into R) {
		for _, field := range fields {
			if field.fill != nil {
				// A default fits its field.
				_ = field.fill(&into, &place{})
			}
		}
		return into
	}
	return Node[R]{nullable: never, fresh: fresh, read: read, write: write}
}

func sortedKeys[V any](from map[string]V) []string {
	keys := make([]string, 0, len(from))
	for key := range from {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// Variant is one record of a tagged union, whose values are kept as I.
type Variant[I any] struct {
	tag   string
	read  func(v *value, at *place) (I, *ValidationError)
	write func(from I, at *place) (*value, *ValidationError, bool)
}

// Case is the variant with this tag.
func Case[T, I any](tag string, node Node[T], keep func(T) I) Variant[I] {
	return Variant[I]{
		tag: tag,
		read: func(v *value, at *place) (none I, _ *ValidationError) {
			read, err := node.read(v, at)
			if err != nil {
				return none, err
			}
			return keep(read), nil
		},
		write: func(from I, at *place) (*value, *ValidationError, bool) {
			held, ok := any(from).(T)
			if pointer, is := any(from).(*T); is && pointer != nil {
				held, ok = *pointer, true
			}
			if !ok {
				return nil, nil, false
			}
			written, err := node.write(held, at)
			return written, err, true
		},
	}
}

// Tagged is a tagged union: the tag tells which record it is.
func Tagged[U, I any](wire string, of func(*U) *I, variants ...Variant[I]) Node[U] {
	tags := make([]string, 0, len(variants))
	for _, variant := range variants {
		tags = append(tags, variant.tag)
	}
	read := func(v *value, at *place) (into U, err *ValidationError) {
		if !v.is(kindObject) {
			return into, at.refuse("must be an object")
		}
		tag := v.get(wire)
		if tag == nil {
			return into, at.refuseBelow(wire, "is missing")
		}
		found := -1
		if tag.is(kindString) {
			found = slices.Index(tags, tag.text)
		}
		if found < 0 {
			return into, at.refuseBelow(wire, "must be one of "+listed(tags))
		}
		variant, err := variants[found].read(v, at)
		if err == nil {
			*of(&into) = variant
		}
		return into, err
	}
	write := func(from U, at *place) (*value, *ValidationError) {
		for _, variant := range variants {
			if written, err, is := variant.write(*of(&from), at); is {
				return written, err
			}
		}
		return nil, at.refuseBelow(wire, "is missing")
	}
	return Node[U]{nullable: never, read: read, write: write}
}

// Constant is what may stand in a type as a value.
type Constant interface {
	~string | ~int64 | ~float64 | ~bool
}

func constant[T Constant](from T) *value {
	switch held := reflect.ValueOf(from); held.Kind() {
	case reflect.String:
		return textValue(held.String())
	case reflect.Int64:
		return numberValue(float64(held.Int()))
	case reflect.Float64:
		return numberValue(held.Float())
	default:
		return boolValue(held.Bool())
	}
}

func listed[T Constant](values []T) string {
	parts := make([]string, 0, len(values))
	for _, held := range values {
		parts = append(parts, string(canonical(constant(held))))
	}
	return strings.Join(parts, ", ")
}

// OneOf is one of some constants.
func OneOf[T Constant](values ...T) Node[T] {
	known := make([]*value, 0, len(values))
	for _, held := range values {
		known = append(known, constant(held))
	}
	read := func(v *value, at *place) (T, *ValidationError) {
		for index, held := range known {
			same := held.kind == v.kind && (v.kind == kindNumber && held.number == v.number ||
				v.kind == kindString && held.text == v.text || v.kind == kindBool && held.truth == v.truth)
			if same {
				return values[index], nil
			}
		}
		var none T
		if len(values) == 1 {
			return none, at.refuse("must be " + listed(values))
		}
		return none, at.refuse("must be one of " + listed(values))
	}
	write := func(from T, _ *place) (*value, *ValidationError) { return constant(from), nil }
	return Node[T]{nullable: never, read: read, write: write}
}

// Size bounds the number of items or entries.
type Size func(*sizes)

type sizes struct {
	min, max int
	unique   bool
}

// MinItems is the least number of items or entries.
func MinItems(count int) Size { return func(s *sizes) { s.min = count } }

// MaxItems is the greatest number of items or entries.
func MaxItems(count int) Size { return func(s *sizes) { s.max = count } }

// Unique says that no two items may be equal.
func Unique() Size { return func(s *sizes) { s.unique = true } }

func sizesOf(given []Size) sizes {
	found := sizes{max: math.MaxInt}
	for _, set := range given {
		set(&found)
	}
	return found
}

func (s sizes) check(count int, what string, at *place) *ValidationError {
	if count < s.min {
		return at.refuse("must have at least " + strconv.Itoa(s.min) + " " + what)
	}
	if count > s.max {
		return at.refuse("must have at most " + strconv.Itoa(s.max) + " " + what)
	}
	return nil
}

// List is a list; nil is written as an empty one.
func List[S ~[]T, T any](item Node[T], given ...Size) Node[S] {
	limits := sizesOf(given)
	read := func(v *value, at *place) (S, *ValidationError) {
		if !v.is(kindList) {
			return nil, at.refuse("must be a list")
		}
		if err := limits.check(len(v.items), "items", at); err != nil {
			return nil, err
		}
		into := make(S, 0, len(v.items))
		for index, element := range v.items {
			read, err := readBelow(item, element, index, at)
			if err != nil {
				return nil, err
			}
			into = append(into, read)
		}
		if limits.unique {
			seen := make(map[string]bool, len(v.items))
			for _, element := range v.items {
				seen[string(canonical(element))] = true
			}
			if len(seen) < len(v.items) {
				return nil, at.refuse("must not have equal items")
			}
		}
		return into, nil
	}
	write := func(from S, at *place) (*value, *ValidationError) {
		items := make([]*value, 0, len(from))
		for index, element := range from {
			written, err := writeBelow(item, element, index, at)
			if err != nil {
				return nil, err
			}
			items = append(items, written)
		}
		return listValue(items), nil
	}
	return Node[S]{nullable: never, isNil: func(from S) bool { return from == nil }, read: read, write: write}
}

// Map is a map from texts; nil is written as an empty one.
func Map[M ~map[string]T, T any](entry Node[T], given ...Size) Node[M] {
	limits := sizesOf(given)
	read := func(v *value, at *place) (M, *ValidationError) {
		if !v.is(kindObject) {
			return nil, at.refuse("must be an object")
		}
		if err := limits.check(len(v.keys), "entries", at); err != nil {
			return nil, err
		}
		into := make(M, len(v.keys))
		for index, key := range v.keys {
			if err := checkKey(key, at); err != nil {
				return nil, err
			}
			read, err := readBelow(entry, v.items[index], key, at)
			if err != nil {
				return nil, err
			}
			into[key] = read
		}
		return into, nil
	}
	write := func(from M, at *place) (*value, *ValidationError) {
		into := objectValue()
		for _, key := range sortedKeys(from) {
			written, err := writeBelow(entry, from[key], key, at)
			if err != nil {
				return nil, err
			}
			into.put(key, written)
		}
		return into, nil
	}
	return Node[M]{nullable: never, isNil: func(from M) bool { return from == nil }, read: read, write: write}
}

func checkKey(key string, at *place) *ValidationError {
	if key == poison {
		return at.refuseBelow(key, "is no key that is safe in JavaScript")
	}
	if !utf8.ValidString(key) {
		return at.refuseBelow(key, "must be UTF-8")
	}
	return nil
}

// Null is null.
func Null() Node[Nothing] {
	return Node[Nothing]{
		nullable: always,
		read: func(v *value, at *place) (Nothing, *ValidationError) {
			if !v.isNull() {
				return Nothing{}, at.refuse("must be null")
			}
			return Nothing{}, nil
		},
		write: func(Nothing, *place) (*value, *ValidationError) { return nullValue(), nil },
	}
}

// OrNull is a value, or null, which a nil pointer says.
func OrNull[T any](node Node[T]) Node[*T] {
	return Node[*T]{
		nullable: always,
		isNil:    func(from *T) bool { return from == nil },
		read: func(v *value, at *place) (*T, *ValidationError) {
			if v.isNull() {
				return nil, nil
			}
			read, err := node.read(v, at)
			if err != nil {
				return nil, err
			}
			return &read, nil
		},
		write: func(from *T, at *place) (*value, *ValidationError) {
			if from == nil {
				return nullValue(), nil
			}
			return node.write(*from, at)
		},
	}
}

// NilOrNull is a value, or null, which nil says: a list, a map, bytes, or a value of several types.
func NilOrNull[T any](node Node[T]) Node[T] {
	return Node[T]{
		nullable: always,
		isNil:    node.isNil,
		read: func(v *value, at *place) (none T, _ *ValidationError) {
			if v.isNull() {
				return none, nil
			}
			return node.read(v, at)
		},
		write: func(from T, at *place) (*value, *ValidationError) {
			if node.isNil(from) {
				return nullValue(), nil
			}
			return node.write(from, at)
		},
	}
}

// Member is a node of one of the types of a union without a tag.
func Member[T any](node Node[T]) Node[any] {
	return Node[any]{
		nullable: node.nullable,
		isNil:    func(from any) bool { return from == nil },
		read: func(v *value, at *place) (any, *ValidationError) {
			read, err := node.read(v, at)
			if err != nil {
				return nil, err
			}
			return read, nil
		},
		write: func(from any, at *place) (*value, *ValidationError) {
			held, ok := from.(T)
			if !ok {
				return nil, at.refuse("is of another type")
			}
			written, err := node.write(held, at)
			if err != nil {
				return nil, err
			}
			_, err = node.read(written, &place{})
			return written, err
		},
	}
}

// Either is the first of several types that a value fits.
func Either(members ...Node[any]) Node[any] {
	nullable := func() bool {
		return slices.ContainsFunc(members, func(member Node[any]) bool { return member.nullable() })
	}
	union := new(byte)
	first := func(v *value, at *place) (any, *ValidationError) {
		depth := len(at.path)
		for _, member := range members {
			if read, err := member.read(v, at); err == nil {
				return read, nil
			}
			at.path = at.path[:depth]
		}
		return nil, at.refuse("fits none of its types")
	}
	read := func(v *value, at *place) (any, *ValidationError) {
		if known, ok := at.tried[attempt{union, v}]; ok {
			return known.read, known.err
		}
		read, err := first(v, at)
		if at.tried == nil {
			at.tried = map[attempt]result{}
		}
		at.tried[attempt{union, v}] = result{read, err}
		return read, err
	}
	write := func(from any, at *place) (*value, *ValidationError) {
		depth := len(at.path)
		for _, member := range members {
			if written, err := member.write(from, at); err == nil {
				return written, nil
			}
			at.path = at.path[:depth]
		}
		return nil, at.refuse("fits none of its types")
	}
	return Node[any]{nullable: nullable, isNil: func(from any) bool { return from == nil }, read: read, write: write}
}

// JSON is any JSON value; nil is written as null.
func JSON() Node[json.RawMessage] {
	return Node[json.RawMessage]{
		nullable: always,
		isNil:    func(from json.RawMessage) bool { return from == nil },
		read: func(v *value, at *place) (json.RawMessage, *ValidationError) {
			if err := checkJSON(v, at); err != nil {
				return nil, err
			}
			return asWritten(v), nil
		},
		write: func(from json.RawMessage, at *place) (*value, *ValidationError) {
			if from == nil {
				return nullValue(), nil
			}
			written, err := parse(from)
			if err != nil {
				err.Path = append(append([]any(nil), at.path...), err.Path...)
			}
			return written, err
		},
	}
}

func checkJSON(v *value, at *place) *ValidationError {
	if v.is(kindNumber) && !v.finite() {
		return at.refuse("must be JSON")
	}
	for index, item := range v.items {
		var part any = index
		if v.is(kindObject) {
			if err := checkKey(v.keys[index], at); err != nil {
				return err
			}
			part = v.keys[index]
		}
		if err := at.enter(part); err != nil {
			return err
		}
		if err := checkJSON(item, at); err != nil {
			return err
		}
		at.leave()
	}
	return nil
}
