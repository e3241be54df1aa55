package output

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runkora/kora/internal/faults"
)

func sample() Set {
	return Set{Generator: "test", Files: []File{
		{Path: "top.yaml", Text: "a: 1\n"},
		{Path: "apps/one.yaml", Text: "b: 2\n"},
		{Path: "values/own.yaml", Text: "c: 3\n", Yours: true},
	}}
}

func written(t *testing.T, s Set, dir string) map[string]string {
	t.Helper()
	changes, found := s.Write(dir, false)
	if found.Refused() {
		t.Fatal(found)
	}
	out := map[string]string{}
	for _, c := range changes {
		out[c.Path] = c.What
	}
	return out
}

// R38: the second run changes nothing, and a check of it is clean.
func TestWritingTwiceChangesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	want := map[string]string{"top.yaml": "written", "apps/one.yaml": "written", "values/own.yaml": "written"}
	if diff := cmp.Diff(want, written(t, sample(), dir)); diff != "" {
		t.Error(diff)
	}
	before := tree(t, dir)
	want = map[string]string{"top.yaml": "unchanged", "apps/one.yaml": "unchanged", "values/own.yaml": "kept"}
	if diff := cmp.Diff(want, written(t, sample(), dir)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Error(diff)
	}
	if d, found := sample().Check(dir); d != "" || len(found) != 0 {
		t.Errorf("%s %v", d, found)
	}
}

// tree is every file of a folder with its content.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		out[strings.TrimPrefix(path, dir)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// R38: what a person wrote goes only by force, and then only what was generated:
// a refused run changes no file at all.
func TestEditedFileIsNotWrittenOver(t *testing.T) {
	for name, edit := range map[string]string{
		"a line more":      Sealed("test", "a: 1\n") + "mine: true\n",
		"a sum of its own": strings.Replace(Sealed("test", "a: 1\n"), "sha256:", "sha256:0", 1),
		"no seal":          "mine: true\n",
		"another's seal":   Sealed("other", "a: 1\n"),
		"empty":            "",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			written(t, sample(), dir)
			put(t, filepath.Join(dir, "top.yaml"), edit)
			next := sample()
			next.Files[1].Text = "b: 3\n"
			before := tree(t, dir)
			_, found := next.Write(dir, false)
			if len(found) != 1 || found[0].Code != faults.EditedFile || found[0].File != filepath.Join(dir, "top.yaml") {
				t.Fatalf("%v", found)
			}
			if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
				t.Errorf("a refused run changed something:\n%s", diff)
			}
			if _, found := next.Write(dir, true); found.Refused() {
				t.Fatal(found)
			}
			if got := tree(t, dir)["/top.yaml"]; got != Sealed("test", "a: 1\n") {
				t.Errorf("force wrote %q", got)
			}
		})
	}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// R39: a file that is a person's is written once, and never again.
func TestYourFileIsKept(t *testing.T) {
	dir := t.TempDir()
	written(t, sample(), dir)
	put(t, filepath.Join(dir, "values", "own.yaml"), "mine: true\n")
	if _, found := sample().Write(dir, true); found.Refused() {
		t.Fatal(found)
	}
	if got := tree(t, dir)["/values/own.yaml"]; got != "mine: true\n" {
		t.Errorf("%q", got)
	}
}

// R38: a check prints the difference, names every file, and writes nothing.
func TestCheckShowsTheDifference(t *testing.T) {
	dir := t.TempDir()
	written(t, sample(), dir)
	next := sample()
	next.Files[0].Text = "a: 2\n"
	next.Files = append(next.Files[:1], next.Files[2], File{Path: "apps/two.yaml", Text: "d: 4\n"})
	before := tree(t, dir)
	d, found := next.Check(dir)
	messages := map[string]string{}
	for _, f := range found {
		messages[strings.TrimPrefix(f.File, dir)] = f.Message
	}
	want := map[string]string{
		"/top.yaml": "the file is not what would be generated", "/apps/one.yaml": "the file is no longer generated", "/apps/two.yaml": "the file is missing",
	}
	if diff := cmp.Diff(want, messages); diff != "" {
		t.Error(diff)
	}
	for _, line := range []string{"-a: 1\n", "+a: 2\n", "-b: 2\n", "+d: 4\n"} {
		if !strings.Contains(d, line) {
			t.Errorf("no %q in\n%s", line, d)
		}
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("a check wrote:\n%s", diff)
	}
}

