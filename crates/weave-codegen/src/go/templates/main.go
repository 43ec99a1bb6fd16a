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

{% if apart %}
// handler answers the calls of the tools of each file at a path of its own: two of them have tools of one name.
func handler() http.Handler {
	told := weave.OnError(func(tool string, err error) {
		log.Printf("the tool %s failed: %v", tool, err)
	})
	mux := http.NewServeMux()
{% for service in services %}
	mux.Handle({{ service.path }}, weave.Handler({{ service.tools }}, told))
{% endfor %}
	return mux
}
{% else %}
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
{% endif %}
