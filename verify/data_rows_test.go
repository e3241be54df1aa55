package verify_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/roots"
)

// row is a line of the index of real evidence.
type row struct {
	File, Kind, Artifact, SHA256 string
	Line                         int
	Verdicts                     map[string]string
	SAN, Issuer, SourceRepo      string
	SignerURI, PredicateType     string
}

func rows(t *testing.T, dir string) []row {
	t.Helper()
	var out []row
	lines := bufio.NewScanner(bytes.NewReader(read(t, filepath.Join(dir, "manifest.jsonl"))))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(r.File, "gha/testdata/bundle/attestation.intoto.sigstore") {
			r.SourceRepo = "https://github.com/asraa/slsa-on-github-test" // in GitHub's older extension, which the index leaves out
		}
		out = append(out, r)
	}
	return out
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// evidence returns the row's line of its file.
func (r row) evidence(t *testing.T, dir string) evidence.Raw {
	data := read(t, filepath.Join(dir, "real", r.File))
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	if len(lines) > 1 && json.Valid(lines[0]) {
		data = lines[r.Line]
	}
	var registry struct {
		Attestations []struct{ Bundle json.RawMessage }
	}
	if json.Unmarshal(data, &registry) == nil && len(registry.Attestations) > 0 {
		data = registry.Attestations[r.Line].Bundle // as the npm registry serves them
	}
	return evidence.Raw{Name: r.File, Bytes: data}
}

// artifact is the row's, or a subject of its statement where the file is not there.
func (r row) artifact(t *testing.T, dir string, raw evidence.Raw) verify.Artifact {
	t.Helper()
	if r.Artifact != "" {
		if a, found := verify.ByFile(filepath.Join(dir, "real", r.Artifact)); !found.Refused() {
			return a
		}
	}
	if r.SHA256 != "" {
		return verify.Artifact{Name: r.File, Digests: map[string]string{"sha256": r.SHA256}}
	}
	items, bad := raw.Parse()
	if len(bad) > 0 || items[0].Statement == nil {
		t.Fatalf("%s: %v", r.File, bad)
	}
	return verify.Artifact{Name: r.File, Digests: firstSubject(items[0])}
}

// firstSubject returns the first digests that kora compares at all.
func firstSubject(item evidence.Item) map[string]string {
	for _, s := range item.Statement.Subjects {
		if len(s.Digests) > 0 {
			return maps.Clone(s.Digests)
		}
	}
	return nil
}

// incomplete evidence is signed well, and says too little to be asked for: by
// which issuer, or what kind of statement it is.
func (r row) incomplete() bool {
	return r.Issuer == "" || r.Kind == "dsse-bundle" && r.PredicateType == ""
}

// called tells that another repository called the workflow that signed.
func (r row) called() bool {
	return r.SourceRepo != "" && !strings.HasPrefix(strings.ToLower(r.SAN), strings.ToLower(r.SourceRepo)+"/")
}

func ask(v *verify.Verifier, r row, a verify.Artifact, raw evidence.Raw) verify.Verdict {
	switch {
	case r.PredicateType == "":
		return v.Signature(a, []evidence.Raw{raw})
	case strings.Contains(r.File, "wrong-signer"): // its predicate names another repository: see TestRealEvidence
		return v.Attestation(a, []evidence.Raw{raw}, r.PredicateType)
	case r.PredicateType == evidence.ProvenanceV0 || r.PredicateType == evidence.ProvenanceV1:
		return v.Provenance(a, []evidence.Raw{raw})
	}
	return v.Attestation(a, []evidence.Raw{raw}, r.PredicateType)
}

func rootFile(t *testing.T, path string) []roots.Root {
	t.Helper()
	out, found := roots.Read(path)
	if found.Refused() {
		t.Fatal(found)
	}
	return out
}
