package registry

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	clocktesting "k8s.io/utils/clock/testing"
)

// planted is in every hostile answer and every credential: it may be in no message.
const planted = "PLANTED-s3cret"

func manifests(r *http.Request) bool { return strings.Contains(r.URL.Path, "/manifests/") }
func blobs(r *http.Request) bool     { return strings.Contains(r.URL.Path, "/blobs/") }

// R52: whatever a registry answers, it is told in kora's words, with what to do,
// within the limits, and nothing of the answer is repeated.
func TestHostileAnswers(t *testing.T) {
	endless := func(w http.ResponseWriter) {
		chunk := bytes.Repeat([]byte(planted), 4096)
		for {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}
	status := func(code int) func(w http.ResponseWriter, r *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("X-Note", planted)
			w.WriteHeader(code)
			fmt.Fprintf(w, `{"errors":[{"code":"X","message":"%s"}]}`, planted)
			return true
		}
	}
	for _, c := range []struct {
		name, reason, says string
		fault              func(w http.ResponseWriter, r *http.Request) bool
	}{
		{"401", v1alpha1.ReasonUnauthorized, "answers 401", status(401)},
		{"403", v1alpha1.ReasonUnauthorized, "answers 403", status(403)},
		{"404", v1alpha1.ReasonImageNotFound, "answers 404", func(w http.ResponseWriter, r *http.Request) bool { return manifests(r) && status(404)(w, r) }},
		{"429", v1alpha1.ReasonRegistryUnavailable, "429", status(429)},
		{"500", v1alpha1.ReasonRegistryUnavailable, "answers 500", status(500)},
		{"teapot", v1alpha1.ReasonRegistryUnavailable, "as no registry does", status(418)},
		{"HTML", v1alpha1.ReasonRegistryUnavailable, "no container image", func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<html>%s</html>", planted)
			return true
		}},
		{"an endless manifest", v1alpha1.ReasonRegistryUnavailable, "more than", func(w http.ResponseWriter, r *http.Request) bool {
			if manifests(r) {
				endless(w)
			}
			return manifests(r)
		}},
		{"an endless welcome", v1alpha1.ReasonRegistryUnavailable, "more than", func(w http.ResponseWriter, r *http.Request) bool { endless(w); return true }},
		{"an endless config", v1alpha1.ReasonRegistryUnavailable, "something else than the digest says", func(w http.ResponseWriter, r *http.Request) bool {
			if blobs(r) {
				endless(w)
			}
			return blobs(r)
		}},
		{"another config than its digest", v1alpha1.ReasonRegistryUnavailable, "something else than the digest says", func(w http.ResponseWriter, r *http.Request) bool {
			if blobs(r) {
				fmt.Fprint(w, `{"config":{"User":"100","Labels":{"io.runkora.sandbox.base":"x"}}}`)
			}
			return blobs(r)
		}},
		{"a link-local address", v1alpha1.ReasonRegistryNotAllowed, "does not go there", redirected("http://169.254.169.254/latest/meta-data/" + planted)},
		{"a metadata name", v1alpha1.ReasonRegistryNotAllowed, "does not go there", redirected("https://[fd00:ec2::254]/" + planted)},
		{"plain HTTP elsewhere", v1alpha1.ReasonRegistryNotAllowed, "does not go there", redirected("http://elsewhere.example.org/" + planted)},
		{"a loopback address", v1alpha1.ReasonRegistryNotAllowed, "does not go there", redirected("https://127.0.0.2/" + planted)},
		{"another port", v1alpha1.ReasonRegistryNotAllowed, "does not go there", redirected("https://elsewhere.example.org:8443/" + planted)},
		{"itself, again and again", v1alpha1.ReasonRegistryUnavailable, "without end", func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
			return true
		}},
		{"a token service inside", v1alpha1.ReasonRegistryNotAllowed, "does not go there", func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("WWW-Authenticate", `Bearer realm="http://169.254.169.254/token",service="x"`)
			w.WriteHeader(401)
			return true
		}},
		{"silence", v1alpha1.ReasonRegistryUnavailable, "in time", func(w http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := serve(t, c.fault)
			f.client.Limits = Limits{Time: time.Minute} // nothing else is to end for want of it
			if c.name == "silence" {
				f.client.Limits.Time = 2 * time.Second
			}
			f.Push(t, "team/image:1", sandbox(t, "linux/amd64", "100"))
			_, failure := f.client.Read(t.Context(), Request{Image: host + "/team/image:1", Keyring: ring(t, host)})
			if failure == nil || failure.Reason != c.reason || !strings.Contains(failure.Message, c.says) || failure.Fix == "" {
				t.Fatalf("%+v", failure)
			}
			if strings.Contains(failure.Error(), planted) {
				t.Errorf("it repeats what the registry or a Secret says: %s", failure.Error())
			}
		})
	}
}

