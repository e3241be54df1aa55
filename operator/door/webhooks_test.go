package door_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runkora/kora/operator/door"
	"github.com/runkora/kora/operator/operatortest"
)

// serve runs webhooks with one handler, and gives where, and a client.
func serve(t *testing.T, h http.Handler) (address string, client *http.Client) {
	t.Helper()
	trusted := httptest.NewUnstartedServer(nil) // has a certificate, and who trusts it
	trusted.EnableHTTP2 = true
	trusted.StartTLS()
	t.Cleanup(trusted.Close)
	host := operatortest.Address(t, 9443)
	w := door.New(door.Options{Host: host, Port: 9443, TLS: []func(*tls.Config){func(c *tls.Config) { c.Certificates = trusted.TLS.Certificates }}})
	w.Register("/validate", h)
	if w.StartedChecker()(nil) == nil {
		t.Error("ready before it listens")
	}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Start(ctx) }()
	t.Cleanup(func() {
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	operatortest.Eventually(t, func() error { return w.StartedChecker()(nil) })
	client = trusted.Client()
	client.Transport.(*http.Transport).TLSClientConfig.ServerName = "example.com"
	return host + ":9443", client
}

// R54: the API server is answered by HTTP/2 while more connections come than there is
// room for, and each of them says nothing.
func TestWebhooksAnswerInAFlood(t *testing.T) {
	address, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		_, _ = io.Copy(io.Discard, q.Body)
		fmt.Fprint(w, q.Proto)
	}))
	flood := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}}
	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 7, 7, 7)}}
	client.Transport.(*http.Transport).DialContext = from.DialContext
	client.Transport.(*http.Transport).ForceAttemptHTTP2 = true
	for n := range 600 {
		c, err := flood.DialContext(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if n%100 > 0 {
			continue
		}
		response, err := client.Post("https://"+address+"/validate", "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatalf("after %d: %v", n, err)
		}
		said, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if string(said) != "HTTP/2.0" {
			t.Errorf("answered %q", said)
		}
	}
}

// R54: headers beyond the API server's are not read, and not kept.
func TestHeadersAreBounded(t *testing.T) {
	address, client := serve(t, http.NotFoundHandler())
	config := client.Transport.(*http.Transport).TLSClientConfig.Clone()
	config.NextProtos = nil // HTTP/1.1
	c, err := tls.Dial("tcp", address, config)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	go func() {
		_, _ = io.WriteString(c, "POST /validate HTTP/1.1\r\nHost: kora\r\n")
		for n := 0; ; n++ {
			if _, err := fmt.Fprintf(c, "X-%d: %s\r\n", n, strings.Repeat("x", 1000)); err != nil {
				return
			}
		}
	}()
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("answered %s", response.Status)
	}
}

// endless is a body without an end.
type endless struct{ given atomic.Int64 }

func (e *endless) Read(into []byte) (int, error) {
	e.given.Add(int64(len(into)))
	return len(into), nil
}

// R54: of bodies that nobody reads the server takes so much and no more, and a body that
// waits holds up no other request of the same connection.
func TestUnreadBodiesAreBounded(t *testing.T) {
	release := make(chan struct{})
	address, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.ContentLength < 0 || q.ContentLength > 1000 {
			<-release
			return
		}
		_, _ = io.Copy(io.Discard, q.Body)
	}))
	client.Transport.(*http.Transport).ForceAttemptHTTP2 = true
	counted := &endless{}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if r, err := client.Post("https://"+address+"/validate", "application/json", counted); err == nil {
			_ = r.Body.Close()
		}
	}()
	for range 20 {
		response, err := client.Post("https://"+address+"/validate", "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
	}
	close(release)
	<-ended
	if n := counted.given.Load(); n > 1<<19 {
		t.Errorf("%d bytes of a body that is not read were sent", n)
	}
}
