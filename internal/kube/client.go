package kube

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

// AnswerLimit is the most that one answer of an API server may hold, in bytes,
// unpacked: a page of two hundred nodes takes about 3 MiB.
const AnswerLimit = 8 << 20

// Client is an HTTP client for a cluster, on which no wait and no answer is
// without a bound (R55): each request ends with ctx, and with it the program that
// a kubeconfig has for a credential; an answer of more than AnswerLimit is a *TooLarge. A server
// that is busy, or closes the connection, is asked again a few times and then
// told as what it is. What a server says of a refusal is put into kora's words.
func Client(ctx context.Context, config *rest.Config) (*http.Client, error) {
	config, hidden := hiddenOf(config)
	if loggedIn(config) {
		config.ExecProvider = nil // whoever gives a credential means no program, and client-go bounds none
	}
	if by, err := credentialed(config, hidden); by != nil || err != nil {
		return &http.Client{Transport: &bounded{ctx, &proxied{by, proxyOf(config)}, hidden}, Timeout: config.Timeout}, err
	}
	made, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	client := *made // it may be the process' own one
	if client.Transport == nil {
		client.Transport = http.DefaultTransport
	}
	client.Transport = &bounded{ctx, &proxied{client.Transport, proxyOf(config)}, hidden}
	return &client, nil
}

// Quiet is a context in which the libraries of Kubernetes write no log of their
// own: a command's standard error is for its own words.
func Quiet(ctx context.Context) context.Context { return klog.NewContext(ctx, logr.Discard()) }

// bounded waits for what is below it, and reads each answer whole, as long as
// its context lasts. What is below may not know of contexts: a request waits for
// the program that another one runs for a credential.
type bounded struct {
	ctx    context.Context
	next   http.RoundTripper
	hidden *hidden
}

type answer struct {
	response *http.Response
	err      error
}

// RoundTrip is of http.RoundTripper.
func (b *bounded) RoundTrip(q *http.Request) (*http.Response, error) {
	ctx, cancel := until(q.Context(), b.ctx)
	stop := context.AfterFunc(b.ctx, cancel)
	got := make(chan answer, 1)
	go func() {
		defer cancel()
		defer stop()
		response, err := b.patient(q.WithContext(ctx))
		got <- answer{response, err}
	}()
	select {
	case a := <-got:
		if a.err != nil {
			return nil, b.why(q, a.err)
		}
		return a.response, nil
	case <-q.Context().Done():
	case <-b.ctx.Done():
	}
	select { // for the end of a program, which would outlive this process
	case a := <-got:
		return nil, b.why(q, a.err)
	case <-time.After(2 * grace):
	}
	return nil, b.ended(q)
}

// until is a context of the first that says when its time is over, the second's too.
func until(first, second context.Context) (context.Context, context.CancelFunc) {
	if end, ok := second.Deadline(); ok {
		return context.WithDeadline(first, end)
	}
	return context.WithCancel(first)
}

// why there is no answer: the error, or the end of the time where that was it. A proxy that
// took all of it before it led anywhere is named, which the libraries tell by many errors.
func (b *bounded) why(q *http.Request, err error) error {
	var through *Through
	if b.late(q) && errors.As(err, &through) && !through.Led {
		return &Through{Proxy: through.Proxy, Err: context.DeadlineExceeded}
	}
	if ended := b.ended(q); ended != nil {
		return slowest(ended, err)
	}
	return err
}

// slowest is why no more is waited for: a program that took all the time is named, and
// not the server that nobody could ask.
func slowest(ended, err error) error {
	if errors.Is(ended, context.DeadlineExceeded) && errors.As(err, new(*NoCredential)) {
		return err
	}
	return ended
}

// late reports whether a time is over, which a context may not say yet.
func (b *bounded) late(q *http.Request) bool {
	for _, ctx := range []context.Context{b.ctx, q.Context()} {
		if end, ok := ctx.Deadline(); ok && !time.Now().Before(end) {
			return true
		}
	}
	return false
}

// ended is why no more is waited for, nil while the time lasts.
func (b *bounded) ended(q *http.Request) error {
	if err := q.Context().Err(); err != nil {
		return err
	}
	return b.ctx.Err()
}

// patient asks again where that may help and the time allows it.
func (b *bounded) patient(q *http.Request) (*http.Response, error) {
	for attempt := 1; ; attempt++ {
		response, err := b.whole(q)
		wait, again := later(q, response, err)
		if !again || attempt == attempts || !b.allows(q, wait) {
			if response != nil {
				response.Header.Del("Retry-After") // or the library would go on for long
			}
			return response, closed(err)
		}
		select {
		case <-q.Context().Done():
			return nil, q.Context().Err()
		case <-time.After(wait):
		}
		if q.GetBody != nil {
			if q.Body, err = q.GetBody(); err != nil {
				return nil, err
			}
		}
	}
}

// allows reports whether there is time for a wait and an answer after it.
func (b *bounded) allows(q *http.Request, wait time.Duration) bool {
	for _, ctx := range []context.Context{b.ctx, q.Context()} {
		if end, ok := ctx.Deadline(); ok && time.Until(end) <= wait {
			return false
		}
	}
	return true
}

// whole reads an answer to its end, which is where the bound is. A refusal is told
// in other words than the server's.
func (b *bounded) whole(q *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(q)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, AnswerLimit+1))
	if len(body) > AnswerLimit {
		return nil, &TooLarge{Path: q.URL.Path}
	}
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= http.StatusBadRequest {
		body = plainStatus(q, response, body, b.hidden)
	}
	response.Body = held(body)
	return response, nil
}
