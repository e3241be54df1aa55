package registry

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// entry is one of an index: an image of a user, or an index in it, under a platform.
type entry struct {
	platform *v1.Platform
	user     string // none: an index
}

func on(os, architecture, variant string) *v1.Platform {
	return &v1.Platform{OS: os, Architecture: architecture, Variant: variant}
}

func indexOf(t *testing.T, entries []entry) v1.ImageIndex {
	t.Helper()
	var index v1.ImageIndex = empty.Index
	for _, e := range entries {
		add := mutate.IndexAddendum{Add: empty.Index, Descriptor: v1.Descriptor{Platform: e.platform}}
		if e.user != "" {
			add.Add = sandbox(t, "linux/amd64", e.user)
		}
		index = mutate.AppendManifests(index, add)
	}
	return index
}

// R52: every image that a node may pull is judged, whatever stands before it and
// however its platform is written; what nobody can judge is no sandbox image.
func TestEveryImageForTheNodesIsJudged(t *testing.T) {
	f := serve(t, nil)
	amd := on("linux", "amd64", "")
	for name, c := range map[string]struct {
		entries []entry
		users   []string
		refused bool
	}{
		"a variant first":       {[]entry{{on("linux", "amd64", "v4"), "100"}, {amd, "0"}}, []string{"100", "0"}, false},
		"a variant last":        {[]entry{{amd, "100"}, {on("linux", "amd64", "v4"), "0"}}, []string{"100", "0"}, false},
		"the same twice":        {[]entry{{amd, "100"}, {amd, "0"}, {amd, "100"}}, []string{"100", "0"}, false},
		"another name":          {[]entry{{on("linux", "x86_64", ""), "0"}, {amd, "100"}}, []string{"0", "100"}, false},
		"capitals":              {[]entry{{on("Linux", "AMD64", ""), "0"}, {amd, "100"}}, []string{"0", "100"}, false},
		"no system":             {[]entry{{on("", "amd64", ""), "0"}, {amd, "100"}}, []string{"0", "100"}, false},
		"another machine":       {[]entry{{on("linux", "s390x", ""), "0"}, {amd, "100"}}, []string{"100"}, false},
		"an index in it":        {[]entry{{amd, ""}, {amd, "100"}}, nil, true},
		"an index of another":   {[]entry{{on("linux", "s390x", ""), ""}, {amd, "100"}}, []string{"100"}, false},
		"an attestation":        {[]entry{{on("unknown", "unknown", ""), "0"}, {amd, "100"}}, []string{"100"}, false},
		"no platform, and one":  {[]entry{{nil, "0"}, {amd, "100"}}, []string{"100"}, false},
		"no platform, and none": {[]entry{{nil, "0"}}, nil, true},
		"too many":              {many(13), nil, true},
		"as many as are read":   {many(12), slices.Repeat([]string{"100"}, 12), false},
	} {
		at := "team/" + strings.ReplaceAll(strings.ReplaceAll(name, ",", ""), " ", "-") + ":1"
		f.PushAny(t, at, indexOf(t, c.entries))
		got, failure := f.client.Read(t.Context(), Request{Image: host + "/" + at, Platforms: []string{"linux/amd64"}})
		var users []string
		for _, config := range got.Configs {
			users = append(users, config.User)
		}
		if (failure != nil) != c.refused || failure != nil && (failure.Reason != v1alpha1.ReasonInvalid || failure.Fix == "") || !slices.Equal(users, c.users) {
			t.Errorf("%s: %v, %v", name, users, failure)
		}
	}
}

func many(n int) []entry {
	var all []entry
	for i := range n {
		all = append(all, entry{on("linux", "amd64", fmt.Sprintf("v%d", i)), "100"})
	}
	return all
}

// R52: a pause is of whom the registry asked for it: whoever has credentials of his
// own is not held up, and no registry is left alone for long.
func TestAPauseIsOfWhoWasAskedForIt(t *testing.T) {
	var asked []string
	after := "99999999999999999999999"
	f := serve(t, func(w http.ResponseWriter, r *http.Request) bool {
		user, _, _ := r.BasicAuth()
		if r.URL.Path == "/v2/" {
			w.Header().Set("WWW-Authenticate", `Basic realm="r"`)
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}
		asked = append(asked, user)
		if user == "rich" {
			return false
		}
		w.Header().Set("Retry-After", after)
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	})
	f.Push(t, "team/image:1", sandbox(t, "linux/amd64", "100"))
	now := clocktesting.NewFakePassiveClock(time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC))
	f.client.Clock = now
	of := func(user string) Keyring {
		var k Keyring
		if user != "" {
			if err := k.Add(fmt.Appendf(nil, `{"auths":{%q:{"username":%q,"password":"p"}}}`, strings.TrimPrefix(f.URL, "http://"), user)); err != nil {
				t.Fatal(err)
			}
		}
		return k
	}
	for _, user := range []string{"", "poor"} {
		_, failure := f.client.Read(t.Context(), Request{Image: host + "/team/image:1", Keyring: of(user)})
		if failure == nil || failure.RetryAfter != longestPause || !strings.Contains(failure.Fix, "spec.pullSecretRef") {
			t.Fatalf("%q: %+v", user, failure)
		}
		before := len(asked)
		_, failure = f.client.Read(t.Context(), Request{Image: host + "/team/image:2", Keyring: of(user)})
		if failure == nil || failure.RetryAfter <= 0 || len(asked) != before {
			t.Errorf("%q is not spared: %+v, asked %q", user, failure, asked)
		}
	}
	if _, failure := f.client.Read(t.Context(), Request{Image: host + "/team/image:1", Keyring: of("rich")}); failure != nil || !slices.Contains(asked, "poor") {
		t.Errorf("whoever has a user of his own waits for others: %v, asked %q", failure, asked)
	}
	if longestPause > 10*time.Minute {
		t.Errorf("a registry may ask for %s", longestPause)
	}
	now.SetTime(now.Now().Add(longestPause))
	before := len(asked)
	if f.client.Read(t.Context(), Request{Image: host + "/team/image:1"}); len(asked) == before {
		t.Error("it is not asked after the pause")
	}
}

// R30, R52: hosts are compared without capitals, in references and in the values.
func TestMirrorsOfHostsInCapitals(t *testing.T) {
	f := serve(t, nil)
	f.Push(t, "team/image:1", sandbox(t, "linux/amd64", "100"))
	for key, image := range map[string]string{host: strings.ToUpper(host), strings.ToUpper(host): host} {
		c := &Client{Mirrors: map[string]string{key: f.URL}}
		if _, failure := c.Read(t.Context(), Request{Image: image + "/team/image:1"}); failure != nil {
			t.Errorf("%s for %s: %v", key, image, failure)
		}
	}
}

// R30, R52: an address that is never read is told as that, whatever ports are read.
func TestAddressesThatAreNeverRead(t *testing.T) {
	c := &Client{Ports: []int{8081}, dial: noDial(t)}
	for _, at := range []string{"127.0.0.1:8081", "127.0.0.1:9", "127.9.9.9", "[::1]:8081", "[::ffff:127.0.0.1]:8081", "169.254.169.254", "0.0.0.0:8081", "224.0.0.1"} {
		_, failure := c.Read(t.Context(), Request{Image: at + "/x:1"})
		if failure == nil || failure.Reason != v1alpha1.ReasonRegistryNotAllowed || strings.Contains(failure.Fix, "registryPorts") || !strings.Contains(failure.Fix, "registryMirrors") {
			t.Errorf("%s: %+v", at, failure)
		}
	}
}
