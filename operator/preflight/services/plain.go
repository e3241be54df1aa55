package services

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"time"
)

// errPlain is that a server which says nothing to a handshake answers in plaintext.
var errPlain = errors.New("it speaks no TLS")

// quiet is how long a server may say nothing to a handshake before it is asked in
// plaintext: Redis without TLS takes a handshake for the beginning of a line, and
// waits for its end as long as it is left to.
const quiet = 2 * time.Second

// shakeHands is the handshake, and ends it where the server turns out to speak no TLS.
func shakeHands(ctx context.Context, secure *tls.Conn, network, address string) error {
	within, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	timer := time.AfterFunc(quiet, func() {
		if plain(within, network, address) {
			stop(errPlain)
		}
	})
	defer timer.Stop()
	err := secure.HandshakeContext(within)
	if err != nil && errors.Is(context.Cause(within), errPlain) {
		return errPlain
	}
	return err
}

// plain reports whether a server answers in Redis' protocol without TLS. It is told
// nothing but that somebody is there.
func plain(ctx context.Context, network, address string) bool {
	conn, err := dial(ctx, network, address)
	if err != nil {
		return false
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if conn.SetDeadline(time.Now().Add(patience)) != nil {
		return false
	}
	if _, err := io.WriteString(conn, "*1\r\n$4\r\nPING\r\n"); err != nil {
		return false
	}
	answer := make([]byte, 1)
	_, err = io.ReadFull(conn, answer)
	return err == nil && (answer[0] == '+' || answer[0] == '-')
}
