package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
)

// windows is a small Go binary for Windows, nil where none can be built.
var windows = sync.OnceValue(func() []byte {
	dir, err := os.MkdirTemp("", "kora-package")
	if err != nil {
		return nil
	}
	defer os.RemoveAll(dir)
	from, to := filepath.Join(dir, "main.go"), filepath.Join(dir, "main.exe")
	if os.WriteFile(from, []byte("package main\n\nfunc main() {}\n"), 0o644) != nil {
		return nil
	}
	cmd := exec.Command("go", "build", "-o", to, from)
	cmd.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if cmd.Run() != nil {
		return nil
	}
	text, _ := os.ReadFile(to)
	return text
})

// packed runs the command over stand-ins for the binaries: of Linux copies of this
// test's own, which is a Go binary as well.
func packed(t *testing.T) string {
	t.Helper()
	self, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	binaries, out := t.TempDir(), t.TempDir()
	for name, text := range map[string][]byte{"linux-amd64/kora": self, "linux-amd64/kora-operator": self, "windows-amd64/kora.exe": windows()} {
		path := filepath.Join(binaries, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	var words strings.Builder
	if status := run([]string{"-out", out, "-binaries", binaries, "-platforms", "linux/amd64,windows/amd64"}, "../..", &words); status != 0 {
		t.Fatalf("status %d: %s", status, words.String())
	}
	return out
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range found {
		out = append(out, f.Name())
	}
	return out
}

// modes are the files of an archive and their modes.
func modes(t *testing.T, path string) map[string]int64 {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zip, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int64{}
	for in := tar.NewReader(zip); ; {
		h, err := in.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.IsZero() && h.ModTime.Unix() != 0 || h.Uid != 0 || h.Uname != "" {
			t.Errorf("%s tells when and by whom it was made: %v %d %q", h.Name, h.ModTime, h.Uid, h.Uname)
		}
		out[h.Name] = h.Mode
	}
}

func TestEachHelmFindsThePluginWhereItLooks(t *testing.T) {
	out := packed(t)
	version, err := os.ReadFile("../../VERSION")
	if err != nil {
		t.Fatal(err)
	}
	v := strings.TrimSpace(string(version))
	for file, want := range map[string]map[string]int64{
		"kora-" + v + "-linux-amd64.tgz":          {"kora/plugin.yaml": 0o644, "kora/plugin.complete": 0o755, "kora/README.md": 0o644, "kora/bin/": 0o755, "kora/bin/kora": 0o755},
		"kora-helm3-" + v + "-linux-amd64.tgz":    {"plugin.yaml": 0o644, "plugin.complete": 0o755, "README.md": 0o644, "bin/": 0o755, "bin/kora": 0o755},
		"kora-helm3-" + v + "-windows-amd64.tgz":  {"plugin.yaml": 0o644, "plugin.complete": 0o755, "README.md": 0o644, "bin/": 0o755, "bin/kora.exe": 0o755},
		"kora-operator-" + v + "-linux-amd64.tgz": {"kora-operator": 0o755},
	} {
		got := modes(t, filepath.Join(out, file))
		maps.DeleteFunc(got, func(name string, _ int64) bool {
			return strings.Contains(name, "docs/") || strings.HasSuffix(name, "CHANGELOG.md")
		})
		if !maps.Equal(got, want) {
			t.Errorf("%s holds %v, want %v", file, got, want)
		}
	}
}

func TestTheSameSourcesGiveTheSameBytes(t *testing.T) {
	first, second := packed(t), packed(t)
	all := names(t, first)
	if !slices.Equal(all, names(t, second)) || len(all) != 9 {
		t.Fatalf("%d files %v, want 9 twice", len(all), all)
	}
	for _, name := range all {
		a, errA := digest(filepath.Join(first, name))
		b, errB := digest(filepath.Join(second, name))
		if errA != nil || errB != nil || a != b {
			t.Errorf("%s differs: %s %s %v %v", name, a, b, errA, errB)
		}
	}
}

func TestChecksumsNameEveryOtherFile(t *testing.T) {
	out := packed(t)
	text, err := os.ReadFile(filepath.Join(out, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sums[name] = sum
	}
	for _, name := range names(t, out) {
		if want, err := digest(filepath.Join(out, name)); name != "SHA256SUMS" && (err != nil || sums[name] != want) {
			t.Errorf("%s: %q, want %s (%v)", name, sums[name], want, err)
		}
	}
}

// Fixed names: docs/package.md names the files that are there, and no other.
func TestTheDocumentNamesEachFile(t *testing.T) {
	out, version := names(t, packed(t)), strings.TrimSpace(read(t, "VERSION"))
	text := strings.NewReplacer("-OS-ARCH", "-linux-amd64", "-ARCH", "-amd64", "….", "kora-"+version+"-linux-amd64.").Replace(read(t, "docs/package.md"))
	var told []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(text, -1) {
		told = append(told, row[1])
		if !slices.Contains(out, row[1]) {
			t.Errorf("%s is not made: %v", row[1], out)
		}
	}
	for _, name := range out {
		if !strings.Contains(name, "windows") && !strings.HasPrefix(name, "kora-operator-"+version+"-linux-amd64.spdx") && !slices.Contains(told, name) {
			t.Errorf("%s is not told", name)
		}
	}
}

func TestMaterialsListWhatWasLinked(t *testing.T) {
	out := packed(t)
	found, err := filepath.Glob(filepath.Join(out, "kora-operator-*.spdx.json"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	var doc document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Packages[0].Name != "kora-operator" || doc.Packages[1].Name != "std" || doc.Packages[1].Version == "" {
		t.Errorf("%+v", doc.Packages)
	}
	ids := map[string]bool{doc.ID: true}
	for _, p := range doc.Packages {
		ids[p.ID] = true
	}
	for _, r := range doc.Relationships {
		if !ids[r.From] || !ids[r.To] {
			t.Errorf("%+v names what is not there", r)
		}
	}
}

// Fixed names: a list names what is in the binary, each module in the way in which
// scanners look it up.
func TestMaterialsNameEachModule(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Deps: []*debug.Module{
		{Path: "github.com/BurntSushi/toml", Version: "v1.6.0"},
		{Path: "github.com/blang/semver", Version: "v3.5.1+incompatible"},
		{Path: "example.com/old", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/new", Version: "v1.1.0"}},
		{Path: "example.com/large", Version: "v1.0.0", Replace: &debug.Module{Path: "./tools/large", Version: "(devel)"}},
	}}
	doc := listed("kora", "1.4.0", "abc", info)
	if got := doc.Packages[0]; got.Version != "1.4.0" || !slices.Equal(got.Sums, []checksum{{"SHA256", "abc"}}) {
		t.Errorf("%+v", got)
	}
	var got []string
	for _, p := range doc.Packages[1:] {
		line := []string{p.Name, p.Version}
		if p.Comment != "" {
			line = append(line, p.Comment)
		}
		for _, r := range p.Refs {
			line = append(line, r.Locator)
		}
		got = append(got, strings.Join(line, " "))
	}
	want := []string{
		"std 1.26.8 pkg:golang/std@1.26.8",
		"github.com/BurntSushi/toml v1.6.0 pkg:golang/github.com/burntsushi/toml@v1.6.0",
		"github.com/blang/semver v3.5.1+incompatible pkg:golang/github.com/blang/semver@v3.5.1%2Bincompatible",
		"example.com/new v1.1.0 pkg:golang/example.com/new@v1.1.0",
		"example.com/large v1.0.0 replaced by the folder ./tools/large of kora's sources",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// R56: what cannot be packed is told before anything is built, each entry with why,
// and with what to write.
func TestBadLinesAreUsage(t *testing.T) {
	for want, args := range map[string][]string{
		`"linux" is no OS/ARCH`: {"-platforms", "linux"}, `"" is no OS/ARCH`: {"-platforms", ""}, `"linux/" is no OS/ARCH`: {"-platforms", "linux/"},
		`"bogus" is no OS/ARCH`: {"-platforms", "linux/amd64,bogus"}, `"bogus/amd64" is no platform`: {"-platforms", "bogus/amd64"}, `"linux/bogus" is no platform`: {"-platforms", "linux/bogus"},
		`"plan9/amd64" is no platform`: {"-platforms", "x,plan9/amd64"}, `"linux/amd64" stands there twice`: {"-platforms", "linux/amd64,linux/amd64"},
		`["more"] is an argument`: {"more"}, "-nothing": {"-nothing"},
	} {
		var words strings.Builder
		out := filepath.Join(t.TempDir(), "dist")
		if status := run(append([]string{"-out", out}, args...), "../..", &words); status != 2 || !strings.Contains(words.String(), want) {
			t.Errorf("%v: status %d, %s", args, status, words.String())
		}
		if want != "-nothing" && !strings.Contains(words.String(), "fix: name platforms apart by commas") {
			t.Errorf("%v: no fix in %s", args, words.String())
		}
		if _, err := os.Stat(out); err == nil || strings.Contains(words.String(), "packing") {
			t.Errorf("%v: something was made\n%s", args, words.String())
		}
	}
	if status := run([]string{"-out", t.TempDir(), "-binaries", t.TempDir(), "-platforms", "linux/amd64"}, "../..", io.Discard); status != 1 {
		t.Errorf("binaries that are not there: status %d", status)
	}
}

// R56: the list of platforms is the release's in both places, plugin.yaml has a
// program for each system, and for no other.
func TestEachSystemHasAProgram(t *testing.T) {
	if !strings.Contains(read(t, "Makefile"), "\nPLATFORMS ?= "+everyPlatform+"\n") {
		t.Error("the Makefile has other platforms")
	}
	known, err := buildable()
	if err != nil {
		t.Fatal(err)
	}
	if _, wrong := parsePlatforms(everyPlatform, known); wrong != nil {
		t.Errorf("%q", wrong)
	}
	manifest := read(t, "plugin.yaml")
	commands := manifest[strings.Index(manifest, "platformCommand:"):strings.Index(manifest, "platformHooks:")]
	var told []string
	for _, m := range regexp.MustCompile(`- os: (\w+)`).FindAllStringSubmatch(commands, -1) {
		told = append(told, m[1])
	}
	if !slices.Equal(told, systems) {
		t.Errorf("plugin.yaml has %q, and a release %q", told, systems)
	}
}

// link is where a document leads: a path, and no part of a page or another host.
var link = regexp.MustCompile(`\]\(([^)#:\s]+)(?:#[^)]*)?\)`)

// Every link of a document of the archives leads to a file or a folder of the archive:
// there is no checkout around it.
func TestLinksLeadIntoTheArchive(t *testing.T) {
	out := packed(t)
	archives, err := filepath.Glob(filepath.Join(out, "kora-[0-9h]*.tgz"))
	if err != nil || len(archives) != 4 {
		t.Fatalf("%v %v", archives, err)
	}
	for _, archive := range archives {
		held, links := modes(t, archive), 0
		for name := range held {
			from := strings.TrimPrefix(name, "kora/")
			if !strings.HasSuffix(from, ".md") {
				continue
			}
			text, err := os.ReadFile(filepath.Join("../..", from))
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range link.FindAllStringSubmatch(string(text), -1) {
				links++
				to := path.Join(path.Dir(name), m[1])
				if _, file := held[to]; !file {
					if _, folder := held[to+"/"]; !folder {
						t.Errorf("%s: %s leads to %s, which is not there", filepath.Base(archive), from, m[1])
					}
				}
			}
		}
		if links < 40 {
			t.Errorf("%s: %d links", filepath.Base(archive), links)
		}
	}
}
