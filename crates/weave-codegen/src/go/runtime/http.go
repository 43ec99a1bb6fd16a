package weaveruntime

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
)

const (
	jsonType = "application/json"
	lines    = "application/x-ndjson"
)

// value is an outcome as it stands in an answer.
func (o Outcome) value() *value {
	into := objectValue()
	switch {
	case o.Failure != nil:
		into.put("failure", o.Failure.value())
	case o.Pending != "":
		into.put("pending", textValue(o.Pending))
	default:
		result, err := parse(o.Result)
		if err != nil {
			result = nullValue()
		}
		into.put("result", result)
	}
	return into
}

func answer(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("content-type", jsonType)
	w.WriteHeader(status)
	// Who has left hears nothing.
	_, _ = w.Write(body)
}

func failed(w http.ResponseWriter, failure *Failure) {
	status := failure.Status
	// No text can follow a status of these, nor one that is none.
	if status < 400 || status > 599 {
		status = 500
	}
	answer(w, status, canonical(Outcome{Failure: failure}.value()))
}

// refused is the failure of a request that is no dispatch.
func refused(status int, message string) *Failure {
	failure := NewFailure(InvalidInput, message)
	failure.Status = status
	return failure
}

func read(r *http.Request, only string) (Dispatched, *Failure) {
	// What a page of another origin can send without asking first is never declared as JSON.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("content-type")); err != nil || kind != jsonType {
		return Dispatched{}, refused(http.StatusUnsupportedMediaType, "a dispatch is sent as "+jsonType)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		var long *http.MaxBytesError
		if errors.As(err, &long) {
			return Dispatched{}, refused(http.StatusRequestEntityTooLarge, "the body is too long")
		}
		return Dispatched{}, NewFailure(InvalidInput, "the body cannot be read")
	}
	text, wrong := parse(body)
	switch {
	case wrong != nil && wrong.syntax:
		return Dispatched{}, NewFailure(InvalidInput, "the body is not JSON")
	case wrong != nil:
		return Dispatched{}, NewFailure(InvalidInput, wrong.Error())
	case !text.is(kindObject):
		return Dispatched{}, NewFailure(InvalidInput, "(root): must be an object")
	}
	found := Dispatched{Name: only}
	switch name := text.get("name"); {
	case name == nil && only == "":
		return Dispatched{}, NewFailure(InvalidInput, "/name: is missing")
	case name != nil && !name.is(kindString):
		return Dispatched{}, NewFailure(InvalidInput, "/name: must be a string")
	case name != nil:
		found.Name = name.text
	}
	if args := text.get("args"); args != nil && !args.isNull() {
		found.Args = asWritten(args)
	}
	if key := text.get("key"); key != nil && key.is(kindString) {
		found.Key = key.text
	}
	return found, nil
}

// streamed gives what the tool streams, and then its outcome, each on a line of its own.
func streamed(w http.ResponseWriter, r *http.Request, tools []BoundTool, dispatched Dispatched, told options) {
	w.Header().Set("content-type", lines)
	w.WriteHeader(http.StatusOK)
	var lock sync.Mutex
	open := true
	controller := http.NewResponseController(w)
	line := func(body *value) {
		lock.Lock()
		defer lock.Unlock()
		if open {
			_, _ = w.Write(append(canonical(body), '\n'))
			_ = controller.Flush()
		}
	}
	send := func(name string) func(string, json.RawMessage) {
		return func(_ string, text json.RawMessage) {
			if told, err := parse(text); err == nil {
				body := objectValue()
				body.put(name, told)
				line(body)
			}
		}
	}
	heard := told
	heard.onProgress = both(send("progress"), told.onProgress)
	heard.onArtifacts = both(send("artifacts"), told.onArtifacts)
	line(dispatch(r.Context(), tools, dispatched, heard).value())
	// Nothing may be written behind the end, whoever still runs.
	lock.Lock()
	defer lock.Unlock()
	open = false
}

func handler(tools []BoundTool, only string, given []Option) http.Handler {
	// Models call tools as they are offered, steps as they are declared.
	if err := (Names{}).add(tools, func(tool BoundTool) []string { return append(tool.Offered(), tool.name) }); err != nil {
		panic(err)
	}
	told := optionsOf(given)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("allow", http.MethodPost)
			failed(w, refused(http.StatusMethodNotAllowed, "a dispatch is sent with POST"))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, told.longest)
		dispatched, failure := read(r, only)
		if failure != nil {
			failed(w, failure)
			return
		}
		if strings.Contains(r.Header.Get("accept"), lines) {
			streamed(w, r, tools, dispatched, told)
			return
		}
		switch outcome := dispatch(r.Context(), tools, dispatched, told); {
		case outcome.Failure != nil:
			failed(w, outcome.Failure)
		case outcome.Pending != "":
			answer(w, http.StatusAccepted, canonical(outcome.value()))
		default:
			answer(w, http.StatusOK, outcome.Result)
		}
	})
}

// Handler serves all of these tools: a dispatch names the one that is meant. Who accepts application/x-ndjson also gets what tools stream.
// It panics if a name would mean two tools, as [http.ServeMux] does with patterns.
func Handler(tools []BoundTool, given ...Option) http.Handler { return handler(tools, "", given) }

// ToolHandler serves one tool, which a dispatch need not name.
func ToolHandler(tool BoundTool, given ...Option) http.Handler {
	return handler([]BoundTool{tool}, tool.name, given)
}
