package main

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/sigstoretest"
)

// R49: a name that is no file's is refused at once wherever a file is asked
// for: nothing is waited for. A run that hung would be ended with the test.
func TestVerifyReadsFilesAlone(t *testing.T) {
	dir := t.TempDir()
	if err := writeRelease(sigstoretest.New(t), dir); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := syscall.Mkfifo(in("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", in("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	chart, root := in("kora-1.4.0.tgz"), in("trusted_root.json")
	for name, says := range map[string]string{in("pipe"): "a named pipe", in("socket"): "a socket", "/dev/zero": "a device", dir: "a directory"} {
		for what, args := range map[string][]string{
			"the artifact": {"file", name, "--bundle", in("kora-1.4.0.tgz.sigstore.json"), "--trusted-root", root},
			"--bundle":     {"file", chart, "--bundle", name, "--trusted-root", root},
			"--key":        {"file", chart, "--bundle", in("key.sigstore.json"), "--key", name},
			"the root":     {"file", chart, "--trusted-root", name},
			"--tuf-root":   {"file", chart, "--tuf-root", name},
			"provenance":   {"provenance", chart, "--bundle", name, "--trusted-root", root},
			"attestation":  {"attestation", chart, "--bundle", name, "--type", "any", "--trusted-root", root},
			"a list":       {"images", "--file", name, "--trusted-root", root},
			"a lock":       {"--lock", name, "--trusted-root", root},
		} {
			out, words, exit := runKora(t, append([]string{"verify", "-o", "json", "--offline"}, args...)...)
			if exit != exitUnchecked || !strings.Contains(words, says) {
				t.Errorf("%s as %s: status %d\n%s", name, what, exit, words)
			}
			var r verify.Report
			if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Artifacts) != 1 || r.Unchecked != 1 {
				t.Errorf("%s as %s: %v\n%s", name, what, err, out)
			}
		}
	}
}

// R49: ^C ends a run with what is known, says so, and calls nothing refused.
func TestVerifyInterrupted(t *testing.T) {
	dir := t.TempDir()
	if err := writeRelease(sigstoretest.New(t), dir); err != nil {
		t.Fatal(err)
	}
	asked := make(chan struct{}, 100)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer server.Close()
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd := exec.CommandContext(t.Context(), "kora", "verify", "file", filepath.Join(dir, "kora-1.4.0.tgz"), "-o", "json", "--tuf-mirror", server.URL)
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CACHE_HOME="+dir, "HTTPS_PROXY=", "HTTP_PROXY=")
		var out, words bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &words
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-asked
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // the status is looked at
		var r verify.Report
		if err := json.Unmarshal(out.Bytes(), &r); err != nil || r.Unchecked != 1 || r.Refused != 0 {
			t.Errorf("%v: %v\n%s", signal, err, out.String())
		}
		if cmd.ProcessState.ExitCode() != exitUnchecked || !strings.Contains(words.String(), "interrupted") || strings.Contains(words.String(), "too long") {
			t.Errorf("%v: status %d\n%s", signal, cmd.ProcessState.ExitCode(), words.String())
		}
	}
}
