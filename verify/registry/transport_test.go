package registry

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	ggcr "github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// evidenceOf is the error that the evidence of f's kora:1 ends with.
func evidenceOf(t *testing.T, c *Client, f *fake) error {
	t.Helper()
	all, good := pieces(t, c, f.host+"/kora:1")
	if good || len(all) == 0 {
		t.Fatalf("good %v, %d pieces: what could not be fetched is no missing signature", good, len(all))
	}
	return all[0].Err
}

// R45, R49: 429 and 5xx are tried again, and then it is "could not be checked",
// never "not signed".
func TestBusyRegistriesAreAskedAgainAndNeverCountAsUnsigned(t *testing.T) {
	for _, status := range []int{429, 500, 502, 503, 504, 408} {
		f := serve(t, ggcr.WithReferrersSupport(true))
		image := f.image("kora", "1")
		f.bundle("kora", image, []byte("good"))
		left := 2
		busy := func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.Contains(r.URL.Path, "/referrers/") || left == 0 {
				return false
			}
			left--
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(status)
			return true
		}
		f.answer(busy)
		c, waited := client(t)
		if _, good := pieces(t, c, f.host+"/kora:1"); !good || !slices.Equal(*waited, []time.Duration{7 * time.Second, 7 * time.Second}) {
			t.Errorf("%d twice: good %v, waited %v", status, good, *waited)
		}
		left = 1000
		f.answer(busy)
		if err := evidenceOf(t, c, f); KindOf(err) != Unreachable || f.asked("/referrers/") != c.o.Limits.Tries {
			t.Errorf("%d for ever: %v after %d tries", status, err, f.asked("/referrers/"))
		}
	}
}

func TestRetryAfterIsHonouredWithinItsLimit(t *testing.T) {
	for header, want := range map[string]time.Duration{
		"3": 3 * time.Second, "100000": 30 * time.Second, "99999999999999999999": 0, "-1": 0, "soon": 0,
		time.Now().Add(time.Hour).UTC().Format(http.TimeFormat): 30 * time.Second,
	} {
		c, _ := client(t)
		res := &http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {header}}}
		got, again := c.again(res, nil, 1)
		if !again || want != 0 && got != want || want == 0 && (got < 200*time.Millisecond || got > 300*time.Millisecond) {
			t.Errorf("%q: %v %v, want %v", header, got, again, want)
		}
		for try := range 20 {
			if got, again := c.again(&http.Response{StatusCode: 500}, nil, try+1); got > 30*time.Second || again != (try+1 < c.o.Limits.Tries) {
				t.Errorf("try %d: %v %v", try+1, got, again)
			}
		}
	}
}

// What was refused is not asked again, and not taken for missing.
func TestRefusalsAreNotRepeated(t *testing.T) {
	for status, kind := range map[int]Kind{401: Denied, 403: Denied, 404: Missing} {
		f := serve(t)
		f.image("kora", "1")
		f.answer(func(w http.ResponseWriter, r *http.Request) bool {
			if strings.Contains(r.URL.Path, "/manifests/") {
				w.WriteHeader(status)
				_, _ = io.WriteString(w, `{"errors":[{"code":"DENIED","message":"hostile words"}]}`)
				return true
			}
			return false
		})
		c, waited := client(t)
		_, _, err := resolve(t, c, f.host+"/kora:1")
		if KindOf(err) != kind || f.asked("/manifests/") != 1 || len(*waited) > 0 || strings.Contains(fmt.Sprint(err), "hostile") {
			t.Errorf("%d: %v after %d requests and waits %v", status, err, f.asked("/manifests/"), *waited)
		}
	}
	f := serve(t, ggcr.WithReferrersSupport(true))
	f.image("kora", "1")
	f.answer(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "/referrers/") {
			w.WriteHeader(403)
			return true
		}
		return false
	})
	c, _ := client(t)
	if err := evidenceOf(t, c, f); KindOf(err) != Denied {
		t.Errorf("referrers that may not be read: %v", err)
	}
}

