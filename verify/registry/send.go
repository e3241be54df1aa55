package registry

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"syscall"
	"time"
)

// send makes one request, again where that can help: 429 and 5xx, and a
// connection that broke. It never repeats what was answered.
func (c *Client) send(req *http.Request, way http.RoundTripper) (*http.Response, error) {
	for try := 1; ; try++ {
		res, err := c.once(req, way)
		wait, again := c.again(res, err, try)
		if !again || req.Context().Err() != nil || !rewind(&req) {
			return res, err
		}
		if res != nil {
			_ = res.Body.Close()
		}
		if err := c.o.Sleep(req.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// rewind makes a request that can be sent once more.
func rewind(req **http.Request) bool {
	if (*req).Body == nil || (*req).Body == http.NoBody {
		return true
	}
	if (*req).GetBody == nil {
		return false
	}
	body, err := (*req).GetBody()
	if err != nil {
		return false
	}
	*req = (*req).Clone((*req).Context())
	(*req).Body = body
	return true
}

// again reports whether to try once more, and after what time: the one the
// registry asks for up to the limit, else twice as long each time.
func (c *Client) again(res *http.Response, err error, try int) (time.Duration, bool) {
	if try >= c.o.Limits.Tries || err != nil && !broken(err) || err == nil && !busy(res.StatusCode) {
		return 0, false
	}
	wait := backoff(try)
	if err == nil {
		if asked, ok := retryAfter(res.Header.Get("Retry-After")); ok {
			wait = asked
		}
	}
	return min(wait, c.o.Limits.Wait), true
}

// backoff is longer from try to try, and not the same for parallel requests.
func backoff(try int) time.Duration {
	wait := 200 * time.Millisecond << min(try-1, 8)
	return wait + rand.N(wait/2)
}

func busy(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// broken reports whether a connection ended by itself. What kora's own rules
// and limits ended is not tried again.
func broken(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// retryAfter reads seconds or a date.
func retryAfter(header string) (time.Duration, bool) {
	if n, err := strconv.ParseUint(header, 10, 31); err == nil {
		return time.Duration(n) * time.Second, true
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, time.Until(at)), true
	}
	return 0, false
}

// once sends a request over one of the host's connections, which is in use
// until the body is closed.
func (c *Client) once(req *http.Request, way http.RoundTripper) (*http.Response, error) {
	slot := c.slot(authority(req.URL))
	select {
	case slot <- struct{}{}:
	case <-req.Context().Done():
		return nil, context.Cause(req.Context())
	}
	ctx, cancel := context.WithCancelCause(req.Context())
	total := time.AfterFunc(c.o.Limits.Request, func() { cancel(errSlow) })
	end := func() {
		total.Stop()
		cancel(nil)
		<-slot
	}
	res, err := way.RoundTrip(req.WithContext(ctx))
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		end()
		return nil, err
	}
	res.Body = newBody(ctx, res.Body, c.o.Limits, cancel, end)
	return res, nil
}
