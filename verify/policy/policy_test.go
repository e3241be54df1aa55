package policy_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify/policy"
)

const koraAt = "https://github.com/runkora/kora/.github/workflows/release.yml@"

func claims(identity string) policy.Claims {
	_, ref, _ := strings.Cut(identity, "@")
	return policy.Claims{
		Identities: []string{identity}, Kind: policy.URI, Issuer: policy.DefaultIssuer,
		SourceRepository: "https://github.com/runkora/kora", SourceRef: ref, SignerWorkflow: identity, RunnerEnvironment: "github-hosted",
	}
}

// R45: kora's default takes version tags of the release workflow and nothing else.
func TestDefaultIdentity(t *testing.T) {
	for identity, want := range map[string]bool{
		koraAt + "refs/tags/v1.4.0":          true,
		koraAt + "refs/tags/v0.0.1":          true,
		koraAt + "refs/tags/v1.4.0-rc.1":     true,
		koraAt + "refs/tags/v1.4.0+build.7":  true,
		koraAt + "refs/tags/v":               false,
		koraAt + "refs/tags/v1":              false,
		koraAt + "refs/tags/v01.4.0":         false,
		koraAt + "refs/tags/v1.4.0/x":        false,
		koraAt + "refs/tags/v1.4.0\n":        false,
		koraAt + "refs/tags/v1.4.0-":         false,
		koraAt + "refs/tags/1.4.0":           false,
		koraAt + "refs/heads/v1.4.0":         false,
		"x" + koraAt + "refs/tags/v1.4.0":    false,
		"\n" + koraAt + "refs/tags/v1.4.0":   false,
		strings.ToUpper(koraAt) + "v1.4.0":   false,
		koraAt + "refs/tags/v1.4.0 ":         false,
		koraAt + "refs/tags/v1.4.0@x":        false,
		koraAt + "refs/tags/v1.4.0-rc.1/../": false,
	} {
		if got := len(policy.Kora().Judge(claims(identity))) == 0; got != want {
			t.Errorf("%q: %v", identity, got)
		}
	}
}

// Safe by construction: a policy that nobody made matches nobody.
func TestZeroPolicyMatchesNothing(t *testing.T) {
	if len(policy.Policy{}.Judge(claims(koraAt+"refs/tags/v1.4.0"))) == 0 {
		t.Error("matched")
	}
}

// R45: whatever anchors an expression holds, it matches an identity as a whole.
func TestExpressionsMatchWhole(t *testing.T) {
	for _, c := range []struct {
		expression, identity string
		want                 bool
	}{
		{"a|b", "ab", false}, {"^a|b$", "axb", false}, {"a|b", "a", true}, {"(?m)^a$", "a\nb", false},
		{"(?m)^a$", "a", true}, {"a", "a\n", false}, {"(?i)A", "a", true}, {"a$|b", "a", true},
	} {
		p, found := policy.New(policy.Options{IdentityRegexp: c.expression})
		if found.Refused() {
			t.Fatal(found)
		}
		said := claims(c.identity)
		said.Kind = policy.OtherName // short names that are no URLs
		if got := len(p.Judge(said)) == 0; got != c.want {
			t.Errorf("%q on %q: %v", c.expression, c.identity, got)
		}
	}
}

// R49: a reference that is asked for comes on top of the identity's own.
func TestAReferenceNarrows(t *testing.T) {
	for _, o := range []policy.Options{{}, {Identity: koraAt + "refs/tags/v1.3.0"}, {IdentityRegexp: `.*`}, {SourceRepository: "runkora/kora"}} {
		o.SourceRef = "refs/tags/v1.4.0"
		p, found := policy.New(o)
		c := claims(koraAt + "refs/tags/v1.3.0")
		if found.Refused() || len(p.Judge(c)) == 0 {
			t.Errorf("%+v: another tag is taken", o)
		}
		if c.SourceRef = o.SourceRef; len(p.Judge(c)) == 0 {
			t.Errorf("%+v: the workflow of another tag is taken", o)
		}
	}
}

