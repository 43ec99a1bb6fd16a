package weaveruntime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Call is one call of a tool on its way.
type Call struct {
	// Tool is the name of the tool.
	Tool string

	// Args are the arguments, as JSON.
	Args json.RawMessage

	// Key identifies the call, if the caller said it: a result that comes later is completed under it.
	Key string

	// OnProgress takes what the tool streams, as JSON.
	OnProgress func(progress json.RawMessage)

	// OnArtifacts takes what the tool hands over beside its output, as JSON.
	OnArtifacts func(artifacts json.RawMessage)

	// OnError takes what went wrong and is no failure that the tool declares.
	OnError func(err error)
}

// Outcome is what becomes of a call: one of its fields.
type Outcome struct {
	// Result is the output, as JSON.
	Result json.RawMessage

	Failure *Failure

	// Pending is the key under which the result comes later.
	Pending string
}

// Runner runs a call.
type Runner func(ctx context.Context, call *Call) Outcome

// Middleware stands around each call; the first one is the outermost.
type Middleware func(next Runner) Runner

type callKey struct{}

func callOf(ctx context.Context) *Call {
	call, _ := ctx.Value(callKey{}).(*Call)
	return call
}

// CallKey is what identifies the call that a tool is in, if the caller said it.
func CallKey(ctx context.Context) (string, bool) {
	call := callOf(ctx)
	if call == nil || call.Key == "" {
		return "", false
	}
	return call.Key, true
}

type pending struct{ key string }

func (p *pending) Error() string { return "the result comes later" }

// Pending is what the method of a deferred tool returns as its error if the result comes later.
func Pending(ctx context.Context) error {
	key, ok := CallKey(ctx)
	if !ok {
		return errors.New("the caller gave no key under which the result could come later")
	}
	return &pending{key}
}

// Emitter tells how far the tool has come that the context belongs to.
func Emitter[P any](ctx context.Context, codec *Codec[P]) func(P) error {
	call := callOf(ctx)
	return sender(codec, func(text []byte) {
		if call != nil && call.OnProgress != nil {
			call.OnProgress(text)
		}
	})
}

// Attacher hands something to the application beside the output of the tool that the context belongs to.
func Attacher[A any](ctx context.Context, codec *Codec[A]) func(A) error {
	call := callOf(ctx)
	return sender(codec, func(text []byte) {
		if call != nil && call.OnArtifacts != nil {
			call.OnArtifacts(text)
		}
	})
}

func sender[T any](codec *Codec[T], send func([]byte)) func(T) error {
	return func(held T) error {
		text, err := codec.Encode(held)
		if err == nil {
			send(text)
		}
		return err
	}
}

// Tool is a tool that a service implements.
type Tool[In, Out any] struct {
	name       string
	descriptor *descriptor
	input      *Codec[In]
	output     *Codec[Out]
	fails      []string
	deferred   bool
	action     []Part
}

// NewTool is a tool with what is said about it and what reads its arguments and writes its output.
func NewTool[In, Out any](name, said string, input *Codec[In], output *Codec[Out]) *Tool[In, Out] {
	tool := &Tool[In, Out]{name: name, descriptor: &descriptor{said: said}, input: input, output: output}
	return tool.With("input", input).With("output", output)
}

// With puts a schema into its descriptor.
func (t *Tool[In, Out]) With(key string, of Described) *Tool[In, Out] {
	t.descriptor.add(key, of)
	return t
}

// Fails names the errors that it declares.
func (t *Tool[In, Out]) Fails(codes ...string) *Tool[In, Out] {
	t.fails = codes
	return t
}

// Deferred says that its result may come later.
func (t *Tool[In, Out]) Deferred() *Tool[In, Out] {
	t.deferred = true
	return t
}

// Saying is what people see while it runs.
func (t *Tool[In, Out]) Saying(parts ...Part) *Tool[In, Out] {
	t.action = parts
	return t
}

// Name is the tool's name.
func (t *Tool[In, Out]) Name() string { return t.name }

// Descriptor is what a definition says about it, with schemas that need no other document.
func (t *Tool[In, Out]) Descriptor() json.RawMessage { return t.descriptor.document() }

// Input reads and writes its arguments.
func (t *Tool[In, Out]) Input() *Codec[In] { return t.input }

// Output reads and writes what it gives.
func (t *Tool[In, Out]) Output() *Codec[Out] { return t.output }

// Action is what people see while it runs; empty if nothing is to be said.
func (t *Tool[In, Out]) Action(in In) (string, error) { return Render(t.action, From(t.input, in)) }

