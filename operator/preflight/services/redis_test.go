package services

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
	"github.com/runkora/kora/operator/preflight/loopback"
)

// cache answers AUTH, INFO and a write as Redis does.
type cache struct {
	password string
	replica  string // slave_read_only of a replica; "" is none
	mode     string // redis_mode
	// written and published are what it answers to either; "" is that it is done
	written, published string
}

func (c cache) handle(conn net.Conn) {
	in, authenticated := bufio.NewReader(conn), false
	for {
		words, err := command(in)
		if err != nil || len(words) == 0 {
			return
		}
		switch strings.ToUpper(words[0]) {
		case "AUTH":
			if authenticated = words[len(words)-1] == c.password; !authenticated {
				_, _ = fmt.Fprint(conn, "-WRONGPASS invalid username-password pair or user is disabled.\r\n")
				continue
			}
			_, _ = fmt.Fprint(conn, "+OK\r\n")
		case "INFO":
			if !authenticated {
				_, _ = fmt.Fprint(conn, "-NOAUTH Authentication required.\r\n")
				continue
			}
			text := "# Server\r\nredis_version:7.0.15\r\nredis_mode:" + c.mode + "\r\n"
			if len(words) > 1 && words[1] == "replication" {
				text = "# Replication\r\nrole:master\r\n"
				if c.replica != "" {
					text = "# Replication\r\nrole:slave\r\nslave_read_only:" + c.replica + "\r\n"
				}
			}
			_, _ = fmt.Fprintf(conn, "$%d\r\n%s\r\n", len(text), text)
		case "SET":
			_, _ = fmt.Fprint(conn, cmp.Or(c.written, "+OK")+"\r\n")
		case "DEL":
			_, _ = fmt.Fprint(conn, ":1\r\n")
		case "PUBLISH":
			_, _ = fmt.Fprint(conn, cmp.Or(c.published, ":0")+"\r\n")
		default:
			_, _ = fmt.Fprint(conn, "-ERR unknown command\r\n")
		}
	}
}

// command reads one array of texts.
func command(in *bufio.Reader) ([]string, error) {
	var n int
	if _, err := fmt.Fscanf(in, "*%d\r\n", &n); err != nil {
		return nil, err
	}
	var words []string
	for range n {
		var size int
		if _, err := fmt.Fscanf(in, "$%d\r\n", &size); err != nil {
			return nil, err
		}
		word := make([]byte, size+2)
		if _, err := readFull(in, word); err != nil {
			return nil, err
		}
		words = append(words, string(word[:size]))
	}
	return words, nil
}

func readFull(in *bufio.Reader, into []byte) (int, error) {
	for n := 0; n < len(into); {
		m, err := in.Read(into[n:])
		if n += m; err != nil {
			return n, err
		}
	}
	return len(into), nil
}

func overTLS(pair tls.Certificate, handle func(net.Conn)) func(net.Conn) {
	return func(c net.Conn) { handle(tls.Server(c, &tls.Config{Certificates: []tls.Certificate{pair}})) }
}

func redisAt(t *testing.T, port int, mode, password, ca string) facts.Part[facts.Redis] {
	t.Helper()
	got := Redis(t.Context(), preflight.Endpoint{Host: "127.0.0.1", Port: port, TLS: mode}, password, ca)
	if strings.Contains(got.Missing+got.Value.Refused, password) && password != "" {
		t.Errorf("the password is told: %+v", got)
	}
	return got
}

// R55: a replica that takes no writes says so, and one that does is none.
func TestRedisTellsThatNothingCanBeWritten(t *testing.T) {
	for said, want := range map[string]bool{"1": true, "0": false, "": false} {
		if got := redisAt(t, loopback.Serve(t, cache{password: planted, replica: said}.handle), "disable", planted, ""); got.Missing != "" || got.Value.ReadOnly != want {
			t.Errorf("%q: %+v", said, got)
		}
	}
}

