package weavebuild

import (
	"errors"
	"fmt"
	"maps"
)

// Type is a type: a JSON Schema, with the declared types that it refers to.
type Type struct {
	schema   map[string]any
	uses     []string
	optional bool
	err      error
}

// Typed is a Type or a TypePart.
type Typed interface{ typed() Type }

func (t Type) typed() Type { return t }

// NamedType is a field of a record.
type NamedType struct {
	name string
	held Type
}

// Field is a field of a record.
func Field(name string, held Typed) NamedType { return NamedType{name, held.typed()} }

// Types has the types that a builder can write.
type Types struct{}

// T has the types that a builder can write.
var T Types

func text(format string) Type {
	return Type{schema: map[string]any{"type": "string", "format": format}}
}

func simple(name string) Type { return Type{schema: map[string]any{"type": name}} }

// String is text.
func (Types) String() Type { return simple("string") }

// Bool is true or false.
func (Types) Bool() Type { return simple("boolean") }

// Int is a whole number.
func (Types) Int() Type {
	const greatest = 1<<53 - 1
	return Type{schema: map[string]any{"type": "integer", "minimum": -greatest, "maximum": greatest}}
}

// Float is a number.
func (Types) Float() Type { return simple("number") }

// Int64 is a whole number of 64 bits.
func (t Types) Int64() Type { return t.Noted(text("int64"), Set("pattern", "^-?[0-9]{1,19}$")) }

// Decimal is an exact decimal number.
func (t Types) Decimal() Type {
	return t.Noted(text("decimal"), Set("pattern", `^-?[0-9]+(\.[0-9]+)?$`))
}

// Bytes are octets.
func (t Types) Bytes() Type { return t.Noted(simple("string"), Set("contentEncoding", "base64")) }

// Timestamp is a moment.
func (Types) Timestamp() Type { return text("date-time") }

// Date is a day.
func (Types) Date() Type { return text("date") }

// Duration is a length of time.
func (Types) Duration() Type { return text("duration") }

// UUID is a UUID.
func (Types) UUID() Type { return text("uuid") }

// URI is a URI.
func (Types) URI() Type { return text("uri") }

// Email is an e-mail address.
func (Types) Email() Type { return text("email") }

// JSON is anything.
func (Types) JSON() Type { return Type{schema: map[string]any{}} }

// Nothing is null.
func (Types) Nothing() Type { return simple("null") }

// OneOf is one of these values, all of them of one type.
func (Types) OneOf(first any, others ...any) Type {
	name := "string"
	switch number, is := asFloat(first); {
	case is && number == float64(int64(number)):
		name = "integer"
	case is:
		name = "number"
	default:
		if _, is := first.(bool); is {
			name = "boolean"
		}
	}
	made := simple(name)
	if len(others) == 0 {
		made.schema["const"] = first
	} else {
		made.schema["enum"] = append([]any{first}, others...)
	}
	return made
}

// List is a list.
func (Types) List(item Typed) Type {
	inner := item.typed()
	return Type{schema: map[string]any{"type": "array", "items": inner.schema}, uses: inner.uses, err: inner.err}
}

// Map is a map from strings.
func (Types) Map(value Typed) Type {
	inner := value.typed()
	return Type{schema: map[string]any{"type": "object", "additionalProperties": inner.schema}, uses: inner.uses, err: inner.err}
}

// Either is one of these types.
func (Types) Either(members ...Typed) Type {
	made := Type{}
	alternatives := []any{}
	for _, member := range members {
		inner := member.typed()
		alternatives = append(alternatives, inner.schema)
		made.uses = append(made.uses, inner.uses...)
		made.err = errors.Join(made.err, inner.err)
	}
	made.schema = map[string]any{"anyOf": alternatives}
	return made
}

// Nullable is the type or null.
func (Types) Nullable(held Typed) Type {
	inner := held.typed()
	alternatives, is := inner.schema["anyOf"].([]any)
	if !is {
		alternatives = []any{inner.schema}
	}
	inner.schema = map[string]any{"anyOf": append(append([]any{}, alternatives...), simple("null").schema)}
	inner.optional = false
	return inner
}

func record(fields []NamedType, open bool) Type {
	made := Type{schema: map[string]any{"type": "object", "additionalProperties": open}}
	properties, required := map[string]any{}, []any{}
	for _, field := range fields {
		if properties[field.name] != nil {
			made.err = errors.Join(made.err, fmt.Errorf("`%s` is the name of two fields", field.name))
		}
		properties[field.name] = field.held.schema
		if !field.held.optional {
			required = append(required, field.name)
		}
		made.uses = append(made.uses, field.held.uses...)
		made.err = errors.Join(made.err, field.held.err)
	}
	made.schema["properties"] = properties
	if len(required) > 0 {
		made.schema["required"] = required
	}
	return made
}

// Record is a record with these fields and no others.
func (Types) Record(fields ...NamedType) Type { return record(fields, false) }

// OpenRecord is a record that may have more than these fields.
func (Types) OpenRecord(fields ...NamedType) Type { return record(fields, true) }

// Optional is the type of a field that may be left out.
func (Types) Optional(held Typed) Type {
	made := held.typed()
	made.optional = true
	return made
}

// Noted is a type with further keywords of JSON Schema, such as minLength or description. A field with a default may be left out.
func (Types) Noted(held Typed, keywords ...Pair) Type {
	made := held.typed()
	made.schema = maps.Clone(made.schema)
	for _, keyword := range keywords {
		value, err := constant(keyword.Value)
		made.err = errors.Join(made.err, err)
		made.schema[keyword.Key] = value
		made.optional = made.optional || keyword.Key == "default"
	}
	return made
}

// Schema is a type that nothing else here says, as JSON Schema.
func (t Types) Schema(keywords ...Pair) Type { return t.Noted(t.JSON(), keywords...) }
