package weavebuild

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// part is something that stands beside the nodes of a definition.
type part struct {
	// PACKAGE/SECTION/NAME, or SECTION/NAME for what is built in.
	key string
}

func (p part) name() string { return p.key[strings.LastIndex(p.key, "/")+1:] }

func (p part) parts() []part { return []part{p} }

func section(key string) string {
	parts := strings.Split(key, "/")
	return parts[len(parts)-2]
}

// Given is what a node gives to a tool, an agent or a workflow, or as a payload: a generated struct with a field for each name. A field
// that nobody sets is left out; JSONNull is null.
type Given interface{ Given() Entries }

// Entry is one name of what is given, with its value if it has one.
type Entry struct {
	pair   Pair
	needed bool
}

// Needs is an entry that there must be. Generated code calls it, and the functions below.
func Needs(key string, value any) Entry { return Entry{Set(key, value), true} }

// Takes is an entry that may be left out.
func Takes(key string, value any) Entry { return Entry{Set(key, value), false} }

// Entries is all that is given.
type Entries struct {
	values Values
	lacks  []string
}

// EntriesOf is all that is given, of these.
func EntriesOf(entries ...Entry) Entries {
	made := Entries{values: Values{}}
	for _, entry := range entries {
		switch {
		case entry.pair.Value != nil:
			made.values = append(made.values, entry.pair)
		case entry.needed:
			made.lacks = append(made.lacks, "`"+entry.pair.Key+"`")
		}
	}
	return made
}

// lowered is what is given as a definition has it.
func (p part) lowered(word string, given any) (any, error) {
	var err error
	if fields, is := given.(Given); is {
		entries := fields.Given()
		if len(entries.lacks) > 0 {
			err = fmt.Errorf("`%s` of `%s` lacks %s", word, p.name(), strings.Join(entries.lacks, ", "))
		}
		given = entries.values
	}
	made, problem := lower(given)
	return made, errors.Join(err, problem)
}

// Topic is an event whatever its payload is: an EventPart.
type Topic interface {
	Listens
	name() string
	parts() []part
}

// EventPart is an event, or its topic, with the type of its payload.
type EventPart[P any] struct{ part }

// ErrorPart is a declared error.
type ErrorPart struct{ part }

// ToolPart is a tool with the type of its arguments.
type ToolPart[A Given] struct{ part }

// AgentPart is an agent with the type of its arguments.
type AgentPart[A Given] struct{ part }

// WorkflowPart is a workflow that others run, with the type of its input.
type WorkflowPart[A Given] struct{ part }

// TypePart is a declared type.
type TypePart struct {
	part
	definition string
}

func (t TypePart) typed() Type {
	return Type{schema: map[string]any{"$ref": "#/$defs/" + t.definition}, uses: []string{t.key}}
}

// NewEvent is the event with this key. Generated code calls it, and the functions below.
func NewEvent[P any](key string) EventPart[P] { return EventPart[P]{part{key}} }

// NewError is the declared error with this key.
func NewError(key string) ErrorPart { return ErrorPart{part{key}} }

// NewTool is the tool with this key.
func NewTool[A Given](key string) ToolPart[A] { return ToolPart[A]{part{key}} }

// NewAgent is the agent with this key.
func NewAgent[A Given](key string) AgentPart[A] { return AgentPart[A]{part{key}} }

// NewWorkflow is the workflow with this key.
func NewWorkflow[A Given](key string) WorkflowPart[A] { return WorkflowPart[A]{part{key}} }

// NewType is the declared type with this key, by its name among the types.
func NewType(key, definition string) TypePart { return TypePart{part{key}, definition} }

// Callable is what an agent's model can call: a tool, an agent or a workflow.
type Callable interface {
	name() string
	parts() []part
	callable()
}

func (ToolPart[A]) callable()     {}
func (AgentPart[A]) callable()    {}
func (WorkflowPart[A]) callable() {}

// partData is what is known of a part.
type partData struct {
	Name        string         `json:"name"`
	Entry       map[string]any `json:"entry"`
	Uses        []string       `json:"uses"`
	Projections map[string]any `json:"projections"`
	Offered     map[string]any `json:"offered"`
	Settings    map[string]any `json:"settings"`
}

