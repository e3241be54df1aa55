package render

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runkora/kora"
	"github.com/runkora/kora/plugin/values"
)

var update = flag.Bool("update", false, "write the golden files anew")

// testAgent is the agent type of every golden file.
var testAgent = values.Agent{Slug: "coder", TypeID: "render-coder", Namespace: "tenant-example"}

// settingsFiles are the values whose whole previews are golden files.
func settingsFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/values/*.yaml")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d values files, %v", len(files), err)
	}
	return files
}

func goldenOf(file string) string {
	return filepath.Join("testdata", "golden", filepath.Base(file))
}

// R1 to R10: the objects of an agent type, whole, under each kind of settings.
func TestPreviewIsTheGoldenOne(t *testing.T) {
	for _, file := range settingsFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			p := Agent(Request{Agent: testAgent, Values: values.Input{Files: []string{file}}, Version: kora.Version()})
			if len(p.Found) > 0 {
				t.Fatal(p.Found)
			}
			got, err := YAML(p.Objects)
			if err != nil {
				t.Fatal(err)
			}
			compareGolden(t, goldenOf(file), got)
		})
	}
}

// R4, R7, R12: the twenty patches that are measured, and what they make.
func TestPreviewOfTwentyPatchesIsTheGoldenOne(t *testing.T) {
	p := Agent(Request{Agent: testAgent, PatchDir: "../../testdata/patches/twenty", Version: kora.Version()})
	if len(p.Found) > 0 {
		t.Fatal(p.Found)
	}
	got, err := YAML(p.Objects)
	if err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "testdata/golden/twenty-patches.yaml", got)
	e, err := p.Explain()
	if err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "testdata/golden/twenty-patches.explained.txt", e.Table())
}

func compareGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v; write it with -update and read it", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("%s (- golden, + now):\n%s", name, diff)
	}
}
