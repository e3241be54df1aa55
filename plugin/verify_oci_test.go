package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	ggcr "github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/runkora/kora/verify/sigstoretest"
)

const (
	bundleV03   = "application/vnd.dev.sigstore.bundle.v0.3+json"
	emptyConfig = "application/vnd.oci.empty.v1+json"
	simpleLayer = "application/vnd.dev.cosign.simplesigning.v1+json"
)

// R45, R46, R48, R49: what a person sees of the commands about registries.
// Each script has a registry of its own, $REG, with artifacts that an instance
// of Sigstore of its own has signed, rightly and wrongly.
func TestVerifyOCIScripts(t *testing.T) {
	s := sigstoretest.New(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script/verify-oci",
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			r := newShelf(s)
			e.Defer(r.Close)
			e.Values["shelf"] = r
			e.Setenv("XDG_CACHE_HOME", e.WorkDir)
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("REG", r.host)
			return r.fill(e.WorkDir)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"retag": retag, "answers": answers, "nosecrets": noSecrets, "layer": layerIs, "bomb": bomb, "signedchart": signedChart, "signedcopy": signedCopy, "agree": agree, "halfway": halfway, "oversized": oversized, "says": says, "resigned": resigned, "layout": layoutOf, "forgelock": forgeLock},
	})
}

// shelf is a registry that can be told to answer something else.
type shelf struct {
	*httptest.Server
	s    *sigstoretest.Sigstore
	host string

	mu     sync.Mutex
	status map[string]int    // by a part of the path
	body   map[string]string // what is sent instead, "hang" for nothing at all
	signed map[string]string // the digest of the first bundle of a repository
	err    error
}

func newShelf(s *sigstoretest.Sigstore) *shelf {
	r := &shelf{s: s, status: map[string]int{}, body: map[string]string{}, signed: map[string]string{}}
	inner := ggcr.New(ggcr.WithReferrersSupport(true), ggcr.Logger(log.New(io.Discard, "", 0)))
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		for part, status := range r.status {
			if status > 0 && strings.Contains(req.URL.Path, part) {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(status)
				fmt.Fprintf(w, `{"errors":[{"code":"DENIED","message":"%s"}]}`, req.Header.Get("Authorization"))
				return
			}
		}
		for part, kind := range r.body {
			if strings.Contains(req.URL.Path, part) {
				r.mu.Unlock()
				r.send(w, req, kind)
				r.mu.Lock()
				return
			}
		}
		inner.ServeHTTP(w, req)
	}))
	r.host = strings.TrimPrefix(r.URL, "http://")
	return r
}

type rawManifest struct {
	body []byte
	kind types.MediaType
}

func (m rawManifest) RawManifest() ([]byte, error)        { return m.body, nil }
func (m rawManifest) MediaType() (types.MediaType, error) { return m.kind, nil }

func (r *shelf) try(err error) {
	if err != nil && r.err == nil {
		r.err = err
	}
}

type desc map[string]any

func (r *shelf) blob(repo, kind string, body []byte) desc {
	to, err := name.NewRepository(r.host + "/" + repo)
	r.try(err)
	r.try(remote.WriteLayer(to, static.NewLayer(body, types.MediaType(kind))))
	return desc{"mediaType": kind, "digest": sigstoretest.DigestOf(body), "size": len(body)}
}

func (r *shelf) put(repo, tag string, m desc) desc {
	body, err := json.Marshal(m)
	r.try(err)
	digest, at := sigstoretest.DigestOf(body), ":"+tag
	if tag == "" {
		at = "@" + digest
	}
	ref, err := name.ParseReference(r.host + "/" + repo + at)
	r.try(err)
	r.try(remote.Put(ref, rawManifest{body, types.MediaType(m["mediaType"].(string))}))
	return desc{"mediaType": m["mediaType"], "digest": digest, "size": len(body)}
}

func (r *shelf) image(repo, tag string) desc {
	config := r.blob(repo, string(types.OCIConfigJSON), []byte(`{"of":"`+repo+":"+tag+`"}`))
	return r.put(repo, tag, desc{"schemaVersion": 2, "mediaType": string(types.OCIManifestSchema1), "config": config, "layers": []desc{}})
}

// attach puts a bundle beside a subject, as cosign 3 does.
func (r *shelf) attach(repo string, subject desc, bundle []byte) {
	if r.signed[repo] == "" {
		r.signed[repo] = sigstoretest.DigestOf(bundle)
	}
	r.put(repo, "", desc{
		"schemaVersion": 2, "mediaType": string(types.OCIManifestSchema1), "artifactType": bundleV03,
		"config": r.blob(repo, emptyConfig, []byte("{}")), "layers": []desc{r.blob(repo, bundleV03, bundle)}, "subject": subject,
	})
}

