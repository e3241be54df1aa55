// Package registrytest is a real registry on 127.0.0.1 for tests, behind a handler
// that a test puts faults in.
package registrytest

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	backend "github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// Host is what references name; the server is its mirror.
const Host = "registry.example.com"

// BaseLabel is on what Sandbox makes.
const BaseLabel = "io.runkora.sandbox.base"

// Fault may answer a request itself, with true.
type Fault func(w http.ResponseWriter, r *http.Request) bool

// Server is a registry over plain HTTP, filled past all faults.
type Server struct{ *httptest.Server }

// Serve starts a registry that ends with the test. fault may be nil.
func Serve(t testing.TB, fault Fault) *Server {
	t.Helper()
	inner := backend.New(backend.Logger(log.New(io.Discard, "", 0)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fault == nil || r.Header.Get("X-Setup") != "" || !fault(w, r) {
			inner.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return &Server{server}
}

// setup marks requests that fill the registry, which no fault meets.
type setup struct{}

func (setup) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("X-Setup", "yes")
	return http.DefaultTransport.RoundTrip(r)
}

// Mirrors lead from Host to the server.
func (f *Server) Mirrors() map[string]string { return map[string]string{Host: f.URL} }

func (f *Server) ref(t testing.TB, at string) name.Reference {
	t.Helper()
	ref, err := name.ParseReference(strings.TrimPrefix(f.URL, "http://")+"/"+at, name.Insecure)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// Push writes an image, and gives its digest.
func (f *Server) Push(t testing.TB, at string, image v1.Image) v1.Hash {
	t.Helper()
	if err := remote.Write(f.ref(t, at), image, remote.WithTransport(setup{})); err != nil {
		t.Fatal(err)
	}
	digest, err := image.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

// PushIndex writes an index with a sandbox image for each platform.
func (f *Server) PushIndex(t testing.TB, at string, platforms ...string) v1.Hash {
	t.Helper()
	var index v1.ImageIndex = empty.Index
	for _, p := range platforms {
		parsed, err := v1.ParsePlatform(p)
		if err != nil {
			t.Fatal(err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: Sandbox(t, p, "100"), Descriptor: v1.Descriptor{Platform: parsed}})
	}
	return f.PushAny(t, at, index)
}

// PushAny writes an index of whatever is in it.
func (f *Server) PushAny(t testing.TB, at string, index v1.ImageIndex) v1.Hash {
	t.Helper()
	if err := remote.WriteIndex(f.ref(t, at), index, remote.WithTransport(setup{})); err != nil {
		t.Fatal(err)
	}
	digest, err := index.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

// Sandbox is an image of a platform and a user, with kora's label.
func Sandbox(t testing.TB, platform, user string) v1.Image {
	t.Helper()
	return Image(t, platform, user, map[string]string{BaseLabel: "1.4.0"})
}

// Image is an empty image with a config.
func Image(t testing.TB, platform, user string, labels map[string]string) v1.Image {
	t.Helper()
	p, err := v1.ParsePlatform(platform)
	if err != nil {
		t.Fatal(err)
	}
	image, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{OS: p.OS, Architecture: p.Architecture, Variant: p.Variant,
		RootFS: v1.RootFS{Type: "layers"}, Config: v1.Config{User: user, Labels: labels}})
	if err != nil {
		t.Fatal(err)
	}
	return image
}
