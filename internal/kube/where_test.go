package kube

import (
	"os"
	"path/filepath"
	"testing"

	api "k8s.io/client-go/tools/clientcmd/api"
)

// R55: an address is told without a user, a password, a query and a fragment.
func TestServersAreToldWithoutSecrets(t *testing.T) {
	for address, want := range map[string]string{
		"https://a:6443": "https://a:6443", "a:6443": "a:6443", "https://ann:planted@a/k8s/c-1?token=planted#planted": "https://a/k8s/c-1",
		"ann:planted@a:1": "a:1", "https://planted%zz": "", "": "", "https://[::1]:6443": "https://[::1]:6443", "https://a/\x1b[31m": "",
	} {
		if got := Server(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}

// R2, R55: where a run looks is the kubeconfig's context and server, or Helm's over them.
func TestWhereIsNamed(t *testing.T) {
	at := kubeconfig(t, func(c *api.Cluster, _ *api.AuthInfo) { c.Server = "https://ann:planted@a:1/p" })
	for want, place := range map[[2]string]Place{
		{"x", "https://a:1/p"}: {Kubeconfig: at},
		{"none", ""}:           {Kubeconfig: at, Context: "none"},
		{"x", "https://b:2"}:   {Kubeconfig: at, Given: Given{Server: "https://ann:planted@b:2"}},
		{"given", ""}:          {Kubeconfig: "/no/such", Given: Given{Context: "given"}},
	} {
		context, server := Where(place)
		if got := [2]string{context, server}; got != want {
			t.Errorf("%+v: %q, want %q", place, got, want)
		}
	}
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("- no kubeconfig"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, place := range map[string]Place{
		"x": {Kubeconfig: at}, "own": {Kubeconfig: broken, Context: "own"}, "": {Kubeconfig: broken}, "given": {Kubeconfig: at, Given: Given{Context: "given"}},
	} {
		if got := Context(place); got != want {
			t.Errorf("%+v: %q, want %q", place, got, want)
		}
	}
	flags := Given{Server: "https://ann:planted@b:2"}.Flags()
	if len(flags) != 2 || flags[1] != "https://b:2" {
		t.Errorf("%q", flags)
	}
}