func data(key string) (partData, error) {
	var found partData
	text := partText(key)
	if text == "" {
		return found, fmt.Errorf("there is no `%s`; generate the package again", key)
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	err := decoder.Decode(&found)
	return found, err
}

// merge adds what stands in other, and where both have the same keys, what stands there.
func merge(into, other map[string]any) {
	for key, value := range other {
		held, isHeld := into[key].(map[string]any)
		added, isAdded := value.(map[string]any)
		_, isProjection := added["schema"]
		if isHeld && isAdded && !isProjection {
			held = maps.Clone(held)
			merge(held, added)
			into[key] = held
		} else {
			into[key] = value
		}
	}
}

// reach finds all parts that these bring along.
func reach(open []string) (map[string]partData, error) {
	reached := map[string]partData{}
	for len(open) > 0 {
		key := open[len(open)-1]
		open = open[:len(open)-1]
		if _, is := reached[key]; is {
			continue
		}
		found, err := data(key)
		if err != nil {
			return nil, err
		}
		reached[key] = found
		open = append(open, found.Uses...)
	}
	return reached, nil
}

// assemble adds to a definition what its nodes and types reach.
func assemble(definition map[string]any, uses []string) (map[string]any, error) {
	reached, err := reach(uses)
	if err != nil {
		return nil, err
	}
	projections := map[string]any{}
	holders := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(reached)) {
		found, section := reached[key], section(key)
		entries, _ := definition[section].(map[string]any)
		if entries == nil {
			entries = map[string]any{}
			definition[section] = entries
		}
		place := section + "/" + found.Name
		if holder, is := holders[place]; is && section != "$defs" {
			return nil, fmt.Errorf("`%s` and `%s` are both used by the workflow, and have one name", holder, key)
		}
		holders[place] = key
		entries[found.Name] = found.Entry
		merge(projections, found.Projections)
		if section == "agents" {
			offers, _ := found.Entry["tools"].([]any)
			for _, offer := range offers {
				merge(projections, offered(offer, reached))
			}
		}
	}
	if len(projections) > 0 {
		definition["projections"] = projections
	}
	names := newNames(reached)
	if len(names) == 0 {
		return definition, nil
	}
	nodes := definition["nodes"]
	delete(definition, "nodes")
	renamed, _ := rename(definition, names).(map[string]any)
	renamed["nodes"] = nodes
	return renamed, nil
}

// offered are the projections of what an agent is offered.
func offered(offer any, reached map[string]partData) map[string]any {
	entries, _ := offer.(map[string]any)
	for kind, wanted := range map[string]string{"tool": "tools", "agent": "agents", "workflow": "workflows"} {
		for key, found := range reached {
			if entries[kind] == found.Name && section(key) == wanted {
				return found.Offered
			}
		}
	}
	return nil
}

// newNames are new names for types: the declared name, unless several types that are there have it.
func newNames(reached map[string]partData) map[string]string {
	byName := map[string]map[string]bool{}
	for key, found := range reached {
		if section(key) == "$defs" {
			declared := part{key}.name()
			if byName[declared] == nil {
				byName[declared] = map[string]bool{}
			}
			byName[declared][found.Name] = true
		}
	}
	names := map[string]string{}
	for declared, all := range byName {
		for name := range all {
			if len(all) == 1 && name != declared {
				names[name] = declared
			}
		}
	}
	return names
}

// rename is the same with these types called otherwise, wherever they are named.
func rename(value any, names map[string]string) any {
	switch value := value.(type) {
	case []any:
		made := []any{}
		for _, item := range value {
			made = append(made, rename(item, names))
		}
		return made
	case map[string]any:
		made := map[string]any{}
		for key, held := range value {
			if text, is := held.(string); is && (key == "$ref" || key == "at") {
				made[key] = renameReference(text, names)
				continue
			}
			inner := rename(held, names)
			if types, is := inner.(map[string]any); is && key == "$defs" {
				renamed := map[string]any{}
				for name, held := range types {
					renamed[renameOne(name, names)] = held
				}
				inner = renamed
			}
			made[key] = inner
		}
		return made
	}
	return value
}

func renameOne(name string, names map[string]string) string {
	if other, is := names[name]; is {
		return other
	}
	return name
}

func renameReference(text string, names map[string]string) string {
	for _, prefix := range []string{"#/$defs/", "/$defs/"} {
		if rest, is := strings.CutPrefix(text, prefix); is {
			name, behind, more := strings.Cut(rest, "/")
			if more {
				behind = "/" + behind
			}
			return prefix + renameOne(name, names) + behind
		}
	}
	return text
}
