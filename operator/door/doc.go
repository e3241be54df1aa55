// Package door is what others reach the operator through (R50, R54): its webhooks, its
// probes and its metrics. Nobody proves who he is before he is in, so that all that a
// connection may hold is bounded: how many there are, what each may send unread, and how
// long it may take to say what it wants. Whoever opens more than there is room for closes
// connections of his own, and the API server and the kubelet still come in.
//
//	hooks := door.New(door.Options{Host: host, Port: 9443, TLS: certificates.TLS()})
//	probes, err := door.Serve("probes", "127.0.0.1:8081", mux)
//
// It knows nothing of what is served.
package door
