package services

import (
	"context"
	"errors"
	"net"
	"strconv"
	"time"
)

// What a server may say to a handful of small questions, in bytes, and the most
// entries of one list of Redis: its answers here have none of more than ten. A
// list in a list in a list is what the library makes room for at once.
const (
	talkLimit    = 256 << 10
	messageLimit = 64 << 10
	listLimit    = 64
)

// errTalk is that a server says more than an answer to these questions can be.
var errTalk = errors.New("it says more than the answer to these questions can be")

// limited is a connection that gives no more than talkLimit bytes to read, and
// remembers the first of them.
type limited struct {
	net.Conn
	left  int
	first byte // of what it said; 0 before
}

// Read is of net.Conn.
func (l *limited) Read(into []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTalk
	}
	n, err := l.Conn.Read(into[:min(len(into), l.left)])
	if l.left == talkLimit && n > 0 {
		l.first = into[0]
	}
	l.left -= n
	return n, err
}

// dial connects, within the context and patience.
func dial(ctx context.Context, network, address string) (*limited, error) {
	conn, err := (&net.Dialer{Timeout: patience, KeepAlive: time.Minute}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &limited{Conn: conn, left: talkLimit}, nil
}

// announced is a plaintext connection to Redis that looks at the lengths which
// its lines announce: the library makes room for as much before it reads any.
type announced struct {
	net.Conn
	line []byte // the beginning of the line that is being read
	long bool   // the rest of it is not looked at
}

// Read is of net.Conn.
func (a *announced) Read(into []byte) (int, error) {
	n, err := a.Conn.Read(into)
	for _, b := range into[:n] {
		switch {
		case b == '\n':
			a.line, a.long = a.line[:0], false
		case a.long:
		default:
			a.line = append(a.line, b)
			a.long = !announces(a.line)
			if !a.long && tooMuch(a.line) {
				return 0, errTalk
			}
		}
	}
	return n, err
}

// announces reports whether a line's beginning may announce a length.
func announces(line []byte) bool {
	if _, ok := limits[line[0]]; !ok {
		return false
	}
	for _, b := range line[1:] {
		if (b < '0' || b > '9') && b != '+' && b != '-' {
			return false
		}
	}
	return true
}

// limits are the most that each kind of Redis' announcements may be.
var limits = map[byte]int{'*': listLimit, '%': listLimit, '~': listLimit, '>': listLimit, '|': listLimit, '$': messageLimit, '=': messageLimit, '!': messageLimit}

func tooMuch(line []byte) bool {
	if len(line) > 12 {
		return true
	}
	n, err := strconv.Atoi(string(line[1:]))
	return err == nil && n > limits[line[0]]
}
