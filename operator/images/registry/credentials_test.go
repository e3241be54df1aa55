package registry

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// ring has credentials for hosts: user u and the planted password.
func ring(t *testing.T, hosts ...string) Keyring {
	t.Helper()
	var entries []string
	for _, h := range hosts {
		entries = append(entries, fmt.Sprintf("%q:{\"auth\":%q}", h, base64.StdEncoding.EncodeToString([]byte("u:"+planted))))
	}
	var k Keyring
	if err := k.Add([]byte(`{"auths":{` + strings.Join(entries, ",") + `}}`)); err != nil {
		t.Fatal(err)
	}
	return k
}

func (n *internet) client() *Client { return &Client{dial: n.dial, roots: n.roots} }

// R52: a pull Secret opens a registry, over TLS, on a private network too.
func TestCredentialsOpenARegistry(t *testing.T) {
	n := newInternet()
	n.serve(t, "registry.example.com", "10.1.2.3", guarded(filled(t)))
	if _, failure := n.client().Read(t.Context(), Request{Image: "registry.example.com/team/image:1", Keyring: ring(t, "registry.example.com")}); failure != nil {
		t.Error(failure)
	}
	for _, k := range []Keyring{{}, ring(t, "other.example.com"), ring(t, "registry.example.com/another-team")} {
		_, failure := n.client().Read(t.Context(), Request{Image: "registry.example.com/team/image:1", Keyring: k})
		if failure == nil || failure.Reason != v1alpha1.ReasonUnauthorized || !strings.Contains(failure.Message, "spec.image") {
			t.Errorf("%v", failure)
		}
	}
}

// R52: a redirect carries no credentials to another host, and reaches no private
// address; a blob on another public host is read without.
func TestRedirectsCarryNoCredentials(t *testing.T) {
	for _, c := range []struct {
		name, at, reason string
	}{{"public", "203.0.113.7", ""}, {"private", "10.0.0.7", v1alpha1.ReasonRegistryNotAllowed}, {"metadata", "169.254.169.254", v1alpha1.ReasonRegistryNotAllowed}, {"loopback", "127.0.0.1", v1alpha1.ReasonRegistryNotAllowed}} {
		t.Run(c.name, func(t *testing.T) {
			n, inner := newInternet(), filled(t)
			n.serve(t, "registry.example.com", "198.51.100.1", func(w http.ResponseWriter, r *http.Request) {
				if blobs(r) {
					http.Redirect(w, r, "https://blobs.example.org"+r.URL.Path, http.StatusTemporaryRedirect)
					return
				}
				guarded(inner)(w, r)
			})
			n.serve(t, "blobs.example.org", c.at, inner.ServeHTTP)
			_, failure := n.client().Read(t.Context(), Request{Image: "registry.example.com/team/image:1", Keyring: ring(t, "registry.example.com", "blobs.example.org")})
			if failure == nil != (c.reason == "") || failure != nil && failure.Reason != c.reason {
				t.Errorf("%v", failure)
			}
			if n.sawCredentials("blobs.example.org") || !n.sawCredentials("registry.example.com") {
				t.Error("credentials went to the wrong host")
			}
		})
	}
}

