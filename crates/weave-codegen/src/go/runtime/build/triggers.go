package weavebuild

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Trigger is what fires a node.
type Trigger struct {
	source any
	steps  []*Step
	used   []part
	// The steps of a join, which stand in the order of the nodes.
	join      string
	condition map[string]any
	err       error
}

// Listens is what can fire a node: a Trigger, the answer of a *Step, an EventPart.
type Listens interface{ trigger() Trigger }

func (t Trigger) trigger() Trigger { return t }

func (s *Step) trigger() Trigger { return Trigger{source: s.id, steps: []*Step{s}} }

func (e EventPart[P]) trigger() Trigger { return Trigger{source: e.name(), used: e.parts()} }

func conditional(on Listens, condition map[string]any, err error) Trigger {
	trigger := on.trigger()
	trigger.err = errors.Join(trigger.err, err)
	if trigger.condition != nil {
		trigger.err = errors.Join(trigger.err, errors.New("a trigger has one condition at most"))
	}
	trigger.condition = condition
	return trigger
}

// When makes it a member of the choice: of those that listen to the same, the first one fires whose condition is true.
func When(on Listens, condition Expr) Trigger {
	return conditional(on, map[string]any{"when": condition.guard()}, condition.err)
}

// AlsoWhen fires whenever the condition is true, whoever else does.
func AlsoWhen(on Listens, condition Expr) Trigger {
	return conditional(on, map[string]any{"when": condition.guard(), "also": true}, condition.err)
}

// Otherwise fires if no member of the choice did.
func Otherwise(on Listens) Trigger { return conditional(on, map[string]any{"else": true}, nil) }

// Start is the start of the run.
func Start() Trigger { return Trigger{source: "start"} }

// Answer is this topic, as an answer to a step.
func Answer(topic Topic, from *Step) Trigger {
	source := map[string]any{"topic": topic.name(), "from": from.id}
	return Trigger{source: source, steps: []*Step{from}, used: topic.parts()}
}

// Called is a call of a tool by the agent of a step.
func Called(tool Callable, from *Step) Trigger {
	source := map[string]any{"tool": tool.name(), "from": from.id}
	return Trigger{source: source, steps: []*Step{from}, used: tool.parts()}
}

func ids(steps []*Step) []any {
	found := []any{}
	for _, step := range steps {
		found = append(found, step.id)
	}
	return found
}

func joined(kind string, steps []*Step, per []*Step) Trigger {
	source := map[string]any{kind: ids(steps)}
	all := slices.Clone(steps)
	for _, fork := range per {
		source["per"] = fork.id
		all = append(all, fork)
	}
	made := Trigger{source: source, steps: all, join: kind}
	if len(per) > 1 {
		made.err = errors.New("a join has one fork at most")
	}
	return made
}

// AllOf is the answer of all of these steps; for each firing of the fork, if they have one.
func AllOf(steps []*Step, per ...*Step) Trigger { return joined("all", steps, per) }

// SomeOf is the answer of so many of these steps.
func SomeOf(count int, steps []*Step, per ...*Step) Trigger {
	made := joined("of", steps, per)
	if count < 1 || count > len(steps) {
		made.err = errors.Join(made.err, fmt.Errorf("%d of %d steps cannot be", count, len(steps)))
	}
	if source, is := made.source.(map[string]any); is {
		source["count"] = count
	}
	return made
}

// Settled is the answer or failure of each of these steps.
func Settled(steps []*Step, per ...*Step) Trigger { return joined("settled", steps, per) }

// Failed is the failure of a step, after its retries.
func Failed(step *Step) Trigger {
	return Trigger{source: map[string]any{"failure": step.id}, steps: []*Step{step}}
}

// AnyFailure is any failure that no other node takes.
func AnyFailure() Trigger { return Trigger{source: map[string]any{"failure": "*"}} }

// TimedOut fires when a step has not answered in this time.
func TimedOut(step *Step, after time.Duration) Trigger {
	text, err := timeText(after)
	return Trigger{source: map[string]any{"timeout": text, "from": step.id}, steps: []*Step{step}, err: err}
}

// RunTimedOut fires when so much time has passed since the start of the run.
func RunTimedOut(after time.Duration) Trigger {
	text, err := timeText(after)
	return Trigger{source: map[string]any{"timeout": text}, err: err}
}