// Bind makes a tool with its implementation: arguments are read before it is called, and what it gives is checked.
func (t *Tool[In, Out]) Bind(run func(ctx context.Context, in In) (Out, error)) BoundTool {
	bound := BoundTool{name: t.name, descriptor: t.descriptor, input: t.input.schema, fails: t.fails}
	bound.run = func(ctx context.Context, call *Call) Outcome {
		in, err := t.input.Decode(call.Args)
		if err != nil {
			return Outcome{Failure: NewFailure(InvalidInput, err.Error())}
		}
		out, err := guarded(context.WithValue(ctx, callKey{}, call), in, run)
		var later *pending
		if errors.As(err, &later) {
			if t.deferred {
				return Outcome{Pending: later.key}
			}
			return Outcome{Failure: NewFailure(InvalidOutput, "the tool is not deferred")}
		}
		var result []byte
		if err == nil {
			result, err = t.output.Encode(out)
		}
		if err != nil {
			return Outcome{Failure: failureFrom(ctx, t.fails, err, call)}
		}
		return Outcome{Result: result}
	}
	bound.action = func(args []byte) (string, error) {
		in, err := t.input.Decode(args)
		if err != nil {
			return "", err
		}
		return t.Action(in)
	}
	return bound
}

// guarded calls an implementation; a panic is an error like any other.
func guarded[In, Out any](ctx context.Context, in In, run func(context.Context, In) (Out, error)) (out Out, err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = fmt.Errorf("panic: %v", thrown)
		}
	}()
	if err := ctx.Err(); err != nil {
		return out, err
	}
	return run(ctx, in)
}

// failureFrom is an error as a failure; what nobody declared is told to the application and not to the caller.
func failureFrom(ctx context.Context, fails []string, err error, call *Call) *Failure {
	failure, broken := declared(err)
	if failure != nil && (failure.Code == "" || slices.Contains(fails, failure.Code)) {
		return failure
	}
	if ctx.Err() != nil {
		return NewFailure(Cancelled, "the call was cancelled")
	}
	if broken != nil {
		err = broken
	}
	if call.OnError != nil {
		call.OnError(err)
	}
	var invalid *ValidationError
	if errors.As(err, &invalid) {
		return NewFailure(InvalidOutput, invalid.Error())
	}
	return NewFailure(ExecutionError, "the tool failed")
}

// BoundTool is a tool with its implementation.
type BoundTool struct {
	name       string
	offered    []string
	service    string
	descriptor *descriptor
	input      *schema
	fails      []string
	run        Runner
	action     func(args []byte) (string, error)
}

// Name is the tool's name.
func (t BoundTool) Name() string { return t.name }

// Offered is what models are offered it as.
func (t BoundTool) Offered() []string { return slices.Clone(t.offered) }

// Descriptor is what a definition says about it, with schemas that need no other document.
func (t BoundTool) Descriptor() json.RawMessage { return t.descriptor.document() }

// Service is the service that implements it, behind the name of its package.
func (t BoundTool) Service() string { return t.service }

// Of says which service implements it.
func (t BoundTool) Of(service string) BoundTool {
	t.service = service
	return t
}

// OfferedAs says what models are offered it as.
func (t BoundTool) OfferedAs(names ...string) BoundTool {
	t.offered = names
	return t
}

// Override replaces the implementations of tools by others of the same tools, for tests.
func Override(tools []BoundTool, others ...BoundTool) []BoundTool {
	replaced := slices.Clone(tools)
	for at, tool := range replaced {
		for _, other := range others {
			if other.name == tool.name && other.descriptor.is(tool.descriptor) {
				replaced[at] = other.OfferedAs(tool.offered...).Of(tool.service)
			}
		}
	}
	return replaced
}

// Option says what stands around calls, and who is told what.
type Option func(*options)

type options struct {
	middleware  []Middleware
	onProgress  func(tool string, progress json.RawMessage)
	onArtifacts func(tool string, artifacts json.RawMessage)
	onError     func(tool string, err error)
	longest     int64
}

// WithMiddleware stands around all calls.
func WithMiddleware(around ...Middleware) Option {
	return func(o *options) { o.middleware = append(o.middleware, around...) }
}

// OnProgress is told what tools stream, as others are that were named before.
func OnProgress(tell func(tool string, progress json.RawMessage)) Option {
	return func(o *options) { o.onProgress = both(o.onProgress, tell) }
}

// OnArtifacts is told what tools hand over beside their outputs, as others are that were named before.
func OnArtifacts(tell func(tool string, artifacts json.RawMessage)) Option {
	return func(o *options) { o.onArtifacts = both(o.onArtifacts, tell) }
}

func both(one, other func(string, json.RawMessage)) func(string, json.RawMessage) {
	switch {
	case one == nil:
		return other
	case other == nil:
		return one
	}
	return func(tool string, text json.RawMessage) {
		one(tool, text)
		other(tool, text)
	}
}

