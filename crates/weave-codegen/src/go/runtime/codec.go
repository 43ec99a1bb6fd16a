// Package weaveruntime is what all generated packages share: how values are read from JSON and written to it, checked at the boundary,
// and how tools are called. It needs nothing but the standard library.
package weaveruntime

import (
	"encoding/json"
	"strconv"
	"strings"
)

// ValidationError says what is wrong with a value, and where.
type ValidationError struct {
	// Path has names as they stand in JSON (string), and indices (int).
	Path []any

	// Message says what is wrong.
	Message string

	syntax bool
}

// Error gives the path and what is wrong there.
func (e *ValidationError) Error() string { return e.Pointer() + ": " + e.Message }

// Pointer is the path as a JSON pointer, "(root)" for the value itself.
func (e *ValidationError) Pointer() string {
	if len(e.Path) == 0 {
		return "(root)"
	}
	var out strings.Builder
	for _, part := range e.Path {
		out.WriteByte('/')
		switch part := part.(type) {
		case int:
			out.WriteString(strconv.Itoa(part))
		case string:
			out.WriteString(strings.ReplaceAll(strings.ReplaceAll(part, "~", "~0"), "/", "~1"))
		}
	}
	return out.String()
}

// asError is the error, and nil where there is none.
func (e *ValidationError) asError() error {
	if e == nil {
		return nil
	}
	return e
}

// deepest bounds the depth of values; readers of JSON elsewhere do so too.
const deepest = 512

// place is where reading, or writing, has come to.
type place struct {
	path []any

	// What became of values of unions without a tag, so that each is read once, however many types around it are tried.
	tried map[attempt]result
}

// attempt is a union without a tag, and a value.
type attempt struct {
	union *byte
	value *value
}

type result struct {
	read any
	err  *ValidationError
}

// refuse says what is wrong here.
func (at *place) refuse(message string) *ValidationError {
	return &ValidationError{Message: message, Path: append([]any(nil), at.path...)}
}

// refuseBelow says what is wrong with what stands, or should stand, under a key.
func (at *place) refuseBelow(part any, message string) *ValidationError {
	err := at.refuse(message)
	err.Path = append(err.Path, part)
	return err
}

func (at *place) enter(part any) *ValidationError {
	if len(at.path) >= deepest {
		return at.refuse("is nested deeper than " + strconv.Itoa(deepest) + " levels")
	}
	at.path = append(at.path, part)
	return nil
}

func (at *place) leave() { at.path = at.path[:len(at.path)-1] }

// Node is how a type is read and written. Codecs are made of nodes.
type Node[T any] struct {
	// Whether null is one of its values.
	nullable func() bool

	// Whether a value of it is nil, for types that can be; nothing for others.
	isNil func(T) bool

	// A value with the defaults of its fields, for records; nothing for others.
	fresh func() T

	read  func(v *value, at *place) (T, *ValidationError)
	write func(from T, at *place) (*value, *ValidationError)
}

func never() bool  { return false }
func always() bool { return true }

// readBelow reads what stands under a key or an index.
func readBelow[T any](node Node[T], v *value, part any, at *place) (T, *ValidationError) {
	if err := at.enter(part); err != nil {
		var none T
		return none, err
	}
	read, err := node.read(v, at)
	if err == nil {
		at.leave()
	}
	return read, err
}

// writeBelow writes what shall stand under a key or an index.
func writeBelow[T any](node Node[T], from T, part any, at *place) (*value, *ValidationError) {
	if err := at.enter(part); err != nil {
		return nil, err
	}
	written, err := node.write(from, at)
	if err == nil {
		at.leave()
	}
	return written, err
}

// Codec reads and writes the values of one type.
type Codec[T any] struct {
	schema *schema
	node   Node[T]
}

// NewCodec is a codec that is defined later, so that types may contain themselves.
func NewCodec[T any](schema string) *Codec[T] { return &Codec[T]{schema: newSchema(schema)} }

// Define says what the codec is made of.
func (c *Codec[T]) Define(node Node[T]) { c.node = node }

// Refer says to which named types the schema refers itself.
func (c *Codec[T]) Refer(to ...Definition) { c.schema.referred = to }

// Schema is the JSON Schema (draft 2020-12) of the type, which needs no other document.
func (c *Codec[T]) Schema() json.RawMessage { return json.RawMessage(c.schema.document()) }

func (c *Codec[T]) described() *schema { return c.schema }

// Node is what other codecs are made of.
func (c *Codec[T]) Node() Node[T] {
	return Node[T]{
		nullable: func() bool { return c.node.nullable() },
		isNil:    func(from T) bool { return c.node.isNil(from) },
		read:     func(v *value, at *place) (T, *ValidationError) { return c.node.read(v, at) },
		write:    func(from T, at *place) (*value, *ValidationError) { return c.node.write(from, at) },
	}
}

// New is a value in which the fields that have defaults hold them.
func (c *Codec[T]) New() T {
	if c.node.fresh == nil {
		var none T
		return none
	}
	return c.node.fresh()
}

// Decode reads a JSON text. What does not fit is a [*ValidationError].
func (c *Codec[T]) Decode(text []byte) (T, error) {
	v, err := parse(text)
	if err != nil {
		var none T
		return none, err
	}
	read, err := c.node.read(v, &place{})
	return read, err.asError()
}

// DecodeTo reads a JSON text into a value, which stays as it is if the text does not fit.
func (c *Codec[T]) DecodeTo(text []byte, into *T) error {
	read, err := c.Decode(text)
	if err != nil {
		return err
	}
	*into = read
	return nil
}

func (c *Codec[T]) value(from T) (*value, *ValidationError) {
	written, err := c.node.write(from, &place{})
	if err != nil {
		return nil, err
	}
	_, err = c.node.read(written, &place{})
	return written, err
}

// Encode writes a value as JSON, in the one form of RFC 8785. What does not fit its type is a [*ValidationError].
func (c *Codec[T]) Encode(from T) ([]byte, error) {
	written, err := c.value(from)
	if err != nil {
		return nil, err
	}
	return canonical(written), nil
}

// Validate says whether a value fits its type.
func (c *Codec[T]) Validate(from T) error {
	_, err := c.value(from)
	return err.asError()
}

// Decoded reads a JSON text and keeps what was read as one of several.
func Decoded[T, I any](codec *Codec[T], text []byte, keep func(T) I) (I, error) {
	read, err := codec.Decode(text)
	if err != nil {
		var none I
		return none, err
	}
	return keep(read), nil
}
