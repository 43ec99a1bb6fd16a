// Command server is a tool server: the service desk of the example support.weave, started on this machine and called with good and bad
// dispatches.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"time"

	"weave.test/gen/faded"
	"weave.test/gen/fading"
	"weave.test/gen/shop"
	"weave.test/gen/support"
	"weave.test/gen/taken"
	"weave.test/gen/types"
	weave "weave.test/gen/weaveruntime"
)

var order = shop.Order{
	ID: "A-1",
	Customer: shop.Customer{
		ID: "123e4567-e89b-12d3-a456-426614174000", Name: "Ada", Email: "ada@example.com", Since: "2026-01-01",
	},
	Lines:    []shop.Line{{Sku: "AB-1", Title: "Tea", Quantity: 1, Price: "12.50"}},
	Total:    "12.50",
	PlacedAt: weave.TimestampOf(time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)),
}

// desk is the whole implementation.
type desk struct {
	left chan struct{}
}

func (d desk) FindOrder(ctx context.Context, in support.FindOrderInput) (support.FindOrderOutput, error) {
	switch in.OrderID {
	case "wait":
		<-ctx.Done()
		close(d.left)
		return order, ctx.Err()
	case "broken":
		return order, errors.New("a secret of the database")
	case "panic":
		panic("a secret of the stack")
	case "odd":
		odd := order
		odd.Lines = nil
		return odd, nil
	}
	return order, nil
}

func (desk) Refund(_ context.Context, in support.RefundInput) (support.RefundOutput, error) {
	switch in.OrderID {
	case "declined":
		return support.RefundOutput{}, fmt.Errorf("at the bank: %w", support.CardDeclined{Reason: "stolen"})
	case "custom":
		return support.RefundOutput{}, weave.WithMessage(support.CardDeclined{Reason: "stolen"}, "call us")
	case "undeclared":
		return support.RefundOutput{}, undeclared{}
	case "later":
		return support.RefundOutput{}, weave.NewFailure(weave.Unavailable, "try again")
	}
	return support.RefundOutput{RefundID: "r_" + string(in.Amount)}, nil
}

func (desk) Remember(context.Context, support.RememberInput) error { return nil }

// undeclared is an error that no tool here declares.
type undeclared struct{}

func (undeclared) Error() string { return "secret" }

func (undeclared) WeaveFailure() (*weave.Failure, error) {
	return weave.DeclaredFailure("undeclared", weave.NothingCodec, weave.Nothing{}, 409, "secret")
}

type tester struct {
	address string
	told    []string
	seen    []string
}

func check(ok bool, format string, args ...any) {
	if !ok {
		log.Fatalf(format, args...)
	}
}

func (t *tester) call(path, body, accept string) (int, string, http.Header) {
	request, err := http.NewRequest(http.MethodPost, t.address+path, strings.NewReader(body))
	check(err == nil, "%v", err)
	request.Header.Set("content-type", "application/json")
	if accept != "" {
		request.Header.Set("accept", accept)
	}
	answer, err := http.DefaultClient.Do(request)
	check(err == nil, "%v", err)
	text, err := io.ReadAll(answer.Body)
	check(err == nil && answer.Body.Close() == nil, "%v", err)
	return answer.StatusCode, string(text), answer.Header
}

func (t *tester) expect(path, body string, status int, answer string) {
	found, text, _ := t.call(path, body, "")
	check(found == status && text == answer, "%s %s: %d %s", path, body, found, text)
}

func failure(kind, message string) string {
	text, _ := json.Marshal(message)
	return fmt.Sprintf(`{"failure":{"kind":%q,"message":%s}}`, kind, text)
}

func main() {
	service := desk{left: make(chan struct{})}
	t := &tester{}
	audit := func(next weave.Runner) weave.Runner {
		return func(ctx context.Context, call *weave.Call) weave.Outcome {
			t.seen = append(t.seen, call.Tool)
			return next(ctx, call)
		}
	}
	told := weave.OnError(func(tool string, err error) { t.told = append(t.told, tool+": "+err.Error()) })
	mock := weave.Override(support.AllTools(service), support.BindRefund(func(context.Context, support.RefundInput) (support.RefundOutput, error) {
		return support.RefundOutput{RefundID: "mock"}, nil
	}))
	mux := http.NewServeMux()
	mux.Handle("/all", support.NewHandler(service, weave.WithMiddleware(audit), told))
	mux.Handle("/mock", weave.Handler(mock))
	mux.Handle("/only", support.FindOrderHandler(service.FindOrder))
	mux.Handle("/base", support.NewHandler(struct{ support.UnimplementedService }{}))
	mux.Handle("/long", taken.AllToolsHandler(long))
	mux.Handle("/small", support.NewHandler(service, weave.MaxBody(10)))
	server := httptest.NewServer(mux)
	defer server.Close()
	t.address = server.URL

	t.dispatches()
	t.streams()
	t.cancels(service)
	models(service)
	names()
	descriptors()
	parts()
	fmt.Println("the server answers as it should")
}

