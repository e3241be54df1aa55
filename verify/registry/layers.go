package registry

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/verify/evidence"
)

// sigstore reports whether a manifest carries evidence that kora reads.
func sigstore(m manifest) bool {
	if bundled(m) {
		return true
	}
	layers, err := list(m.Layers)
	for _, l := range layers {
		if _, ok := formatOf(l.MediaType); ok {
			return true
		}
	}
	return err != nil
}

// bundled reports whether a manifest says of itself that it holds a bundle.
func bundled(m manifest) bool {
	return strings.HasPrefix(m.ArtifactType, bundlePrefix) || m.Config != nil && strings.HasPrefix(m.Config.MediaType, bundlePrefix)
}

func formatOf(mediaType string) (evidence.Format, bool) {
	switch {
	case strings.HasPrefix(mediaType, bundlePrefix):
		return evidence.OneBundle, true
	case mediaType == simpleType:
		return evidence.SimpleSigning, true
	case mediaType == envelopeType:
		return evidence.OldEnvelope, true
	}
	return 0, false
}

// layers hands over each layer of a manifest that is evidence, as its bytes
// are: nothing is unpacked. A bundle stands alone in its manifest.
func (c *collector) layers(name string, m manifest) {
	layers, err := list(m.Layers)
	switch {
	case err != nil:
	case m.Manifests != nil:
		err = wrong("it is an index of several platforms, and no manifest whose layers are evidence")
	case len(layers) == 0 && !bundled(m):
		err = wrong("it has no layer, and so no evidence")
	case len(layers) == 0:
		err = wrong("it says that it is a bundle, and has no layer")
	case len(layers) > maxOlderLayers:
		err = limited(fmt.Sprintf("it has %d layers, and at most %d are read", len(layers), maxOlderLayers))
	case len(layers) > 1 && strings.HasPrefix(layers[0].MediaType, bundlePrefix):
		err = wrong("it has more than the one layer of a bundle")
	}
	if err != nil {
		c.fail(name, err)
		return
	}
	for i, l := range layers {
		if c.stopped(name) {
			return
		}
		at := name
		if len(layers) > 1 {
			at = fmt.Sprintf("%s, layer %d", name, i+1)
		}
		c.layer(at, l)
	}
}

func (c *collector) layer(name string, l descriptor) {
	format, ok := formatOf(l.MediaType)
	if !ok {
		c.fail(name, &Error{Kind: Wrong, What: name, Why: "its layer is no evidence: " + visible(l.MediaType)})
		return
	}
	raw, err := c.store.blob(c.ctx, l, c.limits.Evidence)
	if err != nil {
		c.fail(name, err)
		return
	}
	c.hand(Piece{evidence.Raw{Name: name, Format: format, Bytes: raw, Annotations: l.Annotations}, nil})
}

// older reads the tag of the older scheme. Its name is no proof of anything:
// the digest stands in what was signed.
func (c *collector) older(kind string) {
	name := "tag " + olderTag(c.digest, kind)
	if c.stopped(name) {
		return
	}
	all, err := c.store.older(c.ctx, c.digest, kind)
	if err != nil {
		c.fail(name, err)
	}
	for i, d := range unique(all) {
		if i == c.limits.Referrers {
			c.fail(name, c.tooMany(len(all), i))
			return
		}
		if c.stopped(name) {
			return
		}
		m, err := c.manifestOf(name, d)
		if err != nil {
			c.fail(name, err)
			continue
		}
		c.layers(name, m)
	}
}
