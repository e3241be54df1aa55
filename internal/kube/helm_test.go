package kube

import (
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	api "k8s.io/client-go/tools/clientcmd/api"
)

const plantedToken = "planted-given-token"

// asked is what a server saw of the one request of a run.
type asked struct {
	user, token, server string
	groups              []string
}

// seen starts a server with TLS of the test's own, and writes its authority.
func seen(t *testing.T) (url, authority string, last *asked) {
	t.Helper()
	last = &asked{}
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		*last = asked{q.Header.Get("Impersonate-User"), q.Header.Get("Authorization"), q.TLS.ServerName, q.Header.Values("Impersonate-Group")}
		fmt.Fprint(w, `{"gitVersion":"v1.36.3"}`)
	}))
	t.Cleanup(s.Close)
	authority = filepath.Join(t.TempDir(), "ca.crt")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(authority, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return s.URL, authority, last
}

func variables(of map[string]string) func(string) string {
	return func(name string) string { return of[name] }
}

// R2, R55: what Helm was told of the cluster wins over the kubeconfig, each flag of
// it, and a program of the kubeconfig's is not run beside a token that is given.
func TestHelmsFlagsWinOverTheKubeconfig(t *testing.T) {
	url, authority, last := seen(t)
	file := kubeconfig(t, func(_ *api.Cluster, u *api.AuthInfo) {
		u.Exec = &api.ExecConfig{Command: "/no/such", APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: api.NeverExecInteractiveMode}
	})
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("of-the-file"), 0o600); err != nil {
		t.Fatal(err)
	}
	filed := kubeconfig(t, func(_ *api.Cluster, u *api.AuthInfo) { u.TokenFile = token })
	for name, trust := range map[string]map[string]string{
		"an authority":  {"HELM_KUBECAFILE": authority, "HELM_KUBETLS_SERVER_NAME": "example.com", "HELM_KUBEINSECURE_SKIP_TLS_VERIFY": "false"},
		"none is asked": {"HELM_KUBEINSECURE_SKIP_TLS_VERIFY": "true", "HELM_KUBETLS_SERVER_NAME": "example.com"},
	} {
		trust["HELM_PLUGIN_DIR"], trust["HELM_KUBEAPISERVER"], trust["HELM_KUBETOKEN"] = "x", url, plantedToken
		trust["HELM_KUBEASUSER"], trust["HELM_KUBEASGROUPS"] = "ann", "one,two"
		for _, path := range []string{file, filed, ""} {
			t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
			config, err := Config(Place{Kubeconfig: path, Given: OfHelm(variables(trust))}, time.Minute)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := version(t.Context(), t, config); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if last.user != "ann" || last.token != "Bearer "+plantedToken || last.server != "example.com" || !slices.Equal(last.groups, []string{"one", "two"}) {
				t.Errorf("%s: the server saw %+v", name, *last)
			}
			*last = asked{}
		}
	}
}

// R2: Helm's context is one of the kubeconfig's, and kora's own flag goes before it.
func TestHelmsContext(t *testing.T) {
	given := OfHelm(variables(map[string]string{"HELM_PLUGIN_DIR": "x", "HELM_KUBECONTEXT": "none"}))
	if _, err := Config(Place{Kubeconfig: kubeconfig(t, nil), Given: given}, time.Second); err == nil || !strings.Contains(err.Error(), `"none"`) {
		t.Error(err)
	}
	if _, err := Config(Place{Kubeconfig: kubeconfig(t, nil), Context: "x", Given: given}, time.Second); err != nil {
		t.Error(err)
	}
}

// R2, R55: what Helm hands over is read under Helm alone; its file is a plain one,
// groups are of a user, and no flag that is printed holds the token.
func TestWhatHelmHandsOver(t *testing.T) {
	all := map[string]string{"HELM_KUBEAPISERVER": "https://a:1", "HELM_KUBETOKEN": plantedToken, "HELM_KUBEASUSER": "ann", "HELM_KUBEASGROUPS": "one,two",
		"HELM_KUBECAFILE": "ca.crt", "HELM_KUBETLS_SERVER_NAME": "b", "HELM_KUBEINSECURE_SKIP_TLS_VERIFY": "true", "HELM_KUBECONTEXT": "c"}
	if got := fmt.Sprintf("%+v", OfHelm(variables(all))); got != fmt.Sprintf("%+v", Given{}) {
		t.Errorf("without Helm: %s", got)
	}
	all["HELM_PLUGIN_DIR"] = "x"
	got := strings.Join(OfHelm(variables(all)).Flags(), " ")
	if got != "--server https://a:1 --as ann --as-group one --as-group two --certificate-authority ca.crt --tls-server-name b --insecure-skip-tls-verify=true" {
		t.Errorf("%q", got)
	}
	if _, err := Config(Place{Kubeconfig: kubeconfig(t, nil), Given: Given{CAFile: "/dev/zero"}}, time.Second); err == nil || !strings.Contains(err.Error(), "/dev/zero is no plain file") {
		t.Error(err)
	}
	if _, err := Config(Place{Kubeconfig: kubeconfig(t, nil), Given: Given{Groups: []string{"one"}}}, time.Second); err == nil {
		t.Error("groups without a user are taken")
	}
}
