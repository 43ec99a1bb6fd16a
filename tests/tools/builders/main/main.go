// Puts together what the packages build, and what stands here, and prints the definitions; then makes all the mistakes that a builder sees when
// it runs.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"weave.test/gen/support/supportparts"
	w "weave.test/gen/weaveruntime/weavebuild"
)

// greet is greet.weave, written by hand.
func greet() *w.Workflow {
	flow := w.New("greet", w.Input(w.Field("name", w.T.String())))
	flow.Step("ask", w.Do(w.TopicAiRequest.Emit(w.Object(
		w.Set("prompt", w.Text("greet the traveler warmly: ", flow.Input.At("name"))),
	))))
	flow.Step("speak", w.On(w.TopicAiResponse), w.Do(w.TopicToolDispatch.Emit(w.Object(
		w.Set("name", "speak"),
		w.Set("text", w.Response.At("text")),
	))))
	flow.End("done", w.On(w.TopicToolResult))
	return flow
}

// support is support.weave, written by hand.
func support() *w.Workflow {
	flow := w.New("support", w.Input(w.Field("ticket", supportparts.TypeTicket)), w.Returns(supportparts.TypeResolution))
	ticket := flow.Input.At("ticket")
	resolved := func(status string, detail any) w.EndOption {
		return w.Output(w.Object(w.Set("status", status), w.Set("detail", detail)))
	}

	triage := flow.Step("triage", w.Do(supportparts.AgentTriager.Ask(supportparts.TriagerArguments{Ticket: ticket})))
	intent := triage.At("intent").As(w.String)
	lookup := flow.Step("lookup",
		w.On(w.When(triage, w.And(w.Ne(triage.At("order_id").As(w.String), nil), w.Eq(intent, "refund")))),
		w.Do(supportparts.ToolFindOrder.Call(supportparts.FindOrderArguments{OrderID: triage.At("order_id")})),
	)
	answer := flow.Step("answer",
		w.On(w.When(triage, w.Eq(intent, "question"))),
		w.Do(supportparts.AgentWriter.Ask(supportparts.WriterArguments{Question: ticket.At("body")})),
	)
	flow.End("unclear", w.On(w.Otherwise(triage)), resolved("escalated", "no automatic answer"))
	approve := flow.Step("approve",
		w.On(w.When(lookup, w.Gt(lookup.At("total").As(w.Decimal), "100"))),
		w.Do(supportparts.TopicApprovalRequested.Emit(supportparts.ApprovalRequestedPayload{
			Order:  lookup.Answer,
			Amount: lookup.At("total"),
		})),
	)
	pay := flow.Step("pay",
		w.On(w.Otherwise(lookup), w.Answer(supportparts.TopicApprovalGranted, approve)),
		w.Do(supportparts.ToolRefund.Call(supportparts.RefundArguments{OrderID: lookup.At("id"), Amount: lookup.At("total")})),
	)
	flow.End("refunded", w.On(pay), resolved("refunded", w.Text("order ", lookup.At("id"))))
	flow.End("denied", w.On(w.Answer(supportparts.TopicApprovalDenied, approve)), resolved("denied", w.Event.At("reason")))
	flow.End("late", w.On(w.TimedOut(approve, 24*time.Hour)), resolved("denied", "nobody answered"))
	flow.End("declined",
		w.On(w.When(w.Failed(pay), w.Eq(w.Failure.At("code").As(w.String), "card_declined"))),
		resolved("denied", w.Failure.At("data", "reason")),
	)
	flow.End("answered", w.On(answer), resolved("answered", answer.At("text")))
	flow.End("handed", w.On(w.Called(supportparts.ToolEscalate, answer)), resolved("escalated", w.Event.At("reason")))
	return flow
}

// mistakes are made one by one, each in a workflow that would be right without it.
var mistakes = map[string]func(flow *w.Workflow, one *w.Step){
	"`1st` is not a name":                                   func(flow *w.Workflow, _ *w.Step) { flow.Step("1st", w.Do(w.Wait(time.Second))) },
	"`one` is the name of two nodes":                        func(flow *w.Workflow, _ *w.Step) { flow.End("one") },
	"`event` is reserved and cannot be the name of a step":  func(flow *w.Workflow, _ *w.Step) { flow.Step("event", w.Do(w.Wait(time.Second))) },
	"what `one` does has been said already":                 func(_ *w.Workflow, one *w.Step) { one.Is(w.Do(w.Wait(time.Second))) },
	"nobody has said what `later` does":                     func(flow *w.Workflow, _ *w.Step) { flow.Step("later") },
	"often: a limit is 1 at least, not 0":                   func(flow *w.Workflow, _ *w.Step) { flow.End("often", w.Limit(0)) },
	"some: 3 of 1 steps cannot be":                          func(flow *w.Workflow, one *w.Step) { flow.End("some", w.On(w.SomeOf(3, []*w.Step{one}))) },
	"twice: a trigger has one condition at most":            func(flow *w.Workflow, one *w.Step) { flow.End("twice", w.On(w.Otherwise(w.Otherwise(one)))) },
	"`one` is a step of `mistakes`, not of `other`":         nil,
	"`empty` has no nodes, and a workflow has one at least": nil,
	"find: `call` of `find_order` lacks `order_id`": func(flow *w.Workflow, _ *w.Step) {
		flow.Step("find", w.Do(supportparts.ToolFindOrder.Call(supportparts.FindOrderArguments{})))
	},
	"pay: `call` of `refund` lacks `order_id`, `amount`": func(flow *w.Workflow, _ *w.Step) {
		flow.Step("pay", w.Do(supportparts.ToolRefund.Call(supportparts.RefundArguments{})))
	},
	"ask: `emit` of `approval.requested` lacks `amount`": func(flow *w.Workflow, one *w.Step) {
		flow.Step("ask", w.Do(supportparts.TopicApprovalRequested.Emit(supportparts.ApprovalRequestedPayload{Order: one.Answer})))
	},
	"`endless` has neither an end nor a fail, so no run of it comes to an end": nil,
	"end: *weavebuild.Step is no value of a workflow; it takes nil, JSONNull, bool, numbers, string, Object, Items, Text and what is read": func(flow *w.Workflow, one *w.Step) {
		flow.End("end", w.Output(one))
	},
}

func told(expected string, mistake func(flow *w.Workflow, one *w.Step)) string {
	flow := w.New("mistakes")
	one := flow.Step("one", w.Do(w.Wait(time.Second)))
	flow.End("done", w.On(one))
	switch {
	case mistake != nil:
		mistake(flow, one)
	case expected[1] == 'o':
		flow = w.New("other")
		flow.End("done", w.On(one))
	case expected[2] == 'n':
		flow = w.New("endless")
		flow.Step("again", w.Do(w.Wait(time.Second)))
	default:
		flow = w.New("empty")
	}
	_, err := flow.Definition()
	return fmt.Sprint(err)
}

func main() {
	printed := map[string]map[string]string{"built": {}, "byHand": {}, "mistakes": {}}
	put := func(into, name string, flow *w.Workflow) {
		definition, err := flow.Definition()
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			os.Exit(1)
		}
		printed[into][name] = definition.Canonical()
		if into == "built" {
			printed[into][name+" digest"] = definition.Digest()
		}
	}
	for _, program := range programs {
		flow := program.build()
		put("built", program.pack+"/"+flow.Name(), flow)
	}
	put("byHand", "greet/greet", greet())
	put("byHand", "support/support", support())
	for expected, mistake := range mistakes {
		printed["mistakes"][expected] = told(expected, mistake)
	}
	_ = json.NewEncoder(os.Stdout).Encode(printed)
}
