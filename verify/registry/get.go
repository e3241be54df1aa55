package registry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/google/go-containerregistry/pkg/name"
)

// maxRedirects is how often one request may be sent elsewhere.
const maxRedirects = 5

// answer is what a registry had, whole and within the limit.
type answer struct {
	body   []byte
	header http.Header
	url    *url.URL
}

// get reads one thing below a repository. path is "manifests/1.4.0" or the
// address of a next page; a status that is not 200 is an error.
func (c *Client) get(ctx context.Context, repo name.Repository, path, accept string, limit int64) (answer, error) {
	what := repo.Name() + " " + path
	h := c.host(repo.RegistryStr())
	rt, scheme, err := h.repository(ctx, repo)
	if err != nil {
		return answer{}, c.hide(wrap(repo.Name(), err))
	}
	at := url.URL{Scheme: scheme, Host: repo.RegistryStr(), Path: "/v2/" + repo.RepositoryStr() + "/"}
	ref, err := url.Parse(path)
	if err != nil {
		return answer{}, &Error{Kind: Wrong, What: repo.Name(), Why: "the registry names a page that is no address"}
	}
	for try := 1; ; try++ {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.ResolveReference(ref).String(), nil)
		if err != nil {
			return answer{}, wrap(what, err)
		}
		req.Header.Set("Accept", accept)
		out, err := c.do(req, h, rt, what, limit)
		if err == errFull {
			if err := budgetOf(ctx).enlarge(ctx); err != nil {
				return answer{}, wrap(what, err)
			}
			try--
			continue
		}
		if e, ok := errors.AsType[*Error](err); !ok || !e.cut || try >= c.o.Limits.Tries || c.o.Sleep(ctx, backoff(try)) != nil {
			return out, c.hide(err)
		}
	}
}

func (c *Client) do(req *http.Request, h *host, rt http.RoundTripper, what string, limit int64) (answer, error) {
	client := http.Client{Transport: split{h, rt}, CheckRedirect: follow}
	res, err := client.Do(req)
	if err != nil {
		return answer{}, answered(what, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return answer{}, status(what, res.StatusCode)
	}
	out := answer{header: res.Header, url: res.Request.URL}
	var body []byte
	if err = tooLarge(limit); res.ContentLength <= limit {
		body, err = read(req.Context(), res.Body, limit)
	}
	switch {
	case err == errFull:
		return answer{}, err
	case errors.As(err, new(tooLarge)) && forPeople(out):
		return answer{}, page(what, out)
	case err != nil:
		return answer{}, cut(wrap(what, err), broken(err))
	}
	out.body = body
	return out, nil
}

// split lets the logged-in transport see nothing but the registry itself: what
// another host asks for in a challenge is never answered.
type split struct {
	h      *host
	logged http.RoundTripper
}

func (s split) RoundTrip(req *http.Request) (*http.Response, error) {
	if authority(req.URL) == authority(&url.URL{Scheme: req.URL.Scheme, Host: s.h.name}) {
		return s.logged.RoundTrip(req)
	}
	return s.h.RoundTrip(req)
}

func follow(req *http.Request, via []*http.Request) error {
	if len(via) >= maxRedirects {
		return rule{fmt.Sprintf("it sends us on more than %d times", maxRedirects), "name the registry that has the content itself"}
	}
	if via[0].URL.Scheme == "https" && req.URL.Scheme != "https" {
		return rule{"it sends us from https to " + visible(req.URL.Scheme), "name the registry that has the content itself"}
	}
	return nil
}

// cut marks an answer that broke off, which is worth another try.
func cut(err error, broken bool) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.cut = broken
	}
	return err
}

// hide takes credentials of this run out of an error's text, should a registry
// have sent one back.
func (c *Client) hide(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		copied := *e
		copied.Why, copied.What = c.secrets.scrub(e.Why), c.secrets.scrub(e.What)
		return &copied
	}
	return err
}
