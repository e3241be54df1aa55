package registry

import (
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

// planted are what must never be printed, and never reach another host.
const (
	plantedUser     = "robot"
	plantedPassword = "planted-Passw0rd"
	plantedToken    = "planted-bearer-token"
)

var plantedBasic = base64.StdEncoding.EncodeToString([]byte(plantedUser + ":" + plantedPassword))

type keychain struct{ authn.AuthConfig }

func (k keychain) Resolve(authn.Resource) (authn.Authenticator, error) {
	return authn.FromConfig(k.AuthConfig), nil
}

func withPassword(o *Options) {
	o.Keychain = keychain{authn.AuthConfig{Username: plantedUser, Password: plantedPassword}}
}

func withIdentityToken(o *Options) {
	o.Keychain = keychain{authn.AuthConfig{Username: "<token>", IdentityToken: plantedPassword}}
}

// spy is a host that no credential may reach; it keeps all that it was sent.
type spy struct {
	mu  sync.Mutex
	all []string
	*httptest.Server
}

func newSpy(t *testing.T, answer http.HandlerFunc) *spy {
	s := &spy{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.all = append(s.all, fmt.Sprint(r.Method, " ", r.URL, " ", r.Header, " ", string(body)))
		s.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *spy) clean(t *testing.T) {
	t.Helper()
	for _, got := range s.all {
		noSecret(t, got)
	}
}

func noSecret(t *testing.T, text string) {
	t.Helper()
	for _, secret := range []string{plantedPassword, plantedBasic, plantedToken, "signed-query"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q holds a secret", text)
		}
	}
}

// The bearer-realm leak of go-containerregistry: whoever answers for the
// registry names the token service, and would be sent the password.
func TestCredentialsNeverGoToAForeignRealm(t *testing.T) {
	for name, change := range map[string]func(*Options){"password": withPassword, "identity token": withIdentityToken} {
		t.Run(name, func(t *testing.T) {
			evil := newSpy(t, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, `{"token":"anonymous"}`) })
			f := serve(t)
			f.image("kora", "1")
			f.answer(func(w http.ResponseWriter, r *http.Request) bool {
				if r.Header.Get("Authorization") == "Bearer anonymous" {
					return false
				}
				noSecret(t, fmt.Sprint(r.Header))
				w.Header().Set("WWW-Authenticate", `Bearer realm="`+evil.URL+`/token",service="x"`)
				w.WriteHeader(401)
				return true
			})
			c, _ := client(t, change)
			_, _, err := resolve(t, c, f.host+"/kora:1")
			evil.clean(t)
			noSecret(t, fmt.Sprint(err))
		})
	}
}

// The same realm as the registry gets them, and the token is used.
func TestCredentialsGoToTheRegistrysOwnRealm(t *testing.T) {
	f := serve(t)
	f.image("kora", "1")
	asked := ""
	f.answer(func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case r.URL.Path == "/token":
			asked = r.Header.Get("Authorization") + " " + r.URL.Query().Get("scope")
			_, _ = io.WriteString(w, `{"access_token":"`+plantedToken+`"}`)
			return true
		case r.Header.Get("Authorization") == "Bearer "+plantedToken:
			return false
		}
		w.Header().Set("WWW-Authenticate", `Bearer realm="`+f.url+`/token",service="x"`)
		w.WriteHeader(401)
		return true
	})
	c, _ := client(t, withPassword)
	if _, _, err := resolve(t, c, f.host+"/kora:1"); err != nil || asked != "Basic "+plantedBasic+" repository:kora:pull" {
		t.Errorf("%v, asked %q", err, asked)
	}
}

// Each rule of which realm may see credentials.
func TestWhichRealmsAreTrusted(t *testing.T) {
	for _, tt := range []struct {
		registry, realm string
		insecure, want  bool
	}{
		{"ghcr.io", "https://ghcr.io/token", false, true},
		{"index.docker.io", "https://auth.docker.io/token", false, true},
		{"registry.gitlab.com", "https://gitlab.com/jwt/auth", false, true},
		{"ghcr.io", "http://ghcr.io/token", false, false},
		{"ghcr.io", "https://ghcr.io.evil.example/token", false, false},
		{"ghcr.io", "https://evil.example/token", false, false},
		{"ghcr.io", "https://user:pass@ghcr.io/token", false, false},
		{"kora.github.io", "https://evil.github.io/token", false, false},
		{"a.example.co.uk", "https://b.other.co.uk/token", false, false},
		{"192.0.2.1:5000", "https://192.0.2.1:6000/token", false, false},
		{"127.0.0.1:5000", "http://127.0.0.1:5000/token", true, true},
		{"127.0.0.1:5000", "http://127.0.0.1:6000/token", true, false},
		{"localhost:5000", "http://127.0.0.1:5000/token", true, false},
		{"ghcr.io", "%zz", false, false},
	} {
		h := newHost(New(Options{}), tt.registry)
		h.challenge = &transport.Challenge{Insecure: tt.insecure}
		if got := h.trust(tt.realm) != nil; got != tt.want {
			t.Errorf("%s for %s: %v", tt.realm, tt.registry, got)
		}
	}
}

