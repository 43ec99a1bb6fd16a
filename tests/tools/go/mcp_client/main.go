// Command mcp_client lists the tools of a server and calls some: `mcp_client ADDRESS VERSION STEPS RESULTS`.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type step struct {
	Tool     string         `json:"tool"`
	Args     map[string]any `json:"args"`
	Key      string         `json:"key"`
	Progress []any          `json:"progress"`
	Cancel   bool           `json:"cancel"`
}

type told struct {
	Progress float64 `json:"progress"`
	Total    float64 `json:"total,omitempty"`
	Message  string  `json:"message,omitempty"`
}

type result struct {
	Progress []told              `json:"progress,omitempty"`
	Result   *mcp.CallToolResult `json:"result,omitempty"`
	Error    int64               `json:"error,omitempty"`
	Left     bool                `json:"left,omitempty"`
}

func run(ctx context.Context, session *mcp.ClientSession, step step, heard <-chan told) (found result) {
	params := &mcp.CallToolParams{Name: step.Tool, Arguments: step.Args, Meta: mcp.Meta{}}
	if step.Key != "" {
		params.Meta["x-weave"] = map[string]string{"key": step.Key}
	}
	if step.Progress != nil || step.Cancel {
		params.SetProgressToken("p")
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if step.Cancel {
		go func() {
			<-heard
			stop()
		}()
	}
	called, err := session.CallTool(ctx, params)
	var refused *jsonrpc.Error
	switch {
	case err == nil:
		found.Result = called
	case errors.As(err, &refused):
		found.Error = refused.Code
	case step.Cancel && ctx.Err() != nil:
		return result{Left: true}
	default:
		log.Fatalf("%s: %v", step.Tool, err)
	}
	// The client hears of progress beside the result.
	for range step.Progress {
		select {
		case one := <-heard:
			found.Progress = append(found.Progress, one)
		case <-time.After(10 * time.Second):
			return found
		}
	}
	return found
}

func main() {
	ctx, stop := context.WithTimeout(context.Background(), 180*time.Second)
	defer stop()
	var steps []step
	text, err := os.ReadFile(os.Args[3])
	check(err)
	check(json.Unmarshal(text, &steps))
	heard := make(chan told, 100)
	client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			heard <- told{req.Params.Progress, req.Params.Total, req.Params.Message}
		},
	})
	transport := &mcp.StreamableClientTransport{Endpoint: os.Args[1] + "/mcp"}
	session, err := client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: os.Args[2]})
	check(err)
	listed, err := session.ListTools(ctx, nil)
	check(err)
	results := []result{}
	for _, step := range steps {
		results = append(results, run(ctx, session, step, heard))
	}
	written, err := json.Marshal(map[string]any{
		"version": session.InitializeResult().ProtocolVersion, "tools": listed.Tools, "results": results,
	})
	check(err)
	check(os.WriteFile(os.Args[4], written, 0o600))
	check(session.Close())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
