package lock

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/source"
)

// Version is that of the format.
const Version = 1

// The kinds of artifacts that a lock holds.
const (
	Chart = "chart"
	Image = "image"
)

// Lock is a lock file.
type Lock struct {
	// Version is 1.
	Version int `json:"version" yaml:"version"`
	// Sum is "sha256:" and the hex digest of all artifacts, so that a lock of
	// which a part was lost, or that was changed by hand, is no lock. Whoever
	// changes both is not stopped by it.
	Sum string `json:"sum" yaml:"sum"`
	// Artifacts are ordered by Ref, and each Ref is there once.
	Artifacts []Artifact `json:"artifacts" yaml:"artifacts"`
}

// Artifact is one chart or image.
type Artifact struct {
	// Ref is the reference that was verified, REGISTRY/REPOSITORY:TAG or
	// REGISTRY/REPOSITORY@sha256:HEX, without oci://.
	Ref string `json:"ref" yaml:"ref"`
	// Kind is "chart" or "image".
	Kind string `json:"kind" yaml:"kind"`
	// Digest is "sha256:" and the hex digits of the manifest or index.
	Digest string `json:"digest" yaml:"digest"`
	// Signers are those whose signature of the digest holds, the first first.
	Signers []Signer `json:"signers" yaml:"signers"`
	// Pos is where the digest stands in the file that was read.
	Pos source.Pos `json:"-" yaml:"-"`
}

// Signer is who signed an artifact.
type Signer struct {
	// Identity and Issuer are the certificate's.
	Identity string `json:"identity,omitempty" yaml:"identity,omitempty"`
	Issuer   string `json:"issuer,omitempty" yaml:"issuer,omitempty"`
	// Key is the fingerprint of the public key, for a signature without
	// certificate: "sha256:" and the hex digest of its SubjectPublicKeyInfo.
	Key string `json:"key,omitempty" yaml:"key,omitempty"`
	// Time is when it was signed, in RFC 3339 and UTC; empty where only a key
	// was asked for.
	Time string `json:"time,omitempty" yaml:"time,omitempty"`
}

// New returns the lock of some artifacts, ordered, each reference once. Of two
// with one reference the first stays.
func New(all ...Artifact) *Lock {
	l := &Lock{Version: Version, Artifacts: []Artifact{}}
	for _, a := range all {
		a.Ref = Normal(a.Ref)
		if l.find(a.Ref) == nil {
			l.Artifacts = append(l.Artifacts, a)
		}
	}
	slices.SortFunc(l.Artifacts, func(a, b Artifact) int { return cmp.Compare(a.Ref, b.Ref) })
	l.Sum = l.sum()
	return l
}

// sum is over the artifacts' JSON form, in their order.
func (l *Lock) sum() string {
	text, err := json.Marshal(l.Artifacts)
	if err != nil {
		panic(err) // texts and lists of texts always are JSON
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Digest returns the digest of a reference, "sha256:…", and whether the lock
// has it. The reference may have oci:// before it, and Helm's + in its tag.
func (l *Lock) Digest(ref string) (string, bool) {
	if a := l.find(Normal(ref)); a != nil {
		return a.Digest, true
	}
	return "", false
}

// Pinned returns a reference with its digest in place of the tag, as charts
// and images are pulled by, and whether the lock has it.
func (l *Lock) Pinned(ref string) (string, bool) {
	a := l.find(Normal(ref))
	if a == nil {
		return "", false
	}
	return a.Repository() + "@" + a.Digest, true
}

// Repository is the reference without tag and digest.
func (a Artifact) Repository() string {
	repo, _, _ := strings.Cut(a.Ref, "@")
	if i := strings.LastIndex(repo, ":"); i > strings.LastIndex(repo, "/") {
		repo = repo[:i]
	}
	return repo
}

func (l *Lock) find(ref string) *Artifact {
	for i := range l.Artifacts {
		if l.Artifacts[i].Ref == ref {
			return &l.Artifacts[i]
		}
	}
	return nil
}

// Normal is the form of a reference in a lock: without oci://, and with the
// underscore that a tag has for the plus sign of a version.
func Normal(ref string) string {
	return strings.ReplaceAll(strings.TrimPrefix(ref, "oci://"), "+", "_")
}
