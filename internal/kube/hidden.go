package kube

import (
	"net/http"
	"strings"
	"sync"
	"unicode"

	"k8s.io/client-go/rest"
)

// hidden are the secrets that one client knows: what it logs in with, and the
// values of the Secrets that were read through it. They stand in no text of a
// server's that is told. A nil one knows none.
type hidden struct {
	mutex sync.Mutex
	known map[string]bool // letters and digits alone, in small letters
}

// window is how many characters of a secret in a row tell too much of it.
const window = 6

// shortest is what a word has that tells something: "yes" is no secret.
const shortest = 4

// mostHidden bounds what is kept: values of the few Secrets that kora reads.
const mostHidden = 1000

func (h *hidden) add(secrets ...string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, s := range secrets {
		if s = bare(s); len(s) >= shortest && len(h.known) < mostHidden {
			h.known[s] = true
		}
	}
}

// in reports whether a text holds six characters in a row of a secret, or all of
// a shorter one.
func (h *hidden) in(texts ...string) bool {
	if h == nil {
		return false
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	text := bare(strings.Join(texts, " "))
	for secret := range h.known {
		if len(secret) <= window && strings.Contains(text, secret) {
			return true
		}
		for i := 0; i+window <= len(text); i++ {
			if strings.Contains(secret, text[i:i+window]) {
				return true
			}
		}
	}
	return false
}

// bare is a text's letters and digits alone, in small letters.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// hiddenOf knows what a configuration logs in with, and learns what is sent: a
// credential plugin's token is nowhere else.
func hiddenOf(config *rest.Config) (*rest.Config, *hidden) {
	out := &hidden{known: map[string]bool{}}
	out.add(config.BearerToken, config.Password, string(config.KeyData))
	config = rest.CopyConfig(config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &listening{next, out} })
	return config, out
}

// listening is below what adds the credentials.
type listening struct {
	next   http.RoundTripper
	hidden *hidden
}

// RoundTrip is of http.RoundTripper.
func (l *listening) RoundTrip(q *http.Request) (*http.Response, error) {
	if kind, token, ok := strings.Cut(q.Header.Get("Authorization"), " "); ok && kind != "" {
		l.hidden.add(token)
	}
	return l.next.RoundTrip(q)
}

// WrappedRoundTripper is of apimachinery's net.RoundTripperWrapper.
func (l *listening) WrappedRoundTripper() http.RoundTripper { return l.next }

// Hide makes a client of Client know a secret.
func Hide(client *http.Client, secret string) {
	if b, ok := client.Transport.(*bounded); ok {
		b.hidden.add(secret)
	}
}
