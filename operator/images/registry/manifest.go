package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
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

// closes reports whether a node of a wanted platform may pull what nobody judged.
func (c contents) closes(wanted, missing []string) bool {
	return slices.ContainsFunc(c.closed, func(at string) bool {
		return len(wanted) == 0 || slices.Contains(wanted, at) || at == "" && len(missing) > 0
	})
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

// choose gives every entry that a node of a wanted platform may pull, which of several
// variants is the node's to choose; of no wanted ones, all of them.
func choose(entries []v1.Descriptor, wanted []string) []v1.Descriptor {
	var chosen []v1.Descriptor
	for _, entry := range entries {
		at := platform(*entry.Platform)
		twice := slices.ContainsFunc(chosen, func(c v1.Descriptor) bool { return c.Digest == entry.Digest && platform(*c.Platform) == at })
		if !twice && (len(wanted) == 0 || slices.Contains(wanted, base(at))) {
			chosen = append(chosen, entry)
		}
	}
	return chosen
}

// maxListed is what status.platforms takes.
const maxListed = 32

func platforms(entries []v1.Descriptor) []string {
	var all []string
	for _, entry := range entries {
		all = append(all, platform(*entry.Platform))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(len(all), maxListed)]
}

// missing are the wanted platforms that an image does not have, sorted.
func missing(wanted, has []string) []string {
	var lacking []string
	for _, w := range wanted {
		if !slices.ContainsFunc(has, func(h string) bool { return base(h) == w }) {
			lacking = append(lacking, w)
		}
	}
	slices.Sort(lacking)
	return slices.Compact(lacking)
}

// normal is a platform as nodes compare it: without capitals, of Linux where it names
// no system, and under the name that kora's images have of several for one machine.
func normal(p v1.Platform) v1.Platform {
	p.OS, p.Architecture, p.Variant = strings.ToLower(p.OS), strings.ToLower(p.Architecture), strings.ToLower(p.Variant)
	if p.OS == "" {
		p.OS = "linux"
	}
	switch p.Architecture {
	case "x86_64", "x86-64":
		p.Architecture = "amd64"
	case "aarch64":
		p.Architecture = "arm64"
	case "i386":
		p.Architecture = "386"
	case "armhf", "armel":
		p.Architecture = "arm"
	}
	return p
}

// platform is os/architecture[/variant].
func platform(p v1.Platform) string {
	p = normal(p)
	return strings.TrimSuffix(strings.Join([]string{p.OS, p.Architecture, p.Variant}, "/"), "/")
}

// base is a platform without its variant, which nodes do not tell.
func base(platform string) string {
	parts := strings.SplitN(platform, "/", 3)
	return strings.Join(parts[:min(len(parts), 2)], "/")
}

// plainPlatform takes short words of letters and digits, and no unknown/unknown.
func plainPlatform(p v1.Platform) bool {
	return word(p.OS) && word(p.Architecture) && (p.Variant == "" || word(p.Variant)) && p.OS != "unknown"
}

func word(s string) bool {
	return len(s) > 0 && len(s) <= 20 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789._-") == ""
}
