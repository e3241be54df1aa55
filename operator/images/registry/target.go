package registry

import (
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/verify/reference"
)

// target is where one image is read.
type target struct {
	ref      name.Reference // at the host that is read: the image's own or its mirror
	host     string         // host[:port] of ref
	asked    string         // host[:port] as the image's reference says it
	plain    bool           // over HTTP: a mirror given as http://
	mirror   bool           // an administrator chose the host
	loopback bool           // the mirror's host is the operator's own machine by name
}

// repository is the one that is read, as its host names it.
func (t target) repository() string { return t.ref.Context().RepositoryStr() }

// dockerHub is what docker.io means, and under which pull Secrets know it.
const dockerHub = name.DefaultRegistry

// target says where an image is read (R30, R52): a mirror of its host, else its
// host itself when the port is one that the values name.
func (c *Client) target(image string) (target, *Failure) {
	asked, rest, _ := strings.Cut(image, "/")
	asked = strings.ToLower(asked)                 // as names of hosts are compared
	ref, ok := reference.Parse(asked + "/" + rest) // as strictly as everywhere in kora
	if !ok {
		return target{}, &Failure{Reason: v1alpha1.ReasonInvalid, Message: "spec.image is no reference with its registry and a tag or digest",
			Fix: "write it as ghcr.io/team/image:1.2.3 or ghcr.io/team/image@sha256:..."}
	}
	if mirror, ok := c.mirror(asked); ok {
		return mirrored(asked, mirror, ref)
	}
	t := target{ref: ref, host: ref.Context().RegistryStr(), asked: asked}
	return t, c.allowed(asked)
}

// mirror looks a registry up in the mirrors of the values.
func (c *Client) mirror(host string) (string, bool) {
	names := []string{host}
	if host == "docker.io" || host == dockerHub {
		names = []string{"docker.io", dockerHub}
	}
	for _, n := range names {
		for _, key := range slices.Sorted(maps.Keys(c.Mirrors)) {
			if strings.EqualFold(key, n) {
				return c.Mirrors[key], true
			}
		}
	}
	return "", false
}

// mirrored is a reference as its mirror knows it: [http[s]://]host[:port][/path].
func mirrored(asked, mirror string, ref name.Reference) (target, *Failure) {
	rest, plain := strings.CutPrefix(mirror, "http://")
	rest = strings.Trim(strings.TrimPrefix(rest, "https://"), "/")
	host, path, _ := strings.Cut(rest, "/")
	repository := ref.Context().RepositoryStr()
	if path != "" {
		repository = path + "/" + repository
	}
	separator := ":"
	if _, byDigest := ref.(name.Digest); byDigest {
		separator = "@"
	}
	options := []name.Option{name.StrictValidation}
	if plain {
		options = append(options, name.Insecure)
	}
	at, err := name.ParseReference(host+"/"+repository+separator+ref.Identifier(), options...)
	if err != nil {
		return target{}, &Failure{Reason: v1alpha1.ReasonRegistryNotAllowed,
			Message: fmt.Sprintf("the mirror of %s in agents.sandboxImages.registryMirrors is no host", asked),
			Fix:     "write it as host, host:port or http://host:port in the values of the chart"}
	}
	return target{ref: at, host: at.Context().RegistryStr(), asked: asked, plain: plain, mirror: true, loopback: ownMachine(host)}, nil
}

// ownMachine reports whether a mirror's host names the machine itself.
func ownMachine(authority string) bool {
	host, _ := split(authority, "")
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && addr.Unmap().IsLoopback()
}

// allowed refuses a port that the values do not name, and names that mean
// something inside the cluster alone: no node pulls from those (R30).
func (c *Client) allowed(authority string) *Failure {
	host, port := split(authority, "443")
	addr, err := netip.ParseAddr(host)
	if addr = addr.Unmap(); err == nil && (addr.IsLoopback() || addr.IsUnspecified() || addr.IsLinkLocalUnicast() || addr.IsMulticast()) {
		return &Failure{Reason: v1alpha1.ReasonRegistryNotAllowed, Message: fmt.Sprintf("spec.image names the address %s, which is another machine on every node, and from which the operator never reads", host),
			Fix: fmt.Sprintf("name the registry as the nodes reach it, or map %s to a host in agents.sandboxImages.registryMirrors", authority)}
	}
	if n, err := strconv.Atoi(port); err != nil || n != 443 && !slices.Contains(c.Ports, n) {
		return &Failure{Reason: v1alpha1.ReasonRegistryNotAllowed, Message: fmt.Sprintf("spec.image names port %s of %s, and the operator reads from port 443 alone", port, host),
			Fix: fmt.Sprintf("add %s to agents.sandboxImages.registryPorts in the values of the chart", port)}
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	inside := err != nil && !strings.Contains(host, ".")
	for _, suffix := range []string{".localhost", ".svc", ".cluster.local"} {
		inside = inside || strings.HasSuffix(host, suffix)
	}
	if inside {
		return &Failure{Reason: v1alpha1.ReasonRegistryNotAllowed, Message: fmt.Sprintf("spec.image names the registry %s, which has a meaning inside the cluster alone", host),
			Fix: fmt.Sprintf("name the registry as the nodes reach it, or map %s to a host in agents.sandboxImages.registryMirrors", authority)}
	}
	return nil
}

// split is an authority's host, without the brackets of IPv6, and its port.
func split(authority, otherwise string) (host, port string) {
	host, port, err := net.SplitHostPort(authority)
	if err != nil {
		return strings.Trim(authority, "[]"), otherwise
	}
	return host, port
}
