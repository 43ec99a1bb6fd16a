// Command mcp_server serves the tools of the example support.weave and of a fixture, over HTTP and over the Model Context Protocol.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"weave.test/gen/shop"
	"weave.test/gen/station"
	"weave.test/gen/support"
	weave "weave.test/gen/weaveruntime"
	"weave.test/gen/weaveruntime/weavemcp"
)

// desk is the whole implementation of the example.
type desk struct{}

func (desk) FindOrder(_ context.Context, in support.FindOrderInput) (support.FindOrderOutput, error) {
	if in.OrderID == "broken" {
		return shop.Order{}, errors.New("a secret of the database")
	}
	customer := shop.Customer{ID: "123e4567-e89b-12d3-a456-426614174000", Name: "Ada", Email: "ada@example.com", Since: "2026-01-01"}
	line := shop.Line{Sku: "AB-1", Title: "Tea", Quantity: 1, Price: "12.50"}
	return shop.Order{ID: in.OrderID, Customer: customer, Lines: []shop.Line{line}, Total: "12.50", PlacedAt: "2026-11-22T09:00:00Z"}, nil
}

func (desk) Refund(_ context.Context, in support.RefundInput) (support.RefundOutput, error) {
	if in.OrderID == "declined" {
		return support.RefundOutput{}, support.CardDeclined{Reason: "stolen"}
	}
	return support.RefundOutput{RefundID: "r_" + string(in.Amount)}, nil
}

func (desk) Remember(context.Context, support.RememberInput) error { return nil }

// base is the whole implementation of the fixture. It tells when a caller has left.
type base struct {
	left  chan struct{}
	leave func()
}

func (base) ListStages(context.Context, station.ListStagesInput) (station.ListStagesOutput, error) {
	return []station.Stage{{Name: "first", Parts: []station.Stage{{Name: "engine"}}}}, nil
}

func (base) FindPad(_ context.Context, in station.FindPadInput) (station.FindPadOutput, error) {
	if in.Name == "none" {
		return nil, nil
	}
	return &station.Pad{Name: in.Name, Busy: false}, nil
}

func (b base) CountDown(ctx context.Context, in station.CountDownInput, call station.CountDownCall) (station.CountDownOutput, error) {
	for at := in.From; at > 0; at-- {
		told := station.CountDownProgress{Progress: in.From - at + 1, Total: in.From, Message: fmt.Sprint(at)}
		if err := call.Emit(told); err != nil {
			return station.CountDownOutput{}, err
		}
		if in.From == 9 {
			<-ctx.Done()
			b.leave()
			return station.CountDownOutput{}, ctx.Err()
		}
	}
	return station.CountDownOutput{Done: true}, call.Attach(station.CountDownArtifacts{Log: "counted"})
}

func (b base) CheckWeather(_ context.Context, _ station.CheckWeatherInput, call station.CheckWeatherCall) (station.CheckWeatherOutput, error) {
	<-b.left
	return "the caller left", errors.Join(call.Emit("looking"), call.Emit("thinking"))
}

func (base) Launch(ctx context.Context, in station.LaunchInput) (station.LaunchOutput, error) {
	if in.Pad == "later" {
		return station.LaunchOutput{}, weave.Pending(ctx)
	}
	return station.LaunchOutput{At: "2026-11-22T09:00:00Z"}, nil
}

// refuses sees that a server has no second tool of one name.
func refuses(server *mcp.Server) {
	const wanted = `two tools are called "find_order" here, one of support.Service and one of support.Service: serve them apart`
	defer func() {
		if thrown := recover(); fmt.Sprint(thrown) != wanted {
			log.Fatal(thrown)
		}
	}()
	weavemcp.AddTools(server, support.AllTools(desk{}))
}

func main() {
	told := weave.OnError(func(tool string, err error) { log.Printf("%s: %v", tool, err) })
	server := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "1"}, nil)
	weavemcp.AddTools(server, support.DeskTools(desk{}), told)
	weavemcp.AddTools(server, support.AllTools(desk{}), told)
	left := make(chan struct{})
	leave := sync.OnceFunc(func() { close(left) })
	weavemcp.AddTools(server, station.AllTools(base{left, leave}), told)
	refuses(server)
	mux := http.NewServeMux()
	mux.Handle("/dispatch", support.NewHandler(desk{}, told))
	mux.Handle("/mcp", weavemcp.Handler(server))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, mux))
}
