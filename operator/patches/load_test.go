package patches

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

const harmless = "target: {kind: Service}\npatch: |\n  - {op: add, path: /metadata/labels/team, value: a}\n"

// directory writes files, given by name.
func directory(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func link(t testing.TB, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

func keys(entries []Entry) string {
	var out []string
	for _, e := range entries {
		out = append(out, e.Key)
	}
	return strings.Join(out, " ")
}

// R12: each <key>.yaml or .yml is a key; they sort bytewise; all else is not
// ours, and what was never meant for a patch is not talked about.
func TestLoadTakesPatchFilesInByteOrder(t *testing.T) {
	dir := directory(t, map[string]string{
		"10-b.yaml": harmless, "2-a.yml": harmless, "B.yaml": harmless, "a.yaml": harmless, "a-b.yaml": harmless, "a.b.yml": harmless,
		"README.md": "# not a patch", "y.yaml.bak": "[", ".hidden.yaml": "[", ".yaml": "[", "yaml": "[", "docs/deep.md": "[", ".git/x.yaml": "[", "sub/.x.yaml": "[",
	})
	entries, found := Load(dir)
	if got, want := keys(entries), "10-b 2-a B a a-b a.b"; got != want || len(found) > 0 {
		t.Errorf("got %s, want %s; %v", got, want, found)
	}
	if len(entries) > 0 && entries[0].Node.Pos.File.Name != filepath.Join(dir, "10-b.yaml") {
		t.Errorf("the file is named %s", entries[0].Node.Pos.File.Name)
	}
}

// R12, R16: what looks like a patch and is not read is warned about, with the
// name that would be read.
func TestLoadWarnsOfWhatLooksLikeAPatch(t *testing.T) {
	for name, fix := range map[string]string{
		"z.YAML": "rename it to z.yaml", "z.Yml": "rename it to z.yaml", "50-x.json": "rename it to 50-x.yaml", "X.JSON": "rename it to X.yaml",
		"sub/deep.yaml": "move the patches", "sub/a.yml": "move the patches", "sub/a.JSON": "move the patches",
	} {
		dir := directory(t, map[string]string{"10-good.yaml": harmless, name: "["})
		entries, found := Load(dir)
		if keys(entries) != "10-good" || len(found) != 1 || found[0].Severity != faults.Warning {
			t.Errorf("%s: loaded %s, %+v", name, keys(entries), found)
			continue
		}
		first, _, _ := strings.Cut(name, "/")
		if f := found[0]; f.File != filepath.Join(dir, first) || !strings.HasPrefix(f.Fix, fix) || f.Expected == "" {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// R20: whatever is wrong with the directory or a file of it comes with what to do.
func TestLoadNeverLeavesAFaultWithoutAFix(t *testing.T) {
	dir := directory(t, map[string]string{"a.yaml": "", "b.yaml": "# nothing\n", "c.yaml": harmless + "---\n" + harmless, "e.yaml": "null", "f.JSON": ""})
	link(t, "gone", filepath.Join(dir, "d.yaml"))
	_, found := Load(dir)
	if len(found) != 6 {
		t.Errorf("%d faults: %+v", len(found), found)
	}
	_, missing := Load(filepath.Join(dir, "none"))
	_, file := Load(filepath.Join(dir, "a.yaml"))
	_, many := Load(directory(t, numbered(MaxEntries+1, harmless)))
	_, list := fromValues(t, "agents:\n  manifestPatches: [a]\n")
	_, key := fromValues(t, "agents:\n  manifestPatches: {a/b: {}}\n")
	for _, f := range slices.Concat(found, missing, file, many, list, key) {
		if f.Fix == "" {
			t.Errorf("%+v", f)
		}
	}
}

// R12: a mounted ConfigMap is a directory of links through ..data; each patch
// loads once.
func TestLoadReadsAConfigMapMountOnce(t *testing.T) {
	entries, found := Load(configMap(t))
	if got := keys(entries); got != "50-a 60-b" || len(found) > 0 {
		t.Errorf("got %s, %v", got, found)
	}
}

// configMap is the layout that the kubelet makes, with a leftover of the last.
func configMap(t testing.TB) string {
	dir := directory(t, map[string]string{
		"..2026_01_01_00_00_00.1/50-a.yaml": harmless, "..2026_01_01_00_00_00.1/60-b.yml": harmless,
		"..2026_02_02_00_00_00.2/50-a.yaml": strings.ReplaceAll(harmless, "team", "switched"),
	})
	link(t, "..2026_01_01_00_00_00.1", filepath.Join(dir, "..data"))
	link(t, "..data/50-a.yaml", filepath.Join(dir, "50-a.yaml"))
	link(t, "..data/60-b.yml", filepath.Join(dir, "60-b.yml"))
	return dir
}

// R12, R18: what ..data led to when loading began is what is loaded, even when
// the kubelet switches it between two files.
func TestLoadKeepsToOneVersionOfAConfigMap(t *testing.T) {
	dir := configMap(t)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	data, err := root.OpenRoot("..data")
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	l := &loader{dir: dir, root: root, data: data}
	names, err := l.names()
	if err != nil {
		t.Fatal(err)
	}
	link(t, "..2026_02_02_00_00_00.2", filepath.Join(dir, "..data_tmp"))
	if err := os.Rename(filepath.Join(dir, "..data_tmp"), filepath.Join(dir, "..data")); err != nil {
		t.Fatal(err)
	}
	entries := l.entries(names)
	if keys(entries) != "50-a 60-b" || len(l.found) > 0 || strings.Contains(entries[0].Node.Get("patch").Value, "switched") {
		t.Errorf("entries %v, faults %v", entries, l.found)
	}
	if again, _ := Load(dir); !strings.Contains(again[0].Node.Get("patch").Value, "switched") {
		t.Error("a new start does not see the new version")
	}
}

// R12, security.md: what is no regular file of the directory is never opened,
// and the fault names it. A fifo would be waited on for ever.
func TestLoadRefusesWhatIsNoFileOfTheDirectory(t *testing.T) {
	outside := directory(t, map[string]string{"secret.yaml": harmless})
	for name, c := range map[string]struct {
		make func(path string) error
		code faults.Code
	}{
		"fifo":              {func(p string) error { return syscall.Mkfifo(p, 0o600) }, faults.FileKind},
		"directory":         {func(p string) error { return os.Mkdir(p, 0o755) }, faults.FileKind},
		"device":            {func(p string) error { return os.Symlink("/dev/zero", p) }, faults.FileKind},
		"link out, full":    {func(p string) error { return os.Symlink("/etc/passwd", p) }, faults.FileKind},
		"link out, dots":    {func(p string) error { return os.Symlink("../"+filepath.Base(outside)+"/secret.yaml", p) }, faults.FileKind},
		"link out, real":    {func(p string) error { return os.Symlink(filepath.Join(outside, "secret.yaml"), p) }, faults.FileKind},
		"link out, sub":     {func(p string) error { return os.Symlink("sub/../../x", p) }, faults.FileKind},
		"link to itself":    {func(p string) error { return os.Symlink("50-x.yaml", p) }, faults.FileKind},
		"link to nowhere":   {func(p string) error { return os.Symlink("gone.yaml", p) }, faults.FileMissing},
		"link to directory": {func(p string) error { return os.Symlink("sub", p) }, faults.FileKind},
		"link into ..data":  {func(p string) error { return os.Symlink("..data/../../x", p) }, faults.FileKind},
	} {
		t.Run(name, func(t *testing.T) {
			dir := directory(t, map[string]string{"10-good.yaml": harmless, "sub/x": harmless, "..one/x": harmless})
			link(t, "..one", filepath.Join(dir, "..data"))
			path := filepath.Join(dir, "50-x.yaml")
			if err := c.make(path); err != nil {
				t.Fatal(err)
			}
			entries, found := Load(dir)
			if keys(entries) != "10-good" || len(found) != 1 || found[0].Code != c.code || found[0].File != path || found[0].Severity != faults.Error {
				t.Errorf("loaded %s, faults %+v", keys(entries), found)
			}
		})
	}
}

// R12: a ..data that leads out takes its files along.
func TestLoadRefusesAConfigMapThatLeadsOut(t *testing.T) {
	outside := directory(t, map[string]string{"50-a.yaml": harmless})
	dir := t.TempDir()
	link(t, outside, filepath.Join(dir, "..data"))
	link(t, "..data/50-a.yaml", filepath.Join(dir, "50-a.yaml"))
	if entries, found := Load(dir); len(entries) > 0 || len(found) != 1 || found[0].Code != faults.FileKind {
		t.Errorf("loaded %s, faults %v", keys(entries), found)
	}
}

// R12: a link to another file of the same directory is a file of it.
func TestLoadFollowsLinksThatStayInside(t *testing.T) {
	dir := directory(t, map[string]string{"shared/x": harmless})
	link(t, "shared/x", filepath.Join(dir, "50-x.yaml"))
	if entries, found := Load(dir); keys(entries) != "50-x" || len(found) > 0 {
		t.Errorf("loaded %s, faults %v", keys(entries), found)
	}
}

// R12: one key in two files is refused, and each of both is named.
func TestOneKeyInTwoFilesIsRefused(t *testing.T) {
	dir := directory(t, map[string]string{"50-a.yaml": harmless, "50-a.yml": harmless})
	entries, found := Load(dir)
	_, more := Join(entries)
	found = append(found, more...)
	if len(found) != 1 || found[0].Code != faults.DuplicateKey || found[0].File != filepath.Join(dir, "50-a.yml") || !strings.Contains(found[0].Found, "50-a.yaml") {
		t.Errorf("%+v", found)
	}
}

// R13: what cannot be read is out of reach (exit status 3), not refused.
func TestLoadTellsADirectoryOutOfReachFromAWrongOne(t *testing.T) {
	dir := directory(t, map[string]string{"a.yaml": harmless})
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, code := range map[string]faults.Code{
		filepath.Join(dir, "fifo"):   faults.FileKind,
		filepath.Join(dir, "none"):   faults.FileMissing,
		filepath.Join(dir, "a.yaml"): faults.FileKind,
	} {
		if entries, found := Load(path); entries != nil || len(found) != 1 || found[0].Code != code || found[0].File != path {
			t.Errorf("%s: %v, %+v", path, entries, found)
		}
	}
	if entries, found := Load(t.TempDir()); len(entries)+len(found) > 0 {
		t.Errorf("an empty directory: %v, %v", entries, found)
	}
}

// security.md: sizes are bounded, of one file, of their number, and in all.
func TestLoadBoundsWhatItReads(t *testing.T) {
	full := "# " + strings.Repeat("x", 1<<20)
	aliases := "a: &a [" + strings.Repeat("x, ", 400) + "x]\nb: [" + strings.Repeat("*a, ", 300) + "*a]\n" + harmless
	for name, c := range map[string]struct {
		files map[string]string
		code  faults.Code
	}{
		"one byte too many":       {map[string]string{"a.yaml": full[:1<<20] + "\n"}, faults.YAMLLimit},
		"1001 files":              {numbered(1001, harmless), faults.PatchLimit},
		"two of 600 KiB":          {map[string]string{"a.yaml": harmless + full[:600<<10], "b.yaml": harmless + full[:600<<10]}, faults.PatchLimit},
		"aliases in many entries": {numbered(5, aliases), faults.PatchLimit},
	} {
		t.Run(name, func(t *testing.T) {
			_, found := Load(directory(t, c.files))
			if len(found) != 1 || found[0].Code != c.code {
				t.Errorf("%d faults, %+v", len(found), found[:min(1, len(found))])
			}
		})
	}
	if entries, found := Load(directory(t, numbered(1000, harmless))); len(entries) != 1000 || len(found) > 0 {
		t.Errorf("%d entries, %v", len(entries), found)
	}
	if _, found := Load(directory(t, map[string]string{"a.yaml": harmless + full[:1<<20-len(harmless)]})); len(found) > 0 {
		t.Errorf("1 MiB to the byte: %v", found)
	}
}

func numbered(n int, text string) map[string]string {
	out := map[string]string{}
	for i := range n {
		out[fmt.Sprintf("%04d.yaml", i)] = text
	}
	return out
}