// cosign CVE-2024-29902, notation CVE-2023-33957: answers without end, a registry
// that stops in the middle, and one that sends a byte now and then.
func TestSlowAndBrokenAnswersEnd(t *testing.T) {
	var stop chan struct{}
	for name, tt := range map[string]struct {
		body func(w http.ResponseWriter)
		want string
	}{
		"idle": {func(w http.ResponseWriter) {
			_, _ = io.WriteString(w, "{")
			w.(http.Flusher).Flush()
			<-stop
		}, errIdle.Error()},
		"slow loris": {func(w http.ResponseWriter) {
			for {
				select {
				case <-stop:
					return
				case <-time.After(5 * time.Millisecond):
					if _, err := io.WriteString(w, " "); err != nil {
						return
					}
					w.(http.Flusher).Flush()
				}
			}
		}, errSlow.Error()},
		"without end": {func(w http.ResponseWriter) {
			for {
				if _, err := w.Write(make([]byte, 64<<10)); err != nil {
					return
				}
			}
		}, "larger than"},
		"cut off": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, "{")
		}, "unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			f := serve(t)
			stop = make(chan struct{})
			t.Cleanup(sync.OnceFunc(func() { close(stop) })) // before the server is waited for
			f.image("kora", "1")
			f.answer(func(w http.ResponseWriter, r *http.Request) bool {
				if !strings.Contains(r.URL.Path, "/manifests/") {
					return false
				}
				w.Header().Set("Content-Type", string(types.OCIManifestSchema1))
				tt.body(w)
				return true
			})
			c, _ := client(t, func(o *Options) {
				o.Limits.Idle, o.Limits.Request = time.Minute, time.Minute // nothing else is to end for want of it
				switch name {
				case "idle":
					o.Limits.Idle = time.Second
				case "slow loris":
					o.Limits.Request = time.Second
				}
			})
			_, _, err := resolve(t, c, f.host+"/kora:1")
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
			if name == "cut off" && f.asked("/manifests/") != c.o.Limits.Tries {
				t.Errorf("asked %d times", f.asked("/manifests/"))
			}
		})
	}
}

// cosign CVE-2023-46737, notation CVE-2023-33958: a list of referrers that never
// ends is bounded, and proves nothing.
func TestAPagingRegistryWithoutEndIsBounded(t *testing.T) {
	f := serve(t)
	image := f.image("kora", "1")
	page := 0
	f.answer(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "/referrers/") {
			return false
		}
		page++
		w.Header().Set("Content-Type", string(types.OCIImageIndex))
		w.Header().Set("Link", fmt.Sprintf(`</v2/kora/referrers/%s?n=%d>; rel="next"`, image.Digest, page))
		_, _ = io.WriteString(w, `{"schemaVersion":2,"manifests":[]}`)
		return true
	})
	c, _ := client(t)
	if err := evidenceOf(t, c, f); KindOf(err) != Unreachable || !strings.Contains(err.Error(), "without an end") || page != c.o.Limits.Pages {
		t.Errorf("%v after %d pages", err, page)
	}
}

// Pages are followed, also when the good one is on the last, and only at home.
func TestPagesAreFollowed(t *testing.T) {
	f := serve(t)
	image := f.image("kora", "1")
	good := f.bundle("kora", image, []byte("good"))
	next := `</v2/kora/referrers/` + image.Digest + `?last=1>; rel="next"`
	f.answer(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "/referrers/") {
			return false
		}
		w.Header().Set("Content-Type", string(types.OCIImageIndex)+"; charset=utf-8")
		if r.URL.RawQuery == "" {
			w.Header().Set("Link", next)
			_, _ = io.WriteString(w, `{"schemaVersion":2,"manifests":[]}`)
			return true
		}
		fmt.Fprintf(w, `{"schemaVersion":2,"manifests":[{"mediaType":%q,"digest":%q,"size":%d}]}`, good.MediaType, good.Digest, good.Size)
		return true
	})
	c, _ := client(t)
	if _, ok := pieces(t, c, f.host+"/kora:1"); !ok {
		t.Error("the second page was not read")
	}
	next = `<http://192.0.2.1/v2/kora/referrers/x>; rel="next"`
	if err := evidenceOf(t, c, f); !strings.Contains(err.Error(), "another host") {
		t.Errorf("a page elsewhere: %v", err)
	}
}

