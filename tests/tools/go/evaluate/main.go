// Command evaluate evaluates guards, templates and payloads, and says what became of each.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	weave "weave.test/gen/weaveruntime"
)

type task struct {
	Guard    *string
	Template *string
	Payload  *string
	Scope    json.RawMessage
	Answers  map[string][]json.RawMessage
}

type outcome struct {
	Value   json.RawMessage           `json:"value,omitempty"`
	Absent  bool                      `json:"absent,omitempty"`
	Error   weave.EvaluationErrorKind `json:"error,omitempty"`
	Refused string                    `json:"refused,omitempty"`
	Message string                    `json:"message,omitempty"`
}

func (t task) scope() (*weave.Scope, error) {
	scope, err := weave.NewScope(weave.RootsIn(t.Scope))
	if err != nil {
		return nil, err
	}
	for node, answers := range t.Answers {
		all := make([][]byte, len(answers))
		for at, answer := range answers {
			all[at] = answer
		}
		if err := scope.SetAnswers(node, all...); err != nil {
			return nil, err
		}
	}
	return scope, nil
}

func (t task) value() (json.RawMessage, error) {
	scope, err := t.scope()
	if err != nil {
		return nil, fmt.Errorf("the scope is none: %v", err)
	}
	switch {
	case t.Guard != nil:
		guard, err := weave.ParseGuard([]byte(*t.Guard))
		if err != nil {
			return nil, err
		}
		found, err := guard.Evaluate(scope)
		holds, why := guard.Holds(scope)
		if holds != (string(found) == "true") || (err == nil) != (why == nil) {
			return nil, errors.New("a guard holds that is not true, or does not hold that is")
		}
		return found, err
	case t.Template != nil:
		template, err := weave.ParseTemplate(*t.Template)
		if err != nil {
			return nil, err
		}
		return template.Render(scope)
	default:
		payload, err := weave.ParsePayload([]byte(*t.Payload))
		if err != nil {
			return nil, err
		}
		return payload.Render(scope)
	}
}

func (t task) outcome() outcome {
	found, err := t.value()
	var wrong *weave.EvaluationError
	var refused *weave.ValidationError
	switch {
	case errors.As(err, &wrong):
		return outcome{Error: wrong.Kind}
	case errors.As(err, &refused):
		return outcome{Refused: refused.Pointer(), Message: refused.Message}
	case err != nil:
		return outcome{Message: err.Error()}
	default:
		return outcome{Value: found, Absent: found == nil}
	}
}

func main() {
	var tasks []task
	text, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = json.Unmarshal(text, &tasks)
	}
	outcomes := make([]outcome, 0, len(tasks))
	for _, asked := range tasks {
		outcomes = append(outcomes, asked.outcome())
	}
	if err == nil {
		text, err = json.Marshal(outcomes)
	}
	if err == nil {
		err = os.WriteFile(os.Args[2], text, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
