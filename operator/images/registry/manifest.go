package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// errNotImage is what every document ends with that is not an image's.
var errNotImage = errors.New("no container image")

// maxParts is how many parts a document may have: read, one of a few bytes takes
// hundreds, and what is as large as an answer may be would fill the operator's memory.
const maxParts = 1 << 15

// parse reads a document of a registry, unless it has too many parts.
func parse(text []byte, into any) error {
	if bytes.Count(text, []byte{','}) > maxParts {
		return errNotImage
	}
	return json.Unmarshal(text, into)
}

// contents are an index as nodes see it.
type contents struct {
	images []v1.Descriptor // that can be judged, each with its platform
	closed []string        // platforms of what nodes may pull and nobody here can judge; "" is any
}

// readIndex gives what is in an index. Attestations, which have platform
// unknown/unknown, and what no node takes for an image are left out. Nodes go into an
// index in an index, know digests of other kinds, and take what has no platform where
// nothing else fits.
func readIndex(text []byte) (contents, error) {
	var document v1.IndexManifest
	if err := parse(text, &document); err != nil || len(document.Manifests) > maxIndex {
		return contents{}, errNotImage
	}
	var found contents
	for _, entry := range document.Manifests {
		image := entry.MediaType.IsImage()
		switch {
		case !image && !entry.MediaType.IsIndex():
		case entry.Platform == nil:
			found.closed = append(found.closed, "")
		case !plainPlatform(normal(*entry.Platform)):
		case !image || entry.Digest.Algorithm != "sha256":
			found.closed = append(found.closed, base(platform(*entry.Platform)))
		default:
			found.images = append(found.images, entry)
		}
	}
	return found, nil
}

// readManifest reads an image's manifest; an artifact that is no image is refused.
func readManifest(text []byte) (v1.Manifest, error) {
	var document v1.Manifest
	err := parse(text, &document)
	config := document.Config.MediaType
	if err != nil || config != types.OCIConfigJSON && config != types.DockerConfigJSON || document.Config.Digest.Algorithm != "sha256" {
		return v1.Manifest{}, errNotImage
	}
	return document, nil
}

// maxUser is what is kept of a user: 100 is three characters, and messages show forty.
const maxUser = 512

// readConfig reads what kora asks of an image's config.
func readConfig(text []byte) (Config, error) {
	var document struct {
		OS, Architecture, Variant string
		Config                    struct {
			User   string
			Labels map[string]string
		} `json:"config"`
	}
	if err := parse(text, &document); err != nil {
		return Config{}, errNotImage
	}
	at := v1.Platform{OS: document.OS, Architecture: document.Architecture, Variant: document.Variant}
	if !plainPlatform(at) {
		return Config{}, errNotImage
	}
	return Config{Platform: platform(at), User: document.Config.User[:min(len(document.Config.User), maxUser)], Labels: short(document.Config.Labels)}, nil
}

// short keeps of an image's labels kora's own, the values cut: answers are remembered, and
// the rest of them would fill the operator's memory.
func short(labels map[string]string) map[string]string {
	const most = 128
	kept := map[string]string{}
	for key, value := range labels {
		if strings.HasPrefix(key, "io.runkora.") && len(key) <= most {
			kept[key] = strings.Clone(value[:min(len(value), most)])
		}
	}
	return kept
}
