package release_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/release"
)

const (
	chartType      = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
	provenanceType = "application/vnd.cncf.helm.chart.provenance.v1.prov"
	chartConfig    = "application/vnd.cncf.helm.config.v1+json"
)

func quiet() http.Handler { return registry.New(registry.Logger(log.New(io.Discard, "", 0))) }

// served is a registry on this machine that holds one artifact, behind a handler
// of the test's, if any. It returns host and port.
func served(t *testing.T, in http.Handler, wrap func(http.Handler) http.Handler, layers ...v1.Layer) string {
	t.Helper()
	plain := httptest.NewServer(in)
	t.Cleanup(plain.Close)
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), chartConfig)
	image, err := mutate.AppendLayers(image, layers...)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := name.ParseReference(strings.TrimPrefix(plain.URL, "http://") + "/charts/small:0.1.0_b1")
	if err != nil {
		t.Fatal(err)
	}
	if err := remote.Write(ref, image, remote.WithContext(t.Context())); err != nil {
		t.Fatal(err)
	}
	if wrap == nil {
		return ref.Context().RegistryStr()
	}
	front := httptest.NewServer(wrap(in))
	t.Cleanup(front.Close)
	return strings.TrimPrefix(front.URL, "http://")
}

func smallArchive(t *testing.T) []byte {
	return packed(t, entry{name: "small/Chart.yaml", text: metadata},
		entry{name: "small/templates/a.yaml", text: "apiVersion: v1\nkind: Secret\nmetadata: { name: pulled }\n"})
}

func layer(data []byte, kind types.MediaType) v1.Layer { return static.NewLayer(data, kind) }

// R19: a chart comes from a registry as Helm puts it there, a provenance file beside
// it, a plus sign in its version, by tag and by digest.
func TestChartFromARegistry(t *testing.T) {
	host := served(t, quiet(), nil, layer([]byte("signed"), provenanceType), layer(smallArchive(t), chartType))
	got := good(t, release.Request{Chart: "oci://" + host + "/charts/small:0.1.0+b1"})
	if len(got.Objects) != 1 || got.Objects[0].Name != "pulled" {
		t.Fatalf("%d objects", len(got.Objects))
	}
	ref, err := name.ParseReference(host + "/charts/small:0.1.0_b1")
	if err != nil {
		t.Fatal(err)
	}
	head, err := remote.Head(ref, remote.WithContext(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	good(t, release.Request{Chart: "oci://" + host + "/charts/small@" + head.Digest.String()})
	refused(t, release.Request{Chart: "oci://" + host + "/charts/small:0.2.0"}, faults.ChartSource, "the registry answers 404 Not Found")
}

// R43: what is no reference, or has no chart in it, or too much.
func TestRegistriesAreNotTrusted(t *testing.T) {
	for reference, words := range map[string]string{
		"oci://small:0.1.0":              "names no registry",
		"oci://charts/small:0.1.0":       "names no registry",
		"oci://127.0.0.1:1/charts/small": "no reference of a chart with a tag or a digest",
		"oci://127.0.0.1:1/CHARTS:1":     "no reference",
		"oci://":                         "names no registry",
	} {
		refused(t, release.Request{Chart: reference}, faults.ChartShape, words)
	}
	small := smallArchive(t)
	host := served(t, quiet(), nil, layer(small, types.OCILayer))
	refused(t, release.Request{Chart: "oci://" + host + "/charts/small:0.1.0_b1"}, faults.ChartShape, "no layer is a packed chart")

	host = served(t, quiet(), nil, layer(bytes.Repeat([]byte("x"), 100<<10), chartType))
	r := release.Request{Chart: "oci://" + host + "/charts/small:0.1.0_b1"}
	refused(t, r, faults.ChartShape, "neither a folder nor a packed chart")
	r.Limits.Archive = 50 << 10
	refused(t, r, faults.ChartLimit, "too large")
}

// R43: another content than the digest names, an answer without an end or one that
// does not come, and one that says no.
func TestWrongAnswersOfARegistry(t *testing.T) {
	blob := func(answer http.HandlerFunc) func(http.Handler) http.Handler {
		return func(in http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(r.URL.Path, "/blobs/") {
					answer(w, r)
					return
				}
				in.ServeHTTP(w, r)
			})
		}
	}
	endless := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	}
	for name, c := range map[string]struct {
		wrap  func(http.Handler) http.Handler
		words string
	}{
		"another content": {blob(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("x", 1<<10)) }), "cannot fetch the chart"},
		"no end":          {blob(endless), "cannot fetch the chart"},
		"silence":         {blob(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }), "cannot fetch the chart"},
		"no":              {blob(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }), "403 Forbidden"},
		"a manifest without an end": {func(in http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(r.URL.Path, "/manifests/") {
					endless(w, r)
					return
				}
				in.ServeHTTP(w, r)
			})
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host := served(t, quiet(), c.wrap, layer(smallArchive(t), chartType))
			r := release.Request{Chart: "oci://" + host + "/charts/small:0.1.0_b1"}
			r.Limits.Pull, r.Limits.Archive = time.Minute, 1<<20 // nothing else is to end for want of time
			if name == "silence" {
				r.Limits.Pull = 2 * time.Second
			}
			out := release.Render(t.Context(), r)
			if !out.Found.Refused() || !strings.Contains(told(out.Found), c.words) || len(out.Objects) > 0 {
				t.Errorf("%d objects\n%s", len(out.Objects), told(out.Found))
			}
		})
	}
}

