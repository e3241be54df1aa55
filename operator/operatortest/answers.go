package operatortest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
)

// What Answers may do with a request, beside the status of a refusal.
const (
	Pass = 0  // the API server answers it
	Away = -1 // nobody does, as while the API server is away
)

// Answers stand between a client and the API server, and answer in its place what a
// test wants to fail. All of a client's requests pass by it, so it may count them too.
type Answers struct {
	now atomic.Pointer[func(*http.Request) int]
}

// When has requests answered from now on by what a function says of each: Pass, Away, or
// the status with which the API server refuses it. It is called by several at once.
func (a *Answers) When(say func(*http.Request) int) { a.now.Store(&say) }

// Whole lets everything pass again.
func (a *Answers) Whole() { a.now.Store(nil) }

// Wrap puts it between a client and the API server.
func (a *Answers) Wrap(access *rest.Config) *rest.Config {
	access.Wrap(func(next http.RoundTripper) http.RoundTripper { return answering{a, next} })
	return access
}

type answering struct {
	*Answers
	next http.RoundTripper
}

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	code := Pass
	if say := a.now.Load(); say != nil {
		code = (*say)(r)
	}
	switch code {
	case Pass:
		return a.next.RoundTrip(r)
	case Away:
		return nil, errors.New("connect: connection refused")
	}
	return refusal(r, code), nil
}

// refusal is what an API server answers whose etcd is late, or that refuses otherwise.
func refusal(r *http.Request, code int) *http.Response {
	said := apierrors.NewGenericServerResponse(code, r.Method, schema.GroupResource{}, "", "", 0, false).Status()
	said.Kind, said.APIVersion, said.Message = "Status", "v1", "etcdserver: request timed out"
	text, _ := json.Marshal(said) // a Status always has its JSON
	return &http.Response{StatusCode: code, Status: http.StatusText(code), Header: http.Header{"Content-Type": {"application/json"}}, Request: r, Body: io.NopCloser(bytes.NewReader(text))}
}