// OnError is told what went wrong and is no failure that a tool declares.
func OnError(tell func(tool string, err error)) Option {
	return func(o *options) { o.onError = tell }
}

// MaxBody bounds the bytes of a request; without it, they are 16 MiB.
func MaxBody(bytes int64) Option { return func(o *options) { o.longest = bytes } }

func optionsOf(given []Option) options {
	found := options{longest: 16 << 20}
	for _, set := range given {
		set(&found)
	}
	return found
}

// Dispatched is what is to be called.
type Dispatched struct {
	Name string

	// Args are the arguments as JSON; without any, an empty object.
	Args json.RawMessage

	// Key identifies the call, if it is said.
	Key string
}

// Dispatch calls a tool by its name, through the middleware.
func Dispatch(ctx context.Context, tools []BoundTool, dispatched Dispatched, given ...Option) Outcome {
	return dispatch(ctx, tools, dispatched, optionsOf(given))
}

// Names are tools by the names that calls give.
type Names map[string]BoundTool

// Offer adds tools under what models are offered them as. It is an error if a name would mean two tools.
func (n Names) Offer(tools ...BoundTool) error { return n.add(tools, BoundTool.Offered) }

func (n Names) add(tools []BoundTool, namesOf func(BoundTool) []string) error {
	for _, tool := range tools {
		names := namesOf(tool)
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			other, found := n[name]
			isOffered := slices.Contains(tool.offered, name)
			if found && (!other.descriptor.is(tool.descriptor) || isOffered && slices.Contains(other.offered, name)) {
				return clash(name, other, tool)
			}
			if !found || isOffered {
				n[name] = tool
			}
		}
	}
	return nil
}

func clash(name string, one, other BoundTool) error {
	of := func(tool BoundTool) string {
		if tool.service == "" {
			return "no service"
		}
		return tool.service
	}
	return fmt.Errorf("two tools are called %s here, one of %s and one of %s: serve them apart", canonical(textValue(name)), of(one), of(other))
}

// find is the tool that a name means, or why it means none.
func find(tools []BoundTool, name string) (BoundTool, error) {
	var found []BoundTool
	matching := func(means func(BoundTool) bool) {
		for _, tool := range tools {
			if means(tool) {
				found = append(found, tool)
			}
		}
	}
	matching(func(tool BoundTool) bool { return slices.Contains(tool.offered, name) })
	isOffered := len(found) > 0
	if !isOffered {
		matching(func(tool BoundTool) bool { return tool.name == name })
	}
	if len(found) == 0 {
		return BoundTool{}, fmt.Errorf("there is no tool %s here", canonical(textValue(name)))
	}
	for _, other := range found[1:] {
		if isOffered || !other.descriptor.is(found[0].descriptor) {
			return BoundTool{}, clash(name, found[0], other)
		}
	}
	return found[0], nil
}

func dispatch(ctx context.Context, tools []BoundTool, dispatched Dispatched, told options) (outcome Outcome) {
	tool, unknown := find(tools, dispatched.Name)
	if unknown != nil {
		return Outcome{Failure: NewFailure(UnknownTool, unknown.Error())}
	}
	call := &Call{Tool: tool.name, Args: dispatched.Args, Key: dispatched.Key}
	if call.Args == nil {
		call.Args = json.RawMessage("{}")
	}
	call.OnProgress = func(progress json.RawMessage) {
		if told.onProgress != nil {
			told.onProgress(tool.name, progress)
		}
	}
	call.OnArtifacts = func(artifacts json.RawMessage) {
		if told.onArtifacts != nil {
			told.onArtifacts(tool.name, artifacts)
		}
	}
	call.OnError = func(err error) {
		if told.onError != nil {
			told.onError(tool.name, err)
		}
	}
	run := tool.run
	for _, around := range slices.Backward(told.middleware) {
		run = around(run)
	}
	defer func() {
		if thrown := recover(); thrown != nil {
			outcome = Outcome{Failure: failureFrom(ctx, tool.fails, fmt.Errorf("panic: %v", thrown), call)}
		}
	}()
	return run(ctx, call)
}

// ModelTool is a tool as the libraries of models want to know it.
type ModelTool struct {
	Name        string
	Title       string
	Description string
	Version     string
	Mode        string
	Strict      bool

	// Parameters is the JSON Schema of the arguments.
	Parameters json.RawMessage

	// Action is what people see while it runs; empty if nothing is to be said.
	Action func(args json.RawMessage) (string, error)

	// Execute gives the output as JSON; what fails is a [*Failure].
	Execute func(ctx context.Context, args json.RawMessage) (json.RawMessage, error)
}

