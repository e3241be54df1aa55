package kube

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	api "k8s.io/client-go/tools/clientcmd/api"
)

const handed = "planted-token-of-a-program"

// credential is what a program prints that gives a status.
func credential(status string) string {
	return `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{` + status + `}}`
}

// logsIn is a server, a program that a shell runs before it is asked, and the
// tokens that the server saw.
func logsIn(t *testing.T, script string) (*rest.Config, *atomic.Value) {
	t.Helper()
	path, seen := filepath.Join(t.TempDir(), "program"), &atomic.Value{}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	config := server(t, func(w http.ResponseWriter, q *http.Request) {
		seen.Store(q.Header.Get("Authorization"))
		fmt.Fprint(w, `{"gitVersion":"v1.36.3"}`)
	})
	config.ExecProvider = &api.ExecConfig{Command: path, APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: api.NeverExecInteractiveMode}
	return config, seen
}

// R55: a kubeconfig's program logs in, is run once as long as what it gives holds,
// and is told of the cluster where the kubeconfig says so.
func TestAProgramLogsIn(t *testing.T) {
	runs := filepath.Join(t.TempDir(), "runs")
	for status, want := range map[string]string{`"token":"` + handed + `"`: "x", `"token":"` + handed + `","expirationTimestamp":"2001-01-01T00:00:00Z"`: "xx"} {
		config, seen := logsIn(t, "printf x >> "+runs+"\nprintf '%s' \"$KUBERNETES_EXEC_INFO$MINE\" > "+runs+".info\necho '"+credential(status)+"'")
		config.ExecProvider.ProvideClusterInfo = true
		config.ExecProvider.Env = []api.ExecEnvVar{{Name: "MINE", Value: "own"}}
		client, err := Client(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			response, err := client.Get(config.Host + "/version")
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
		}
		if seen.Load() != "Bearer "+handed {
			t.Errorf("the server saw %v", seen.Load())
		}
		if text, err := os.ReadFile(runs); err != nil || string(text) != want {
			t.Errorf("%s: it ran %q: %v", status, text, err)
		}
		if text, _ := os.ReadFile(runs + ".info"); !strings.Contains(string(text), config.Host) || !strings.HasSuffix(string(text), "own") {
			t.Errorf("it was told %s", text)
		}
		if !client.Transport.(*bounded).hidden.in("it repeats " + handed) {
			t.Error("the token is not known as a secret")
		}
		if err := os.Remove(runs); err != nil {
			t.Fatal(err)
		}
	}
}

// R55: a program that gives nothing is told as what is wrong with it, and what it
// printed stands nowhere.
func TestAProgramThatGivesNothing(t *testing.T) {
	print := func(text string) string { return "echo '" + text + "'" }
	for want, script := range map[string]string{
		"failed with status 3": print(handed) + "; exit 3",
		"was ended":            "kill -9 $$",
		"prints no ExecCredential of client.authentication.k8s.io": print(handed),
		"with a status":                         print(`{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","spec":{}}`),
		"prints no ExecCredential":              print(strings.Replace(credential(`"token":"`+handed+`"`), "/v1", "/v1beta1", 1)),
		"gives neither a token":                 print(credential("")),
		"a certificate or a key, and not both":  print(credential(`"clientKeyData":"` + handed + `"`)),
		"are no pair":                           print(credential(`"clientKeyData":"` + handed + `","clientCertificateData":"` + handed + `"`)),
		"what it started holds its output open": print(credential(`"token":"`+handed+`"`)) + "; sleep 60 &",
		"prints more than 1 MiB":                "trap '' PIPE; while :; do echo " + strings.Repeat(handed, 100) + "; done",
	} {
		config, seen := logsIn(t, script)
		err := version(t.Context(), t, config)
		var program *NoCredential
		f := Fault(err)
		if !errors.As(err, &program) || !strings.Contains(f.Message, want) || strings.Contains(f.Message, handed) || !strings.Contains(f.Fix, "users[].user.exec") || seen.Load() != nil {
			t.Errorf("%q: %v: %+v, the server saw %v", want, err, f, seen.Load())
		}
	}
	config, _ := logsIn(t, "")
	config.ExecProvider.Command, config.ExecProvider.InstallHint = "/no/such/program", "ask the owner"
	if err := version(t.Context(), t, config); err == nil || !strings.Contains(Words(err), "is not there: ask the owner") {
		t.Error(err)
	}
	config.ExecProvider.APIVersion = "client.authentication.k8s.io/v1alpha1"
	if err := version(t.Context(), t, config); err == nil || !strings.Contains(Words(err), "v1alpha1") {
		t.Error(err)
	}
}

