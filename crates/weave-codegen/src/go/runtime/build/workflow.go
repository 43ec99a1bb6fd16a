package weavebuild

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Event is the value that fired a node.
var Event = Ref{root: "event"}

// Response is the event of a plain ai.response.
var Response = Ref{root: "response"}

// Result is the event of a plain tool.result.
var Result = Ref{root: "result"}

// Failure is the failure that fired a node.
var Failure = Ref{root: "failure"}

// Element is the element of a fan-out.
func Element(name string) Ref { return Ref{root: name} }

// Item is the element that a condition inside Exists or ForAll is about.
func Item(name string) Ref { return Ref{root: name, bound: true} }

// Workflow is a workflow that is put together.
type Workflow struct {
	// The input of the run.
	Input    Ref
	name     string
	said     *said
	order    []string
	nodes    map[string]map[string]any
	done     map[string]bool
	uses     []part
	ends     int
	problems []error
}

// New makes a workflow with this name. What is wrong with it, Definition says.
func New(name string, options ...WorkflowOption) *Workflow {
	flow := &Workflow{
		Input: Ref{root: "input"},
		name:  name,
		said:  newSaid(),
		nodes: map[string]map[string]any{},
		done:  map[string]bool{},
	}
	if !isName(name) {
		flow.wrong(fmt.Errorf("`%s` is not a name", name))
	}
	for _, option := range options {
		option.ofWorkflow(flow.said)
	}
	flow.wrong(flow.said.problem)
	return flow
}

// Name is its name.
func (w *Workflow) Name() string { return w.name }

func (w *Workflow) wrong(err error) {
	if err != nil {
		w.problems = append(w.problems, err)
	}
}

// Step is a node whose answer others read and listen to.
type Step struct {
	// Its latest answer.
	Answer   Ref
	id       string
	workflow *Workflow
}

// At is what stands in its answer under these names.
func (s *Step) At(keys ...any) Ref { return s.Answer.At(keys...) }

// Maybe is its answer, which may be absent.
func (s *Step) Maybe() Ref { return s.Answer.Maybe() }

// All is all its answers.
func (s *Step) All() Ref { return s.Answer.All() }

// Is says what fires it and what it does.
func (s *Step) Is(options ...StepOption) *Step {
	made := newSaid()
	for _, option := range options {
		option.ofStep(made)
	}
	if made.action == nil {
		s.workflow.wrong(fmt.Errorf("nobody has said what `%s` does", s.id))
		return s
	}
	action := *made.action
	keys := maps.Clone(action.keys)
	maps.Copy(keys, action.settings)
	maps.Copy(keys, made.keys)
	made.keys = keys
	made.used = append(made.used, action.used...)
	made.steps = append(made.steps, action.steps...)
	made.problem = errors.Join(made.problem, action.err)
	s.workflow.define(s.id, made)
	return s
}

// End is an end of the run.
type End struct {
	id       string
	workflow *Workflow
}

// Is says what fires it and what the output is.
func (e *End) Is(options ...EndOption) *End {
	made := newSaid()
	for _, option := range options {
		option.ofEnd(made)
	}
	made.keys["terminal"] = true
	e.workflow.define(e.id, made)
	return e
}

// Fail is an end with which the run fails.
type Fail struct {
	id       string
	workflow *Workflow
}

// Is says what fires it and why the run fails.
func (f *Fail) Is(options ...FailOption) *Fail {
	made := newSaid()
	for _, option := range options {
		option.ofFail(made)
	}
	made.keys["terminal"], made.keys["outcome"] = true, "failed"
	f.workflow.define(f.id, made)
	return f
}

// Step makes a step. The order of nodes decides between them. Without options, Is says later what it does, so that nodes before it can
// name it.
func (w *Workflow) Step(id string, options ...StepOption) *Step {
	switch id {
	case "start", "event", "failure", "input", "response", "result":
		w.wrong(fmt.Errorf("`%s` is reserved and cannot be the name of a step", id))
	}
	w.add(id, nil)
	step := &Step{Answer: Ref{root: id}, id: id, workflow: w}
	if len(options) > 0 {
		step.Is(options...)
	}
	return step
}

// End makes an end of the run.
func (w *Workflow) End(id string, options ...EndOption) *End {
	w.ends++
	w.add(id, map[string]any{"id": id, "terminal": true})
	end := &End{id, w}
	if len(options) > 0 {
		end.Is(options...)
	}
	return end
}

