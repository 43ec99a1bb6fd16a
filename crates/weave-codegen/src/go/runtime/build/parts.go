package weavebuild

import (
	"encoding/json"
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

// EventPart is an event, or its topic.
type EventPart struct{ part }

// ErrorPart is a declared error.
type ErrorPart struct{ part }

// ToolPart is a tool.
type ToolPart struct{ part }

// AgentPart is an agent.
type AgentPart struct{ part }

// WorkflowPart is a workflow that others run.
type WorkflowPart struct{ part }

// TypePart is a declared type.
type TypePart struct {
	part
	definition string
}

func (t TypePart) typed() Type {
	return Type{schema: map[string]any{"$ref": "#/$defs/" + t.definition}, uses: []string{t.key}}
}

// NewEvent is the event with this key. Generated code calls it, and the functions below.
func NewEvent(key string) EventPart { return EventPart{part{key}} }

// NewError is the declared error with this key.
func NewError(key string) ErrorPart { return ErrorPart{part{key}} }

// NewTool is the tool with this key.
func NewTool(key string) ToolPart { return ToolPart{part{key}} }

// NewAgent is the agent with this key.
func NewAgent(key string) AgentPart { return AgentPart{part{key}} }

// NewWorkflow is the workflow with this key.
func NewWorkflow(key string) WorkflowPart { return WorkflowPart{part{key}} }

// NewType is the declared type with this key, by its name among the types.
func NewType(key, definition string) TypePart { return TypePart{part{key}, definition} }

// Callable is what an agent's model can call: a tool, an agent or a workflow.
type Callable interface {
	name() string
	parts() []part
	callable()
}

func (ToolPart) callable()     {}
func (AgentPart) callable()    {}
func (WorkflowPart) callable() {}

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

// check refuses arguments that it does not take, and too few of them.
func (p part) check(word string, args Values) error {
	known, err := data(p.key)
	if err != nil {
		return err
	}
	input, _ := known.Entry["input"].(map[string]any)
	properties, _ := input["properties"].(map[string]any)
	given := map[string]bool{}
	for _, entry := range args {
		given[entry.Key] = true
		if _, is := properties[entry.Key]; !is {
			names := []string{}
			for _, name := range slices.Sorted(maps.Keys(properties)) {
				names = append(names, "`"+name+"`")
			}
			if len(names) == 0 {
				names = []string{"none"}
			}
			return fmt.Errorf("`%s` has no parameter `%s`, it has %s", p.name(), entry.Key, strings.Join(names, ", "))
		}
	}
	required, _ := input["required"].([]any)
	for _, name := range required {
		if text, is := name.(string); is && !given[text] {
			return fmt.Errorf("`%s` of `%s` lacks `%s`", word, p.name(), text)
		}
	}
	return nil
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
