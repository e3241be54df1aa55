package registry

import (
	"bytes"
	"context"
	"encoding/json"
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
	ggcr "github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

const bundleType = "application/vnd.dev.sigstore.bundle.v0.3+json"

// fake is a real registry behind a handler that can answer something else.
type fake struct {
	t    *testing.T
	host string
	url  string

	mu       sync.Mutex
	instead  func(w http.ResponseWriter, r *http.Request) bool // true: answered
	requests []string
	headers  []http.Header
	now, max int
	lists    map[string][]byte // by tag: what a real registry would not store
}

func serve(t *testing.T, o ...ggcr.Option) *fake {
	t.Helper()
	f := &fake{t: t}
	inner := ggcr.New(append(o, ggcr.Logger(log.New(io.Discard, "", 0)))...)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.serve(inner, w, r) }))
	t.Cleanup(s.Close)
	f.url, f.host = s.URL, strings.TrimPrefix(s.URL, "http://")
	return f
}

func (f *fake) serve(inner http.Handler, w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	if r.Method == http.MethodGet {
		f.requests = append(f.requests, r.URL.RequestURI())
		f.headers = append(f.headers, r.Header.Clone())
	}
	f.now++
	f.max = max(f.max, f.now)
	instead := f.instead
	f.mu.Unlock()
	defer func() { f.mu.Lock(); f.now--; f.mu.Unlock() }()
	if instead != nil && instead(w, r) {
		return
	}
	if list := f.lists[r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]]; list != nil {
		w.Header().Set("Content-Type", string(types.OCIImageIndex))
		_, _ = w.Write(list)
		return
	}
	inner.ServeHTTP(w, r)
}

// answer lets f answer with something else from now on, and forgets requests.
func (f *fake) answer(instead func(http.ResponseWriter, *http.Request) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.instead, f.requests, f.headers, f.max = instead, nil, nil, 0
}

func (f *fake) asked(part string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, r := range f.requests {
		if strings.Contains(r, part) {
			n++
		}
	}
	return n
}

func (f *fake) repo(name_ string) name.Repository {
	r, err := name.NewRepository(f.host + "/" + name_)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

type raw struct {
	body []byte
	kind types.MediaType
}

func (r raw) RawManifest() ([]byte, error)        { return r.body, nil }
func (r raw) MediaType() (types.MediaType, error) { return r.kind, nil }
func (f *fake) must(err error)                    { f.t.Helper(); fatal(f.t, err) }
func fatal(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// blob stores a layer and returns its descriptor.
func (f *fake) blob(repo string, kind string, body []byte) descriptor {
	f.t.Helper()
	f.must(remote.WriteLayer(f.repo(repo), static.NewLayer(body, types.MediaType(kind))))
	return descriptor{MediaType: kind, Digest: digestOf(body), Size: int64(len(body))}
}

// put stores a manifest under a tag, or its digest where tag is empty.
func (f *fake) put(repo, tag string, kind types.MediaType, v any) descriptor {
	f.t.Helper()
	body, ok := v.([]byte)
	if !ok {
		var err error
		if body, err = json.Marshal(v); err != nil {
			f.t.Fatal(err)
		}
	}
	var ref name.Reference = f.repo(repo).Digest(digestOf(body))
	if tag != "" {
		ref = f.repo(repo).Tag(tag)
	}
	f.must(remote.Put(ref, raw{body, kind}))
	return descriptor{MediaType: string(kind), Digest: digestOf(body), Size: int64(len(body))}
}

type object = map[string]any

// list serves an index under the referrers tag of an image.
func (f *fake) list(image descriptor, all ...descriptor) {
	body, err := json.Marshal(object{"schemaVersion": 2, "mediaType": types.OCIImageIndex, "manifests": all})
	f.must(err)
	f.lists = map[string][]byte{strings.Replace(image.Digest, ":", "-", 1): body}
}

// image stores a small image under a tag.
func (f *fake) image(repo, tag string) descriptor {
	f.t.Helper()
	config := f.blob(repo, string(types.OCIConfigJSON), []byte(`{"tag":"`+repo+tag+`"}`))
	return f.put(repo, tag, types.OCIManifestSchema1, object{"schemaVersion": 2, "mediaType": types.OCIManifestSchema1, "config": config, "layers": []descriptor{}})
}

// bundle stores a bundle that refers to a subject.
func (f *fake) bundle(repo string, subject descriptor, body []byte) descriptor {
	f.t.Helper()
	layer := f.blob(repo, bundleType, body)
	config := f.blob(repo, "application/vnd.oci.empty.v1+json", []byte("{}"))
	return f.put(repo, "", types.OCIManifestSchema1, referrer(subject, config, layer))
}

func referrer(subject, config descriptor, layers ...descriptor) object {
	return object{"schemaVersion": 2, "mediaType": types.OCIManifestSchema1, "artifactType": bundleType, "config": config, "layers": layers, "subject": subject}
}

// client is one with small limits that never really waits between tries.
func client(t *testing.T, change ...func(*Options)) (*Client, *[]time.Duration) {
	t.Helper()
	var waited []time.Duration
	var mu sync.Mutex
	o := Options{Limits: DefaultLimits(), Sleep: func(ctx context.Context, d time.Duration) error {
		mu.Lock()
		waited = append(waited, d)
		mu.Unlock()
		return ctx.Err()
	}}
	for _, c := range change {
		c(&o)
	}
	c := New(o)
	t.Cleanup(c.Close)
	return c, &waited
}

func resolve(t *testing.T, c *Client, ref string) (Target, Artifact, error) {
	t.Helper()
	target, err := c.Open(ref)
	if err != nil {
		return target, Artifact{}, err
	}
	a, err := target.Resolve(t.Context())
	return target, a, err
}

// pieces gathers all evidence; whatever says "good" proves the artifact.
func pieces(t *testing.T, c *Client, ref string) (all []Piece, good bool) {
	t.Helper()
	target, a, err := resolve(t, c, ref)
	if err != nil {
		t.Fatal(err)
	}
	target.Evidence(t.Context(), a, Signature, func(p Piece) bool {
		all = append(all, p)
		ok := p.Err == nil && bytes.Equal(p.Bytes, []byte("good"))
		good = good || ok
		return ok
	})
	return all, good
}

// save writes a layout directory with the given files below blobs/sha256.
func save(t *testing.T, index any, blobs ...[]byte) string {
	t.Helper()
	dir := t.TempDir()
	fatal(t, os.MkdirAll(filepath.Join(dir, "blobs/sha256"), 0o755))
	fatal(t, os.WriteFile(filepath.Join(dir, "oci-layout"), []byte(`{"imageLayoutVersion":"1.0.0"}`), 0o644))
	body, err := json.Marshal(index)
	fatal(t, err)
	fatal(t, os.WriteFile(filepath.Join(dir, "index.json"), body, 0o644))
	for _, b := range blobs {
		fatal(t, os.WriteFile(filepath.Join(dir, "blobs/sha256", strings.TrimPrefix(digestOf(b), "sha256:")), b, 0o644))
	}
	return dir
}