func (t *tester) dispatches() {
	t.expect("/all", `{"name":"refund","args":{"order_id":"A-1","amount":"12.50"}}`, 200, `{"refund_id":"r_12.50"}`)
	t.expect("/all", `{"name":"remember","args":{"preferences":["tea"]}}`, 200, `null`)
	t.expect("/all", `{"name":"refund","args":{"order_id":"A-1","amount":12.5}}`, 400, failure("invalid_input", "/amount: must be a string"))
	t.expect("/all", `{"name":"refund","args":{"order_id":"A-1"}}`, 400, failure("invalid_input", "/amount: is missing"))
	t.expect("/all", `{"name":"refund","args":{"order_id":"A-1","amount":"1","more":1}}`, 400,
		failure("invalid_input", "/more: is not a field that is known here"))
	t.expect("/all", `{"name":"refund","args":{"order_id":"A-1","amount":"1","Amount":"2"}}`, 400,
		failure("invalid_input", "/Amount: is not a field that is known here"))
	t.expect("/all", `{"name":"refund","args":{"order_id":"A-1","amount":"1","amount":"2"}}`, 400,
		failure("invalid_input", "/args/amount: is there twice"))
	t.expect("/all", `{"name":"refund","args":{"__proto__":{}}}`, 400, failure("invalid_input", "/order_id: is missing"))
	t.expect("/all", `{"name":"refund","args":7}`, 400, failure("invalid_input", "(root): must be an object"))
	t.expect("/all", `{"name":"nope"}`, 404, failure("unknown_tool", `there is no tool "nope" here`))
	t.expect("/all", `{"name":"escalate","args":{"reason":"x"}}`, 404, failure("unknown_tool", `there is no tool "escalate" here`))
	t.expect("/all", `{"args":{}}`, 400, failure("invalid_input", "/name: is missing"))
	t.expect("/all", `{"name":1}`, 400, failure("invalid_input", "/name: must be a string"))
	t.expect("/all", `{`, 400, failure("invalid_input", "the body is not JSON"))
	t.expect("/all", `{} x`, 400, failure("invalid_input", "the body is not JSON"))
	t.expect("/all", `[]`, 400, failure("invalid_input", "(root): must be an object"))
	t.expect("/all", strings.Repeat("[", 100_000), 400, failure("invalid_input", strings.Repeat("/0", 10_000)+": is nested too deeply"))
	declined := `{"failure":{"code":"card_declined","data":{"reason":"stolen"},"kind":"execution_error","message":%q}}`
	t.expect("/all", `{"name":"refund","args":{"order_id":"declined","amount":"1"}}`, 422, fmt.Sprintf(declined, "card_declined"))
	t.expect("/all", `{"name":"refund","args":{"order_id":"custom","amount":"1"}}`, 422, fmt.Sprintf(declined, "call us"))
	t.expect("/all", `{"name":"refund","args":{"order_id":"later","amount":"1"}}`, 503, failure("unavailable", "try again"))
	for _, id := range []string{"broken", "panic"} {
		t.expect("/all", `{"name":"find_order","args":{"order_id":"`+id+`"}}`, 500, failure("execution_error", "the tool failed"))
	}
	t.expect("/all", `{"name":"refund","args":{"order_id":"undeclared","amount":"1"}}`, 500, failure("execution_error", "the tool failed"))
	wanted := []string{"find_order: a secret of the database", "find_order: panic: a secret of the stack", "refund: secret"}
	check(reflect.DeepEqual(t.told, wanted), "%q", t.told)
	t.expect("/all", `{"name":"find_order","args":{"order_id":"odd"}}`, 500, failure("invalid_output", "/lines: must have at least 1 items"))
	t.expect("/mock", `{"name":"refund","args":{"order_id":"declined","amount":"1"}}`, 200, `{"refund_id":"mock"}`)
	t.expect("/only", `{"name":"refund","args":{}}`, 404, failure("unknown_tool", `there is no tool "refund" here`))
	t.expect("/base", `{"name":"remember","args":{"preferences":[]}}`, 501, failure("execution_error", `the tool "remember" is not implemented`))
	t.expect("/small", `{"name":"refund"}`, 413, failure("invalid_input", "the body is too long"))
	status, text, headers := t.call("/only", `{"args":{"order_id":"A-2"}}`, "")
	check(status == 200 && headers.Get("content-type") == "application/json", "%d", status)
	var found shop.Order
	check(json.Unmarshal([]byte(text), &found) == nil && reflect.DeepEqual(found, order), "%s", text)
	answer, err := http.Get(t.address + "/all")
	check(err == nil && answer.StatusCode == 405 && answer.Header.Get("allow") == "POST", "%v", err)
	check(answer.Body.Close() == nil, "the body can be closed")
	for kind, status := range map[string]int{"text/plain": 415, "": 415, "application/jsonp": 415, "Application/JSON ; charset=utf-8": 400} {
		answer, err := http.Post(t.address+"/all", kind, strings.NewReader(`{"name":"refund"}`))
		check(err == nil && answer.StatusCode == status && answer.Body.Close() == nil, "%s %v", kind, err)
	}
	status, text, headers = t.call("/all", `{"name":"refund","args":{"order_id":"A-1","amount":"1"}}`, "application/x-ndjson")
	check(status == 200 && text == `{"result":{"refund_id":"r_1"}}`+"\n", "%d %s", status, text)
	check(headers.Get("content-type") == "application/x-ndjson", "%v", headers)
	seen := strings.Join(t.seen, " ")
	check(strings.Contains(seen, "refund") && !strings.Contains(seen, "nope"), "%s", seen)
}

