package weavebuild

import (
	"errors"
	"fmt"
	"time"
)

// said is what options say of a node or a workflow.
type said struct {
	keys    map[string]any
	on      []Trigger
	action  *Action
	used    []part
	steps   []*Step
	input   *Type
	output  *Type
	problem error
}

func newSaid() *said { return &said{keys: map[string]any{}} }

func (s *said) set(key string, value any, err error) {
	s.keys[key] = value
	s.problem = errors.Join(s.problem, err)
}

// NodeOption says something of a node, whatever it is.
type NodeOption func(*said)

// StepOption says something of a step.
type StepOption interface{ ofStep(*said) }

// EndOption says something of an end.
type EndOption interface{ ofEnd(*said) }

// FailOption says something of a failure of the run.
type FailOption interface{ ofFail(*said) }

// WorkflowOption says something of a workflow.
type WorkflowOption interface{ ofWorkflow(*said) }

func (o NodeOption) ofStep(s *said) { o(s) }
func (o NodeOption) ofEnd(s *said)  { o(s) }
func (o NodeOption) ofFail(s *said) { o(s) }

type stepOption func(*said)

func (o stepOption) ofStep(s *said) { o(s) }

type endOption func(*said)

func (o endOption) ofEnd(s *said) { o(s) }

type failOption func(*said)

func (o failOption) ofFail(s *said) { o(s) }

type workflowOption func(*said)

func (o workflowOption) ofWorkflow(s *said) { o(s) }

// AnyOption says something of a node or a workflow.
type AnyOption struct{ NodeOption }

func (o AnyOption) ofWorkflow(s *said) { o.NodeOption(s) }

// TimeOption says something of a step or a workflow.
type TimeOption struct{ stepOption }

func (o TimeOption) ofWorkflow(s *said) { o.stepOption(s) }

// On says what fires a node. Without it, the start of the run does.
func On(triggers ...Listens) NodeOption {
	return func(s *said) {
		for _, trigger := range triggers {
			s.on = append(s.on, trigger.trigger())
		}
	}
}

// Description says for people what it does.
func Description(text string) AnyOption {
	return AnyOption{func(s *said) { s.set("description", text, nil) }}
}

// Limit says how often a node fires in a run at most.
func Limit(count int) NodeOption {
	return func(s *said) {
		var err error
		if count < 1 {
			err = fmt.Errorf("a limit is 1 at least, not %d", count)
		}
		s.set("limit", count, err)
	}
}

// Do says what a step does.
func Do(action Action) StepOption { return stepOption(func(s *said) { s.action = &action }) }

// Timeout says how long an attempt, or a run, may take.
func Timeout(length time.Duration) TimeOption {
	return TimeOption{func(s *said) {
		text, err := timeText(length)
		s.set("timeout", text, err)
	}}
}

// Bound bounds a fan-out.
type Bound func(map[string]any)

// Parallel says how many elements are open at a time.
func Parallel(count int) Bound { return func(each map[string]any) { each["parallel"] = count } }

// Min says how many elements must succeed.
func Min(count int) Bound { return func(each map[string]any) { each["min"] = count } }

// Each makes a step fan out over a list; Element with the same name reads the element.
func Each(list Ref, name string, bounds ...Bound) StepOption {
	return stepOption(func(s *said) {
		text, err := list.placeholder()
		if !isName(name) {
			err = errors.Join(err, fmt.Errorf("`%s` is not a name", name))
		}
		each := map[string]any{"in": text, "as": name}
		for _, bound := range bounds {
			bound(each)
		}
		s.set("each", each, err)
	})
}

// Attempts says something of further attempts.
type Attempts func(map[string]any, *said)

// Backoff says how pauses grow: "linear" or "exponential".
func Backoff(how string) Attempts {
	return func(retry map[string]any, s *said) {
		retry["backoff"] = how
		if how != "linear" && how != "exponential" {
			s.problem = errors.Join(s.problem, fmt.Errorf("pauses grow linear or exponential, not `%s`", how))
		}
	}
}

