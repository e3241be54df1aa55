package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/runkora/kora/verify/sigstoretest"
)

// signedShelf is a registry with charts that are signed rightly, wrongly and not
// at all, and the settings of a sidecar that trusts its signer.
func signedShelf(t *testing.T) (*shelf, cmpServer) {
	t.Helper()
	s := sigstoretest.New(t)
	r := newShelf(s)
	t.Cleanup(r.Close)
	fork := sigstoretest.GitHub("example/kora", ".github/workflows/build.yml", "refs/heads/main")
	for repo, by := range map[string]*sigstoretest.Identity{"charts/kora": new(sigstoretest.Kora("1.4.0")), "charts/fork": &fork, "charts/unsigned": nil} {
		d := r.chart(repo, "1.4.0")
		if by != nil {
			r.attach(repo, d, s.SignImage(*by, d["digest"].(string)))
		}
	}
	root := filepath.Join(t.TempDir(), "trusted_root.json")
	r.try(os.WriteFile(root, s.TrustedRoot(), 0o600))
	if r.err != nil {
		t.Fatal(r.err)
	}
	return r, cmpServer{sidecar: []string{"KORA_CMP_REGISTRIES=" + r.host + "/charts", "KORA_CMP_TRUSTED_ROOT=" + root}}
}

// R43, R45: an application that asks for a signature gets the chart by the digest
// that was verified, with the same manifests as without; or a refusal.
func TestPluginVerifiesTheChartFirst(t *testing.T) {
	r, server := signedShelf(t)
	chart := func(repo, tag string) string { return "oci://" + r.host + "/charts/" + repo + tag }
	ask := func(chart string) application {
		return with(t, nil, parameter("chart", chart), parameter("verify", "true"))
	}
	want := cmpServer{}.generate(t, application{files: goodFiles(t)})
	got := server.generate(t, ask(chart("kora", ":1.4.0")))
	if got.status != 0 || got.out != want.out || !strings.Contains(got.words, "verified: "+chart("kora", "@sha256:")) {
		t.Fatalf("status %d, the same manifests: %t\n%s", got.status, got.out == want.out, got.words)
	}
	for name, c := range map[string]struct {
		a      application
		server cmpServer
		status int
		words  string
	}{
		"unsigned":                {ask(chart("unsigned", ":1.4.0")), server, 1, "KORA-S001"},
		"signed by somebody else": {ask(chart("fork", ":1.4.0")), server, 1, "KORA-S002"},
		"not there":               {ask(chart("missing", ":1.4.0")), server, 3, "KORA-S004"},
		"another registry":        {ask("oci://" + r.host + "/other/kora:1.4.0"), server, 1, "KORA-M006"},
		"a longer name":           {ask("oci://" + r.host + "/charts-of-others/kora:1.4.0"), server, 1, "KORA-M006"},
		"always, in no registry":  {with(t, map[string]string{"chart/Chart.yaml": "name: x\n"}, parameter("chart", "./chart")), server.and("KORA_CMP_VERIFY=always"), 1, "KORA-M007"},
		"always":                  {with(t, nil, parameter("chart", chart("unsigned", ":1.4.0"))), server.and("KORA_CMP_VERIFY=always"), 1, "KORA-S001"},
		"no trust root":           {ask(chart("kora", ":1.4.0")), cmpServer{sidecar: server.sidecar[:1]}, 1, "KORA-M007"},
		"another trust root":      {ask(chart("kora", ":1.4.0")), server.and("KORA_CMP_TRUSTED_ROOT=" + otherRoot(t)), 1, "KORA-S0"},
		"an open identity":        {ask(chart("fork", ":1.4.0")), server.and("KORA_CMP_IDENTITY_REGEXP=.*"), 1, "KORA-M001"},
	} {
		got := c.server.generate(t, c.a)
		if got.status != c.status || !strings.Contains(got.words, c.words) {
			t.Errorf("%s: status %d, wanted %s:\n%s", name, got.status, c.words, got.words)
		}
	}
	if got := server.and("KORA_CMP_VERIFY=always").generate(t, application{files: goodFiles(t)}); got.status != 0 || got.out != want.out {
		t.Errorf("kora's own chart, in the plugin's image, needs no signature of its own: %s", got.words)
	}
}

// R43, R45: a tag that moves after it was resolved changes nothing: what is
// rendered is asked for by the digest that was verified.
func TestPluginRendersWhatItVerified(t *testing.T) {
	r, server := signedShelf(t)
	var byTag atomic.Int32
	inner := r.Config.Handler
	r.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !strings.HasSuffix(req.URL.Path, "/charts/kora/manifests/1.4.0") || byTag.Add(1) == 1 {
			inner.ServeHTTP(w, req)
			return
		}
		req.URL.Path = "/v2/charts/unsigned/manifests/1.4.0" // it has moved
		inner.ServeHTTP(w, req)
	})
	got := server.generate(t, with(t, nil, parameter("chart", "oci://"+r.host+"/charts/kora:1.4.0"), parameter("verify", "true")))
	if got.status != 0 || byTag.Load() != 1 {
		t.Errorf("the tag was asked for %d times: %s", byTag.Load(), got.words)
	}
}

// R43: an allowed chart without a word about signatures is rendered as it is.
func TestPluginFetchesFromAllowedRegistries(t *testing.T) {
	r, server := signedShelf(t)
	want := cmpServer{}.generate(t, application{files: goodFiles(t)})
	got := server.generate(t, with(t, nil, parameter("chart", "oci://"+r.host+"/charts/unsigned:1.4.0")))
	if got.status != 0 || got.out != want.out {
		t.Errorf("%s", got.shown)
	}
}

// R43, R45: a credential helper of the sidecar that hangs ends with the call, and what
// one prints is not in the words that Argo CD shows, be the chart verified or not.
func TestPluginBoundsCredentialHelpers(t *testing.T) {
	r, server := signedShelf(t)
	for script, words := range map[string]string{"sleep 600": "KORA-", "echo planted-secret; echo planted-secret >&2; exit 3": "KORA-"} {
		home := t.TempDir()
		for name, text := range map[string]string{"config.json": fmt.Sprintf(`{"credHelpers":{%q:"planted"}}`, r.host), "docker-credential-planted": "#!/bin/sh\n" + script + "\n"} {
			if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		for _, verified := range []string{"true", "false"} {
			at := server.and("DOCKER_CONFIG=" + home).and("PATH=" + home + ":" + os.Getenv("PATH")).and("KORA_CMP_TIMEOUT=2s")
			got := at.generate(t, with(t, nil, parameter("chart", "oci://"+r.host+"/charts/kora:1.4.0"), parameter("verify", verified)))
			if got.status != 3 || got.out != "" || !strings.Contains(got.words, words) || strings.Contains(got.shown+got.words, "planted-secret") {
				t.Errorf("%s, verify %s: status %d: %s", script, verified, got.status, got.words)
			}
		}
	}
}

// and is the server with one more variable.
func (s cmpServer) and(variable string) cmpServer {
	s.sidecar = append(append([]string(nil), s.sidecar...), variable)
	return s
}

func otherRoot(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "other_root.json")
	if err := os.WriteFile(root, sigstoretest.New(t).TrustedRoot(), 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}
