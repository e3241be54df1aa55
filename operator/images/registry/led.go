package registry

import (
	"fmt"
	"net/http"
)

// forbidden is where a registry led, or where it is, and the operator does not go: what
// the registry does, and what to do about it.
type forbidden struct{ what, fix string }

func (f *forbidden) Error() string { return f.what }

const (
	nameAnother = "name a registry that answers itself, or a mirror of it in agents.sandboxImages.registryMirrors"
	overTLS     = "have it answer over TLS, or map its host to http://host:port in agents.sandboxImages.registryMirrors, as the nodes do"
)

// elsewhereTo is a host that only an answer named.
func elsewhereTo(host, why string) *forbidden {
	return &forbidden{fmt.Sprintf("leads to %s, and the operator does not go there: %s", quoted(host), why), nameAnother}
}

// itself reports whether a host is the one that is read.
func (b *bounded) itself(host string) bool {
	own, _ := split(b.host, "")
	return host == own
}

// scheme judges how a request would be sent, and whether it has a host at all.
func (b *bounded) scheme(r *http.Request) error {
	host := r.URL.Hostname()
	switch scheme := r.URL.Scheme; {
	case b.fallsBack(r):
		return errScheme
	case scheme != "http" && scheme != "https":
		return &forbidden{fmt.Sprintf("leads to an address that begins with %s:, and the operator goes to https: alone", quoted(scheme)), nameAnother}
	case host == "":
		return &forbidden{"leads to an address without a host", nameAnother}
	case scheme == "https" && b.plain && r.URL.Host == b.host:
		return &forbidden{"leads from http: to https: of the same host, and an http:// mirror is not asked over TLS", "write the mirror without http:// in agents.sandboxImages.registryMirrors"}
	case scheme == "http" && b.itself(host):
		return &forbidden{"leads to itself over plain HTTP, and the operator asks it over TLS alone", overTLS}
	case scheme == "http":
		return elsewhereTo(host, "it would be asked over plain HTTP")
	}
	return nil
}

// fallsBack reports whether go-containerregistry tries the other scheme of its own accord,
// as it does at the door of private networks and of http:// mirrors, and no answer led to
// it: what the scheme that is meant ended with is what counts.
func (b *bounded) fallsBack(r *http.Request) bool {
	return (r.URL.Scheme == "http") != b.plain && r.URL.Host == b.host && r.URL.Path == "/v2/" && r.Response == nil && b.ref.Context().Registry.Scheme() == "http"
}

// port is one that is not read from.
func (b *bounded) port(host, port string) *forbidden {
	if b.itself(host) {
		return &forbidden{fmt.Sprintf("leads to port %s of itself, from which the operator does not read", quoted(port)),
			"add the port to agents.sandboxImages.registryPorts in the values of the chart, or have the registry answer itself"}
	}
	return elsewhereTo(host, "port "+quoted(port)+" is not in agents.sandboxImages.registryPorts")
}

// misplaced is a host whose address no registry may have.
func (b *bounded) misplaced(host string) *forbidden {
	if b.itself(host) {
		return &forbidden{"has a loopback, link-local or reserved address, and the operator does not go there",
			"correct the host in the reference or its DNS record, or map the host to one that the nodes reach in agents.sandboxImages.registryMirrors"}
	}
	return elsewhereTo(host, "its address is not one that a registry may have")
}
