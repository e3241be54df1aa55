package main

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// silent is a registry that never answers, and says when it was asked.
func silent(t *testing.T) (host string, asked <-chan struct{}) {
	t.Helper()
	hears, end := make(chan struct{}, 100), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		hears <- struct{}{}
		select {
		case <-r.Context().Done():
		case <-end:
		}
	}))
	t.Cleanup(func() { close(end); server.Close() })
	return strings.TrimPrefix(server.URL, "http://"), hears
}

// R43: a registry that never answers does not let a call run into Argo CD's
// deadline, whether the chart is fetched or its signature looked for.
func TestPluginWaitsForNoRegistry(t *testing.T) {
	host, _ := silent(t)
	_, signed := signedShelf(t)
	server := cmpServer{sidecar: append(signed.sidecar, "KORA_CMP_REGISTRIES="+host, "KORA_CMP_TIMEOUT=5s")}
	name := "oci://" + host + "/charts/kora:1.4.0"
	for doing, a := range map[string]application{
		"rendering the chart of the parameter chart":                  with(t, nil, parameter("chart", name)),
		"verifying the signature of the chart of the parameter chart": with(t, nil, parameter("chart", name), parameter("verify", "true")),
	} {
		got := server.generate(t, a)
		want := `kora cannot render application "shop": not done after 5s: kora was ` + doing + "\n"
		if got.status != 3 || !strings.HasPrefix(got.words, want) {
			t.Errorf("status %d, wanted %q:\n%s", got.status, want, got.words)
		}
	}
}

// R43: a signal, such as the sidecar's end, stops a call with a word.
func TestPluginStopsAtASignal(t *testing.T) {
	host, asked := silent(t)
	folder := t.TempDir()
	checkOut(t, folder, goodFiles(t))
	cmd := exec.CommandContext(t.Context(), "kora", "cmp", "generate")
	cmd.Dir = folder
	cmd.Env = append(cmpServer{sidecar: []string{"KORA_CMP_REGISTRIES=" + host}}.environ(), with(t, nil, parameter("chart", "oci://"+host+"/charts/kora:1.4.0")).environ(t)...)
	var words strings.Builder
	cmd.Stderr = &words
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	if err == nil || cmd.ProcessState.ExitCode() != 3 || !strings.Contains(words.String(), "stopped by a signal: kora was rendering the chart of the parameter chart") {
		t.Errorf("%v: %s", err, words.String())
	}
}
