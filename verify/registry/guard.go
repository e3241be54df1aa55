package registry

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

func bearer(c *transport.Challenge) bool { return strings.EqualFold(c.Scheme, "bearer") }

// RoundTrip sends one request on a registry's account, be it to the registry,
// to its token service or to where one of them redirects. Only the first two
// ever see credentials.
func (h *host) RoundTrip(req *http.Request) (*http.Response, error) {
	own := authority(req.URL) == authority(&url.URL{Scheme: req.URL.Scheme, Host: h.name})
	if err := h.allowed(req, own); err != nil {
		return nil, err
	}
	if !own && !h.isRealm(req.URL) {
		req = req.Clone(req.Context())
		for _, secret := range []string{"Authorization", "Cookie", "Proxy-Authorization", "Referer"} {
			req.Header.Del(secret)
		}
	}
	if h.client.o.UserAgent != "" {
		req = req.Clone(req.Context())
		req.Header.Set("User-Agent", h.client.o.UserAgent)
	}
	return h.client.send(req, h.way(req, own))
}

func (h *host) isRealm(u *url.URL) bool {
	r := h.realm.Load()
	return r != nil && u.Scheme == r.Scheme && authority(u) == authority(r)
}

// allowed refuses a request before it leaves.
func (h *host) allowed(req *http.Request, own bool) error {
	u := req.URL
	switch {
	case h.client.o.Offline:
		return errOffline
	case u.User != nil:
		return rule{"it sends us to an address with a user name in it", "name the registry that has the content itself"}
	case u.Scheme == "http" && !h.plain(u, own):
		return rule{
			u.Hostname() + " is to be read over plain http, which anybody on the way can change",
			"use a registry with TLS; --allow-http-registry reads one without",
		}
	case u.Scheme != "https" && u.Scheme != "http":
		return rule{"it sends us to an address that is not https", "name the registry that has the content itself"}
	case !own && req.Body != nil && req.Body != http.NoBody && !h.isRealm(u):
		return rule{"it sends the login to another host", "see who runs this registry"}
	}
	return nil
}

// plain reports whether a request may go without TLS: to this machine when the
// registry is on it, or where the user said so.
func (h *host) plain(u *url.URL, own bool) bool {
	registry := (&url.URL{Host: h.name}).Hostname()
	return h.client.o.PlainHTTP || loopback(registry) && loopback(u.Hostname()) && (own || h.local(u))
}

// way picks the connections: those that go only to public addresses for
// whatever the user did not name, unless the registry itself is on none.
func (h *host) way(req *http.Request, own bool) http.RoundTripper {
	if own || h.local(req.URL) {
		return h.client.near
	}
	if proxy, err := h.client.far.Proxy(req); err == nil && proxy != nil {
		// The proxy makes the connection, so only the name can be judged here.
		if a, err := netip.ParseAddr(req.URL.Hostname()); loopback(req.URL.Hostname()) || err == nil && !h.client.public(a) {
			return refusal{inward(req.URL.Hostname())}
		}
		return h.client.near
	}
	return h.client.far
}

// local reports whether the registry is on no public address, and u is no
// address of a link, where clouds keep their metadata.
func (h *host) local(u *url.URL) bool {
	if a, err := netip.ParseAddr(u.Hostname()); err == nil && a.Unmap().IsLinkLocalUnicast() {
		return false
	}
	return h.client.dialledLocal(h.name)
}

type refusal struct{ err error }

func (r refusal) RoundTrip(*http.Request) (*http.Response, error) { return nil, r.err }
