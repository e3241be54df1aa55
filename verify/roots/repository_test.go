package roots_test

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sigstore/sigstore/pkg/signature"
	"github.com/theupdateframework/go-tuf/v2/metadata"
)

// repository is a TUF repository on this machine.
type repository struct {
	t        *testing.T
	url      string
	dir      string
	requests atomic.Int64
	status   atomic.Int64 // what is answered instead, 0 for the files
	signer   signature.Signer
	key      *metadata.Key
	root     *metadata.Metadata[metadata.RootType]
}

// newRepository serves trusted_root.json, and returns the root.json to begin with.
func newRepository(t *testing.T, target []byte) (*repository, string) {
	t.Helper()
	r := &repository{t: t, dir: t.TempDir()}
	r.signer, r.key = newSigner(t)
	r.root = metadata.Root(time.Now().AddDate(1, 0, 0))
	for _, role := range []string{metadata.ROOT, metadata.SNAPSHOT, metadata.TIMESTAMP, metadata.TARGETS} {
		must(t, r.root.Signed.AddKey(r.key, role))
	}
	r.writeRoot(r.signer)
	r.publish(target, time.Now().AddDate(0, 1, 0))
	files := http.FileServer(http.Dir(r.dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.requests.Add(1)
		if status := int(r.status.Load()); status != 0 {
			w.WriteHeader(status)
			return
		}
		files.ServeHTTP(w, q)
	}))
	t.Cleanup(server.Close)
	r.url = server.URL
	first := filepath.Join(t.TempDir(), "root.json")
	data, err := os.ReadFile(filepath.Join(r.dir, "1.root.json"))
	must(t, err)
	must(t, os.WriteFile(first, data, 0o600))
	return r, first
}

func newSigner(t *testing.T) (signature.Signer, *metadata.Key) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	signer, err := signature.LoadSigner(private, crypto.Hash(0))
	must(t, err)
	key, err := metadata.KeyFromPublicKey(public)
	must(t, err)
	return signer, key
}

// writeRoot signs the root of its present version with each signer.
func (r *repository) writeRoot(signers ...signature.Signer) {
	r.root.ClearSignatures()
	for _, s := range signers {
		_, err := r.root.Sign(s)
		must(r.t, err)
	}
	r.write(version(r.root.Signed.Version)+"root.json", r.root)
}

// rotate gives the repository another key, as its old one allows.
func (r *repository) rotate() {
	old := r.signer
	signer, key := newSigner(r.t)
	id, err := r.key.ID()
	must(r.t, err)
	for _, role := range []string{metadata.ROOT, metadata.SNAPSHOT, metadata.TIMESTAMP, metadata.TARGETS} {
		must(r.t, r.root.Signed.RevokeKey(id, role))
		must(r.t, r.root.Signed.AddKey(key, role))
	}
	r.root.Signed.Version++
	r.signer, r.key = signer, key
	r.writeRoot(old, signer)
}

// publish writes targets, snapshot and timestamp that expire at a time.
func (r *repository) publish(target []byte, expires time.Time) {
	targets := metadata.Targets(expires)
	file, err := metadata.TargetFile().FromBytes("trusted_root.json", target, "sha256")
	must(r.t, err)
	targets.Signed.Targets["trusted_root.json"] = file
	sum := file.Hashes["sha256"].String()
	must(r.t, os.MkdirAll(filepath.Join(r.dir, "targets"), 0o700))
	must(r.t, os.WriteFile(filepath.Join(r.dir, "targets", sum+".trusted_root.json"), target, 0o600))
	r.signed("1.targets.json", targets)
	r.signed("1.snapshot.json", metadata.Snapshot(expires))
	r.signed("timestamp.json", metadata.Timestamp(expires))
}

func (r *repository) signed(name string, m any) {
	switch m := m.(type) {
	case *metadata.Metadata[metadata.TargetsType]:
		_, err := m.Sign(r.signer)
		must(r.t, err)
		r.write(name, m)
	case *metadata.Metadata[metadata.SnapshotType]:
		_, err := m.Sign(r.signer)
		must(r.t, err)
		r.write(name, m)
	case *metadata.Metadata[metadata.TimestampType]:
		_, err := m.Sign(r.signer)
		must(r.t, err)
		r.write(name, m)
	}
}

func (r *repository) write(name string, m interface {
	ToFile(string, bool) error
}) {
	must(r.t, m.ToFile(filepath.Join(r.dir, name), false))
}

func version(v int64) string { return string(rune('0'+v)) + "." }

func must(t *testing.T, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}
