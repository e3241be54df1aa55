package output

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/runkora/kora/internal/faults"
)

// R38: what stands in a file's place is told for what it is, once, by a check and
// by a run; neither calls the file missing.
func TestWhatIsNoFileIsToldForWhatItIs(t *testing.T) {
	for want, prepare := range map[string]func(name string) error{
		"a named pipe": func(name string) error { return syscall.Mkfifo(name, 0o644) },
		"a folder":     func(name string) error { return os.Mkdir(name, 0o755) },
		"a link":       func(name string) error { return os.Symlink("values/own.yaml", name) },
		"a socket": func(name string) error {
			l, err := net.ListenUnix("unix", &net.UnixAddr{Name: name})
			if err == nil {
				l.SetUnlinkOnClose(false)
				err = l.Close()
			}
			return err
		},
	} {
		t.Run(want, func(t *testing.T) {
			dir, err := os.MkdirTemp("", "o") // a socket's name is short
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			written(t, sample(), dir)
			name := filepath.Join(dir, "top.yaml")
			if err := errors.Join(os.Remove(name), prepare(name)); err != nil {
				t.Fatal(err)
			}
			d, checked := sample().Check(dir)
			_, wrote := sample().Write(dir, true)
			for _, found := range []faults.List{checked, wrote} {
				if len(found) != 1 || found[0].File != name || found[0].Found != want || found[0].Code != faults.OutsideFolder {
					t.Errorf("%+v", found)
				}
			}
			if d != "" {
				t.Errorf("compared with a text: %s", d)
			}
		})
	}
}

// R38: a pipe in the place of a folder holds neither a check nor a run up: a test
// that hung would be ended by its own time limit.
func TestPipesInPlaceOfFoldersAreNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "in"), 0o755), syscall.Mkfifo(filepath.Join(dir, "out"), 0o644), syscall.Mkfifo(filepath.Join(dir, "in", "apps"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for name, says := range map[string]string{"out": "a named pipe and not a directory", "in": "a named pipe"} {
		_, checked := sample().Check(filepath.Join(dir, name))
		_, wrote := sample().Write(filepath.Join(dir, name), true)
		for _, found := range []faults.List{checked, wrote} {
			if !slices.ContainsFunc(found, func(f faults.Fault) bool { return strings.Contains(f.Message+f.Found, says) }) {
				t.Errorf("%s: %+v", name, found)
			}
		}
		if found := sample().Unpinned(filepath.Join(dir, name)); found != nil || len(sample().Untouched(filepath.Join(dir, name))) != 0 {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// R38: a file that a person edited and that is no longer generated, such as a copy
// of one that is, is removed by no run, and each says so and the ways out of it.
func TestForceRemovesNothingThatWasEdited(t *testing.T) {
	dir := t.TempDir()
	written(t, sample(), dir)
	put(t, filepath.Join(dir, "apps", "copy.yaml"), Sealed("test", "b: 2\n")+"mine: true\n")
	put(t, filepath.Join(dir, "top.yaml"), Sealed("test", "a: 1\n")+"mine: true\n")
	before := tree(t, dir)
	for _, force := range []bool{false, true} {
		_, found := sample().Write(dir, force)
		at := slices.IndexFunc(found, func(f faults.Fault) bool { return f.File == filepath.Join(dir, "apps", "copy.yaml") })
		if at < 0 || !strings.Contains(found[at].Message, "no longer generated") || !strings.Contains(found[at].Fix, "--force does neither") {
			t.Errorf("force %t: %+v", force, found)
		}
		if len(found) != map[bool]int{false: 2, true: 1}[force] {
			t.Errorf("force %t: %+v", force, found)
		}
		if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
			t.Errorf("force %t: %s", force, diff)
		}
	}
	_, found := sample().Check(dir)
	if len(found) != 2 || !strings.Contains(found[1].Fix, "first line") {
		t.Errorf("%+v", found)
	}
	put(t, filepath.Join(dir, "apps", "copy.yaml"), "b: 2\nmine: true\n") // its first line taken away
	if _, found := sample().Write(dir, true); found.Refused() || tree(t, dir)["/apps/copy.yaml"] == "" {
		t.Errorf("%+v", found)
	}
}

// R38: runs at once do not take each other's files away: each ends well, and what
// is there in the end is whole, with nothing beside it.
func TestRunsAtOnceDoNotMeet(t *testing.T) {
	dir := t.TempDir()
	old := sample()
	old.Files = append(old.Files, File{Path: "apps/gone.yaml", Text: strings.Repeat("x: 1\n", 1000)})
	written(t, old, dir)
	next := sample()
	next.Files[0].Text = strings.Repeat("a: 2\n", 10_000)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, found := next.Write(dir, true); found.Refused() {
				t.Errorf("%+v", found)
			}
		})
	}
	wg.Wait()
	if d, found := next.Check(dir); d != "" || found != nil || len(tree(t, dir)) != 3 {
		t.Errorf("%v, %d files", found, len(tree(t, dir)))
	}
}

// R38: what a run left behind that was killed goes with a later one; what another
// run is writing right now, and files of others, stay.
func TestLeftOversGo(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".top.yaml.kora-new", ".top.yaml.kora-new-OLD", ".top.yaml.kora-new-YOUNG", ".top.yaml.kora-newer", ".mine.yaml.kora-new-OLD"} {
		put(t, filepath.Join(dir, name), "half")
		if strings.HasSuffix(name, "-OLD") {
			if err := os.Chtimes(filepath.Join(dir, name), time.Time{}, time.Now().Add(-2*abandoned)); err != nil {
				t.Fatal(err)
			}
		}
	}
	written(t, sample(), dir)
	left := tree(t, dir)
	for name, stays := range map[string]bool{".top.yaml.kora-new": false, ".top.yaml.kora-new-OLD": false, ".top.yaml.kora-new-YOUNG": true, ".top.yaml.kora-newer": true, ".mine.yaml.kora-new-OLD": true} {
		if _, there := left["/"+name]; there != stays {
			t.Errorf("%s: there %t", name, there)
		}
	}
}
