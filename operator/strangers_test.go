package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/operatortest"
)

// R50, R54: whoever reaches the program's ports without credentials has as few lines
// written by each webhook, and holds as few connections of each port, as the packages
// that bound them say, and everybody else is answered meanwhile.
func TestStrangersFillNeitherLogNorPorts(t *testing.T) {
	p := install(t)
	o := p.start()
	for _, path := range []string{"/validate", "/inject"} {
		before := strings.Count(o.words.String(), "unable to decode")
		for range 60 {
			nonsense(t, "https://"+o.address+":9443"+path)
		}
		if n := strings.Count(o.words.String(), "unable to decode") - before; n != 20 {
			t.Errorf("%s wrote %d lines about 60 requests that it could not read", path, n)
		}
	}
	for _, port := range []string{"9443", "8081", "8082"} {
		held := flood(t, net.JoinHostPort(o.address, port), 400)
		operatortest.Eventually(t, func() error {
			if n := held(); n > 128 {
				return fmt.Errorf("port %s holds %d connections of one address", port, n)
			}
			return o.ready()
		})
	}
}

// nonsense sends what is no review.
func nonsense(t *testing.T, url string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	defer client.CloseIdleConnections()
	response, err := client.Post(url, "application/json", strings.NewReader("no review"))
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
}

// flood opens connections that say nothing, from an address of their own; held gives how
// many of them the other side has.
func flood(t *testing.T, to string, many int) (held func() int) {
	t.Helper()
	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 66, 6, 6)}}
	var all []net.Conn
	for range many {
		c, err := from.DialContext(t.Context(), "tcp", to)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		all = append(all, c)
	}
	return func() (n int) {
		for _, c := range all {
			_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
			if _, err := c.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
				n++
			} else if err == nil || !errors.Is(err, io.EOF) && !strings.Contains(err.Error(), "reset") {
				t.Errorf("%s: %v", to, err)
			}
		}
		return n
	}
}
