package verify_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/roots"
)

// publicData is evidence of public projects beside the checkout. It is read in
// place and is no part of the repository; without it the virtual Sigstore's
// evidence is the whole of the tests.
func publicData(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../shared/data/trust")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Log("the public evidence is not beside the checkout: only kora's own is tested here")
		return ""
	}
	return dir
}

// R45 to R48: evidence that public projects made holds offline under the root
// of its instance with the identity that signed, and with nothing else.
func TestRealEvidence(t *testing.T) {
	dir := publicData(t)
	if dir == "" {
		return
	}
	instances := map[string][]roots.Root{}
	for _, name := range []string{"public-good", "github", "staging"} {
		instances[name] = rootFile(t, filepath.Join(dir, "roots", name+".json"))
	}
	accepted, refused := 0, 0
	for _, r := range rows(t, dir) {
		raw := r.evidence(t, dir)
		holds := false
		for _, name := range slices.Sorted(maps.Keys(instances)) {
			if r.Verdicts[name] != "OK" || r.incomplete() {
				continue
			}
			holds = true
			accepted++
			a := r.artifact(t, dir, raw)
			right := policy.Options{Identity: r.SAN, Issuer: r.Issuer, SourceRepository: r.SourceRepo}
			if got := ask(with(t, right, instances[name]...), r, a, raw); !got.Verified() {
				t.Errorf("%s under %s: %v", r.File, name, got.Faults())
				continue
			}
			if strings.Contains(r.File, "wrong-signer") && with(t, right, instances[name]...).Provenance(a, []evidence.Raw{raw}).Verified() {
				t.Errorf("%s is accepted as a provenance of another repository", r.File)
			}
			if r.called() && ask(with(t, policy.Options{Identity: r.SAN, Issuer: r.Issuer}, instances[name]...), r, a, raw).Verified() {
				t.Errorf("%s is accepted, and another repository called the workflow", r.File)
			}
			for what, wrong := range wrongPolicies(r) {
				if got := ask(with(t, wrong, instances[name]...), r, a, raw); got.Verified() {
					t.Errorf("%s is accepted with another %s", r.File, what)
				}
			}
			other := verify.ByBytes("other", []byte("another artifact"))
			if got := ask(with(t, right, instances[name]...), r, other, raw); got.Verified() {
				t.Errorf("%s is accepted for another artifact", r.File)
			}
			for another, root := range instances {
				if r.Verdicts[another] != "OK" && ask(with(t, right, root...), r, a, raw).Verified() {
					t.Errorf("%s is accepted under %s", r.File, another)
				}
			}
		}
		if !holds {
			refused++
			refusedEverywhere(t, r, raw, instances)
		}
	}
	if accepted < 80 || refused < 80 {
		t.Errorf("the index had %d rows to accept and %d to refuse", accepted, refused)
	}
}

func wrongPolicies(r row) map[string]policy.Options {
	out := map[string]policy.Options{
		"identity":              {Identity: r.SAN + "x", Issuer: r.Issuer},
		"beginning of identity": {Identity: r.SAN[:len(r.SAN)-1], Issuer: r.Issuer},
		"issuer":                {Identity: r.SAN, Issuer: r.Issuer + ".example"},
		"expression":            {IdentityRegexp: "^https://github\\.com/$", Issuer: r.Issuer},
	}
	if r.SourceRepo != "" {
		out["source repository"] = policy.Options{Identity: r.SAN, Issuer: r.Issuer, SourceRepository: r.SourceRepo + "x"}
		out["signer workflow"] = policy.Options{Identity: r.SAN, Issuer: r.Issuer, SignerWorkflow: "runkora/kora/.github/workflows/release.yml"}
	}
	return out
}

