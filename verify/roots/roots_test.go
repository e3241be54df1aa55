package roots_test

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sigstore/sigstore-go/pkg/tuf"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify/roots"
	"github.com/runkora/kora/verify/sigstoretest"
)

// R48: a file holds one root or several, which stay apart.
func TestFilesOfRoots(t *testing.T) {
	a, b := sigstoretest.New(t), sigstoretest.New(t)
	two := bytes.Join([][]byte{a.TrustedRoot(), b.TrustedRootWithoutLogs(), nil}, []byte("\n"))
	got, found := roots.Parse("roots.jsonl", two)
	if found.Refused() || len(got) != 2 || got[0].Name != "roots.jsonl:1" || got[0].Weak() || !got[1].Weak() {
		t.Errorf("%+v %v", got, found)
	}
	pretty := bytes.ReplaceAll(a.TrustedRoot(), []byte(","), []byte(",\n"))
	if got, found := roots.Parse("root.json", pretty); found.Refused() || len(got) != 1 || got[0].Name != "root.json" {
		t.Errorf("%+v %v", got, found)
	}
}

// R48: what is not understood whole is not trusted at all.
func TestRefusedRoots(t *testing.T) {
	good := sigstoretest.New(t).TrustedRoot()
	for name, data := range map[string][]byte{
		"empty":             nil,
		"no JSON":           []byte("x"),
		"an unknown field":  append([]byte(`{"trust":"everybody",`), good[1:]...),
		"a key twice":       append([]byte(`{"mediaType":"x",`), good[1:]...),
		"another kind":      bytes.Replace(good, []byte("trustedroot+json;version=0.1"), []byte("trustedroot+json;version=9.9"), 1),
		"cut":               good[:len(good)/2],
		"nobody":            []byte(`{"mediaType":"application/vnd.dev.sigstore.trustedroot+json;version=0.1"}`),
		"a good and a bad":  append(append(bytes.Clone(good), '\n'), "{}"...),
		"more than twenty":  bytes.Repeat(append(bytes.Clone(good), '\n'), 21),
		"nine megabytes":    bytes.Repeat([]byte(" "), 9<<20),
		"something follows": append(bytes.Clone(good), "{}"...),
		"a signing config":  []byte(`{"mediaType":"application/vnd.dev.sigstore.signingconfig.v0.2+json"}`),
	} {
		got, found := roots.Parse("root.json", data)
		if !found.Refused() || got != nil || found[0].Code != faults.TrustRoot || found[0].Fix == "" {
			t.Errorf("%s: %v %v", name, got, found)
		}
	}
	if _, found := roots.Read(filepath.Join(t.TempDir(), "none")); !found.Refused() || !found[0].Code.Unchecked() {
		t.Errorf("a file that is not there: %v", found)
	}
}

func source(t *testing.T, r *repository, first string) roots.Source {
	return roots.Source{Mirror: r.url, TUFRoot: first, Cache: filepath.Join(t.TempDir(), "cache")}
}

func load(t *testing.T, s roots.Source) ([]roots.Root, faults.List) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return s.Load(ctx)
}

// R48: online the root comes by TUF; the cache serves --offline without a
// single request while it is valid.
func TestRootByTUF(t *testing.T) {
	r, first := newRepository(t, sigstoretest.New(t).TrustedRoot())
	s := source(t, r, first)
	got, found := load(t, s)
	if found.Refused() || len(got) != 1 || got[0].Weak() {
		t.Fatalf("%v %v", got, found)
	}
	before := r.requests.Load()
	s.Offline = true
	if got, found := load(t, s); found.Refused() || len(got) != 1 {
		t.Errorf("from the cache: %v", found)
	}
	if r.requests.Load() != before {
		t.Error("--offline asked the mirror")
	}
	s.Cache = t.TempDir()
	unchecked(t, "offline without a cache", s, "--offline allows no connection")
	if r.requests.Load() != before {
		t.Error("--offline asked the mirror")
	}
}

// R48: the repository's keys may change while the known root leads to them.
func TestRotation(t *testing.T) {
	r, first := newRepository(t, sigstoretest.New(t).TrustedRoot())
	r.rotate()
	r.rotate()
	other := sigstoretest.New(t).TrustedRoot()
	r.publish(other, time.Now().AddDate(0, 1, 0))
	if got, found := load(t, source(t, r, first)); found.Refused() || len(got) != 1 {
		t.Fatal(found)
	}
	stranger, _ := newSigner(t)
	r.root.Signed.Version++
	r.writeRoot(stranger)
	unchecked(t, "a root that nobody allowed", source(t, r, first), "cannot be had by TUF")
}

