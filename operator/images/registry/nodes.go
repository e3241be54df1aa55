package registry

import (
	"slices"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// instead is the platform whose images nodes of another pull where an index has none for
// them themselves. So does containerd, whose kernels run both; CRI-O does not.
var instead = map[string]string{"linux/amd64": "linux/386", "linux/arm64": "linux/arm"}

// Nodes gives the platforms of the nodes that may pull an image of a platform, without
// variants: its own, and those that pull it in place of their own.
func Nodes(platform string) []string {
	own := base(platform)
	all := []string{own}
	for node, other := range instead {
		if other == own {
			all = append(all, node)
		}
	}
	return all
}

// reach gives what nodes of the wanted platforms may pull: what is for them, in all
// variants, and where it is not sure that each of them takes one of these, what they fall
// back on; "" is an entry without a platform. Of no wanted ones it is empty.
func (c contents) reach(wanted []string) []string {
	var some []string
	for _, w := range wanted {
		some = append(some, w)
		if c.serves(w) {
			continue
		}
		some = append(some, "")
		if other, has := instead[w]; has {
			some = append(some, other)
		}
	}
	return some
}

// serves reports whether there is an image that every node of a platform takes.
func (c contents) serves(node string) bool {
	return slices.ContainsFunc(c.images, func(d v1.Descriptor) bool { return sure(*d.Platform, node) })
}

// sure reports whether every node of a platform takes an image, and nothing in its place:
// it is of the variant that all such machines have, and asks for nothing more.
func sure(p v1.Platform, node string) bool {
	if p = normal(p); base(platform(p)) != node || p.OSVersion != "" || len(p.OSFeatures)+len(p.Features) > 0 {
		return false
	}
	switch p.Architecture {
	case "amd64":
		return p.Variant == "" || p.Variant == "v1"
	case "arm64":
		return p.Variant == "" || p.Variant == "8" || p.Variant == "v8"
	case "arm": // without a variant it is v7
		return p.Variant == "5" || p.Variant == "v5"
	}
	return p.Variant == ""
}

// choose gives every image that a node of a wanted platform may pull, which of several
// is the node's to choose; of no wanted ones, all of them.
func (c contents) choose(wanted []string) []v1.Descriptor {
	var chosen []v1.Descriptor
	within := c.reach(wanted)
	for _, entry := range c.images {
		at := platform(*entry.Platform)
		twice := slices.ContainsFunc(chosen, func(c v1.Descriptor) bool { return c.Digest == entry.Digest && platform(*c.Platform) == at })
		if !twice && (len(wanted) == 0 || slices.Contains(within, base(at))) {
			chosen = append(chosen, entry)
		}
	}
	return chosen
}

// closes reports whether a node of a wanted platform may pull what nobody judged.
func (c contents) closes(wanted []string) bool {
	within := c.reach(wanted)
	return slices.ContainsFunc(c.closed, func(at string) bool { return len(wanted) == 0 || slices.Contains(within, at) })
}

// supply is how many nodes of a platform find an image that they take.
type supply int

const (
	noNode supply = iota
	someNodes
	allNodes
)

func (c contents) supply(node string) supply {
	switch {
	case c.serves(node):
		return allNodes
	case len(c.choose([]string{node})) > 0:
		return someNodes
	}
	return noNode
}

// alone is the supply of an image of a platform that is in no index: nodes take it
// whatever its variant is.
func alone(platform string) func(node string) supply {
	return func(node string) supply {
		switch {
		case base(platform) == node:
			return allNodes
		case slices.Contains(Nodes(platform), node):
			return someNodes
		}
		return noNode
	}
}

// lacking gives the wanted platforms of which no node finds an image that it takes, and
// those of which some may find none. Both are sorted, each once.
func lacking(wanted []string, of func(node string) supply) (missing, partial []string) {
	for _, w := range slices.Compact(slices.Sorted(slices.Values(wanted))) {
		switch of(w) {
		case noNode:
			missing = append(missing, w)
		case someNodes:
			partial = append(partial, w)
		}
	}
	return missing, partial
}
