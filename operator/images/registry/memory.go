package registry

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"k8s.io/utils/clock"
)

// memory spares registries: kora-base is one image in a thousand namespaces.
type memory struct {
	sync.Mutex
	answers map[question]answer
	images  map[string]time.Time   // until when an answer of an image may be there, by reference
	silent  map[question]time.Time // until when who is left alone
	full    int                    // entries at which old ones are swept
}

// sweep forgets what has ended, now and then, so that each entry costs little.
func (m *memory) sweep(now time.Time) {
	if len(m.answers)+len(m.silent) < m.full { // there are no more images than answers
		return
	}
	maps.DeleteFunc(m.answers, func(_ question, a answer) bool { return !now.Before(a.until) })
	maps.DeleteFunc(m.images, func(_ string, until time.Time) bool { return !now.Before(until) })
	maps.DeleteFunc(m.silent, func(_ question, until time.Time) bool { return !now.Before(until) })
	m.full = 64 + 2*(len(m.answers)+len(m.silent))
}

// question is a hash of all that decides an answer, with the credentials: nobody
// is told of an image that his own would not open.
type question [sha256.Size]byte

type answer struct {
	image Image
	until time.Time
}

// longestPause is what a registry may ask for: one that asks for more is asked again
// sooner, once for each of its users.
const longestPause = 5 * time.Minute

func (c *Client) now() time.Time {
	if c.Clock == nil {
		return clock.RealClock{}.Now()
	}
	return c.Clock.Now()
}

func ask(r Request) question {
	var keys []any
	for _, k := range r.Keyring.keys {
		keys = append(keys, k.host, k.path, k.auth.Username, k.auth.Password, k.auth.IdentityToken, k.auth.RegistryToken)
	}
	text, _ := json.Marshal([]any{r.Image, r.Platforms, keys}) // strings always marshal
	return sha256.Sum256(text)
}

// party is whom a registry knows: its host, and the credentials that it is shown; and
// what else tells one from another.
func party(host string, auth authn.Authenticator, more ...string) question {
	a, _ := auth.Authorization() // of what is there already, it never fails
	text, _ := json.Marshal(append([]string{host, a.Username, a.Password, a.IdentityToken, a.RegistryToken}, more...))
	return sha256.Sum256(text)
}

func (c *Client) remembered(r Request) (Image, bool) {
	c.memory.Lock()
	defer c.memory.Unlock()
	known, ok := c.memory.answers[ask(r)]
	return known.image, ok && c.now().Before(known.until)
}

// mentioned reports whether an answer of an image is remembered, for whatever credentials.
func (c *Client) mentioned(image string) bool {
	c.memory.Lock()
	defer c.memory.Unlock()
	return c.now().Before(c.memory.images[image])
}

func (c *Client) remember(r Request, image Image) {
	if c.Keep <= 0 {
		return
	}
	c.memory.Lock()
	defer c.memory.Unlock()
	now := c.now()
	if c.memory.answers == nil {
		c.memory.answers, c.memory.images = map[question]answer{}, map[string]time.Time{}
	}
	c.memory.sweep(now)
	c.memory.answers[ask(r)], c.memory.images[r.Image] = answer{image, now.Add(c.Keep)}, now.Add(c.Keep)
}

// quiet is how long one that did not answer a party is still left alone.
func (c *Client) quiet(as question) time.Duration {
	c.memory.Lock()
	defer c.memory.Unlock()
	return c.memory.silent[as].Sub(c.now())
}

func (c *Client) hush(as question, wait time.Duration) {
	c.memory.Lock()
	defer c.memory.Unlock()
	if c.memory.silent == nil {
		c.memory.silent = map[question]time.Time{}
	}
	c.memory.sweep(c.now())
	c.memory.silent[as] = c.now().Add(wait)
}

// pause is what the registry asked for with a refusal: seconds, or a date.
func (b *bounded) pause(now time.Time) time.Duration {
	text := b.after.Load()
	if text == nil {
		return 0
	}
	wait := time.Duration(0)
	if seconds, err := strconv.ParseUint(*text, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		wait = time.Duration(min(seconds, uint64(longestPause.Seconds()))) * time.Second
	} else if at, err := http.ParseTime(*text); err == nil {
		wait = max(at.Sub(now), 0)
	}
	return min(wait, longestPause)
}
