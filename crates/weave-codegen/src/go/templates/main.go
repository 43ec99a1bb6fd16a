// Command {{ folder }} serves tools over HTTP. It listens on ADDRESS, or on 127.0.0.1:8080.
{{ head }}

func main() {
	address := os.Getenv("ADDRESS")
	if address == "" {
		address = "127.0.0.1:8080"
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("serving tools on http://%s", listener.Addr())
	server := &http.Server{Handler: handler(), ReadHeaderTimeout: 10 * time.Second}
	log.Fatal(server.Serve(listener))
}

// handler answers the calls of all tools.
func handler() http.Handler {
	tools := slices.Concat(
{% for service in services %}
		{{ service.tools }},
{% endfor %}
	)
	return weave.Handler(tools, weave.OnError(func(tool string, err error) {
		log.Printf("the tool %s failed: %v", tool, err)
	}))
}