// redirected sends manifests' readers away.
func redirected(to string) func(w http.ResponseWriter, r *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if manifests(r) {
			http.Redirect(w, r, to, http.StatusTemporaryRedirect)
		}
		return manifests(r)
	}
}

// R52: by digest, another manifest is refused.
func TestAnotherManifestThanItsDigest(t *testing.T) {
	f := serve(t, func(w http.ResponseWriter, r *http.Request) bool {
		if !manifests(r) {
			return false
		}
		w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
		fmt.Fprint(w, `{"schemaVersion":2}`)
		return true
	})
	digest := f.Push(t, "team/image:1", sandbox(t, "linux/amd64", "100"))
	_, failure := f.client.Read(t.Context(), Request{Image: host + "/team/image@" + digest.String()})
	if failure == nil || !strings.Contains(failure.Message, "something else than the digest says") {
		t.Errorf("%v", failure)
	}
}

// R52: a registry whose door asks for a pause gets one, for every image on it.
func TestAPauseIsKept(t *testing.T) {
	var asked atomic.Int32
	f := serve(t, func(w http.ResponseWriter, r *http.Request) bool {
		asked.Add(1)
		w.Header().Set("Retry-After", "120")
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	})
	now := clocktesting.NewFakePassiveClock(time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC))
	f.client.Clock = now
	_, failure := f.client.Read(t.Context(), Request{Image: host + "/a/a:1"})
	if failure == nil || failure.RetryAfter != 2*time.Minute {
		t.Fatalf("%+v", failure)
	}
	before := asked.Load()
	if _, failure = f.client.Read(t.Context(), Request{Image: host + "/b/b:1"}); failure == nil || failure.RetryAfter == 0 || asked.Load() != before {
		t.Errorf("it is asked during the pause: %+v", failure)
	}
	now.SetTime(now.Now().Add(121 * time.Second))
	if f.client.Read(t.Context(), Request{Image: host + "/b/b:1"}); asked.Load() == before {
		t.Error("it is not asked after the pause")
	}
}

// R52: an answer serves whoever has the same credentials, and nobody else.
func TestAnswersAreKeptPerCredentials(t *testing.T) {
	var asked atomic.Int32
	f := serve(t, func(w http.ResponseWriter, r *http.Request) bool {
		if manifests(r) {
			asked.Add(1)
		}
		return false
	})
	now := clocktesting.NewFakePassiveClock(time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC))
	f.client.Clock, f.client.Keep = now, time.Minute
	f.Push(t, "team/image:1", sandbox(t, "linux/amd64", "100"))
	for i, c := range []struct {
		ring Keyring
		want int32
	}{{Keyring{}, 1}, {Keyring{}, 1}, {ring(t, host), 2}, {ring(t, host), 2}} {
		if _, failure := f.client.Read(t.Context(), Request{Image: host + "/team/image:1", Keyring: c.ring}); failure != nil || asked.Load() != c.want {
			t.Errorf("%d: asked %d times, %v", i, asked.Load(), failure)
		}
	}
	now.SetTime(now.Now().Add(time.Minute))
	if f.client.Read(t.Context(), Request{Image: host + "/team/image:1"}); asked.Load() != 3 {
		t.Error("an old answer is given")
	}
}
