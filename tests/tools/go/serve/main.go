// Command serve carries out the tools of the example expense.weave for workflow runs. It listens on 127.0.0.1.
package main

import (
	"context"
	"log"
	"net"
	"net/http"

	"weave.test/gen/expense"
	weave "weave.test/gen/weaveruntime"
)

type bank struct{ expense.UnimplementedService }

// Transfer pays, and gives the key of the call as the reference.
func (bank) Transfer(ctx context.Context, in expense.TransferInput) (expense.TransferOutput, error) {
	if in.Amount == "13" {
		return expense.TransferOutput{}, expense.TransferRefused{Code: "limit", Message: "too much"}
	}
	key, _ := weave.CallKey(ctx)
	return expense.TransferOutput{Reference: key}, nil
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("serving tools on http://%s", listener.Addr())
	log.Fatal(http.Serve(listener, expense.NewHandler(bank{})))
}
