package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	bundlepb "github.com/sigstore/protobuf-specs/gen/pb-go/bundle/v1"

	"github.com/runkora/kora/verify/sigstoretest"
)

// R46 to R48: what a person sees of the commands about files. Each script finds
// a small release of kora's, signed by an instance of its own.
func TestVerifyFileScripts(t *testing.T) {
	s := sigstoretest.New(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script/verify",
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_CACHE_HOME", e.WorkDir)
			e.Setenv("DIGEST", sigstoretest.DigestOf(chartBytes))
			return errors.Join(writeRelease(s, e.WorkDir), writeLines(s, e.WorkDir))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"agree": agree},
	})
}

// chartBytes is what the release's chart file holds.
var chartBytes = []byte("the bytes of a chart\n")

// writeLines writes provenances of which some have a digest of the chart that is
// not known where its sha256 alone is.
func writeLines(s *sigstoretest.Sigstore, dir string) error {
	digest := sigstoretest.DigestOf(chartBytes)
	kora := sigstoretest.Kora("1.4.0")
	says := sigstoretest.ProvenanceV1("runkora/kora", ".github/workflows/release.yml", "refs/tags/v1.4.0")
	of := func(digests map[string]string) []byte {
		statement, err := json.Marshal(map[string]any{
			"_type": "https://in-toto.io/Statement/v1", "predicateType": "https://slsa.dev/provenance/v1", "predicate": says,
			"subject": []any{map[string]any{"name": "kora-1.4.0.tgz", "digest": digests}},
		})
		if err != nil {
			panic(err) // maps of texts always are JSON
		}
		return s.SignStatement(kora, statement)
	}
	sum := strings.TrimPrefix(digest, "sha256:")
	unknown := of(map[string]string{"sha256": sum, "sha512": strings.Repeat("ab", 64)})
	good := of(map[string]string{"sha256": sum})
	other := of(map[string]string{"sha256": strings.Repeat("ab", 32)})
	fork := s.SignStatement(sigstoretest.GitHub("example/kora", ".github/workflows/build.yml", "refs/heads/main"), sigstoretest.Statement("https://slsa.dev/provenance/v1", says, digest))
	for name, lines := range map[string][][]byte{
		"unknown.jsonl":          {unknown},
		"unknown-and-junk.jsonl": {[]byte("junk"), other, unknown, fork},
		"good-beside.jsonl":      {[]byte("junk"), unknown, good},
		"junk.jsonl":             {[]byte("junk"), other, fork},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), append(bytes.Join(lines, []byte("\n")), '\n'), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func writeRelease(s *sigstoretest.Sigstore, dir string) error {
	chart := chartBytes
	digest := sigstoretest.DigestOf(chart)
	kora := sigstoretest.Kora("1.4.0")
	fork := sigstoretest.GitHub("example/kora", ".github/workflows/build.yml", "refs/heads/main")
	provenance := sigstoretest.Statement("https://slsa.dev/provenance/v1", sigstoretest.ProvenanceV1("runkora/kora", ".github/workflows/release.yml", "refs/tags/v1.4.0"), digest)
	evil := sigstoretest.GitHub("runkora/kora", ".github/workflows/release.yml", "refs/heads/evil")
	branch := sigstoretest.Statement("https://slsa.dev/provenance/v1", sigstoretest.ProvenanceV1("runkora/kora", ".github/workflows/release.yml", "refs/heads/evil"), digest)
	called := kora
	called.SourceRepository, called.SourceRef = "https://github.com/example/evil", "refs/heads/main"
	key, public := s.NewKey()
	edwards, edwardsBundle, err := edwardsSigned(s, chart)
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{
		"edwards.pub":                  edwards,
		"edwards.sigstore.json":        edwardsBundle,
		"kora-1.4.0.tgz":               chart,
		"kora-1.4.0.tgz.sigstore.json": s.SignBlob(kora, chart),
		"kora-1.4.0.intoto.jsonl":      append(s.SignStatement(kora, provenance), '\n'),
		"branch.intoto.jsonl":          append(s.SignStatement(evil, branch), '\n'),
		"fork.sigstore.json":           s.SignBlob(fork, chart),
		"called.sigstore.json":         s.SignBlob(called, chart),
		"key.sigstore.json":            s.SignBlob(sigstoretest.Identity{}, chart, sigstoretest.Shape{Key: key, NoLog: true}),
		"cosign.pub":                   public,
		"trusted_root.json":            s.TrustedRoot(),
		"empty.jsonl":                  nil,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// edwardsSigned is a signature over bytes by an Ed25519 key, and the key.
func edwardsSigned(s *sigstoretest.Sigstore, data []byte) (public, bundle []byte, err error) {
	pub, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.MarshalPKIXPublicKey(pub)
	if err != nil {
		return nil, nil, err
	}
	other, _ := s.NewKey()
	bundle = s.SignBlob(sigstoretest.Identity{}, data, sigstoretest.Shape{Key: other, NoLog: true, Edit: func(b *bundlepb.Bundle) {
		b.GetMessageSignature().Signature = ed25519.Sign(key, data)
	}})
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), bundle, nil
}