// R48: expired metadata is told as such, whatever else could be the cause.
func TestExpiredMetadata(t *testing.T) {
	r, first := newRepository(t, sigstoretest.New(t).TrustedRoot())
	r.publish(sigstoretest.New(t).TrustedRoot(), time.Now().AddDate(0, 0, -1))
	unchecked(t, "timestamp", source(t, r, first), "has expired")

	r, first = newRepository(t, sigstoretest.New(t).TrustedRoot())
	r.root.Signed.Version++
	r.root.Signed.Expires = time.Now().AddDate(0, 0, -1)
	r.writeRoot(r.signer)
	unchecked(t, "root", source(t, r, first), "has expired")

	// The root of a release of long ago leads to the one of today.
	r, _ = newRepository(t, sigstoretest.New(t).TrustedRoot())
	r.root.Signed.Expires = time.Now().AddDate(0, 0, -1)
	r.writeRoot(r.signer)
	old, err := os.ReadFile(filepath.Join(r.dir, "1.root.json"))
	must(t, err)
	must(t, os.WriteFile(first, old, 0o600))
	r.root.Signed.Version++
	r.root.Signed.Expires = time.Now().AddDate(1, 0, 0)
	r.writeRoot(r.signer)
	if _, found := load(t, source(t, r, first)); found.Refused() {
		t.Errorf("an old root that leads to a new one: %v", found)
	}
}

// R48, R49: a mirror that fails is "could not be checked", and lies are not read.
func TestMirrorsThatFail(t *testing.T) {
	r, first := newRepository(t, sigstoretest.New(t).TrustedRoot())
	for _, status := range []int64{http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusForbidden, http.StatusNotFound} {
		r.status.Store(status)
		unchecked(t, http.StatusText(int(status)), source(t, r, first), "cannot be had by TUF")
	}
	r.status.Store(0)
	names, err := filepath.Glob(filepath.Join(r.dir, "targets", "*"))
	must(t, err)
	must(t, os.WriteFile(names[0], []byte("another trust root"), 0o600))
	unchecked(t, "a target that was changed", source(t, r, first), "cannot be had by TUF")
	s := source(t, r, first)
	s.Mirror = "http://127.0.0.1:1"
	unchecked(t, "a mirror that is not there", s, "cannot be had by TUF")
	s.TUFRoot = filepath.Join(t.TempDir(), "none")
	if _, found := load(t, s); !found.Refused() || found[0].Code != faults.FileMissing {
		t.Errorf("a --tuf-root that is not there: %v", found)
	}
	for _, mirror := range []string{"ftp://127.0.0.1", "x", "http://user:secret@127.0.0.1", "https://127.0.0.1/?a=b"} {
		s.Mirror = mirror
		if _, found := load(t, s); !found.Refused() || found[0].Code != faults.TrustRoot || strings.Contains(found[0].Message+found[0].File, "secret") {
			t.Errorf("%s: %v", mirror, found)
		}
	}
}

// R48: a root of another repository does not open this one, nor does the one
// that is built in.
func TestForeignTUFRoots(t *testing.T) {
	r, first := newRepository(t, sigstoretest.New(t).TrustedRoot())
	_, foreign := newRepository(t, sigstoretest.New(t).TrustedRoot())
	unchecked(t, "the root of another repository", source(t, r, foreign), "cannot be had by TUF")
	built := filepath.Join(t.TempDir(), "root.json")
	must(t, os.WriteFile(built, tuf.DefaultRoot(), 0o600))
	unchecked(t, "the root that is built in", source(t, r, built), "")
	must(t, os.WriteFile(first, []byte("x"), 0o600))
	if _, found := load(t, source(t, r, first)); !found.Refused() || found[0].Code != faults.TrustRoot {
		t.Errorf("no root: %v", found)
	}
}

func unchecked(t *testing.T, what string, s roots.Source, says string) {
	t.Helper()
	got, found := load(t, s)
	switch {
	case !found.Refused() || got != nil:
		t.Errorf("%s: taken: %v", what, got)
	case found[0].Code != faults.NoTrustRoot || !found[0].Code.Unchecked() || found[0].Fix == "":
		t.Errorf("%s: %+v", what, found)
	case !strings.Contains(found[0].Message, says):
		t.Errorf("%s does not say %q: %s", what, says, found[0].Message)
	}
}