// R49: 200 images against a slow registry: never more connections than
// allowed, no request twice, and all of them at the limit.
func TestTwoHundredImagesKeepToTheConnections(t *testing.T) {
	f := serve(t, ggcr.WithReferrersSupport(true))
	const n = 200
	for i := range n {
		f.bundle(fmt.Sprint("kora/", i), f.image(fmt.Sprint("kora/", i), "1"), []byte("good"))
	}
	full := make(chan struct{})
	open := sync.OnceFunc(func() { close(full) })
	f.answer(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/manifests/1") {
			f.mu.Lock()
			at := f.now
			f.mu.Unlock()
			if at == 5 { // as many at once as are allowed: nobody waits from here on
				open()
			}
			<-full
		}
		return false
	})
	c, _ := client(t, func(o *Options) { o.Limits.Connections = 5 })
	var wait sync.WaitGroup
	bad := make(chan error, n)
	for i := range n {
		wait.Go(func() {
			target, err := c.Open(f.host + "/kora/" + strconv.Itoa(i) + ":1")
			if err == nil {
				var a Artifact
				if a, err = target.Resolve(t.Context()); err == nil {
					err = fmt.Errorf("image %d has no good signature", i)
					target.Evidence(t.Context(), a, Signature, func(p Piece) bool {
						if string(p.Bytes) == "good" {
							err = nil
						}
						return err == nil
					})
				}
			}
			bad <- err
		})
	}
	wait.Wait()
	close(bad)
	for err := range bad {
		if err != nil {
			t.Error(err)
		}
	}
	// one question how to log in, then manifest, referrers, bundle's manifest and layer
	if f.max != 5 || len(f.requests) != 1+4*n {
		t.Errorf("%d requests at once and %d in all, want 5 and %d", f.max, len(f.requests), 1+4*n)
	}
}

// R48: under --offline nothing leaves, and each artifact says so.
func TestOfflineRefusesEveryConnection(t *testing.T) {
	f := serve(t)
	f.image("kora", "1")
	f.answer(nil)
	c, _ := client(t, func(o *Options) { o.Offline = true })
	_, _, err := resolve(t, c, f.host+"/kora:1")
	if KindOf(err) != Offline || len(f.requests) != 0 || !strings.Contains(FixOf(err), "OCI layout") {
		t.Errorf("%v, %d requests, fix %q", err, len(f.requests), FixOf(err))
	}
}

func TestARunThatIsStoppedSaysSo(t *testing.T) {
	f := serve(t, ggcr.WithReferrersSupport(true))
	f.bundle("kora", f.image("kora", "1"), []byte("good"))
	c, _ := client(t)
	target, a, err := resolve(t, c, f.host+"/kora:1")
	fatal(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var got []error
	target.Evidence(ctx, a, Signature, func(p Piece) bool { got = append(got, p.Err); return false })
	if len(got) == 0 || slices.ContainsFunc(got, func(e error) bool { return e == nil || KindOf(e) != Unreachable }) {
		t.Errorf("%v: a stopped run is no missing signature", got)
	}
}

// R45, kyverno CVE-2022-47633, notation CVE-2023-33959: the tag is resolved once;
// that it moves between two requests changes nothing.
func TestATagThatMovesBetweenTwoRequests(t *testing.T) {
	f := serve(t, ggcr.WithReferrersSupport(true))
	first, evil := f.image("kora", "1"), f.image("kora", "evil")
	f.bundle("kora", first, []byte("good"))
	served := 0
	f.answer(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/manifests/1") {
			if served++; served > 1 {
				r.URL.Path = strings.Replace(r.URL.Path, "manifests/1", "manifests/"+evil.Digest, 1)
			}
		}
		return false
	})
	c, _ := client(t)
	target, a, err := resolve(t, c, f.host+"/kora:1")
	fatal(t, err)
	good := false
	target.Evidence(t.Context(), a, Signature, func(p Piece) bool { good = good || string(p.Bytes) == "good"; return good })
	if a.Digest != first.Digest || !good || served != 1 {
		t.Errorf("%s, good %v, asked for the tag %d times", a.Digest, good, served)
	}
}