// Fail makes an end with which the run fails; the id is the code of the failure.
func (w *Workflow) Fail(id string, options ...FailOption) *Fail {
	w.ends++
	w.add(id, map[string]any{"id": id, "terminal": true, "outcome": "failed"})
	end := &Fail{id, w}
	if len(options) > 0 {
		end.Is(options...)
	}
	return end
}

func (w *Workflow) add(id string, node map[string]any) {
	if !isName(id) {
		w.wrong(fmt.Errorf("`%s` is not a name", id))
	}
	if _, is := w.nodes[id]; is {
		w.wrong(fmt.Errorf("`%s` is the name of two nodes", id))
		return
	}
	w.order = append(w.order, id)
	w.nodes[id] = node
}

func (w *Workflow) define(id string, made *said) {
	if w.done[id] {
		w.wrong(fmt.Errorf("what `%s` does has been said already", id))
	}
	w.done[id] = true
	node := made.keys
	node["id"] = id
	triggers := []any{}
	for _, trigger := range made.on {
		made.problem = errors.Join(made.problem, trigger.err)
		made.steps = append(made.steps, trigger.steps...)
		made.used = append(made.used, trigger.used...)
		on := w.source(trigger)
		switch {
		case len(made.on) == 1:
			// A node without `on` fires at the start.
			if on != "start" {
				node["on"] = on
			}
			maps.Copy(node, trigger.condition)
		case trigger.condition == nil:
			triggers = append(triggers, on)
		default:
			item := maps.Clone(trigger.condition)
			item["on"] = on
			triggers = append(triggers, item)
		}
	}
	if len(triggers) > 0 {
		node["on"] = map[string]any{"any": triggers}
	}
	for _, step := range made.steps {
		if step.workflow != w {
			w.wrong(fmt.Errorf("`%s` is a step of `%s`, not of `%s`", step.id, step.workflow.name, w.name))
		}
	}
	if made.problem != nil {
		w.wrong(fmt.Errorf("%s: %w", id, made.problem))
	}
	w.uses = append(w.uses, made.used...)
	w.nodes[id] = node
}

// source is what a trigger listens to. The members of a join stand in the order of the nodes: joins of the same steps are one trigger.
func (w *Workflow) source(trigger Trigger) any {
	source, is := trigger.source.(map[string]any)
	if !is || trigger.join == "" {
		return trigger.source
	}
	members, _ := source[trigger.join].([]any)
	place := func(member any) int { return slices.IndexFunc(w.order, func(id string) bool { return id == member }) }
	ordered := slices.SortedFunc(slices.Values(members), func(one, other any) int { return place(one) - place(other) })
	source = maps.Clone(source)
	source[trigger.join] = ordered
	return source
}

// Definition is a definition: what a .weave file with this workflow compiles to.
type Definition struct{ canonical []byte }

// Definition puts the definition together, or says what is wrong with the workflow.
func (w *Workflow) Definition() (*Definition, error) {
	problems := slices.Clone(w.problems)
	nodes := []any{}
	for _, id := range w.order {
		if w.nodes[id] == nil {
			problems = append(problems, fmt.Errorf("nobody has said what `%s` does", id))
		}
		nodes = append(nodes, w.nodes[id])
	}
	if len(nodes) == 0 {
		problems = append(problems, fmt.Errorf("`%s` has no nodes, and a workflow has one at least", w.name))
	} else if w.ends == 0 {
		problems = append(problems, fmt.Errorf("`%s` has neither an end nor a fail, so no run of it comes to an end", w.name))
	}
	input, output := T.Record(), T.Nothing()
	if w.said.input != nil {
		input = *w.said.input
	}
	if w.said.output != nil {
		output = *w.said.output
	}
	problems = append(problems, input.err, output.err)
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	definition := maps.Clone(w.said.keys)
	definition["weave"], definition["workflow"] = "1", w.name
	definition["input"], definition["output"], definition["nodes"] = input.schema, output.schema, nodes
	uses := append(slices.Clone(input.uses), output.uses...)
	for _, used := range w.uses {
		uses = append(uses, used.key)
	}
	made, err := assemble(definition, uses)
	if err != nil {
		return nil, err
	}
	return &Definition{canonical(made)}, nil
}

// Canonical is the canonical form, of which the digest is taken.
func (d *Definition) Canonical() string { return string(d.canonical) }

// MarshalJSON is the canonical form.
func (d *Definition) MarshalJSON() ([]byte, error) { return slices.Clone(d.canonical), nil }

// Digest is the digest of the definition.
func (d *Definition) Digest() string {
	sum := sha256.Sum256(d.canonical)
	return "sha256:" + hex.EncodeToString(sum[:])
}
