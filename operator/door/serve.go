package door

import (
	"net"
	"net/http"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// What one connection may hold and how long it may take. The API server's reviews have
// few headers; a body arrives as it is read, and beyond that as much as unread is told
// here: some requests' for each connection, so that one that waits holds up no other.
const (
	headers    = 8 << 10 // bytes of one request
	asks       = 10 * time.Second
	idle       = 90 * time.Second
	streams    = 32       // requests at once of one connection; the API server opens another then
	unread     = 64 << 10 // bytes of one request's body
	unreadEach = 1 << 20  // bytes of all of them of one connection
)

// Serve is a server of the manager for a handler, which answers without TLS on the port
// of an address as host:port, whoever leads. The port is taken at once: an error is one
// of that.
func Serve(name, address string, h http.Handler) (*manager.Server, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	s := server(h)
	s.WriteTimeout = 2 * asks // what is served so is small
	return &manager.Server{Name: name, Server: s, Listener: newBound(l, most), ShutdownTimeout: &ends}, nil
}

// ends is how long requests that are under way have when the manager ends.
var ends = asks

func server(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, MaxHeaderBytes: headers, ReadHeaderTimeout: asks, IdleTimeout: idle,
		HTTP2: &http.HTTP2Config{MaxConcurrentStreams: streams, MaxReceiveBufferPerStream: unread, MaxReceiveBufferPerConnection: unreadEach},
	}
}