func pause(key string, length time.Duration) Attempts {
	return func(retry map[string]any, s *said) {
		text, err := timeText(length)
		retry[key] = text
		s.problem = errors.Join(s.problem, err)
	}
}

// Base is the first pause.
func Base(length time.Duration) Attempts { return pause("base", length) }

// Cap is the longest pause.
func Cap(length time.Duration) Attempts { return pause("cap", length) }

// FailureKind is a kind of failure that every runtime knows.
type FailureKind string

// The kinds of failure that every runtime knows.
const (
	ExecutionError FailureKind = "execution_error"
	InvalidInput   FailureKind = "invalid_input"
	InvalidOutput  FailureKind = "invalid_output"
	TimeoutKind    FailureKind = "timeout"
	Denied         FailureKind = "denied"
	Cancelled      FailureKind = "cancelled"
	Unavailable    FailureKind = "unavailable"
	UnknownTool    FailureKind = "unknown_tool"
	NonLocalTool   FailureKind = "non_local_tool"
	UnknownOutcome FailureKind = "unknown_outcome"
	MaxTurns       FailureKind = "max_turns"
	Elements       FailureKind = "elements"
	Stalled        FailureKind = "stalled"
	Runaway        FailureKind = "runaway"
)

// Code is a declared error or a kind of failure.
type Code interface{ code() (string, []part) }

func (e ErrorPart) code() (string, []part) { return e.name(), e.parts() }

func (k FailureKind) code() (string, []part) { return string(k), nil }

func listed(retry map[string]any, codes ...string) {
	known, _ := retry["on"].([]any)
	for _, code := range known {
		if text, is := code.(string); is {
			codes = append(codes, text)
		}
	}
	retry["on"] = sorted(codes)
}

// RetryOn says what is tried again.
func RetryOn(codes ...Code) Attempts {
	return func(retry map[string]any, s *said) {
		for _, code := range codes {
			name, used := code.code()
			listed(retry, name)
			s.used = append(s.used, used...)
		}
	}
}

// Codes says what is tried again by names that nobody declares: a child run fails with the names of its own nodes.
func Codes(names ...string) Attempts {
	return func(retry map[string]any, _ *said) { listed(retry, names...) }
}

// Retry says that there are so many further attempts after a failed one.
func Retry(limit int, more ...Attempts) StepOption {
	return stepOption(func(s *said) {
		retry := map[string]any{"max": limit}
		for _, one := range more {
			one(retry, s)
		}
		var err error
		if limit < 0 {
			err = fmt.Errorf("%d is no number of attempts", limit)
		}
		s.set("retry", retry, err)
	})
}

// History says of which steps the request continues the exchanges.
func History(steps []*Step) StepOption {
	return stepOption(func(s *said) {
		s.steps = append(s.steps, steps...)
		s.set("history", ids(steps), nil)
	})
}

// Output is the output of the run.
func Output(value any) EndOption {
	return endOption(func(s *said) {
		lowered, err := lower(value)
		s.set("output", lowered, err)
	})
}

// Message says why the run fails: a string, a Template, a Ref or a Filled.
func Message(message any) FailOption {
	return failOption(func(s *said) {
		lowered, err := lower(message)
		s.set("message", lowered, err)
	})
}

// Input is the input of a run.
func Input(fields ...NamedType) WorkflowOption {
	return workflowOption(func(s *said) {
		made := record(fields, false)
		s.input = &made
	})
}

// Returns is the type of a run's output.
func Returns(output Typed) WorkflowOption {
	return workflowOption(func(s *said) {
		made := output.typed()
		s.output = &made
	})
}

func worded(key, text string) WorkflowOption {
	return workflowOption(func(s *said) { s.set(key, text, nil) })
}

// Title is the name that people see.
func Title(text string) WorkflowOption { return worded("title", text) }

// Deprecated says what to use instead.
func Deprecated(text string) WorkflowOption { return worded("deprecated", text) }

// Version is the version, in whatever words.
func Version(text string) WorkflowOption { return worded("version", text) }

// Meta is what other programs want to know.
func Meta(entries Values) WorkflowOption {
	return workflowOption(func(s *said) {
		value, err := constant(entries)
		s.set("meta", value, err)
	})
}