// R38: what is no longer generated goes, unless a person changed it or it was
// never this generator's.
func TestLeftFilesGo(t *testing.T) {
	dir := t.TempDir()
	written(t, sample(), dir)
	for name, text := range map[string]string{"other.yaml": Sealed("other", "x\n"), "mine.yaml": "x\n", "changed.yaml": Sealed("test", "x\n") + "y\n"} {
		put(t, filepath.Join(dir, "apps", name), text)
	}
	next := sample()
	next.Files[1].Path = "apps/two.yaml"
	_, found := next.Write(dir, false)
	if len(found) != 1 || filepath.Base(found[0].File) != "changed.yaml" {
		t.Fatalf("%v", found)
	}
	if err := os.Remove(filepath.Join(dir, "apps", "changed.yaml")); err != nil {
		t.Fatal(err)
	}
	if got := written(t, next, dir)["apps/one.yaml"]; got != "removed" {
		t.Errorf("%q", got)
	}
	left := tree(t, dir)
	if len(left) != 5 || left["/apps/one.yaml"] != "" || left["/apps/other.yaml"] == "" || left["/apps/mine.yaml"] == "" {
		t.Errorf("%v", left)
	}
}

// R38: no link leads out of the folder, and none in it is followed; a pipe does
// not hold the run up.
func TestOutputNeverGoesThroughALink(t *testing.T) {
	for name, prepare := range map[string]func(dir, outside string) error{
		"the file":         func(d, o string) error { return os.Symlink(filepath.Join(o, "victim"), filepath.Join(d, "top.yaml")) },
		"its folder":       func(d, o string) error { return os.Symlink(o, filepath.Join(d, "apps")) },
		"a folder inside":  func(d, o string) error { return os.Symlink("values", filepath.Join(d, "apps")) },
		"nothing behind":   func(d, o string) error { return os.Symlink(filepath.Join(o, "new"), filepath.Join(d, "top.yaml")) },
		"a pipe":           func(d, o string) error { return syscall.Mkfifo(filepath.Join(d, "top.yaml"), 0o644) },
		"a folder's place": func(d, o string) error { return os.Mkdir(filepath.Join(d, "top.yaml"), 0o755) },
		"a file's place":   func(d, o string) error { return os.WriteFile(filepath.Join(d, "apps"), nil, 0o644) },
		"a file of yours":  func(d, o string) error { return os.Symlink(o, filepath.Join(d, "values")) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, outside := t.TempDir(), t.TempDir()
			put(t, filepath.Join(outside, "victim"), "untouched")
			if err := prepare(dir, outside); err != nil {
				t.Fatal(err)
			}
			for _, force := range []bool{false, true} {
				_, found := sample().Write(dir, force)
				if !found.Refused() || found[0].Code != faults.OutsideFolder {
					t.Errorf("force %t: %v", force, found)
				}
			}
			if diff := cmp.Diff(map[string]string{"/victim": "untouched"}, tree(t, outside)); diff != "" {
				t.Errorf("outside:\n%s", diff)
			}
			if len(tree(t, dir)) > 1 {
				t.Errorf("a refused run wrote: %v", tree(t, dir))
			}
		})
	}
}

// A left-over of a run that was broken off is in nobody's way.
func TestBrokenOffRunIsMended(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, ".top.yaml.kora-new"), "half")
	written(t, sample(), dir)
	if got := tree(t, dir); len(got) != 3 {
		t.Errorf("%v", got)
	}
}

func TestFolderThatIsAFileIsOutOfReach(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	put(t, name, "")
	if _, found := sample().Write(name, false); !found.Refused() || !found[0].Code.Unchecked() {
		t.Errorf("%v", found)
	}
}

// R38: the folder itself is no link, whole or dangling, with a slash behind it or
// not: neither writing nor a check goes through one.
func TestFolderThatIsALinkIsRefused(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there")
	if err := os.Mkdir(there, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"whole": there, "dangling": filepath.Join(dir, "nowhere")} {
		link := filepath.Join(dir, name)
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		for _, spelt := range []string{link, link + "/", link + "/."} {
			_, found := sample().Write(spelt, true)
			_, more := sample().Check(spelt)
			for _, list := range []faults.List{found, more} {
				if len(list) != 1 || list[0].Code != faults.OutsideFolder || list[0].Found != "a link" || list[0].File != link {
					t.Errorf("%s: %+v", spelt, list)
				}
			}
		}
		if got := tree(t, dir); len(got) != 0 {
			t.Errorf("written: %v", got)
		}
	}
}
