package registry

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// R52: wherever a registry leads, it is told what it does, why the operator does not go
// there, and what to do: no sentence has a hole, and none says that a host leads to itself
// where it is itself the fault.
func TestWhereARegistryLeads(t *testing.T) {
	const own, other = "registry.example.org", "cdn.example.net"
	n := newInternet()
	inner := filled(t)
	to, door := "", false
	n.serve(t, own, "192.0.2.7", func(w http.ResponseWriter, r *http.Request) {
		if manifests(r) || door && r.URL.Path == "/v2/" {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusTemporaryRedirect)
			return
		}
		inner.ServeHTTP(w, r)
	})
	n.serve(t, "inside.example.net", "169.254.169.254", func(http.ResponseWriter, *http.Request) {})
	for _, c := range []struct{ to, says, fix string }{
		{"file:///etc/passwd", "leads to an address that begins with file:, and the operator goes to https: alone", "a registry that answers itself"},
		{"ftp://" + other + "/x", "leads to an address that begins with ftp:, and the operator goes to https: alone", "a registry that answers itself"},
		{"javascript:alert(1)", "leads to an address that begins with javascript:, and the operator goes to https: alone", "a registry that answers itself"},
		{"https:///" + planted, "leads to an address without a host", "a registry that answers itself"},
		{"http:" + planted, "leads to an address without a host", "a registry that answers itself"},
		{"http://" + other + "/x", "leads to " + other + ", and the operator does not go there: it would be asked over plain HTTP", "a registry that answers itself"},
		{"http://" + own + "/", "leads to itself over plain HTTP, and the operator asks it over TLS alone", "http://host:port"},
		{"http://" + own + ":8080/x", "leads to itself over plain HTTP, and the operator asks it over TLS alone", "http://host:port"},
		{"https://" + own + ":8443/x", "leads to port 8443 of itself, from which the operator does not read", "agents.sandboxImages.registryPorts"},
		{"https://" + other + ":8443/x", "leads to " + other + ", and the operator does not go there: port 8443 is not in agents.sandboxImages.registryPorts", "a registry that answers itself"},
		{"https://inside.example.net/x", "leads to inside.example.net, and the operator does not go there: its address is not one that a registry may have", "a registry that answers itself"},
	} {
		to, door = c.to, c.to == "http://"+own+"/"
		_, f := n.client().Read(t.Context(), Request{Image: own + "/team/image:1"})
		if want := "the registry " + own + " " + c.says; f == nil || f.Reason != v1alpha1.ReasonRegistryNotAllowed || f.Message != want || !strings.Contains(f.Fix, c.fix) {
			t.Errorf("%s: %+v, not %q", c.to, f, want)
		}
	}
	_, f := n.client().Read(t.Context(), Request{Image: "inside.example.net/team/image:1"})
	if f == nil || f.Message != "the registry inside.example.net has a loopback, link-local or reserved address, and the operator does not go there" || !strings.Contains(f.Fix, "correct the host") {
		t.Errorf("%+v", f)
	}
}

// R30, R52: go-containerregistry tries the other scheme too at private addresses and at
// http:// mirrors. What is told is what the one that counts ended with.
func TestTheOtherSchemeIsNoFault(t *testing.T) {
	for _, c := range []struct {
		image  string
		mirror string
		err    error
		reason string
		says   string
	}{
		{"10.96.0.1/x:1", "", syscall.EHOSTUNREACH, v1alpha1.ReasonRegistryUnavailable, "has an address to which the operator finds no way"},
		{"10.96.0.1/x:1", "", syscall.ENETUNREACH, v1alpha1.ReasonRegistryUnavailable, "has an address to which the operator finds no way"},
		{"10.96.0.1/x:1", "", syscall.ECONNREFUSED, v1alpha1.ReasonRegistryUnavailable, "refuses connections"},
		{"10.96.0.1/x:1", "", syscall.ECONNRESET, v1alpha1.ReasonRegistryUnavailable, "gives no answer that can be read"},
		{"10.96.0.1/x:1", "", os.ErrDeadlineExceeded, v1alpha1.ReasonRegistryUnavailable, "does not answer in time"},
		{"10.96.0.1/x:1", "", errAddress, v1alpha1.ReasonRegistryNotAllowed, "has a loopback, link-local or reserved address, and the operator does not go there"},
		{"registry.corp.local/x:1", "", syscall.EHOSTUNREACH, v1alpha1.ReasonRegistryUnavailable, "has an address to which the operator finds no way"},
		{"ghcr.io/team/x:1", "http://mirror.example.com:5000", syscall.ECONNREFUSED, v1alpha1.ReasonRegistryUnavailable, "refuses connections"},
		{"ghcr.io/team/x:1", "http://mirror.example.com:5000", syscall.ECONNRESET, v1alpha1.ReasonRegistryUnavailable, "gives no answer that can be read"},
	} {
		client := &Client{dial: func(context.Context, string, string, func(netip.Addr) bool) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: c.err}
		}}
		where, _, _ := strings.Cut(c.image, "/")
		if c.mirror != "" {
			client.Mirrors = map[string]string{where: c.mirror}
			where = fmt.Sprintf("%s (read from its mirror %s)", where, strings.TrimPrefix(c.mirror, "http://"))
		}
		_, f := client.Read(t.Context(), Request{Image: c.image})
		if want := "the registry " + where + " " + c.says; f == nil || f.Reason != c.reason || f.Message != want || f.Fix == "" {
			t.Errorf("%s, %v: %+v, not %q", c.image, c.err, f, want)
		}
	}
}

// R30: an http:// mirror that leads to its own TLS is told to be written so.
func TestAPlainMirrorThatWantsTLS(t *testing.T) {
	for led, want := range map[string]string{"": "leads from http: to https: of the same host", "1": "of itself, from which the operator does not read"} {
		var f *fixture
		f = serve(t, func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "https://"+strings.TrimPrefix(f.URL, "http://")+led+"/v2/x", http.StatusFound)
			return true
		})
		_, failure := f.client.Read(t.Context(), Request{Image: host + "/team/image:1"})
		if failure == nil || !strings.Contains(failure.Message, want) {
			t.Errorf("%+v, not %q", failure, want)
		}
	}
}