// Credentials stay where they belong when a registry sends a request on, and
// what another host asks for is not answered.
func TestCredentialsNeverFollowARedirect(t *testing.T) {
	challenge := `Basic realm="x"`
	evil := newSpy(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", challenge)
		w.WriteHeader(401)
	})
	f := serve(t)
	f.image("kora", "1")
	f.answer(func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case strings.Contains(r.URL.Path, "/manifests/"):
			w.Header().Set("Set-Cookie", "session="+plantedToken)
			http.Redirect(w, r, evil.URL+"/blob?signature=signed-query", http.StatusTemporaryRedirect)
			return true
		case r.Header.Get("Authorization") == "":
			w.Header().Set("WWW-Authenticate", `Basic realm="kora"`)
			w.WriteHeader(401)
			return true
		}
		return false
	})
	for _, challenge = range []string{`Basic realm="x"`, `Bearer realm="` + evil.URL + `/token"`} {
		c, _ := client(t, withPassword)
		_, _, err := resolve(t, c, f.host+"/kora:1")
		if KindOf(err) != Denied {
			t.Errorf("%v", err)
		}
		noSecret(t, fmt.Sprint(err))
	}
	if len(evil.all) != 2 {
		t.Errorf("the other host was asked %d times: %q", len(evil.all), evil.all)
	}
	for _, got := range evil.all {
		noSecret(t, strings.ReplaceAll(got, "signed-query", ""))
	}
}

// A registry that sends our secret back gets it into no message.
func TestNoMessageHoldsASecret(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"words of the registry": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(403)
			fmt.Fprintf(w, `{"errors":[{"code":"DENIED","message":"%s"}]}`, r.Header.Get("Authorization"))
		},
		"a redirect to our secret": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/"+plantedPassword+"?x=signed-query", http.StatusTemporaryRedirect)
		},
		"a scheme that is our secret": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "x"+strings.ToLower(plantedPassword)+"://a/", http.StatusTemporaryRedirect)
		},
		"a token that is none": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/token" {
				fmt.Fprintf(w, `{"refresh_token":%q}`, plantedToken)
				return
			}
			w.Header().Set("WWW-Authenticate", `Bearer realm="http://`+r.Host+`/token"`)
			w.WriteHeader(401)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := serve(t)
			f.answer(func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/v2/" && name != "a token that is none" {
					return false
				}
				answer(w, r)
				return true
			})
			c, _ := client(t, withPassword)
			_, _, err := resolve(t, c, f.host+"/kora:1")
			if err == nil {
				t.Fatal("it was taken")
			}
			noSecret(t, fmt.Sprintf("%v %+v %s", err, err, FixOf(err)))
		})
	}
}

// A token service that is refused has kora's own words, and no address of it.
func TestTokenServicesThatAreRefused(t *testing.T) {
	for _, realm := range []string{"http://192.0.2.1:1/token?x=planted", "https://10.0.0.1/token", "https://169.254.169.254/latest", "gopher://a/", "%zz"} {
		f := serve(t)
		f.answer(func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("WWW-Authenticate", fmt.Sprintf("Bearer realm=%q", realm))
			w.WriteHeader(http.StatusUnauthorized)
			return true
		})
		c, _ := client(t)
		_, _, err := resolve(t, c, f.host+"/kora:1")
		if err == nil || KindOf(err) == Wrong || strings.Contains(err.Error(), "realm") || strings.Contains(err.Error(), "planted") || FixOf(err) == "" {
			t.Errorf("%s: %v", realm, err)
		}
	}
}

