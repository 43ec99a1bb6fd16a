package weaveruntime

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// Described is what has a JSON Schema (draft 2020-12) that needs no other document: a [Codec].
type Described interface {
	Schema() json.RawMessage
	described() *schema
}

// schema is a JSON Schema, and the named types that it refers to itself. What can be reached from it is put together once, when somebody asks.
type schema struct {
	own      string
	referred []Definition
	once     sync.Once
	whole    string
}

func newSchema(own string) *schema { return &schema{own: own} }

// Definition is a named type to which schemas refer.
type Definition struct {
	name   string
	schema *schema
}

// To is the type that a codec reads and writes, by its name in `$defs`.
func To(name string, codec Described) Definition { return Definition{name, codec.described()} }

// document is the schema with all that can be reached from it.
func (s *schema) document() string {
	s.once.Do(func() {
		found := map[string]*schema{}
		for open := slices.Clone(s.referred); len(open) > 0; {
			next := open[len(open)-1]
			open = open[:len(open)-1]
			if _, known := found[next.name]; !known {
				found[next.name] = next.schema
				open = append(open, next.schema.referred...)
			}
		}
		s.whole = s.own
		if len(found) == 0 {
			return
		}
		names := make([]string, 0, len(found))
		for name := range found {
			names = append(names, name)
		}
		slices.Sort(names)
		var definitions strings.Builder
		for at, name := range names {
			if at > 0 {
				definitions.WriteByte(',')
			}
			definitions.Write(appendText(nil, name))
			definitions.WriteByte(':')
			definitions.WriteString(found[name].own)
		}
		s.whole = withEntry(s.own, "$defs", "{"+definitions.String()+"}")
	})
	return s.whole
}

// withEntry is the text of an object that is not empty with one entry more.
func withEntry(object, key, entry string) string {
	return strings.TrimSuffix(object, "}") + "," + string(appendText(nil, key)) + ":" + entry + "}"
}

// descriptor is what a definition says about a tool: a text, and the schemas that belong into it.
type descriptor struct {
	said    string
	keys    []string
	schemas []*schema
}

func (d *descriptor) add(key string, of Described) {
	d.keys = append(d.keys, key)
	d.schemas = append(d.schemas, of.described())
}

func (d *descriptor) document() json.RawMessage {
	whole := d.said
	for at, key := range d.keys {
		whole = withEntry(whole, key, d.schemas[at].document())
	}
	return json.RawMessage(whole)
}

// is says whether both are of the same tool.
func (d *descriptor) is(other *descriptor) bool {
	return d.said == other.said && slices.Equal(d.schemas, other.schemas)
}
