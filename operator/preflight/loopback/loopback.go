// Package loopback has servers for the tests of what connects to a PostgreSQL and a
// Redis: on free ports of the loopback, until the test ends (R55).
package loopback

import (
	"net"
	"testing"
)

// Serve answers each connection, and returns the port.
func Serve(t testing.TB, handle func(net.Conn)) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				handle(conn)
			}()
		}
	}()
	return l.Addr().(*net.TCPAddr).Port
}

// Echo answers whatever anybody says with one text, and returns the port.
func Echo(t testing.TB, text string) int {
	t.Helper()
	return Serve(t, func(conn net.Conn) {
		for buffer := make([]byte, 4096); ; {
			if _, err := conn.Read(buffer); err != nil {
				return
			}
			if _, err := conn.Write([]byte(text)); err != nil {
				return
			}
		}
	})
}
