package main

import (
	"time"

	"weave.test/gen/support"
	"weave.test/gen/support/supportparts"
	w "weave.test/gen/weaveruntime/weavebuild"
)

func main() {
	flow := w.New("mistakes", w.Input(w.Field("ticket", supportparts.TypeTicket)))
	lookup := flow.Step("lookup", w.Do(w.Wait(time.Second)))
	seen := func(support.SupportNode) {}
	said := func(...string) {}
	// here
}
