package verify

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/regular"
)

// Artifact is what is to be proven, by its digests.
type Artifact struct {
	// Name is what reports call it.
	Name string
	// Digests are hexadecimal, by algorithm. sha256 is always there; sha384
	// and sha512 where the bytes were read.
	Digests map[string]string
	// open reads the bytes again, nil where only a digest is known.
	open func() (io.ReadCloser, error)
}

// Digest returns "sha256:" and the hexadecimal digits.
func (a Artifact) Digest() string { return "sha256:" + a.Digests["sha256"] }

// ByDigest returns an artifact of which only "sha256:HEX" is known, such as a
// manifest in a registry. Anything that is not exactly a digest is a fault.
func ByDigest(name, digest string) (Artifact, faults.List) {
	value, found := strings.CutPrefix(digest, "sha256:")
	if !found || len(value) != 64 || strings.Trim(value, "0123456789abcdef") != "" {
		f := faults.New(faults.BadDigest, "the digest is not sha256: and 64 lower-case hexadecimal digits")
		e, _ := faults.Lookup(faults.BadDigest)
		f.File, f.Found, f.Fix = name, digest, e.Fix
		return Artifact{}, faults.List{f}
	}
	return Artifact{Name: name, Digests: map[string]string{"sha256": value}}, nil
}

// ByFile reads a file once, in a stream, and returns it with its digests.
func ByFile(path string) (Artifact, faults.List) { return ByFileWithin(context.Background(), path) }

// ByFileWithin is ByFile that ends with its context. Nothing but a regular file
// is read, and nothing is waited for.
func ByFileWithin(ctx context.Context, path string) (Artifact, faults.List) {
	a := Artifact{Name: path, open: func() (io.ReadCloser, error) { return openFile(path) }}
	err := a.read(ctx)
	switch {
	case ctx.Err() != nil:
		f := faults.New(faults.CouldNotCheck, Stopped(ctx))
		f.File, f.Fix = path, "run again"
		return Artifact{}, faults.List{f}
	case err != nil:
		f := faults.New(faults.FileMissing, "the artifact cannot be read: "+err.Error())
		f.File, f.Fix = path, "give the path of a file, or sha256: and its digest"
		return Artifact{}, faults.List{f}
	}
	return a, nil
}

// Stopped says why a context ended, for a person: who stopped a run knows that
// it took no time of its own.
func Stopped(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.Canceled) {
		return "the run was interrupted"
	}
	return "it took too long"
}

// ByBytes returns an artifact that is held in memory.
func ByBytes(name string, data []byte) Artifact {
	a := Artifact{Name: name, open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(string(data))), nil
	}}
	if err := a.read(context.Background()); err != nil {
		panic(fmt.Sprintf("reading from memory: %v", err)) // cannot happen
	}
	return a
}

func openFile(path string) (io.ReadCloser, error) {
	file, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// stopping is a reader that ends with a context.
type stopping struct {
	ctx context.Context
	io.Reader
}

func (s stopping) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.Reader.Read(p)
}

func (a *Artifact) read(ctx context.Context) error {
	r, err := a.open()
	if err != nil {
		return err
	}
	defer r.Close()
	hashes := map[string]hash.Hash{"sha256": sha256.New(), "sha384": sha512.New384(), "sha512": sha512.New()}
	if _, err := io.Copy(io.MultiWriter(hashes["sha256"], hashes["sha384"], hashes["sha512"]), stopping{ctx, r}); err != nil {
		return err
	}
	a.Digests = map[string]string{}
	for name, h := range hashes {
		a.Digests[name] = hex.EncodeToString(h.Sum(nil))
	}
	return nil
}
