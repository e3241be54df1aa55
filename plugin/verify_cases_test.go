package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/attacks"
	"github.com/runkora/kora/verify/sigstoretest"
)

// R45 to R49: each case of verification has the same verdict, reason and exit
// status through the real program, offline, and its report never says more.
func TestVerifyCases(t *testing.T) {
	for _, c := range attacks.Cases(sigstoretest.New(t)) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			out, words, exit := runKora(t, caseArguments(t, c)...)
			if want := caseStatus(c.Want); exit != want {
				t.Fatalf("status %d, and not %d:\n%s%s", exit, want, out, words)
			}
			var r verify.Report
			if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Artifacts) != 1 {
				t.Fatalf("report: %v\n%s%s", err, out, words)
			}
			if got := r.Artifacts[0]; got.Kind != c.Want || got.Digest != sigstoretest.DigestOf(c.Artifact) {
				t.Errorf("%s, and not %s: %+v", got.Kind, c.Want, got)
			}
			if strings.Contains(words, "%!") {
				t.Errorf("a message that was formatted wrongly:\n%s", words)
			}
			if c.Want != verify.Verified && !strings.Contains(words, c.Says) {
				t.Errorf("stderr does not say %q:\n%s", c.Says, words)
			}
			if c.Want != verify.Verified && (r.Verified != 0 || len(r.Artifacts[0].Signers) != 0) {
				t.Errorf("refused, and the report names signers: %s", out)
			}
		})
	}
}

func caseStatus(k verify.Kind) int {
	switch k {
	case verify.Verified:
		return exitDone
	case verify.CouldNotCheck:
		return exitUnchecked
	}
	return exitRefused
}

func caseArguments(t *testing.T, c attacks.Case) []string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	path := write("artifact", c.Artifact)
	if c.ByDigest {
		path = sigstoretest.DigestOf(c.Artifact)
	}
	args := []string{"verify", c.Ask, path, "--offline", "-o", "json", "--bundle", write("evidence", c.Evidence)}
	if c.Root != nil {
		args = append(args, "--trusted-root", write("trusted_root.json", c.Root))
	}
	if c.Policy.Key != nil {
		args = append(args, "--key", write("cosign.pub", c.Policy.Key))
	}
	for flag, value := range map[string]string{
		"--type": c.Type, "--certificate-identity": c.Policy.Identity, "--certificate-identity-regexp": c.Policy.IdentityRegexp,
		"--certificate-oidc-issuer": c.Policy.Issuer, "--source-repo": c.Policy.SourceRepository,
		"--signer-workflow": c.Policy.SignerWorkflow, "--builder-id": c.Policy.Builder,
	} {
		if value != "" {
			args = append(args, flag, value)
		}
	}
	if c.Policy.HostedRunner {
		args = append(args, "--deny-self-hosted-runners")
	}
	return args
}

// runKora runs the program that the scripts drive, without a network: proxies
// lead nowhere, and the home is the test's own.
func runKora(t *testing.T, args ...string) (out, words string, exit int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "kora", args...)
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "HTTPS_PROXY=http://127.0.0.1:1", "HTTP_PROXY=http://127.0.0.1:1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		exit = failed.ExitCode()
	case err != nil:
		t.Fatal(err)
	}
	return stdout.String(), stderr.String(), exit
}