// What is no policy is refused, with all that is wrong.
func TestRefusedOptions(t *testing.T) {
	for name, o := range map[string]policy.Options{
		"both":                      {Identity: "a", IdentityRegexp: "a"},
		"an expression":             {IdentityRegexp: "("},
		"an expression that closes": {IdentityRegexp: "a)|(?:.*"},
		"a long expression":         {IdentityRegexp: strings.Repeat("a", 3000)},
		"a repository of one name":  {SourceRepository: "kora"},
		"a repository of three":     {SourceRepository: "a/b/c"},
		"a repository with a query": {SourceRepository: "https://github.com/a/b?c"},
		"a repository by http":      {SourceRepository: "http://github.com/a/b"},
		"a repository upwards":      {SourceRepository: "a/.."},
		"a credential":              {SourceRepository: "https://user@github.com/a/b"},
		"a workflow of no path":     {SignerWorkflow: "a/b"},
		"a workflow elsewhere":      {SignerWorkflow: "a/b/workflows/c.yml"},
		"a workflow's directory":    {SignerWorkflow: "a/b/.github/workflows"},
		"a reference that is a tag": {SourceRef: "v1.4.0"},
		"a key that is none":        {Key: []byte("x")},
		"a key and an identity":     {Key: public(t, newEC(t, elliptic.P256())), Identity: "a"},
		"a key and a repository":    {Key: public(t, newEC(t, elliptic.P256())), SourceRepository: "a/b"},
		"a weak curve":              {Key: public(t, newEC(t, elliptic.P224()))},
		"a short RSA key":           {Key: public(t, newRSA(t, 1024))},
		"two keys":                  {Key: append(public(t, newEC(t, elliptic.P256())), public(t, newEC(t, elliptic.P256()))...)},
		"a private key":             {Key: private(t)},
	} {
		p, found := policy.New(o)
		if !found.Refused() {
			t.Errorf("%s is taken: %+v", name, p)
		}
		for _, f := range found {
			if f.Fix == "" || strings.Contains(f.Message, "user@") {
				t.Errorf("%s: %+v", name, f)
			}
			if _, known := faults.Lookup(f.Code); !known {
				t.Errorf("%s: no rule %s", name, f.Code)
			}
		}
	}
}

func TestKeysThatAreTaken(t *testing.T) {
	edwards, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]any{
		"P-256": newEC(t, elliptic.P256()), "P-384": newEC(t, elliptic.P384()), "P-521": newEC(t, elliptic.P521()),
		"RSA": newRSA(t, 2048), "Ed25519": edwards,
	} {
		if p, found := policy.New(policy.Options{Key: public(t, key)}); found.Refused() || p.Key() == nil {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// R47: forms of a repository and a workflow that mean the same.
func TestFormsOfRepositoryAndWorkflow(t *testing.T) {
	id := koraAt + "refs/tags/v1.4.0"
	for _, o := range []policy.Options{
		{SourceRepository: "runkora/kora"},
		{SourceRepository: "github.com/runkora/kora"},
		{SourceRepository: "https://github.com/RUNKORA/kora"},
		{SignerWorkflow: "runkora/kora/.github/workflows/release.yml"},
		{SignerWorkflow: "https://github.com/runkora/kora/.github/workflows/release.yml"},
		{SignerWorkflow: "runkora/kora/.github/workflows/release.yml@refs/tags/v1.4.0"},
	} {
		p, found := policy.New(o)
		if found.Refused() || len(p.Judge(claims(id))) > 0 {
			t.Errorf("%+v: %v %v", o, found, p.Judge(claims(id)))
		}
	}
	// The Kelvin sign folds to a k in Unicode, and is another repository.
	p, _ := policy.New(policy.Options{SourceRepository: "runkora/kora"})
	c := claims(id)
	c.SourceRepository = "https://github.com/run\u212Aora/kora"
	if len(p.Judge(c)) == 0 {
		t.Error("a letter that only folds to the same is taken")
	}
}

func newEC(t *testing.T, c elliptic.Curve) *ecdsa.PublicKey {
	t.Helper()
	k, err := ecdsa.GenerateKey(c, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &k.PublicKey
}

func newRSA(t *testing.T, bits int) *rsa.PublicKey {
	t.Helper()
	t.Setenv("GODEBUG", "rsa1024min=0")
	k, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	return &k.PublicKey
}

func public(t *testing.T, key any) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

func private(t *testing.T) []byte {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}
