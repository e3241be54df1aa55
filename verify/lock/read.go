package lock

import (
	"fmt"
	"io"
	"time"

	"github.com/google/go-containerregistry/pkg/name"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/regular"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/verify/reference"
)

// maxBytes bounds a lock; one of a thousand images has some 300 KB.
const maxBytes = 4 << 20

var limits = source.Limits{Bytes: maxBytes, Nodes: 200_000, Depth: 10, Aliases: 0}

// Read reads a lock strictly. Faults have the place in the file; a list that
// refuses comes with no lock.
func Read(path string) (*Lock, faults.List) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, unreadable(path, err)
	}
	return Parse(source.NewFile(path, string(text)))
}

func unreadable(path string, err error) faults.List {
	f := faults.New(faults.FileMissing, "the lock cannot be read: "+err.Error())
	f.File, f.Fix = path, "correct the path, or write the lock with kora verify release --lock FILE"
	return faults.List{f}
}

// Parse reads the text of a lock.
func Parse(f *source.File) (*Lock, faults.List) {
	docs, found := source.Parse(f, limits)
	if found.Refused() {
		return nil, found
	}
	if len(docs) != 1 {
		return nil, faults.List{refuse(source.Pos{File: f, Line: 1, Column: 1}, fmt.Sprintf("a lock is one YAML document, and the file has %d", len(docs)))}
	}
	found = fields.Check(docs[0], fields.Of(Lock{}), "")
	if found.Refused() {
		return nil, found
	}
	return read(docs[0])
}

func refuse(at source.Pos, message string) faults.Fault {
	f := at.Fault(faults.LockShape, message)
	if e, ok := faults.Lookup(f.Code); ok {
		f.Fix = e.Fix
	}
	return f
}

func read(doc *source.Node) (*Lock, faults.List) {
	if doc.Kind != source.Mapping {
		return nil, faults.List{refuse(doc.Pos, "a lock is a mapping with version and artifacts")}
	}
	if v := doc.Get("version"); v == nil || v.Any() != int64(Version) {
		at := doc.Pos
		if v != nil {
			at = v.Pos
		}
		return nil, faults.List{refuse(at, fmt.Sprintf("the version of the lock is not %d, the only one that this kora reads", Version))}
	}
	list := doc.Get("artifacts")
	if list.Null() || len(list.Items) == 0 {
		return nil, faults.List{refuse(place(doc, "artifacts"), "the lock has no artifacts, so that nothing would be checked")}
	}
	l := &Lock{Version: Version, Sum: text(doc, "sum"), Artifacts: []Artifact{}}
	var found faults.List
	for _, n := range list.Items {
		a, bad := artifact(n)
		if l.find(a.Ref) != nil && a.Ref != "" {
			bad = append(bad, refuse(place(n, "ref"), "the reference stands in the lock twice, so that two readers pin two digests"))
		}
		found = append(found, bad...)
		l.Artifacts = append(l.Artifacts, a)
	}
	if found.Refused() {
		return nil, found
	}
	if want := l.sum(); l.Sum != want {
		return nil, faults.List{refuse(place(doc, "sum"), "the sum is not that of the artifacts: the lock was changed by hand, or a part of it is missing")}
	}
	return l, nil
}

func artifact(n *source.Node) (Artifact, faults.List) {
	a := Artifact{Ref: text(n, "ref"), Kind: text(n, "kind"), Digest: text(n, "digest"), Signers: []Signer{}, Pos: place(n, "digest")}
	var found faults.List
	no := func(key, message string) { found = append(found, refuse(place(n, key), message)) }
	ref, ok := reference.Parse(a.Ref)
	if !ok || Normal(a.Ref) != a.Ref {
		no("ref", "the reference is not REGISTRY/REPOSITORY:TAG or REGISTRY/REPOSITORY@sha256:HEX")
	}
	if reference.Shown(a.Ref) != a.Ref { // no line is shown that may hold a password
		for i := range found {
			found[i].Source = ""
		}
	}
	if a.Kind != Chart && a.Kind != Image {
		no("kind", `the kind is neither "chart" nor "image"`)
	}
	if !reference.Digest(a.Digest) {
		no("digest", "the digest is not sha256: and 64 lower-case hexadecimal digits")
	}
	if own, ok := ref.(name.Digest); ok && own.DigestStr() != a.Digest {
		no("digest", "the digest is not the one that the reference has")
	}
	signers := n.Get("signers")
	if signers.Null() || len(signers.Items) == 0 {
		no("signers", "nobody has signed the artifact, and only what is verified stands in a lock")
		return a, found
	}
	for _, s := range signers.Items {
		signer, bad := signer(s)
		a.Signers, found = append(a.Signers, signer), append(found, bad...)
	}
	return a, found
}

func signer(n *source.Node) (Signer, faults.List) {
	s := Signer{Identity: text(n, "identity"), Issuer: text(n, "issuer"), Key: text(n, "key"), Time: text(n, "time")}
	var found faults.List
	if (s.Identity == "" || s.Issuer == "") == (s.Key == "") {
		found = append(found, refuse(n.Pos, "a signer has an identity and an issuer, or a key"))
	}
	if s.Key != "" && !reference.Digest(s.Key) {
		found = append(found, refuse(place(n, "key"), "the key is not its fingerprint, sha256: and 64 lower-case hexadecimal digits"))
	}
	if _, err := time.Parse(time.RFC3339, s.Time); s.Time != "" && err != nil {
		found = append(found, refuse(place(n, "time"), "the time is not in the form 2026-01-31T12:00:00Z"))
	}
	return s, found
}

func text(n *source.Node, key string) string {
	if v := n.Get(key); v != nil && v.Kind == source.Scalar {
		return v.Value
	}
	return ""
}

// place is where a key's value stands, or the mapping where it is missing.
func place(n *source.Node, key string) source.Pos {
	if v := n.Get(key); v != nil {
		return v.Pos
	}
	return n.Pos
}
