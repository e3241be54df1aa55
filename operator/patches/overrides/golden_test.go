package overrides

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/patches"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func deployment(t *testing.T) ([]Patch, faults.List) {
	t.Helper()
	vars, found := FromFile("testdata/kora-agents.yaml", nil)
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	return Translate(vars, version)
}

// R17: a whole Deployment, as the values that take its overrides over, and what is said of
// those that could not be translated.
func TestR17GoldenDeployment(t *testing.T) {
	list, found := deployment(t)
	golden(t, "kora-agents.values.yaml", Values(list))
	var out bytes.Buffer
	p, err := faults.NewPrinter(faults.FormatText, &out, faults.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := found.Print(p); err != nil {
		t.Fatal(err)
	}
	golden(t, "kora-agents.faults.txt", out.String())
}

// R12, R17: both forms load again and change the same fields.
func TestR17DirectoryAndValuesRoundTrip(t *testing.T) {
	list, _ := deployment(t)
	dir := filepath.Join(t.TempDir(), "made", "here")
	if found, err := Write(dir, list, false); err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	fromDir, found := patches.Load(dir)
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	docs, found := source.Parse(source.NewFile("values.yaml", Values(list)), source.DefaultLimits)
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	fromValues, found := patches.FromValues(docs[0].Get("agents").Get("manifestPatches"))
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	want := written(render(t, list, "coder"))
	for name, entries := range map[string][]patches.Entry{"directory": fromDir, "values": fromValues} {
		set, found := patches.Compile(entries)
		result, more := set.Render(settings(version, "coder"))
		if found = append(found, more...); found.Refused() {
			t.Fatalf("%s: %+v", name, found)
		}
		if got := written(result.Objects); got != want || got == "" {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

// R17: files that are there already are never written over unasked, and then
// nothing is written at all.
func TestR17WritesAllFilesOrNone(t *testing.T) {
	dir := t.TempDir()
	list := []Patch{{Key: "010-a", Text: "a\n"}, {Key: "020-b", Text: "b\n"}}
	if err := os.WriteFile(filepath.Join(dir, "020-b.yaml"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := Write(dir, list, false)
	if err != nil || len(found) != 1 || names(t, dir) != "020-b.yaml" {
		t.Fatalf("%v, %+v, %s", err, found, names(t, dir))
	}
	if found, err = Write(dir, list, true); err != nil || len(found) > 0 || names(t, dir) != "010-a.yaml 020-b.yaml" {
		t.Fatalf("%v, %+v, %s", err, found, names(t, dir))
	}
	info, err := os.Stat(filepath.Join(dir, "020-b.yaml"))
	if text, _ := os.ReadFile(filepath.Join(dir, "020-b.yaml")); err != nil || string(text) != "b\n" || info.Mode().Perm() != 0o644 {
		t.Errorf("%v: %q, %v", err, text, info.Mode())
	}
}

// R12, R17: a key may stand in one file only, whatever it ends in.
func TestR17NeverMakesASecondFileOfAKey(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "010-a.yml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if found, err := Write(dir, []Patch{{Key: "010-a"}}, true); err != nil || len(found) != 1 || names(t, dir) != "010-a.yml" {
		t.Errorf("%v, %+v, %s", err, found, names(t, dir))
	}
}

// R17: a link in the file's place is replaced and never followed.
func TestR17DoesNotWriteThroughALink(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.Symlink(outside, filepath.Join(dir, "010-a.yaml")); err != nil {
		t.Fatal(err)
	}
	list := []Patch{{Key: "010-a", Text: "a\n"}}
	if found, err := Write(dir, list, false); err != nil || len(found) != 1 {
		t.Errorf("%v, %+v", err, found)
	}
	if _, err := Write(dir, list, true); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(outside); err == nil {
		t.Error("the link was followed")
	}
}