// long tells how far it has come, hands something over, and gives its result later.
func long(ctx context.Context, in taken.AllToolsInput, call taken.AllToolsCall) (taken.AllToolsOutput, error) {
	if err := call.Emit(taken.AllToolsProgress{V: 1}); err != nil {
		return nil, err
	}
	handed := taken.Service{Unnamed: "x", Größe: 1, Extra_: map[string]json.RawMessage{"more": json.RawMessage("[1.0]")}}
	if err := call.Attach(taken.AllToolsArtifacts{Service: handed}); err != nil {
		return nil, err
	}
	if in.In == "now" {
		return taken.Tree{nil, taken.Tree{}}, nil
	}
	return nil, weave.Pending(ctx)
}

// streams calls a tool that tells something while it runs.
func (t *tester) streams() {
	args := `"args":{"in":%q,"out":"","ctx":{"right":null,"rest":[],"by_name":{},"any":{"right":null,"rest":[],"by_name":{},"any":"x"}},"err":{"key":"a"}}`
	now, later := fmt.Sprintf(args, "now"), fmt.Sprintf(args, "later")
	t.expect("/long", "{"+now+"}", 200, `[[],[]]`)
	t.expect("/long", "{"+later+`,"key":"k1"}`, 202, `{"pending":"k1"}`)
	t.expect("/long", "{"+later+"}", 500, failure("execution_error", "the tool failed"))
	told := `{"progress":{"v":1}}` + "\n" + `{"artifacts":{"service":%s}}` + "\n" + `{"pending":"k1"}` + "\n"
	handed := `{"":"x","a` + "`" + `b":0,"größe":1,"more":[1],"validate":false,"日本":0}`
	status, text, _ := t.call("/long", "{"+later+`,"key":"k1"}`, "application/x-ndjson, application/json")
	check(status == 200 && text == fmt.Sprintf(told, handed), "%d %s", status, text)

	// What fits no type of a union is looked at once on each level, not once for each way through the types.
	deep := strings.Repeat(`{"next":`, 200) + "1" + strings.Repeat("}", 200)
	_, err := types.ChainCodec.Decode([]byte(deep))
	check(err != nil && err.Error() == "(root): fits none of its types", "%v", err)
}

// cancels leaves before there is an answer, which the tool hears.
func (t *tester) cancels(service desk) {
	ctx, stop := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer stop()
	body := strings.NewReader(`{"name":"find_order","args":{"order_id":"wait"}}`)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.address+"/all", body)
	check(err == nil, "%v", err)
	request.Header.Set("content-type", "application/json")
	_, err = http.DefaultClient.Do(request) //nolint:bodyclose // There is no answer.
	check(errors.Is(err, context.DeadlineExceeded), "%v", err)
	select {
	case <-service.left:
	case <-time.After(20 * time.Second):
		log.Fatal("the tool heard nothing")
	}
	gone, stop := context.WithCancel(context.Background())
	stop()
	args := json.RawMessage(`{"order_id":"A-1"}`)
	outcome := weave.Dispatch(gone, support.AllTools(service), weave.Dispatched{Name: "find_order", Args: args})
	check(outcome.Failure != nil && outcome.Failure.Kind == weave.Cancelled && outcome.Failure.Status == 499, "%v", outcome)
}

