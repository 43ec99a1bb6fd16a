// What the compiler refuses: each line with a comment behind it, and no other.
package main

import (
	"weave.test/gen/support/supportparts"
	w "weave.test/gen/weaveruntime/weavebuild"
)

func main() {
	flow := w.New("refused", w.Input(w.Field("ticket", supportparts.TypeTicket)))
	lookup := flow.Step("lookup", w.Do(w.Call(supportparts.ToolFindOrder, w.Object(w.Set("order_id", "A-17")))))
	flow.End("done", w.On(lookup))

	w.Call(supportparts.ToolFindOrders, w.Object())                      // wrong: there is no such tool
	w.Emit(supportparts.TopicApprovalRequest, w.Object())                // wrong: there is no such topic
	flow.End("other", w.On(lookups))                                     // wrong: there is no such step
	flow.End("named", w.On("lookup"))                                    // wrong: a name is no step
	w.Ask(supportparts.ToolFindOrder, w.Object())                        // wrong: a tool is no agent
	w.New("other", w.Input(w.Field("ticket", supportparts.TypeTickets))) // wrong: there is no such type
	lookup.At("total").As(w.Money)                                       // wrong: there is no such type of values
	w.Retry(3, w.RetryOn("unavailable"))                                 // wrong: a text is no kind of failure
	flow.End("late", w.Timeout(1))                                       // wrong: an end takes no time
	flow.Step("ended", w.Do(w.Value(nil)), w.Output(nil))                // wrong: a step has no output of the run
	w.New("named", w.Limit(1))                                           // wrong: a workflow has no limit
}