// R52: a token service outside of the registry's domain gets no credentials,
// neither in a header nor in a form; one inside does.
func TestRealmsGetNoCredentialsElsewhere(t *testing.T) {
	for _, c := range []struct {
		realm string
		want  bool
	}{{"auth.example.com", true}, {"auth.example.org", false}} {
		n, inner := newInternet(), filled(t)
		n.serve(t, "registry.example.com", "198.51.100.1", func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer token" {
				w.Header().Set("WWW-Authenticate", `Bearer realm="https://`+c.realm+`/token",service="x"`)
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			inner.ServeHTTP(w, r)
		})
		n.serve(t, c.realm, "198.51.100.2", func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet {
				t.Errorf("%s is sent a form", c.realm)
			}
			fmt.Fprint(w, `{"token":"token"}`)
		})
		if _, failure := n.client().Read(t.Context(), Request{Image: "registry.example.com/team/image:1", Keyring: ring(t, "registry.example.com")}); failure != nil {
			t.Errorf("%s: %v", c.realm, failure)
		}
		if n.sawCredentials(c.realm) != c.want {
			t.Errorf("%s: credentials %v", c.realm, !c.want)
		}
		identity := Keyring{}
		if err := identity.Add([]byte(`{"auths":{"registry.example.com":{"identitytoken":"` + planted + `"}}}`)); err != nil {
			t.Fatal(err)
		}
		if !c.want {
			if _, failure := n.client().Read(t.Context(), Request{Image: "registry.example.com/team/image:1", Keyring: identity}); failure == nil || failure.Reason != v1alpha1.ReasonRegistryNotAllowed {
				t.Errorf("a refresh token leaves: %v", failure)
			}
		}
	}
}

// R52: a registry that resolves to the cloud's metadata is not reached.
func TestARegistryIsNoMetadataService(t *testing.T) {
	for _, at := range []string{"169.254.169.254", "fd00:ec2::254", "127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "100.100.100.200", "0.0.0.0", "fe80::1", "224.0.0.1"} {
		n := newInternet()
		n.serve(t, "registry.example.com", at, func(http.ResponseWriter, *http.Request) { t.Error("it is asked") })
		if _, failure := n.client().Read(t.Context(), Request{Image: "registry.example.com/team/image:1"}); failure == nil || failure.Reason != v1alpha1.ReasonRegistryNotAllowed {
			t.Errorf("%s: %v", at, failure)
		}
	}
}

// R52: the network's own dialer asks after the address that it connects to.
func TestTheDialerJudgesAddresses(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if conn, err := dial(t.Context(), "tcp", listener.Addr().String(), asked.admits); err == nil {
		conn.Close()
		t.Error("loopback is reached")
	}
	conn, err := dial(t.Context(), "tcp", listener.Addr().String(), here.admits)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}

// Entries of a pull Secret match as for kubelets.
func TestKeyringMatches(t *testing.T) {
	var k Keyring
	if err := k.Add([]byte(`{"auths":{"https://index.docker.io/v1/":{"username":"hub","password":"x"},"*.example.com":{"username":"wild","password":"x"},
		"registry.example.com":{"username":"host","password":"x"},"registry.example.com/team":{"username":"team","password":"x"},"other.example.net:5000":{"username":"port","password":"x"}}}`)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ host, repository, want string }{
		{"index.docker.io", "library/busybox", "hub"}, {"registry.example.com", "team/image", "team host wild"}, {"registry.example.com", "teams/image", "host wild"},
		{"a.b.example.com", "x/y", ""}, {"other.example.net:5000", "x", "port"}, {"other.example.net", "x", ""}, {"example.com", "x", ""},
	} {
		var users []string
		for _, a := range k.match(c.host, c.repository) {
			users = append(users, a.Username)
		}
		if got := strings.Join(users, " "); got != c.want {
			t.Errorf("%s/%s: %q, want %q", c.host, c.repository, got, c.want)
		}
	}
	if text := fmt.Sprintf("%v %+v %#v %s", k, k, k, k); strings.Contains(text, "hub") {
		t.Errorf("a keyring prints: %s", text)
	}
	for _, bad := range []string{``, `{}`, `[]`, `{"auths":{"h":{"auth":"` + planted + `"}}}`, `{"auths":7}`} {
		if err := new(Keyring).Add([]byte(bad)); err == nil || strings.Contains(err.Error(), planted) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func noDial(t *testing.T) dialer {
	return func(_ context.Context, _, address string, _ func(netip.Addr) bool) (net.Conn, error) {
		t.Errorf("it connects to %s", address)
		return nil, io.EOF
	}
}