// names sees that no name means two tools.
func names() {
	former, renamed := fading.AllTools(fading.UnimplementedService{}), fading.FindersTools(fading.UnimplementedService{})
	later := faded.AllTools(faded.UnimplementedService{})
	clash := func(one, other string) string {
		return fmt.Sprintf("two tools are called \"find\" here, one of %s and one of %s: serve them apart", one, other)
	}
	says := func(wanted string, make func([]weave.BoundTool), given ...weave.BoundTool) {
		defer func() {
			said := ""
			if thrown := recover(); thrown != nil {
				said = fmt.Sprint(thrown)
			}
			check(said == wanted, "%s", said)
		}()
		make(given)
	}
	serve := func(tools []weave.BoundTool) { weave.Handler(tools) }
	offer := func(tools []weave.BoundTool) { weave.ModelTools(tools) }
	both := slices.Concat(former, later)
	says(clash("fading.Service", "faded.Service"), serve, both...)
	says(clash("fading.Service", "faded.Service"), offer, both...)
	says(clash("faded.Service", "faded.Service"), serve, slices.Concat(later, later)...)
	outcome := weave.Dispatch(context.Background(), both, weave.Dispatched{Name: "find"})
	check(outcome.Failure != nil && outcome.Failure.Kind == weave.UnknownTool, "%v", outcome)
	check(outcome.Failure.Message == clash("fading.Service", "faded.Service"), "%v", outcome.Failure)
	// Models know the two apart; steps do not.
	says("", offer, slices.Concat(renamed, later)...)
	says(clash("fading.FindersService", "faded.Service"), serve, slices.Concat(renamed, later)...)
	// One tool under two names.
	says("", serve, slices.Concat(renamed, former)...)
}

// models sees what models are offered, and what it does.
func models(service desk) {
	offered := weave.ModelTools(support.DeskTools(service))
	check(len(offered) == 1 && offered[0].Name == "desk__find_order", "%v", offered)
	for _, tool := range weave.ModelTools(support.AllTools(service)) {
		if tool.Name != "refund" {
			continue
		}
		args := json.RawMessage(`{"order_id":"A-1","amount":"5"}`)
		action, err := tool.Action(args)
		check(err == nil && action == "Refunding 5", "%s %v", action, err)
		out, err := tool.Execute(context.Background(), args)
		check(err == nil && string(out) == `{"refund_id":"r_5"}`, "%s %v", out, err)
		_, err = tool.Execute(context.Background(), json.RawMessage(`{}`))
		var failure *weave.Failure
		check(errors.As(err, &failure) && failure.Kind == weave.InvalidInput, "%v", err)
	}
}

// descriptors sees what definitions say about tools: their schemas need no other document.
func descriptors() {
	var known struct {
		Kind          string
		Input, Output json.RawMessage
	}
	err := json.Unmarshal(support.WebSearchTool.Descriptor(), &known)
	check(err == nil && known.Kind == "provider" && string(known.Input) == string(support.WebSearchInputCodec.Schema()), "%v %v", known, err)
	err = json.Unmarshal(support.FindOrderTool.Descriptor(), &known)
	output := string(support.FindOrderOutputCodec.Schema())
	check(err == nil && string(known.Output) == output && strings.Contains(output, "$defs"), "%v %v", known, err)
}

// parts reads signals and events, and gives prompts and workflows.
func parts() {
	signal, err := support.DecodeSignal("escalate", []byte(`{"reason":"angry"}`))
	escalate, ok := signal.(support.EscalateInput)
	check(err == nil && ok && escalate.Reason == "angry", "%v", err)
	_, err = support.DecodeSignal("refund", []byte(`{}`))
	check(err != nil, "a tool is no signal")
	event, err := support.DecodeEvent(support.TopicApprovalDenied, []byte(`{"by":"Ada","reason":"too much"}`))
	denied, ok := event.(support.ApprovalDeniedEvent)
	check(err == nil && ok && denied.Payload.Reason == "too much" && denied.Topic() == "approval.denied", "%v", err)
	text, err := event.Encode()
	check(err == nil && string(text) == `{"by":"Ada","reason":"too much"}`, "%s %v", text, err)
	_, err = support.DecodeEvent("approval.denied", []byte(`{"by":"Ada"}`))
	check(err != nil && err.Error() == "/reason: is missing", "%v", err)
	prompt, err := support.RenderGrounded(support.GroundedPromptInput{Question: "Why?"}, support.GroundedHydration{Docs: []string{"a", "b"}})
	check(err == nil && strings.HasSuffix(prompt, `["a","b"]`), "%s %v", prompt, err)
	ticket := support.TicketCodec.New()
	check(ticket.Tier == support.TierFree && ticket.Validate() != nil, "%v", ticket)
	ticket.ID, ticket.Customer, ticket.Body = "123e4567-e89b-12d3-a456-426614174000", order.Customer, "help"
	start, err := support.SupportWorkflow.Start(support.SupportInput{Ticket: ticket})
	check(err == nil && strings.Contains(string(start), `"digest":"`+support.SupportWorkflow.Digest+`"`), "%s %v", start, err)
	check(json.Valid(support.SupportWorkflow.Definition), "the definition is JSON")
	span, ok := weave.DurationOf(-1500 * time.Millisecond).Duration()
	check(ok && span == -1500*time.Millisecond, "%v", span)
}
