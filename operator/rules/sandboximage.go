package rules

import (
	"net"
	"net/netip"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/verify/reference"
)

// SandboxImage gives the faults of an image's reference (R52). Whether the
// registry has it is the reconciler's to say.
func SandboxImage(i *v1alpha1.SandboxImage) field.ErrorList {
	at := field.NewPath("spec", "image")
	ref, err := name.ParseReference(i.Spec.Image, name.StrictValidation)
	if err != nil {
		return field.ErrorList{invalid(at, i.Spec.Image, "is no reference that a registry takes (%v); write it as ghcr.io/team/image:1.2.3 or ghcr.io/team/image@sha256:…", cut(err.Error(), 160))}
	}
	if !read(i.Spec.Image) {
		return field.ErrorList{invalid(at, i.Spec.Image, "is no reference as the operator and the nodes read it: the registry is a DNS name or an address, whose labels begin and end with a letter or digit, and no part of the repository is empty, '.' or '..'; write it as ghcr.io/team/image:1.2.3 or ghcr.io/team/image@sha256:…")}
	}
	registry := ref.Context().RegistryStr()
	host, port, err := net.SplitHostPort(registry)
	if err != nil {
		host, port = registry, "443"
	}
	var faults field.ErrorList
	if !isPort(port) {
		faults = append(faults, invalid(at, i.Spec.Image, "names the port %s, and ports end at 65535", port))
	}
	if lower := strings.ToLower(registry); lower != registry {
		faults = append(faults, invalid(at, i.Spec.Image, "names the registry %s in capitals, and nodes look their mirrors up in lower case; write %s", registry, lower))
	}
	return append(faults, registryHost(at, i.Spec.Image, host)...)
}

// read reports whether a reference is one to whoever reads the image: the library's own
// grammar is looser. The registry is compared as names of hosts are, and capitals are told of
// by themselves.
func read(image string) bool {
	registry, rest, _ := strings.Cut(image, "/")
	_, ok := reference.Parse(strings.ToLower(registry) + "/" + rest)
	return ok
}

// registryHost refuses hosts where no registry is and where a reading operator
// would be led to something else: a node's metadata service, link-local and
// multicast addresses.
func registryHost(at *field.Path, image, host string) field.ErrorList {
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if err != nil {
		return machines(at, image, strings.ToLower(host))
	}
	if address.IsLinkLocalUnicast() || address.IsMulticast() || address.IsUnspecified() || address.Unmap().IsLinkLocalUnicast() {
		return field.ErrorList{invalid(at, image, "names %s, where no registry is: the operator does not read link-local, multicast and unspecified addresses; name the registry by its host", host)}
	}
	return nil
}