// Action is what a step does.
type Action struct {
	keys  map[string]any
	used  []part
	steps []*Step
	// The settings of the agent that is asked.
	settings map[string]any
	err      error
}

// Emit emits the event; it is answered if its topic has answers.
func (e EventPart[P]) Emit(payload P) Action { return e.emit(payload) }

// EmitWith emits the event with a payload that is read as a whole.
func (e EventPart[P]) EmitWith(payload Filling) Action { return e.emit(payload) }

func (e EventPart[P]) emit(payload any) Action {
	lowered, err := e.lowered("emit", payload)
	return Action{keys: map[string]any{"emit": e.name(), "payload": lowered}, used: e.parts(), err: err}
}

func builtIn(topic string) part { return part{"events/" + topic} }

// invoke emits a request to a tool, an agent or a workflow.
func invoke(word, topic, key, arguments string, callee part, given any) Action {
	lowered, err := callee.lowered(word, given)
	payload := map[string]any{key: callee.name(), arguments: lowered}
	return Action{keys: map[string]any{"emit": topic, "payload": payload}, used: []part{callee, builtIn(topic)}, err: err}
}

// Call calls the tool.
func (t ToolPart[A]) Call(args A) Action { return t.call(args) }

// CallWith calls the tool with arguments that are read as a whole.
func (t ToolPart[A]) CallWith(args Filling) Action { return t.call(args) }

func (t ToolPart[A]) call(args any) Action {
	return invoke("call", "tool.dispatch", "name", "args", t.part, args)
}

// Ask asks the agent.
func (a AgentPart[A]) Ask(args A) Action { return a.ask(args) }

// AskWith asks the agent with arguments that are read as a whole.
func (a AgentPart[A]) AskWith(args Filling) Action { return a.ask(args) }

func (a AgentPart[A]) ask(args any) Action {
	made := invoke("ask", "ai.request", "agent", "args", a.part, args)
	known, err := data(a.key)
	made.settings, made.err = known.Settings, errors.Join(made.err, err)
	return made
}

// Run runs the workflow.
func (w WorkflowPart[A]) Run(input A) Action { return w.run(input) }

// RunWith runs the workflow with an input that is read as a whole.
func (w WorkflowPart[A]) RunWith(input Filling) Action { return w.run(input) }

func (w WorkflowPart[A]) run(input any) Action {
	made := invoke("run", "workflow.start", "workflow", "input", w.part, input)
	known, err := data(w.key)
	made.err = errors.Join(made.err, err)
	if payload, is := made.keys["payload"].(map[string]any); is {
		payload["digest"] = known.Entry["digest"]
	}
	return made
}

func timer(key string, value any, err error) Action {
	payload := map[string]any{key: value}
	return Action{keys: map[string]any{"emit": "timer.set", "payload": payload}, used: []part{builtIn("timer.set")}, err: err}
}

// Wait waits for a time.
func Wait(length time.Duration) Action {
	text, err := timeText(length)
	return timer("after", text, err)
}

// WaitFor waits for a time that is read.
func WaitFor(length Ref) Action {
	text, err := length.placeholder()
	return timer("after", text, err)
}

// WaitUntil waits until a moment: a string, a Ref, a Filled or a Template.
func WaitUntil(moment any) Action {
	lowered, err := lower(moment)
	return timer("at", lowered, err)
}

// Receive waits for one of these events, for which the condition is true if there is one.
func Receive(topics []Topic, condition ...Expr) Action {
	made := Action{keys: map[string]any{}}
	names := []string{}
	for _, topic := range topics {
		names = append(names, topic.name())
		made.used = append(made.used, topic.parts()...)
	}
	made.keys["await"] = sorted(names)
	for _, guard := range condition {
		made.keys["match"] = guard.guard()
		made.err = errors.Join(made.err, guard.err)
	}
	if len(condition) > 1 {
		made.err = errors.Join(made.err, errors.New("Receive has one condition at most"))
	}
	return made
}

// sorted is a set in its one form.
func sorted(names []string) []any {
	slices.Sort(names)
	made := []any{}
	for _, name := range slices.Compact(names) {
		made = append(made, name)
	}
	return made
}

// Cancel closes steps that are open.
func Cancel(steps []*Step) Action {
	return Action{keys: map[string]any{"cancel": ids(steps)}, steps: steps}
}

// Value answers at once with a value.
func Value(output any) Action {
	lowered, err := lower(output)
	return Action{keys: map[string]any{"output": lowered}, err: err}
}
