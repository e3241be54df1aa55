package registry

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"mime"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/runkora/kora/verify/reference"
)

// Artifact is what a reference named when it was resolved. All else is asked
// for its digest, so that a tag which moves changes nothing (R45).
type Artifact struct {
	// Ref is the reference as the user gave it.
	Ref string
	// Name has no tag: "ghcr.io/runkora/kora", or the path of a layout.
	Name string
	// Tag is the one that was resolved; empty where a digest was given.
	Tag string
	// Digest is "sha256:" and the hex digits of the manifest.
	Digest string
	// MediaType is that of the manifest.
	MediaType string
	// Index tells an index of several platforms from a single manifest: a
	// signature of the index holds for every image that it lists.
	Index bool
	// ConfigType is the media type of the config of a single manifest: what
	// tells a chart from an image.
	ConfigType string

	// Longer are the manifest's digests by other algorithms, "sha512" -> hex digits:
	// a statement may name them beside the SHA-256.
	Longer map[string]string

	config *descriptor
}

// Target is a reference whose place is known, and that was not asked yet.
type Target struct {
	ref    string // as given
	name   string
	wanted string // a tag or a digest, "" for the only artifact of a layout
	beside string // the tag that stands beside a digest, else ""
	store  store
	limits Limits
	large  chan struct{} // see budget
}

// Ref is the reference as the user gave it.
func (t Target) Ref() string { return t.ref }

// Beside is the tag that stands beside a digest, "" where there is none.
func (t Target) Beside() string { return t.beside }

// Name is the reference without tag and digest.
func (t Target) Name() string { return t.name }

// Resolve reads the manifest, once, and gives its digest as kora computed it.
func (t Target) Resolve(ctx context.Context) (Artifact, error) {
	raw, mediaType, err := t.store.manifest(ctx, t.wanted)
	if err != nil {
		return Artifact{}, err
	}
	m, err := parse(raw)
	if err == nil {
		err = m.agrees(mediaType)
	}
	if err != nil {
		return Artifact{}, wrap(t.ref, err)
	}
	out := Artifact{Ref: t.ref, Name: t.name, Digest: digestOf(raw), Longer: longer(raw), MediaType: mediaType, Index: m.Manifests != nil}
	if !isDigest(t.wanted) {
		out.Tag = t.wanted
	}
	if m.Config != nil {
		out.ConfigType, out.config = m.Config.MediaType, m.Config
	}
	return out, nil
}

// Config reads the config of a single manifest, by the digest that stands in
// the manifest.
func (t Target) Config(ctx context.Context, a Artifact) ([]byte, error) {
	if a.config == nil {
		return nil, &Error{Kind: Wrong, What: t.ref, Why: "its manifest has no config"}
	}
	return t.store.blob(ctx, *a.config, t.limits.Evidence)
}

// OnDisk reports whether the artifact is in a layout and in no registry.
func (t Target) OnDisk() bool {
	_, ok := t.store.(*layout)
	return ok
}

// TagOf resolves the tag that stands beside a digest, REPOSITORY:TAG@DIGEST;
// empty where there is none.
func (t Target) TagOf(ctx context.Context) (string, error) {
	if t.beside == "" {
		return "", nil
	}
	raw, _, err := t.store.manifest(ctx, t.beside)
	if err != nil {
		return "", err
	}
	return digestOf(raw), nil
}

// manifest is what kora reads of a manifest or an index. The lists stay raw
// until they are counted: four megabytes of {} would else be a million
// descriptors.
type manifest struct {
	MediaType    string            `json:"mediaType"`
	ArtifactType string            `json:"artifactType"`
	Subject      *descriptor       `json:"subject"`
	Config       *descriptor       `json:"config"`
	Manifests    []json.RawMessage `json:"manifests"`
	Layers       []json.RawMessage `json:"layers"`
	FSLayers     json.RawMessage   `json:"fsLayers"`
}

type descriptor struct {
	MediaType    string            `json:"mediaType"`
	ArtifactType string            `json:"artifactType"`
	Digest       string            `json:"digest"`
	Size         int64             `json:"size"`
	Annotations  map[string]string `json:"annotations"`
}

// thing is what a descriptor names, whatever else it says of it.
type thing struct {
	digest string
	size   int64
}

func (d descriptor) thing() thing { return thing{d.Digest, d.Size} }

// maxListed bounds the descriptors of one list.
const maxListed = 10_000

func parse(raw []byte) (manifest, error) {
	var m manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, wrong("it is no manifest: its JSON cannot be read")
	}
	switch {
	case len(m.Manifests) > maxListed || len(m.Layers) > maxListed:
		return m, limited("it lists more than 10,000 things")
	case m.FSLayers != nil:
		return m, wrong("it is a manifest of the first schema, whose digest is not that of its bytes")
	case m.Manifests != nil && (m.Layers != nil || m.Config != nil):
		return m, wrong("it is a manifest and an index at once, so that two readers see two things (CVE-2021-41190)")
	}
	return m, nil
}

// agrees compares what the bytes are with what they were said to be.
func (m manifest) agrees(mediaType string) error {
	index := m.Manifests != nil
	for _, t := range []string{mediaType, m.MediaType} {
		switch types.MediaType(t) {
		case types.OCIImageIndex, types.DockerManifestList:
			if !index {
				return wrong("it is called an index and is none")
			}
		case types.OCIManifestSchema1, types.DockerManifestSchema2:
			if index {
				return wrong("it is an index and is called a manifest")
			}
		case "": // an OCI manifest need not say it
		default:
			return wrong("it is of a kind that kora does not know: " + visible(t))
		}
	}
	if mediaType != "" && m.MediaType != "" && mediaType != m.MediaType {
		return wrong("it is called " + visible(mediaType) + " by the registry, and " + visible(m.MediaType) + " by itself")
	}
	return nil
}

// wrong is content that is not what it has to be.
type wrong string

func (w wrong) Error() string { return string(w) }

// limited is content of which kora leaves something unread.
type limited string

func (l limited) Error() string { return string(l) }

func longer(raw []byte) map[string]string {
	sum384, sum512 := sha512.Sum384(raw), sha512.Sum512(raw)
	return map[string]string{"sha384": hex.EncodeToString(sum384[:]), "sha512": hex.EncodeToString(sum512[:])}
}

func digestOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// isDigest takes the one form of a digest that every tool reads alike. What
// else a registry writes as a digest never becomes part of a path or address
// (CVE-2024-3727).
func isDigest(s string) bool { return reference.Digest(s) }

// kindOf is the media type of a header without its parameters.
func kindOf(contentType string) string {
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return strings.TrimSpace(contentType)
	}
	return t
}

// list decodes descriptors that were counted.
func list(raw []json.RawMessage) ([]descriptor, error) {
	out := make([]descriptor, len(raw))
	for i, r := range raw {
		if err := json.NewDecoder(bytes.NewReader(r)).Decode(&out[i]); err != nil {
			return nil, wrong("one of the things it lists has no descriptor")
		}
	}
	return out, nil
}
