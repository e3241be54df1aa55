//go:build cosign

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/attacks"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/sigstoretest"
)

// These tests ask cosign 3's own command line the same questions: make
// test-cosign builds it and names it in COSIGN.

// wider are the cases that kora takes and this way of asking cosign does not,
// each with its reason.
var wider = map[string]string{
	"a proof and a timestamp without a promise": "cosign takes one only with --use-signed-timestamps, and then refuses those without",
	"the expression of kora's documents":        "kora reads it as its own default, which is anchored at both ends",
	"an instance without logs, by a timestamp":  "GitHub's instance has no log, and cosign asks for one",
	"one of two roots in a file":                "gh writes such files, and cosign reads one root alone",
	"an attestation as slsaprovenance":          "cosign's word means v0.2 alone; kora's both versions",
}

// R45 to R47: what kora verifies of files and attestations, cosign 3 verifies
// too, and what cosign refuses kora refuses. Cases in which kora is the stricter
// one are told, and each has its reason in verify/attacks.
func TestCosignVerdicts(t *testing.T) {
	cosign := os.Getenv("COSIGN")
	if cosign == "" {
		t.Fatal("COSIGN names no cosign: run make test-cosign")
	}
	equal, stricter := 0, 0
	for _, c := range attacks.Cases(sigstoretest.New(t)) {
		args, ok := cosignArguments(t, c)
		if !ok {
			continue
		}
		verified, words := asksCosign(t, cosign, args)
		switch want := c.Want == verify.Verified; {
		case want == verified:
			equal++
		case verified:
			stricter++
			t.Logf("kora alone refuses: %s", c.Name)
		case wider[c.Name] != "":
			t.Logf("kora alone accepts: %s: %s", c.Name, wider[c.Name])
		default:
			t.Errorf("kora alone accepts: %s\ncosign %s\n%s", c.Name, strings.Join(args, " "), words)
		}
	}
	t.Logf("%d verdicts are equal, in %d kora is stricter", equal, stricter)
	if equal < 50 {
		t.Errorf("only %d cases were compared", equal)
	}
}

// cosignArguments asks a case's question of cosign; false where cosign has no
// such question.
func cosignArguments(t *testing.T, c attacks.Case) ([]string, bool) {
	t.Helper()
	p := c.Policy
	if c.ByDigest || c.Root == nil || p.SourceRepository != "" || p.SignerWorkflow != "" || p.Builder != "" || p.HostedRunner || c.Ask == attacks.Provenance {
		return nil, false
	}
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	args := []string{"verify-blob"}
	if c.Ask == attacks.Attestation {
		if c.Type == "any" {
			return nil, false
		}
		args = []string{"verify-blob-attestation", "--type", c.Type}
	}
	args = append(args, write("artifact", c.Artifact), "--bundle", write("evidence", c.Evidence), "--trusted-root", write("root.json", c.Root))
	if p.Key != nil {
		return append(args, "--key", write("cosign.pub", p.Key)), true
	}
	return append(args, identityFlags(p)...), true
}

// identityFlags are kora's defaults where a case gives none, and the ends that
// kora adds by itself.
func identityFlags(p policy.Options) []string {
	issuer := p.Issuer
	if issuer == "" {
		issuer = policy.DefaultIssuer
	}
	out := []string{"--certificate-oidc-issuer", issuer}
	switch {
	case p.Identity != "":
		return append(out, "--certificate-identity", p.Identity)
	case p.IdentityRegexp != "":
		return append(out, "--certificate-identity-regexp", "^(?:"+closed(p.IdentityRegexp)+")$")
	}
	return append(out, "--certificate-identity-regexp", policy.DefaultIdentityRegexp)
}

// closed is an expression as it is read: a quote that it leaves open would take in
// what stands behind it here.
func closed(expression string) string {
	read, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return expression // for cosign to refuse
	}
	return read.String()
}

func asksCosign(t *testing.T, cosign string, args []string) (bool, string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), cosign, args...)
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+home, "TUF_ROOT="+home, "HTTPS_PROXY=http://127.0.0.1:1", "HTTP_PROXY=http://127.0.0.1:1")
	out, err := cmd.CombinedOutput()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return err == nil, string(out)
}
