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

// errPlatform is what the config of an image ends with that is for no machine by name.
var errPlatform = errors.New("no platform")

// parse reads a document of a registry, unless it has too many parts.
func parse(text []byte, into any) error {
	if bytes.Count(text, []byte{','}) > maxParts {
		return errParts
	}
	if json.Unmarshal(text, into) != nil {
		return errNotImage
	}
	return nil
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
	if err := parse(text, &document); err != nil {
		return contents{}, err
	}
	if n := len(document.Manifests); n > maxIndex {
		return contents{}, beyond("is an index of %d entries, and the operator reads one of at most %d", n, maxIndex)
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
	if err := parse(text, &document); err != nil {
		return v1.Manifest{}, err
	}
	config := document.Config.MediaType
	if config != types.OCIConfigJSON && config != types.DockerConfigJSON || document.Config.Digest.Algorithm != "sha256" {
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
		return Config{}, err
	}
	at := v1.Platform{OS: document.OS, Architecture: document.Architecture, Variant: document.Variant}
	if !plainPlatform(at) {
		return Config{}, errPlatform
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