// R24, R55: Redis over TLS of a private authority, and in plaintext.
func TestRedisTellsItsVersion(t *testing.T) {
	ca, pair := authority(t)
	c := cache{password: planted}
	if got := redisAt(t, loopback.Serve(t, overTLS(pair, c.handle)), "require", planted, ca); got.Missing != "" || got.Value != (facts.Redis{Version: "7.0.15", TLS: true}) {
		t.Errorf("%+v", got)
	}
	if got := redisAt(t, loopback.Serve(t, c.handle), "disable", planted, ""); got.Missing != "" || got.Value != (facts.Redis{Version: "7.0.15"}) {
		t.Errorf("%+v", got)
	}
}

// R55: what Redis refuses is an answer.
func TestRedisRefuses(t *testing.T) {
	ca, pair := authority(t)
	other, _ := authority(t)
	c := cache{password: planted}
	plain, secure := loopback.Serve(t, c.handle), loopback.Serve(t, overTLS(pair, c.handle))
	for _, x := range []struct {
		name                     string
		port                     int
		mode, password, ca, want string
	}{
		{"a wrong password", plain, "disable", "other", "", "WRONGPASS"},
		{"no password", plain, "disable", "", "", "NOAUTH"},
		{"TLS to a plaintext server", plain, "require", planted, ca, "speaks no TLS"},
		{"another authority", secure, "require", planted, other, "not trusted"},
	} {
		if got := redisAt(t, x.port, x.mode, x.password, x.ca); got.Missing != "" || !strings.Contains(got.Value.Refused, x.want) {
			t.Errorf("%s: %+v, want %q", x.name, got, x.want)
		}
	}
}

// R55: a server that waits for more of what is a handshake, as Redis does, and answers
// in plaintext speaks no TLS; one that answers neither is silent, and told no password.
func TestRedisNeverAnswersAHandshake(t *testing.T) {
	waits := func(answer string) func(net.Conn) {
		return func(conn net.Conn) {
			in := bufio.NewReader(conn)
			if first, err := in.Peek(1); err == nil && first[0] == '*' {
				if words, err := command(in); err == nil && len(words) == 1 && words[0] == "PING" {
					_, _ = io.WriteString(conn, answer)
				}
			}
			_, _ = io.Copy(io.Discard, in)
		}
	}
	for _, answer := range []string{"+PONG\r\n", "-NOAUTH Authentication required.\r\n", "-DENIED Redis is running in protected mode"} {
		if got := redisAt(t, loopback.Serve(t, waits(answer)), "require", planted, ""); got.Missing != "" || got.Value.Refused != preflight.NoTLS {
			t.Errorf("%q: %+v", answer, got)
		}
	}
	for _, answer := range []string{"", "\x15\x03\x03"} {
		ctx, cancel := context.WithTimeout(t.Context(), quiet+time.Second)
		if got := Redis(ctx, preflight.Endpoint{Host: "127.0.0.1", Port: loopback.Serve(t, waits(answer)), TLS: "require"}, planted, ""); !strings.Contains(got.Missing, "in time") {
			t.Errorf("%q: %+v", answer, got)
		}
		cancel()
	}
}

// R55: a server that wants a certificate of its client is told as that, by either
// version of TLS; one that would take one and does without is no failure.
func TestRedisWantsACertificate(t *testing.T) {
	ca, pair := authority(t)
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		for auth, want := range map[tls.ClientAuthType]string{tls.RequireAnyClientCert: preflight.WantsCertificate, tls.RequestClientCert: ""} {
			port := loopback.Serve(t, func(c net.Conn) {
				cache{password: planted}.handle(tls.Server(c, &tls.Config{Certificates: []tls.Certificate{pair}, ClientAuth: auth, MaxVersion: version}))
			})
			if got := redisAt(t, port, "require", planted, ca); got.Missing != "" || got.Value.Refused != want {
				t.Errorf("%x %v: %+v", version, auth, got)
			}
		}
	}
}

// R55: silence could not be asked, in bounded time.
func TestRedisIsSilent(t *testing.T) {
	hangs := loopback.Serve(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) })
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if got := Redis(ctx, preflight.Endpoint{Host: "127.0.0.1", Port: hangs, TLS: "disable"}, planted, ""); !strings.Contains(got.Missing, "in time") {
		t.Errorf("%+v", got)
	}
	if got := redisAt(t, 1, "disable", planted, ""); !strings.Contains(got.Missing, "cannot be reached") {
		t.Errorf("%+v", got)
	}
}
