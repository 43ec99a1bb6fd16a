// Package weavemcp serves tools over the Model Context Protocol, with github.com/modelcontextprotocol/go-sdk.
package weavemcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	weave "weave.test/gen/weaveruntime"
)

// ours is the key in _meta below which everything stands that the protocol has no word for.
const ours = "x-weave"

// anyOutput is the first version of the protocol in which an output may be something else than an object.
const anyOutput = "2026-07-28"

// registered is what was added to each server that is still there.
var registered = struct {
	lock    sync.Mutex
	servers map[weak.Pointer[mcp.Server]]weave.Names
}{servers: map[weak.Pointer[mcp.Server]]weave.Names{}}

// register keeps tools for a server, which itself would replace a tool by another one of its name.
func register(server *mcp.Server, tools []weave.BoundTool) error {
	registered.lock.Lock()
	defer registered.lock.Unlock()
	key := weak.Make(server)
	if registered.servers[key] == nil {
		registered.servers[key] = weave.Names{}
		runtime.AddCleanup(server, forget, key)
	}
	return registered.servers[key].Offer(tools...)
}

func forget(server weak.Pointer[mcp.Server]) {
	registered.lock.Lock()
	defer registered.lock.Unlock()
	delete(registered.servers, server)
}

// AddTools adds to a server what models are offered: each tool under each of its names. It panics if two tools of the server would have one name.
func AddTools(server *mcp.Server, tools []weave.BoundTool, options ...weave.Option) {
	if err := register(server, tools); err != nil {
		panic(err)
	}
	wrapped := map[string]json.RawMessage{}
	for _, tool := range tools {
		known := describe(tool)
		for _, name := range tool.Offered() {
			told := known.tool(name)
			if told.OutputSchema != nil && !known.output.isObject() {
				wrapped[name] = known.output.wrapped()
			}
			server.AddTool(told, caller{tools: tools, name: name, about: known, options: options}.call)
		}
	}
	if len(wrapped) > 0 {
		server.AddReceivingMiddleware(listing(wrapped))
	}
}

// Handler serves a server over HTTP, to clients of any version of the protocol. A client of the newest one that leaves ends its call.
func Handler(server *mcp.Server) http.Handler {
	options := &mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true}
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, options)
}

// listing tells clients that know no other outputs than objects about objects.
func listing(wrapped map[string]json.RawMessage) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, req)
			listed, ok := result.(*mcp.ListToolsResult)
			session, served := req.GetSession().(*mcp.ServerSession)
			if !ok || !served || !isOld(session) {
				return result, err
			}
			told := *listed
			told.Tools = slices.Clone(listed.Tools)
			for at, tool := range told.Tools {
				if schema, found := wrapped[tool.Name]; found {
					other := *tool
					other.OutputSchema = schema
					told.Tools[at] = &other
				}
			}
			return &told, err
		}
	}
}

// isOld is whether a client knows objects as outputs only.
func isOld(session *mcp.ServerSession) bool {
	said := session.InitializeParams()
	return said == nil || said.ProtocolVersion < anyOutput
}

// schema is a JSON Schema, by its keywords.
type schema map[string]json.RawMessage

// writtenOut is a schema whose root is no reference: clients look for its type.
func writtenOut(text json.RawMessage) schema {
	var found schema
	var defs map[string]json.RawMessage
	var ref string
	// What is not of this form is no reference.
	_ = json.Unmarshal(text, &found)
	_ = json.Unmarshal(found["$defs"], &defs)
	_ = json.Unmarshal(found["$ref"], &ref)
	key, isLocal := strings.CutPrefix(ref, "#/$defs/")
	key = strings.NewReplacer("~1", "/", "~0", "~").Replace(key)
	named, isKnown := defs[key]
	if !isLocal || !isKnown || len(found) != 2 {
		return found
	}
	var whole schema
	_ = json.Unmarshal(named, &whole)
	isReferred := func(in json.RawMessage) bool { return strings.Contains(string(in), string(found["$ref"])) }
	others := maps.Clone(defs)
	delete(others, key)
	if isReferred(named) || slices.ContainsFunc(slices.Collect(maps.Values(others)), isReferred) {
		others = defs
	}
	if len(others) > 0 {
		whole["$defs"] = schema(others).text()
	}
	// A name may stand for a name.
	return writtenOut(whole.text())
}

func (s schema) is(kind string) bool { return string(s["type"]) == `"`+kind+`"` }

func (s schema) isObject() bool { return s.is("object") }

func (s schema) text() json.RawMessage {
	text, _ := json.Marshal(s)
	return text
}

// wrapped is the schema of an object that holds the value as its result.
func (s schema) wrapped() json.RawMessage {
	inner, outer := maps.Clone(s), schema{"type": json.RawMessage(`"object"`), "required": json.RawMessage(`["result"]`)}
	// References are looked up at the root.
	if defs, found := inner["$defs"]; found {
		delete(inner, "$defs")
		outer["$defs"] = defs
	}
	outer["properties"] = schema{"result": inner.text()}.text()
	return outer.text()
}

