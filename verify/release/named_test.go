package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/registry"
)

// R45: what is signed as one kind of thing is not taken as another.
func TestKinds(t *testing.T) {
	for _, tt := range []struct {
		what, config string
		index, taken bool
	}{
		{Chart, helmConfig, false, true}, {Image, string(types.OCIConfigJSON), false, true}, {Image, string(types.DockerConfigJSON), false, true}, {Image, "", true, true},
		{Chart, string(types.OCIConfigJSON), false, false}, {Chart, "", true, false}, {Chart, "", false, false}, {Chart, strings.ToUpper(helmConfig), false, false},
		{Image, helmConfig, false, false}, {Image, "", false, false}, {Image, "application/vnd.oci.empty.v1+json", false, false},
	} {
		r := otherKind(Item{What: tt.what}, registry.Artifact{ConfigType: tt.config, Index: tt.index})
		if (r == nil) != tt.taken || r != nil && (r.Kind != verify.NoneMatches || r.Fix == "") {
			t.Errorf("%+v: %+v", tt, r)
		}
	}
}

// R45: the older scheme signs a name, whose last part a mirror keeps.
func TestTheOlderSchemesName(t *testing.T) {
	for signed, taken := range map[string]bool{
		"ghcr.io/runkora/kora-operator": true, "ghcr.io/runkora/kora-operator:1.4.0": true, "localhost:5000/kora-operator@sha256:ab": true, "": true,
		"ghcr.io/runkora/kora-agents": false, "ghcr.io/runkora/kora-operator/x": false, "ghcr.io/runkora/KORA-OPERATOR": false, "ghcr.io/runkora/other:kora-operator": false,
	} {
		raw := evidence.Raw{Format: evidence.SimpleSigning, Bytes: fmt.Appendf(nil, `{"critical":{"identity":{"docker-reference":%q}}}`, signed)}
		if r := otherReference(raw, "mirror.example.com:5000/kora/kora-operator"); (r == nil) != taken {
			t.Errorf("%q: %+v", signed, r)
		}
	}
	if r := otherReference(evidence.Raw{Format: evidence.OneBundle, Bytes: []byte(`{"critical":{"identity":{"docker-reference":"x"}}}`)}, "a/b"); r != nil {
		t.Errorf("a bundle signs no name: %+v", r)
	}
}

// R49: of two names with one digest neither is taken; tags of one name may be one.
func TestTwoNamesAreTwoArtifacts(t *testing.T) {
	item := func(ref string) Item { return Item{What: Image, Ref: ref} }
	verdict := func(digest string) verify.Verdict {
		return verify.Verdict{Digest: digest, Kind: verify.Verified, Signers: []verify.Signer{{Identity: "me"}}}
	}
	items := []Item{item("r/a:1"), item("r/a:2"), item("r/b:1"), item("r/c:1"), item("r/d:1")}
	verdicts := []verify.Verdict{verdict("x"), verdict("x"), verdict("y"), verdict("y"), verdict("z")}
	Apart(items, verdicts)
	for i, want := range []verify.Kind{verify.Verified, verify.Verified, verify.NoneMatches, verify.NoneMatches, verify.Verified} {
		if verdicts[i].Kind != want || (len(verdicts[i].Signers) > 0) != (want == verify.Verified) {
			t.Errorf("%s: %+v", items[i].Ref, verdicts[i])
		}
	}
}

type entry struct {
	name, text string
	kind       byte
}

func pack(entries ...entry) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	for _, e := range entries {
		kind := e.kind
		if kind == 0 {
			kind = tar.TypeReg
		}
		h := &tar.Header{Name: e.name, Typeflag: kind, Mode: 0o644}
		if kind == tar.TypeReg {
			h.Size = int64(len(e.text))
		} else {
			h.Linkname = e.text
		}
		_ = w.WriteHeader(h)
		_, _ = w.Write([]byte(e.text)[:h.Size])
	}
	_, _ = w.Close(), z.Close()
	return out.Bytes()
}

