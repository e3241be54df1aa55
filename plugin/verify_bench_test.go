package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/sigstoretest"
)

// BenchmarkVerifyThirtyFiles is thirty bundles in one run of the real program,
// offline. Where COSIGN names cosign 3's command line, thirty runs of it on the
// same files stand beside.
func BenchmarkVerifyThirtyFiles(b *testing.B) {
	s := sigstoretest.New(b)
	dir := b.TempDir()
	root := s.TrustedRootFile(b)
	var files []string
	for i := range 30 {
		path, data := filepath.Join(dir, fmt.Sprintf("file-%d", i)), fmt.Appendf(nil, "file %d", i)
		for name, content := range map[string][]byte{path: data, path + ".sigstore.json": s.SignBlob(sigstoretest.Kora("1.4.0"), data)} {
			if err := os.WriteFile(name, content, 0o600); err != nil {
				b.Fatal(err)
			}
		}
		files = append(files, path)
	}
	b.Run("kora", func(b *testing.B) {
		for b.Loop() {
			runOnce(b, "kora", append([]string{"verify", "file", "--offline", "--trusted-root", root}, files...)...)
		}
	})
	cosign := os.Getenv("COSIGN")
	if cosign == "" {
		b.Log("COSIGN names no cosign: it was not compared")
		return
	}
	b.Run("cosign", func(b *testing.B) {
		for b.Loop() {
			for _, f := range files {
				runOnce(b, cosign, "verify-blob", f, "--bundle", f+".sigstore.json", "--trusted-root", root,
					"--certificate-identity-regexp", policy.DefaultIdentityRegexp, "--certificate-oidc-issuer", policy.DefaultIssuer)
			}
		}
	})
}

func runOnce(b *testing.B, name string, args ...string) {
	b.Helper()
	if out, err := exec.CommandContext(b.Context(), name, args...).CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
}