// about is what a descriptor says.
type about struct {
	Kind        string          `json:"kind"`
	ID          string          `json:"id"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Deprecated  *string         `json:"deprecated"`
	Version     *string         `json:"version"`
	Mode        string          `json:"mode"`
	Activation  *string         `json:"activation"`
	Hints       *[]string       `json:"hints"`
	Approval    json.RawMessage `json:"approval"`
	Deferred    json.RawMessage `json:"deferred"`
	Fails       []string        `json:"fails"`
	Meta        map[string]any  `json:"meta"`
	Input       json.RawMessage `json:"input"`
	Output      json.RawMessage `json:"output"`

	name   string
	input  schema
	output schema
}

func describe(tool weave.BoundTool) *about {
	known := &about{name: tool.Name()}
	// It was generated as JSON of this form.
	_ = json.Unmarshal(tool.Descriptor(), known)
	known.input = writtenOut(known.Input)
	if output := writtenOut(known.Output); !output.is("null") {
		known.output = output
	}
	return known
}

func (a *about) tool(name string) *mcp.Tool {
	tool := &mcp.Tool{
		Meta: mcp.Meta{}, Name: name, Title: a.Title, Description: a.Description,
		InputSchema: a.input.text(), Annotations: a.annotations(),
	}
	// What says that the result comes later does not fit the schema of the output.
	if a.output != nil && a.Deferred == nil {
		tool.OutputSchema = a.output.text()
	}
	maps.Copy(tool.Meta, a.Meta)
	tool.Meta[ours] = a.more()
	return tool
}

// annotations are all four, where something is known: the protocol takes a tool for destructive that does not say otherwise.
func (a *about) annotations() *mcp.ToolAnnotations {
	if a.Hints == nil {
		return nil
	}
	is := func(hint string) bool { return slices.Contains(*a.Hints, hint) }
	destructive, open := is("destructive"), is("open_world")
	return &mcp.ToolAnnotations{
		ReadOnlyHint: is("read_only"), DestructiveHint: &destructive, IdempotentHint: is("idempotent"), OpenWorldHint: &open,
	}
}

func (a *about) more() map[string]any {
	said := map[string]any{"kind": a.Kind, "id": a.ID}
	if a.ID == "" {
		said["id"] = a.name
	}
	for key, value := range map[string]*string{"version": a.Version, "deprecated": a.Deprecated, "activation": a.Activation} {
		if value != nil {
			said[key] = *value
		}
	}
	if a.Mode == "silent" {
		said["mode"] = a.Mode
	}
	for key, value := range map[string]json.RawMessage{"approval": a.Approval, "deferred": a.Deferred} {
		if value != nil {
			said[key] = true
		}
	}
	if a.Fails != nil {
		said["fails"] = a.Fails
	}
	return said
}

// caller calls one tool.
type caller struct {
	*about
	tools   []weave.BoundTool
	name    string
	options []weave.Option
}

func (c caller) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	told := &listener{ctx: ctx, req: req, isOpen: true}
	options := append(slices.Clone(c.options), weave.OnProgress(told.progress), weave.OnArtifacts(told.attach))
	key := keyOf(req)
	if key == "" && c.Deferred != nil {
		key = rand.Text()
	}
	dispatched := weave.Dispatched{Name: c.name, Args: req.Params.Arguments, Key: key}
	outcome := weave.Dispatch(ctx, c.tools, dispatched, options...)
	beside := map[string]any{}
	if artifacts := told.close(); len(artifacts) > 0 {
		beside["artifacts"] = artifacts
	}
	result := &mcp.CallToolResult{}
	switch {
	case outcome.Failure != nil:
		text, err := outcome.Failure.MarshalJSON()
		if err != nil {
			return nil, err
		}
		result.IsError = true
		result.Content = words(text)
		beside["failure"] = json.RawMessage(text)
	case outcome.Pending != "":
		text, err := json.Marshal(map[string]string{"pending": outcome.Pending})
		if err != nil {
			return nil, err
		}
		result.Content = words(text)
		beside["pending"] = outcome.Pending
	case c.output != nil:
		result.Content = words(outcome.Result)
		result.StructuredContent = outcome.Result
		if !c.output.isObject() && isOld(req.Session) {
			result.StructuredContent = map[string]json.RawMessage{"result": outcome.Result}
		}
	}
	if len(beside) > 0 {
		result.Meta = mcp.Meta{ours: beside}
	}
	return result, nil
}

func words(text []byte) []mcp.Content { return []mcp.Content{&mcp.TextContent{Text: string(text)}} }

// keyOf is the key that a client gives the call, under which a deferred result is completed.
func keyOf(req *mcp.CallToolRequest) string {
	said, _ := req.Params.Meta[ours].(map[string]any)
	key, _ := said["key"].(string)
	return key
}

// listener takes what a tool tells while it runs.
type listener struct {
	lock      sync.Mutex
	ctx       context.Context
	req       *mcp.CallToolRequest
	isOpen    bool
	count     float64
	artifacts []json.RawMessage
}

func (l *listener) attach(_ string, artifacts json.RawMessage) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.artifacts = append(l.artifacts, artifacts)
}

// progress tells a client that asked for it.
func (l *listener) progress(_ string, value json.RawMessage) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.count++
	token := l.req.Params.GetProgressToken()
	if token == nil || !l.isOpen {
		return
	}
	params := progressOf(value, l.count)
	params.ProgressToken = token
	// Who has left hears nothing.
	_ = l.req.Session.NotifyProgress(l.ctx, params)
}

// close ends the telling: nothing may follow the result, whoever still runs.
func (l *listener) close() []json.RawMessage {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.isOpen = false
	return l.artifacts
}

// progressOf is progress as it is, if it has the fields of the protocol; of any other, values are counted and the text is the value.
func progressOf(value json.RawMessage, count float64) *mcp.ProgressNotificationParams {
	var known struct {
		Progress *float64 `json:"progress"`
		Total    any      `json:"total"`
		Message  any      `json:"message"`
	}
	if err := json.Unmarshal(value, &known); err == nil && known.Progress != nil {
		total, _ := known.Total.(float64)
		message, _ := known.Message.(string)
		return &mcp.ProgressNotificationParams{Progress: *known.Progress, Total: total, Message: message}
	}
	var message string
	if err := json.Unmarshal(value, &message); err != nil {
		message = string(value)
	}
	return &mcp.ProgressNotificationParams{Progress: count, Message: message}
}
