package registry

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// errNotImage is what every document ends with that is not an image's.
var errNotImage = errors.New("no container image")

// readIndex gives the images of an index that have a platform. Attestations,
// which have platform unknown/unknown, and what is no image are left out.
func readIndex(text []byte) ([]v1.Descriptor, error) {
	var document v1.IndexManifest
	if err := json.Unmarshal(text, &document); err != nil || len(document.Manifests) > maxIndex {
		return nil, errNotImage
	}
	var found []v1.Descriptor
	for _, entry := range document.Manifests {
		image := entry.MediaType == types.OCIManifestSchema1 || entry.MediaType == types.DockerManifestSchema2
		if image && entry.Platform != nil && plainPlatform(*entry.Platform) && entry.Digest.Algorithm == "sha256" {
			found = append(found, entry)
		}
	}
	return found, nil
}

// readManifest reads an image's manifest; an artifact that is no image is refused.
func readManifest(text []byte) (v1.Manifest, error) {
	var document v1.Manifest
	err := json.Unmarshal(text, &document)
	config := document.Config.MediaType
	if err != nil || config != types.OCIConfigJSON && config != types.DockerConfigJSON || document.Config.Digest.Algorithm != "sha256" {
		return v1.Manifest{}, errNotImage
	}
	return document, nil
}

// readConfig reads what kora asks of an image's config.
func readConfig(text []byte) (Config, error) {
	var document struct {
		OS, Architecture, Variant string
		Config                    struct {
			User   string
			Labels map[string]string
		} `json:"config"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return Config{}, errNotImage
	}
	at := v1.Platform{OS: document.OS, Architecture: document.Architecture, Variant: document.Variant}
	if !plainPlatform(at) {
		return Config{}, errNotImage
	}
	return Config{Platform: platform(at), User: document.Config.User, Labels: document.Config.Labels}, nil
}

// choose gives the entry that a node of each wanted platform pulls, each once; of
// no wanted ones, the first of every platform.
func choose(entries []v1.Descriptor, wanted []string) []v1.Descriptor {
	var chosen []v1.Descriptor
	seen := map[string]bool{}
	for _, entry := range entries {
		at := base(platform(*entry.Platform))
		if seen[at] || len(wanted) > 0 && !slices.Contains(wanted, at) || len(chosen) == maxPlatforms {
			continue
		}
		seen[at] = true
		chosen = append(chosen, entry)
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

// platform is os/architecture[/variant].
func platform(p v1.Platform) string {
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