// fill makes the artifacts, one repository a case, and the files of a release.
func (r *shelf) fill(dir string) error {
	kora := sigstoretest.Kora("1.4.0")
	fork := sigstoretest.GitHub("example/kora", ".github/workflows/build.yml", "refs/heads/main")
	digest := func(d desc) string { return d["digest"].(string) }
	for _, repo := range []string{"charts/kora-crds", "charts/other", "session-manager", "kora-agents"} {
		d := r.imageOrChart(repo, "1.4.0")
		r.attach(repo, d, r.s.SignImage(kora, digest(d)))
	}
	old := r.image("session-manager", "1.3.0")
	r.attach("session-manager", old, r.s.SignImage(sigstoretest.Kora("1.3.0"), digest(old)))
	r.image("unsigned", "1.4.0")
	for repo, make := range map[string]func(desc) []byte{
		"fork":       func(d desc) []byte { return r.s.SignImage(fork, digest(d)) },
		"other":      func(desc) []byte { return r.s.SignImage(kora, digest(old)) },
		"attested":   func(d desc) []byte { return r.s.SignStatement(kora, provenanceOf(digest(d))) },
		"junk":       func(desc) []byte { return []byte(`{"junk":`) },
		"other-root": func(d desc) []byte { return sigstoretest.New(discard{}).SignImage(kora, digest(d)) },
	} {
		d := r.image(repo, "1.4.0")
		r.attach(repo, d, make(d))
	}
	crowd := r.image("crowd", "1.4.0")
	r.attach("crowd", crowd, []byte("junk"))
	r.attach("crowd", crowd, r.s.SignImage(fork, digest(crowd)))
	r.attach("crowd", crowd, r.s.SignImage(kora, digest(crowd)))
	r.platforms(kora)
	r.older(kora)
	r.attested(kora, fork)
	return r.files(dir, kora)
}

func provenanceOf(digests ...string) []byte {
	return sigstoretest.Statement("https://slsa.dev/provenance/v1", sigstoretest.ProvenanceV1("runkora/kora", ".github/workflows/release.yml", "refs/tags/v1.4.0"), digests...)
}

// platforms is an index whose signature is that of the index.
func (r *shelf) platforms(kora sigstoretest.Identity) {
	one := r.image("platforms", "amd64")
	index := r.put("platforms", "1.4.0", desc{"schemaVersion": 2, "mediaType": string(types.OCIImageIndex), "manifests": []desc{one}})
	r.attach("platforms", index, r.s.SignImage(kora, index["digest"].(string)))
}

// older has signatures as cosign 2 puts them, and one of another image.
func (r *shelf) older(kora sigstoretest.Identity) {
	for _, repo := range []string{"older", "older-moved", "older-renamed"} {
		d := r.image(repo, "1.4.0")
		of, called := d["digest"].(string), r.host+"/"+repo
		if repo == "older-renamed" {
			called = "ghcr.io/runkora/session-manager"
		}
		if repo == "older-moved" {
			of = sigstoretest.DigestOf([]byte("another"))
		}
		layer, annotations := r.s.SignImageOlder(kora, called, of)
		l := r.blob(repo, simpleLayer, layer)
		l["annotations"] = annotations
		r.put(repo, strings.Replace(d["digest"].(string), ":", "-", 1)+".sig", desc{
			"schemaVersion": 2, "mediaType": string(types.OCIManifestSchema1),
			"config": r.blob(repo, string(types.OCIConfigJSON), []byte("{}")), "layers": []desc{l},
		})
	}
}

// retag REPO:TAG REPO:TAG lets the first tag lead where the second does.
func retag(ts *testscript.TestScript, _ bool, args []string) {
	ts.Value("shelf").(*shelf).copied(ts, args[0], args[1])
}

// copied lets the tag of REPO:TAG lead where the other does.
func (s *shelf) copied(ts *testscript.TestScript, to, from string) *remote.Descriptor {
	source, err := name.ParseReference(s.host + "/" + from)
	ts.Check(err)
	got, err := remote.Get(source)
	ts.Check(err)
	tag, err := name.NewTag(s.host + "/" + to)
	ts.Check(err)
	ts.Check(remote.Put(tag, rawManifest{got.Manifest, got.MediaType}))
	return got
}

// answers PART STATUS lets the registry answer so from now on.
func answers(ts *testscript.TestScript, _ bool, args []string) {
	r := ts.Value("shelf").(*shelf)
	status, err := strconv.Atoi(args[1])
	ts.Check(err)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status[args[0]] = status
}

// says PART TEXT lets the registry answer with 200 and a text from now on.
func says(ts *testscript.TestScript, _ bool, args []string) {
	r := ts.Value("shelf").(*shelf)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.body[args[0]] = args[1]
}

// noSecrets looks for planted credentials in all that the last command said.
func noSecrets(ts *testscript.TestScript, _ bool, _ []string) {
	for _, file := range []string{"stdout", "stderr"} {
		for _, secret := range []string{"planted-Passw0rd", "cm9ib3Q6cGxhbnRlZC1QYXNzdzByZA=="} {
			if strings.Contains(ts.ReadFile(file), secret) {
				ts.Fatalf("%s holds a secret", file)
			}
		}
	}
}

// discard is a test that never fails, for an instance nobody trusts.
type discard struct{ testing.TB }

func (discard) Helper()                   {}
func (discard) Fatalf(f string, a ...any) { panic(fmt.Sprintf(f, a...)) }