// A public registry does not get us to ask for what only this machine can
// reach. Here 127.0.0.1 is public, and the rest of 127.0.0.0/8 is not.
func TestAPublicRegistryDoesNotSendUsInward(t *testing.T) {
	for _, to := range []string{"http://127.0.0.2:1/x", "http://localhost:1/x", "http://169.254.169.254/latest/meta-data", "http://[::1]:1/", "http://10.0.0.1/", "http://[::ffff:127.0.0.2]:1/", "http://[64:ff9b::a9fe:a9fe]/"} {
		f := serve(t)
		f.image("kora", "1")
		f.answer(func(w http.ResponseWriter, r *http.Request) bool {
			if strings.Contains(r.URL.Path, "/manifests/") {
				http.Redirect(w, r, to, http.StatusTemporaryRedirect)
				return true
			}
			return false
		})
		c, _ := client(t, func(o *Options) { o.PlainHTTP = true })
		c.public = func(a netip.Addr) bool {
			return a == netip.MustParseAddr("127.0.0.1") && to != "http://localhost:1/x" || public(a)
		}
		if to == "http://localhost:1/x" {
			c.local = map[string]bool{} // the name counts, whatever it leads to
			c.near.DialContext = c.dialer(func(string) error { return nil }).DialContext
		}
		_, _, err := resolve(t, c, f.host+"/kora:1")
		if err == nil || !strings.Contains(err.Error(), "an address that is not public") {
			t.Errorf("%s: %v", to, err)
		}
	}
}

// Metadata of a cloud is never followed to, not even from a private registry.
func TestNobodySendsUsToALinksAddresses(t *testing.T) {
	f := serve(t)
	f.image("kora", "1")
	f.answer(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "/manifests/") {
			http.Redirect(w, r, "http://169.254.169.254/latest", http.StatusTemporaryRedirect)
			return true
		}
		return false
	})
	c, _ := client(t, func(o *Options) { o.PlainHTTP = true })
	if _, _, err := resolve(t, c, f.host+"/kora:1"); err == nil || !strings.Contains(err.Error(), "an address that is not public") {
		t.Error(err)
	}
}

func TestPublicAddresses(t *testing.T) {
	for text, want := range map[string]bool{
		"140.82.112.33": true, "2606:4700::1": true, "::ffff:140.82.112.33": true, "64:ff9b::8c52:7021": true,
		"127.0.0.1": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false, "100.100.100.200": false,
		"0.0.0.0": false, "::1": false, "::": false, "fd00:ec2::254": false, "fe80::1": false, "fe80::1%eth0": false, "::ffff:10.0.0.1": false, "64:ff9b::7f00:1": false, "224.0.0.1": false, "ff02::1": false,
	} {
		if got := public(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// Plain http is for this machine, or for whoever asks for it.
func TestPlainHTTPIsAskedFor(t *testing.T) {
	for _, tt := range []struct {
		registry, url string
		flag, want    bool
	}{
		{"127.0.0.1:5000", "http://127.0.0.1:5000/v2/", false, true},
		{"localhost:5000", "http://localhost:5000/v2/", false, true},
		{"10.0.0.5:5000", "http://10.0.0.5:5000/v2/", false, false}, // go-containerregistry would
		{"registry.example", "http://registry.example/v2/", false, false},
		{"registry.example", "http://registry.example/v2/", true, true},
		{"registry.example", "http://127.0.0.1:5000/v2/", false, false},
		{"registry.example", "https://registry.example/v2/", false, true},
		{"registry.example", "file:///etc/passwd", true, false},
	} {
		h := newHost(New(Options{PlainHTTP: tt.flag}), tt.registry)
		u, err := url.Parse(tt.url)
		fatal(t, err)
		own := authority(u) == authority(&url.URL{Scheme: u.Scheme, Host: tt.registry})
		if err := h.allowed(&http.Request{URL: u}, own); (err == nil) != tt.want {
			t.Errorf("%s for %s with the flag %v: %v", tt.url, tt.registry, tt.flag, err)
		}
	}
	if err := follow(&http.Request{URL: &url.URL{Scheme: "http"}}, []*http.Request{{URL: &url.URL{Scheme: "https"}}}); err == nil {
		t.Error("a redirect from https to http was followed")
	}
}

// TLS is checked: a registry that cannot show its certificate is not read.
func TestACertificateThatNobodyTrustsIsRefused(t *testing.T) {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.TLS = &tls.Config{}
	s.Config.ErrorLog = nil
	s.StartTLS()
	t.Cleanup(s.Close)
	c, waited := client(t)
	_, _, err := resolve(t, c, strings.TrimPrefix(s.URL, "https://")+"/kora:1")
	if KindOf(err) != Unreachable || err == nil || len(*waited) > 0 {
		t.Errorf("%v after waits %v", err, *waited)
	}
}