// R43: the credentials of docker login go to the registry alone, also when it
// redirects; and a registry over TLS sends nobody to plain HTTP.
func TestCredentialsStayWithTheRegistry(t *testing.T) {
	var seen sync.Map
	elsewhere := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.Store("elsewhere", r.Header.Get("Authorization"))
		w.Write(smallArchive(t)) //nolint:errcheck // the client may be gone
	}))
	elsewhere.Start()
	t.Cleanup(elsewhere.Close)
	other := strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1)
	wrap := func(in http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			user, _, _ := r.BasicAuth()
			switch {
			case user != "someone":
				w.Header().Set("WWW-Authenticate", `Basic realm="small"`)
				w.WriteHeader(http.StatusUnauthorized)
			case strings.Contains(r.URL.Path, "/blobs/") && strings.Contains(r.URL.Path, "sha256"):
				seen.Store("registry", user)
				http.Redirect(w, r, other+r.URL.Path, http.StatusTemporaryRedirect)
			default:
				in.ServeHTTP(w, r)
			}
		})
	}
	host := served(t, quiet(), wrap, layer(smallArchive(t), chartType))
	home := t.TempDir()
	t.Setenv("DOCKER_CONFIG", home)
	login := base64.StdEncoding.EncodeToString([]byte("someone:planted-secret"))
	write(t, home, "config.json", fmt.Sprintf(`{"auths":{%q:{"auth":%q}}}`, host, login))

	out := release.Render(t.Context(), release.Request{Chart: "oci://" + host + "/charts/small:0.1.0_b1"})
	if user, _ := seen.Load("registry"); user != "someone" {
		t.Errorf("the registry got no credentials: %v\n%s", user, told(out.Found))
	}
	// localhost is another host than 127.0.0.1, and speaks no TLS.
	if got, asked := seen.Load("elsewhere"); asked {
		t.Errorf("another host was asked over plain HTTP, with %q", got)
	}
	if all := told(out.Found); !strings.Contains(all, "plain HTTP") || strings.Contains(all, "planted-secret") {
		t.Errorf("%s", all)
	}
	os.Remove(filepath.Join(home, "config.json"))
	refused(t, release.Request{Chart: "oci://" + host + "/charts/small:0.1.0_b1"}, faults.ChartSource, "401 Unauthorized")
}

// R19, R45: a credential helper is somebody else's program: one that hangs is ended in
// the time of the chart, and nothing that one prints is repeated.
func TestCredentialHelpersAreBounded(t *testing.T) {
	host := served(t, quiet(), nil, layer(smallArchive(t), chartType))
	for name, c := range map[string]struct{ script, want string }{
		"hangs":          {"sleep 600", "it took too long"},
		"prints secrets": {"echo planted-secret; echo planted-secret >&2; exit 3", "docker-credential-planted failed with status 3"},
		"prints no end":  {"trap '' PIPE; while :; do echo planted-secret; done", "docker-credential-planted prints more than"},
	} {
		home := t.TempDir()
		t.Setenv("DOCKER_CONFIG", home)
		t.Setenv("PATH", home+":/usr/bin:/bin")
		write(t, home, "config.json", fmt.Sprintf(`{"credHelpers":{%q:"planted"}}`, host))
		write(t, home, "docker-credential-planted", "#!/bin/sh\n"+c.script+"\n")
		if err := os.Chmod(filepath.Join(home, "docker-credential-planted"), 0o700); err != nil {
			t.Fatal(err)
		}
		limits := release.Limits{Pull: 30 * time.Second}
		if name == "hangs" {
			limits.Pull = 3 * time.Second // in which it has been started
		}
		out := release.Render(t.Context(), release.Request{Chart: "oci://" + host + "/charts/small:0.1.0_b1", Limits: limits})
		if all := told(out.Found); !strings.Contains(all, c.want) || !strings.Contains(all, string(faults.ChartSource)) || strings.Contains(all, "planted-secret") {
			t.Errorf("%s: %s", name, all)
		}
	}
}
