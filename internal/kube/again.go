package kube

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	attempts = 3               // of one request
	longest  = 5 * time.Second // to wait between two
)

// TooLarge is an answer that holds more than AnswerLimit.
type TooLarge struct{ Path string }

// Error is of error.
func (t *TooLarge) Error() string {
	return fmt.Sprintf("the API server's answer to %s holds more than %d MiB", t.Path, AnswerLimit>>20)
}

// Closed is a connection that ended before the answer did.
type Closed struct{ Why string }

// Error is of error.
func (c *Closed) Error() string {
	return "the API server closed the connection before its answer was whole: " + c.Why
}

// closed makes a Closed of what the libraries have many errors for. It wraps
// none of them: they would ask ten times again.
func closed(err error) error {
	if isClosed(err) {
		return &Closed{Why: err.Error()}
	}
	return err
}

func isClosed(err error) bool {
	if err == nil {
		return false
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		return true
	}
	text := err.Error()
	return strings.Contains(text, "server closed idle connection") || strings.Contains(text, "http2: client connection lost") || strings.Contains(text, "GOAWAY")
}

// later is how long to wait before the same request again, and whether that may
// help: only what changes nothing may be asked twice.
func later(q *http.Request, response *http.Response, err error) (time.Duration, bool) {
	if q.Method != http.MethodGet && (q.GetBody == nil || q.URL.Query().Get("dryRun") == "") {
		return 0, false
	}
	if err != nil {
		return time.Second / 4, isClosed(err)
	}
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode < http.StatusInternalServerError {
		return 0, false
	}
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	return min(time.Duration(max(seconds, 0))*time.Second, longest), err == nil && seconds < 1<<20
}

// held is a body that is in memory.
func held(body []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(body)) }
