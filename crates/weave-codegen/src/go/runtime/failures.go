package weaveruntime

import (
	"errors"
	"strconv"
)

// Kind is a built-in kind of failures.
type Kind string

// The built-in kinds of failures.
const (
	ExecutionError Kind = "execution_error"
	InvalidInput   Kind = "invalid_input"
	InvalidOutput  Kind = "invalid_output"
	TimedOut       Kind = "timeout"
	Denied         Kind = "denied"
	Cancelled      Kind = "cancelled"
	Unavailable    Kind = "unavailable"
	UnknownTool    Kind = "unknown_tool"
	NonLocalTool   Kind = "non_local_tool"
	UnknownOutcome Kind = "unknown_outcome"
	MaxTurns       Kind = "max_turns"
	Elements       Kind = "elements"
	Stalled        Kind = "stalled"
	Runaway        Kind = "runaway"
)

// status is the status over HTTP of a kind.
func (k Kind) status() int {
	switch k {
	case InvalidInput:
		return 400
	case Denied:
		return 403
	case UnknownTool:
		return 404
	case Cancelled:
		return 499
	case Unavailable:
		return 503
	case TimedOut:
		return 504
	default:
		return 500
	}
}

// Failure is what a tool fails with.
type Failure struct {
	Kind Kind

	// Code is the name of a declared error; empty for others.
	Code string

	Message string

	// Data is what a declared error says, as JSON.
	Data []byte

	// Status is that of an answer over HTTP.
	Status int
}

// NewFailure is a failure of a built-in kind.
func NewFailure(kind Kind, message string) *Failure {
	return &Failure{Kind: kind, Message: message, Status: kind.status()}
}

// Error is the message.
func (f *Failure) Error() string { return f.Message }

// MarshalJSON writes a failure as it stands on a scroll.
func (f *Failure) MarshalJSON() ([]byte, error) { return canonical(f.value()), nil }

func (f *Failure) value() *value {
	into := objectValue()
	into.put("kind", textValue(string(f.Kind)))
	if f.Code != "" {
		into.put("code", textValue(f.Code))
	}
	into.put("message", textValue(f.Message))
	if data, err := parse(f.Data); err == nil {
		into.put("data", data)
	}
	return into
}

// Declared is an error that a program declares. The method is that of generated types.
type Declared interface {
	error
	WeaveFailure() (*Failure, error)
}

// DeclaredFailure is the failure of a declared error with its data.
func DeclaredFailure[T any](code string, codec *Codec[T], data T, status int, message string) (*Failure, error) {
	text, err := codec.Encode(data)
	if err != nil {
		return nil, err
	}
	return &Failure{Kind: ExecutionError, Code: code, Message: message, Data: text, Status: status}, nil
}

type withMessage struct {
	Declared
	message string
}

// WithMessage is a declared error that says something else than its type does.
func WithMessage(err Declared, message string) error { return withMessage{err, message} }

func (w withMessage) Error() string { return w.message }
func (w withMessage) Unwrap() error { return w.Declared }

func (w withMessage) WeaveFailure() (*Failure, error) {
	failure, err := w.Declared.WeaveFailure()
	if err != nil {
		return nil, err
	}
	failure.Message = w.message
	return failure, nil
}

// Unimplemented says that a service does not implement a tool.
func Unimplemented(tool string) error {
	failure := NewFailure(ExecutionError, "the tool "+strconv.Quote(tool)+" is not implemented")
	failure.Status = 501
	return failure
}

// UnknownName says that a name means nothing here.
func UnknownName(name string) error {
	return &ValidationError{Message: "there is no " + string(canonical(textValue(name))) + " here"}
}

// declared is the failure that an error is, if it is one.
func declared(err error) (*Failure, error) {
	var known Declared
	if errors.As(err, &known) {
		return known.WeaveFailure()
	}
	var failure *Failure
	if errors.As(err, &failure) {
		return failure, nil
	}
	return nil, nil
}