func refusedEverywhere(t *testing.T, r row, raw evidence.Raw, instances map[string][]roots.Root) {
	t.Helper()
	a := verify.Artifact{Name: r.File, Digests: map[string]string{"sha256": r.SHA256}}
	if items, _ := raw.Parse(); len(items) == 1 && items[0].Statement != nil {
		a.Digests = firstSubject(items[0])
	}
	for name, root := range instances {
		v := with(t, policy.Options{IdentityRegexp: ".*"}, root...)
		if v.Signature(a, []evidence.Raw{raw}).Verified() || v.Attestation(a, []evidence.Raw{raw}, verify.AnyPredicate).Verified() {
			t.Errorf("%s is accepted under %s", r.File, name)
		}
	}
	if r.Kind == "bare-dsse" {
		if got := with(t, policy.Options{}, instances["public-good"]...).Provenance(a, []evidence.Raw{raw}); !strings.Contains(got.Faults()[0].Message, "neither a log entry nor a time") {
			t.Errorf("%s: %v", r.File, got.Faults())
		}
	}
}

const (
	conformanceIdentity = "https://github.com/sigstore-conformance/extremely-dangerous-public-oidc-beacon/.github/workflows/extremely-dangerous-oidc-beacon.yml@refs/heads/main"
	conformanceIssuer   = "https://token.actions.githubusercontent.com"
)

// R45, R48: the folders of the public conformance suite; those whose name ends
// in _fail are refused, and all are with another identity, issuer or artifact.
func TestConformance(t *testing.T) {
	dir := publicData(t)
	if dir == "" {
		return
	}
	folders, err := filepath.Glob(filepath.Join(dir, "conformance", "*", "bundle.sigstore.json"))
	if err != nil || len(folders) < 30 {
		t.Fatalf("%d folders: %v", len(folders), err)
	}
	for _, path := range folders {
		folder := filepath.Dir(path)
		t.Run(filepath.Base(folder), func(t *testing.T) { conforms(t, dir, folder) })
	}
}

func conforms(t *testing.T, dir, folder string) {
	fail := strings.HasSuffix(folder, "_fail")
	options, trusted := conformanceInputs(t, dir, folder)
	if _, found := policy.New(options); found.Refused() && fail {
		return // the key is none, and refused as such
	}
	a, found := verify.ByFile(first(filepath.Join(folder, "artifact"), filepath.Join(folder, "a.txt"), filepath.Join(dir, "conformance", "a.txt")))
	if found.Refused() {
		t.Fatal(found)
	}
	raw := []evidence.Raw{{Name: "bundle.sigstore.json", Bytes: read(t, filepath.Join(folder, "bundle.sigstore.json"))}}
	either := func(o policy.Options, a verify.Artifact) bool {
		v := with(t, o, trusted...)
		return v.Signature(a, raw).Verified() || v.Attestation(a, raw, verify.AnyPredicate).Verified()
	}
	if got := either(options, a); got == fail {
		t.Errorf("accepted: %v: %v", got, with(t, options, trusted...).Signature(a, raw).Reasons)
	}
	if either(options, verify.ByBytes("other", []byte("another artifact"))) {
		t.Error("accepted for another artifact")
	}
	if options.Key == nil && (either(policy.Options{Identity: options.Identity + "/"}, a) || either(policy.Options{Identity: options.Identity, Issuer: options.Issuer + "/"}, a)) {
		t.Error("accepted with another identity or issuer")
	}
}

func conformanceInputs(t *testing.T, dir, folder string) (policy.Options, []roots.Root) {
	o := policy.Options{Identity: conformanceIdentity, Issuer: conformanceIssuer}
	for file, into := range map[string]*string{"identity": &o.Identity, "issuer": &o.Issuer} {
		if data, err := os.ReadFile(filepath.Join(folder, file)); err == nil {
			*into = strings.TrimSpace(string(data))
		}
	}
	if key, err := os.ReadFile(filepath.Join(folder, "key.pub")); err == nil {
		o = policy.Options{Key: key, KeyName: "key.pub"}
	}
	return o, rootFile(t, first(filepath.Join(folder, "trusted_root.json"), filepath.Join(dir, "roots", "public-good.json")))
}

func first(paths ...string) string {
	for _, p := range paths {
		if _, err := os.Stat(p); err == nil {
			return p
		}
	}
	return paths[len(paths)-1]
}