// ModelTools are what models are offered: each tool under each of its names. It panics if two of them would have one name.
func ModelTools(tools []BoundTool, given ...Option) []ModelTool {
	if err := (Names{}).Offer(tools...); err != nil {
		panic(err)
	}
	told := optionsOf(given)
	var made []ModelTool
	for _, tool := range tools {
		for _, name := range tool.offered {
			made = append(made, modelTool(tools, tool, name, told))
		}
	}
	return made
}

func modelTool(tools []BoundTool, tool BoundTool, name string, told options) ModelTool {
	said := func(key string) string {
		descriptor, err := parseText(tool.descriptor.said)
		if err != nil {
			return ""
		}
		if found := descriptor.get(key); found != nil {
			return found.text
		}
		return ""
	}
	strict := false
	if descriptor, err := parseText(tool.descriptor.said); err == nil {
		if found := descriptor.get("strict"); found != nil {
			strict = found.truth
		}
	}
	mode := "feedback"
	if said("mode") == "silent" {
		mode = "silent"
	}
	execute := func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
		outcome := dispatch(ctx, tools, Dispatched{Name: name, Args: args}, told)
		switch {
		case outcome.Failure != nil:
			return nil, outcome.Failure
		case outcome.Pending != "":
			return canonical(outcome.value()), nil
		default:
			return outcome.Result, nil
		}
	}
	action := func(args json.RawMessage) (string, error) { return tool.action(args) }
	return ModelTool{
		Name: name, Title: said("title"), Description: said("description"), Version: said("version"),
		Mode: mode, Strict: strict, Parameters: json.RawMessage(tool.input.document()), Action: action, Execute: execute,
	}
}

// CallDefinition is a call that is read and never executed here: a signal, or a question to somebody outside.
type CallDefinition[In, Response any] struct {
	Name  string
	Input *Codec[In]

	// Response is what somebody answers later.
	Response *Codec[Response]

	descriptor *descriptor
}

// NewCall is a call that is read and never executed here.
func NewCall[In, Response any](name, said string, input *Codec[In], response *Codec[Response]) *CallDefinition[In, Response] {
	call := &CallDefinition[In, Response]{Name: name, Input: input, Response: response, descriptor: &descriptor{said: said}}
	return call.With("input", input).With("output", response)
}

// With puts a schema into its descriptor.
func (c *CallDefinition[In, Response]) With(key string, of Described) *CallDefinition[In, Response] {
	c.descriptor.add(key, of)
	return c
}

// Descriptor is what a definition says about it, with schemas that need no other document.
func (c *CallDefinition[In, Response]) Descriptor() json.RawMessage { return c.descriptor.document() }

// ToolDescription is a tool that runs elsewhere: all that there is to know is its description.
type ToolDescription struct {
	Name       string
	descriptor *descriptor
}

// NewDescription is a tool that runs elsewhere.
func NewDescription(name, said string) *ToolDescription {
	return &ToolDescription{Name: name, descriptor: &descriptor{said: said}}
}

// With puts a schema into its descriptor.
func (t *ToolDescription) With(key string, of Described) *ToolDescription {
	t.descriptor.add(key, of)
	return t
}

// Descriptor is what a definition says about it, with schemas that need no other document.
func (t *ToolDescription) Descriptor() json.RawMessage { return t.descriptor.document() }

// Agent is an agent.
type Agent[In, Out any] struct {
	Name string

	// Model is the model; empty if none is said.
	Model  string
	Input  *Codec[In]
	Output *Codec[Out]
}

// NewAgent is an agent.
func NewAgent[In, Out any](name, model string, input *Codec[In], output *Codec[Out]) *Agent[In, Out] {
	return &Agent[In, Out]{Name: name, Model: model, Input: input, Output: output}
}

// Workflow is a workflow, with its definition.
type Workflow[In, Out any] struct {
	Name string

	// Digest identifies the definition.
	Digest     string
	Definition json.RawMessage
	Input      *Codec[In]
	Output     *Codec[Out]
}

// NewWorkflow is a workflow.
func NewWorkflow[In, Out any](name, digest, definition string, input *Codec[In], output *Codec[Out]) *Workflow[In, Out] {
	return &Workflow[In, Out]{Name: name, Digest: digest, Definition: json.RawMessage(definition), Input: input, Output: output}
}

// Start is the payload of the `workflow.start` that begins a run.
func (w *Workflow[In, Out]) Start(in In) (json.RawMessage, error) {
	input, err := w.Input.value(in)
	if err != nil {
		return nil, err
	}
	into := objectValue()
	into.put("workflow", textValue(w.Name))
	into.put("digest", textValue(w.Digest))
	into.put("input", input)
	return canonical(into), nil
}