// R46: a packed chart is the one that its Chart.yaml says.
func TestPackedCharts(t *testing.T) {
	const chart = "apiVersion: v2\nname: kora\nversion: 1.4.0\n"
	for name, tt := range map[string]struct {
		packed []byte
		want   Named
		words  string
	}{
		"a chart":           {pack(entry{"kora/values.yaml", "", 0}, entry{"kora/Chart.yaml", chart, 0}), Named{"kora", "1.4.0"}, ""},
		"one inside it":     {pack(entry{"kora/charts/x/Chart.yaml", "name: x\n", 0}, entry{"kora/Chart.yaml", chart, 0}), Named{"kora", "1.4.0"}, ""},
		"no archive":        {[]byte("the chart"), Named{}, "no packed chart"},
		"no metadata":       {pack(entry{"kora/values.yaml", "", 0}), Named{}, "no Chart.yaml"},
		"metadata twice":    {pack(entry{"kora/Chart.yaml", chart, 0}, entry{"kora/Chart.yaml", chart, 0}), Named{}, "stands twice"},
		"of two folders":    {pack(entry{"kora/Chart.yaml", chart, 0}, entry{"other/Chart.yaml", chart, 0}), Named{}, "stands twice"},
		"a link":            {pack(entry{"kora/Chart.yaml", "/etc/passwd", tar.TypeSymlink}), Named{}, "no file"},
		"no YAML":           {pack(entry{"kora/Chart.yaml", "{", 0}), Named{}, "cannot be read"},
		"cut off":           {pack(entry{"kora/values.yaml", strings.Repeat("x", 5000), 0}, entry{"kora/Chart.yaml", chart, 0})[:60], Named{}, "broken"},
		"a bomb":            {pack(entry{"kora/values.yaml", strings.Repeat("x", maxUnpacked+1), 0}, entry{"kora/Chart.yaml", chart, 0}), Named{}, "unpacks to more"},
		"too large a file":  {pack(entry{"kora/Chart.yaml", strings.Repeat("#", maxMetadata+1), 0}), Named{}, "too large"},
		"too large a chart": {make([]byte, maxPacked+1), Named{}, "larger than a chart"},
	} {
		path := filepath.Join(t.TempDir(), "kora.tgz")
		if err := os.WriteFile(path, tt.packed, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := packedChart(path, verify.ByBytes("", tt.packed).Digest())
		if got != tt.want || (err == nil) != (tt.words == "") || err != nil && !strings.Contains(err.Error(), tt.words) {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
	path := filepath.Join(t.TempDir(), "kora.tgz")
	if err := os.WriteFile(path, pack(entry{"kora/Chart.yaml", chart, 0}), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := packedChart(path, "sha256:"+strings.Repeat("0", 64)); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("other bytes than were verified: %v", err)
	}
}

func FuzzPackedChart(f *testing.F) {
	f.Add(pack(entry{"kora/Chart.yaml", "name: kora\nversion: 1.4.0\n", 0}))
	f.Add([]byte("\x1f\x8b"))
	f.Fuzz(func(t *testing.T, packed []byte) {
		text, err := metadata(packed)
		if err == nil && text == nil || len(text) > maxMetadata {
			t.Fatalf("%d bytes, %v", len(text), err)
		}
	})
}

// R49: nothing in a directory of downloads is passed over.
func TestEverythingInADirectoryIsAnItem(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"kora-1.4.0.tgz", "kora-1.4.0.tgz.sigstore.json", "kora-1.4.0.intoto.jsonl", "images.txt", ".hidden", "payload.intoto.jsonl", "kora-1.3.0.intoto.jsonl", "gone.sigstore.json", "README"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{os.Mkdir(filepath.Join(dir, "folder"), 0o700), os.Mkdir(filepath.Join(dir, ".git"), 0o700), os.Symlink("nowhere", filepath.Join(dir, "dangling")), os.Mkdir(filepath.Join(dir, "x.sigstore.json"), 0o700)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	items, found := Directory(dir, "1.4.0")
	if found.Refused() {
		t.Fatal(found)
	}
	got := map[string]string{}
	for _, i := range items {
		name := filepath.Base(i.Ref)
		switch {
		case i.Found.Refused():
			got[name] += "refused "
		case i.Missing != "":
			got[name] += "missing "
		case i.Chart != nil:
			got[name] += i.Chart.Name + " "
		}
		got[name] += i.What + " "
	}
	want := map[string]string{
		"kora-1.4.0.tgz": "kora file provenance ", "kora-crds-1.4.0.tgz": "missing file missing provenance ", "images.txt": "file provenance ",
		".hidden": "file provenance ", "payload.intoto.jsonl": "file provenance ", "kora-1.3.0.intoto.jsonl": "file provenance ", "README": "file provenance ", "gone": "missing file missing provenance ",
		"folder": "refused file ", ".git": "refused file ", "dangling": "refused file ", "x.sigstore.json": "refused file ",
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %q, want %q", name, got[name], want[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%v", got)
	}
}

// R49: what is wrong with an item before anything is asked stays in the report,
// as refused or as unchecked, and is told by its own faults.
func TestItemsThatAreWrongFromTheBeginning(t *testing.T) {
	f := func(code faults.Code) faults.Fault { return faults.New(code, "why") }
	for _, tt := range []struct {
		found faults.List
		want  verify.Kind
	}{
		{faults.List{f(faults.ChartSource)}, verify.CouldNotCheck},
		{faults.List{f(faults.ChartLimit)}, verify.BadEvidence},
		{faults.List{f(faults.ChartSource), f(faults.ChartShape)}, verify.BadEvidence},
		{faults.List{f(faults.NamedTwice), f(faults.ChartSource)}, verify.CouldNotCheck},
	} {
		items := []Item{{What: Image, Ref: "the images", Found: tt.found}}
		verdicts := Run{}.All(t.Context(), items)
		if verdicts[0].Kind != tt.want || verdicts[0].Verified() || len(Faults(items, verdicts)) != len(tt.found) {
			t.Errorf("%v: %+v", tt.found, verdicts[0])
		}
		if got := Stopped(append(items, Item{What: Image, Ref: "x"}), faults.List{f(faults.BadKey)}); got[1].Kind != verify.CouldNotCheck || len(got[1].Reasons) != 1 {
			t.Errorf("%+v", got)
		}
	}
}