// R55: when the time is over, the program has ended before the request does, and
// so has what it started and what does not heed a signal.
func TestAProgramEndsWithItsTime(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	config, _ := logsIn(t, "trap '' TERM INT HUP\nsleep 600 &\necho $$ $! > "+pids+".new\nmv "+pids+".new "+pids+"\nwait")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	got := make(chan error, 1)
	go func() { got <- version(ctx, t, config) }()
	var text []byte
	for text == nil {
		text, _ = os.ReadFile(pids)
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-got; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	var program, child int
	if _, err := fmt.Sscan(string(text), &program, &child); err != nil {
		t.Fatal(err)
	}
	for _, pid := range []int{program, child} {
		for syscall.Kill(pid, 0) == nil && !zombie(pid) { // a signal that was sent arrives; without one this waits for ever
			time.Sleep(time.Millisecond)
		}
	}
}

// zombie reports whether a process has ended and nobody has asked how.
func zombie(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(text), ") ")
	return err != nil || strings.HasPrefix(state, "Z")
}

// R55: a certificate and its key are what a program may give as well.
func TestAProgramGivesACertificate(t *testing.T) {
	own := pair(t, time.Now().Add(time.Hour))
	plain, err := x509.MarshalPKCS8PrivateKey(own.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	line := func(kind string, der []byte) string {
		return strings.ReplaceAll(string(encoded(kind, der)), "\n", `\n`)
	}
	config, _ := logsIn(t, "cat <<'END'\n"+credential(`"clientCertificateData":"`+line("CERTIFICATE", own.Certificate[0])+`","clientKeyData":"`+line("PRIVATE KEY", plain)+`"`)+"\nEND")
	shown := make(chan []*x509.Certificate, 1)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		shown <- q.TLS.PeerCertificates
		fmt.Fprint(w, `{"gitVersion":"v1.36.3"}`)
	}))
	s.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	s.StartTLS()
	t.Cleanup(s.Close)
	config.Host, config.Insecure = s.URL, true
	if err := version(t.Context(), t, config); err != nil {
		t.Fatal(err)
	}
	if got := <-shown; len(got) != 1 || !bytes.Equal(got[0].Raw, own.Certificate[0]) {
		t.Errorf("%v", got)
	}
}

// R55: whoever gives a token, a token's file or a certificate means no program: none
// is run beside it, whatever the server asks for.
func TestACredentialBesideAProgram(t *testing.T) {
	own := pair(t, time.Now().Add(time.Hour))
	plain, err := x509.MarshalPKCS8PrivateKey(own.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("t"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, give := range map[string]func(*rest.Config){
		"a token": func(c *rest.Config) { c.BearerToken = "t" },
		"a file":  func(c *rest.Config) { c.BearerTokenFile = token },
		"a name":  func(c *rest.Config) { c.Username, c.Password = "u", "p" },
		"a certificate": func(c *rest.Config) {
			c.CertData, c.KeyData = encoded("CERTIFICATE", own.Certificate[0]), encoded("PRIVATE KEY", plain)
		},
	} {
		ran := filepath.Join(t.TempDir(), "ran")
		config, _ := logsIn(t, "touch "+ran+"\nexec sleep 600")
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"gitVersion":"v1.36.3"}`) }))
		s.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
		s.StartTLS()
		t.Cleanup(s.Close)
		config.Host, config.Insecure = s.URL, true
		give(config)
		if err := version(t.Context(), t, config); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(ran); err == nil {
			t.Errorf("%s: the program was run", name)
		}
	}
}

// R55: what a person alone can mend is told from what may come right by itself.
func TestWhatLasts(t *testing.T) {
	refuses := func(code int) *rest.Config {
		return server(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) })
	}
	program := func(change func(*api.ExecConfig)) *rest.Config {
		config, _ := logsIn(t, "exit 1")
		change(config.ExecProvider)
		return config
	}
	stranger := secured(t, nil)
	stranger.CAData = encoded("CERTIFICATE", pair(t, time.Now().Add(time.Hour)).Certificate[0])
	for name, c := range map[string]struct {
		config *rest.Config
		lasts  bool
	}{
		"401":                      {refuses(http.StatusUnauthorized), true},
		"403":                      {refuses(http.StatusForbidden), false},
		"503":                      {refuses(http.StatusServiceUnavailable), false},
		"nobody listens":           {&rest.Config{Host: "https://127.0.0.1:1"}, false},
		"a stranger's certificate": {stranger, true},
		"a missing program":        {program(func(e *api.ExecConfig) { e.Command = "/no/such" }), true},
		"one that cannot be run":   {program(func(e *api.ExecConfig) { e.Command = t.TempDir() }), true},
		"one that asks a person":   {program(func(e *api.ExecConfig) { e.InteractiveMode, e.StdinUnavailable = api.AlwaysExecInteractiveMode, true }), true},
		"one of another version":   {program(func(e *api.ExecConfig) { e.APIVersion = "v0" }), true},
		"one that fails":           {program(func(*api.ExecConfig) {}), false},
	} {
		if err := version(t.Context(), t, c.config); err == nil || Lasting(err) != c.lasts {
			t.Errorf("%s: %v, want lasting %t", name, err, c.lasts)
		}
	}
}
