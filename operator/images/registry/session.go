package registry

import (
	"fmt"
	"slices"

	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// session is one read, past the registry's door.
type session struct {
	target
	options  []remote.Option
	limits   Limits
	declared int64 // bytes of the documents that were read or are about to be
}

func (s *session) image(wanted []string) (Image, error) {
	top, err := remote.Get(s.ref, s.options...)
	if err != nil {
		return Image{}, err
	}
	shape, err := kind(top)
	if err != nil {
		return Image{}, s.unread(err)
	}
	s.declared = int64(len(top.Manifest))
	switch shape {
	case index:
		return s.fromIndex(top, wanted)
	case single:
		config, err := s.config(top)
		if err != nil {
			return Image{}, err
		}
		return one(top.Digest.String(), config, wanted), nil
	}
	return Image{}, s.notImage()
}

// one is an image that is no index, judged where some node takes it.
func one(digest string, config Config, wanted []string) Image {
	image := Image{Digest: digest, Platforms: []string{config.Platform}}
	of := alone(config.Platform)
	image.Missing, image.Partial = lacking(wanted, of)
	if len(wanted) == 0 || slices.ContainsFunc(wanted, func(w string) bool { return of(w) != noNode }) {
		image.Configs = []Config{config}
	}
	return image
}

// fromIndex reads the configs of the wanted platforms, each image once.
func (s *session) fromIndex(top *remote.Descriptor, wanted []string) (Image, error) {
	found, err := readIndex(top.Manifest)
	if err != nil {
		return Image{}, s.bound(err, "an index", s.notImage())
	}
	image := Image{Digest: top.Digest.String(), Platforms: platforms(found.images)}
	image.Missing, image.Partial = lacking(wanted, found.supply)
	chosen := found.choose(wanted)
	switch {
	case found.closes(wanted):
		return Image{}, unjudged("spec.image is an index with an entry that a node may pull and the operator cannot judge: an index in it, a digest that is no sha256, or no platform")
	case len(chosen) > maxChosen:
		return Image{}, unjudged(fmt.Sprintf("spec.image has %d images for the platforms of the nodes, and the operator judges %d", len(chosen), maxChosen))
	}
	for _, entry := range chosen {
		if refused := s.weigh("a manifest for "+platform(*entry.Platform), entry.Size); refused != nil {
			return Image{}, refused
		}
		one, err := remote.Get(s.ref.Context().Digest(entry.Digest.String()), s.options...)
		if err != nil {
			return Image{}, err
		}
		config, err := s.config(one)
		if err != nil {
			return Image{}, err
		}
		// The index decides which nodes pull the image, whatever the config says.
		config.Platform = platform(*entry.Platform)
		image.Configs = append(image.Configs, config)
	}
	return image, nil
}

// config reads the config of one image.
func (s *session) config(d *remote.Descriptor) (Config, error) {
	manifest, err := readManifest(d.Manifest)
	if err != nil {
		return Config{}, s.bound(err, "a manifest", artifact())
	}
	if shape, err := kind(d); err != nil || shape != single {
		return Config{}, artifact()
	}
	if refused := s.weigh("a config", manifest.Config.Size); refused != nil {
		return Config{}, refused
	}
	image, err := d.Image()
	if err != nil {
		return Config{}, err
	}
	text, err := image.RawConfigFile()
	if err != nil {
		return Config{}, err
	}
	config, err := readConfig(text)
	if err != nil {
		return Config{}, s.bound(err, "a config", artifact())
	}
	return config, nil
}

type shape int

const (
	other shape = iota
	single
	index
)

// kind is what a manifest is: by its header, and where a server knows no such
// types by what it says itself.
func kind(d *remote.Descriptor) (shape, error) {
	given := d.MediaType
	if given != "" && !given.IsImage() && !given.IsIndex() {
		var self struct {
			MediaType types.MediaType `json:"mediaType"`
		}
		if err := parse(d.Manifest, &self); err != nil {
			return other, err
		}
		given = self.MediaType
	}
	switch given {
	case types.OCIManifestSchema1, types.DockerManifestSchema2:
		return single, nil
	case types.OCIImageIndex, types.DockerManifestList:
		return index, nil
	}
	return other, nil
}
