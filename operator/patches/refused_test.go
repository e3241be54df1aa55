package patches

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/runkora/kora/internal/faults"
)

var update = flag.Bool("update", false, "write what is found into the first line of each file of testdata/refused.txtar")

// archive reads the patch files of an archive in testdata.
func archive(t testing.TB, name string) *txtar.Archive {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// loaded is a patch file as Load finds it in a directory of its own.
func loaded(t testing.TB, f txtar.File) ([]Entry, faults.List) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
		t.Fatal(err)
	}
	return Load(dir)
}

func judgeFile(t testing.TB, f txtar.File) faults.List {
	t.Helper()
	entries, found := loaded(t, f)
	set, more := Compile(entries)
	found = append(found, more...)
	if !found.Refused() {
		_, more = set.Render(settings())
		found = append(found, more...)
	}
	return found.Sorted()
}

// said is a fault as the first line of a file expects it.
func said(f faults.Fault) string {
	dash := func(s string) string {
		if s == "" {
			return "-"
		}
		return s
	}
	return fmt.Sprintf("# %s %s: %s @%d:%d", f.Code, dash(f.Object), dash(f.Field), f.Line, f.Column)
}

// R13, R14: each file takes one road to what a patch may not do. It is refused
// with the fault that its first line expects, at that very place, and whatever
// else is found has a place in the file too.
func TestPatchIsRefusedWhateverRoadItTakes(t *testing.T) {
	refusedArchive(t, "refused.txtar", 250)
}

// refusedArchive judges each file of an archive by the fault in its first
// line; with -update it writes those lines anew.
func refusedArchive(t *testing.T, name string, least int) {
	t.Helper()
	a := archive(t, name)
	if len(a.Files) < least {
		t.Fatalf("%d files", len(a.Files))
	}
	for i, file := range a.Files {
		t.Run(strings.TrimSuffix(file.Name, ".yaml"), func(t *testing.T) {
			found := judgeFile(t, file)
			want, rest, _ := strings.Cut(string(file.Data), "\n")
			if *update && found.Refused() {
				a.Files[i].Data = []byte(said(most(found)) + "\n" + rest)
				return
			}
			checkRefusal(t, file.Name, want, found)
		})
	}
	if *update {
		if err := os.WriteFile("testdata/"+name, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// most is the first fault that names a field: Pod Security names the pod alone.
func most(found faults.List) faults.Fault {
	at := slices.IndexFunc(found, func(f faults.Fault) bool { return f.Severity == faults.Error && f.Code != faults.PodSecurity })
	if at < 0 {
		at = slices.IndexFunc(found, func(f faults.Fault) bool { return f.Severity == faults.Error })
	}
	return found[at]
}

func checkRefusal(t *testing.T, name, want string, found faults.List) {
	t.Helper()
	expected := false
	for _, f := range found {
		expected = expected || said(f) == want && f.Severity == faults.Error
		if filepath.Base(f.File) != name || f.Line < 1 || f.Column < 1 || f.Message == "" {
			t.Errorf("the fault has no place: %+v", f)
		}
	}
	if !expected {
		t.Errorf("want %s, found:", want)
		for _, f := range found {
			t.Logf("%s: %s (found %s)", said(f), f.Message, f.Found)
		}
	}
}

// R13: a misspelt name comes with the nearest real one; R7: an edit of the
// claim templates says what to patch instead.
func TestRefusalSaysWhatToWriteInstead(t *testing.T) {
	fixes := map[string]string{
		"R13-kind-unknown": `did you mean "StatefulSet"?`, "R13-kind-lower-case": `did you mean "StatefulSet"?`, "R13-op-misspelt": `did you mean "replace"?`,
		"R13-unknown-field-merge": `did you mean "image"?`, "R13-unknown-field-deep": `did you mean "matchExpressions"?`, "R13-unknown-field-pointer": `did you mean "nodeSelector"?`,
		"R13-unknown-field-from": `did you mean "containers"?`, "R13-unknown-field-op-value": `did you mean "operator"?`, "R13-target-unknown-key": `did you mean "labelSelector"?`,
		"R13-entry-unknown-key": `did you mean "options"?`, "R13-option-unknown-key": `did you mean "allowNameChange"?`, "R13-quoted-patch": `did you mean "minReadySeconds"?`,
		"R7-claim-templates-merge": "patch the claim instead: target.kind PersistentVolumeClaim", "R7-claim-templates-json": "patch the claim instead: target.kind PersistentVolumeClaim",
	}
	for _, file := range archive(t, "refused.txtar").Files {
		name := strings.TrimSuffix(file.Name, ".yaml")
		want, ok := fixes[name]
		delete(fixes, name)
		if found := judgeFile(t, file); ok && (len(found) != 1 || found[0].Fix != want) {
			t.Errorf("%s: %+v, want %s", name, found, want)
		}
	}
	if len(fixes) > 0 {
		t.Errorf("no such files: %v", fixes)
	}
}
