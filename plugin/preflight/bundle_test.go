package preflight

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/preflight/facts"
)

// R55: a dump takes the place of an earlier one, and of nothing else that has its
// name.
func TestADumpReplacesADumpAlone(t *testing.T) {
	dir, seen := t.TempDir(), facts.Nothing("a test")
	for range 2 {
		if _, err := WriteBundle(dir, seen, false); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, bundleFile)
	for _, other := range []string{`{"of":"somebody else"}`, "", "{"} {
		if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := WriteBundle(dir, seen, false); err == nil || !strings.Contains(err.Error(), "another folder") {
			t.Errorf("%q: %v", other, err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != other {
			t.Errorf("%q became %q: %v", other, text, err)
		}
	}
}

// R55: a folder that was made for a dump goes with it, where there is none in the end.
func TestADumpThatCannotBeWrittenLeavesNoFolder(t *testing.T) {
	seen := facts.Nothing("a test")
	seen.Nodes = facts.Known([]facts.Node{{Name: strings.Repeat("x", facts.Limit+1)}})
	dir := filepath.Join(t.TempDir(), "dump")
	if _, err := WriteBundle(dir, seen, false); err == nil {
		t.Fatal("a file beyond the limit is written")
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is there: %v", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteBundle(dir, seen, false); err == nil {
		t.Fatal("a file beyond the limit is written")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("a folder that was there is gone: %v", err)
	}
}

// R55: a look that could not read what an earlier dump holds takes its place only where
// somebody says so; one that could does, and so does another poor one.
func TestAPoorDumpReplacesNoBetterOne(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, bundleFile)
	whole, poor := facts.Nothing("forbidden"), facts.Nothing("forbidden")
	whole.Nodes = facts.Known([]facts.Node{{Name: "a"}})
	held := func() string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, c := range []struct {
		seen          *facts.Facts
		anyway, stays bool
	}{{poor, false, false}, {poor, false, false}, {whole, false, false}, {poor, false, true}, {whole, false, false}, {poor, true, false}} {
		before := ""
		if c.stays {
			before = held()
		}
		_, err := WriteBundle(dir, c.seen, c.anyway)
		if poorer := (*Poorer)(nil); errors.As(err, &poorer) != c.stays || !c.stays && err != nil || c.stays && !slices.Equal(poorer.Lost, []string{"the nodes"}) {
			t.Errorf("%+v: %v", c, err)
		}
		if c.stays && held() != before {
			t.Error("the better dump is another one now")
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v %v", left, err)
	}
}

// R55: all that is wrong with a bundle is told, at its line of the file that was read;
// where there is no line, of what was named.
func TestFaultsOfABundleHaveTheirLines(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, bundleFile)
	told := func(named, text string) (all []string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadBundle(named)
		if err == nil {
			t.Fatalf("%s is taken", text)
		}
		for _, f := range BundleFaults(named, err) {
			all = append(all, fmt.Sprintf("%s %s:%d:%d %s", f.Code, f.File, f.Line, f.Column, f.Field))
		}
		return all
	}
	const bad = "{\"form\":1,\n\"nodes\":{\"value\":[{\"name\":null,\"labels\":{},\"ready\":true}]},\n\"nodes\":{}}"
	want := []string{"KORA-K005 " + path + ":2:27 nodes.value[0].name", "KORA-K005 " + path + ":3:1 nodes"}
	for _, named := range []string{dir, path} {
		if is := told(named, bad); !slices.Equal(is, want) {
			t.Errorf("%q, want %q", is, want)
		}
		if is := told(named, bad[:20]); !slices.Equal(is, []string{"KORA-K005 " + named + ":0:0 "}) {
			t.Errorf("%q", is)
		}
	}
}

// R55, --bundle: a link that leads nowhere, and whatever else cannot be opened, is not
// told as a folder without the file.
func TestABundleThatCannotBeOpened(t *testing.T) {
	for name, to := range map[string]string{"a link to what is not there": "gone.json", "too many": bundleFile, "holds no facts.json": ""} {
		dir := t.TempDir()
		if to != "" {
			if err := os.Symlink(to, filepath.Join(dir, bundleFile)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := ReadBundle(dir); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
