package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// childVariable makes this test binary be the command itself.
const childVariable = "KORA_TESTCLUSTER_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

// A bench is a source folder of tiny modules and an empty cache.
type bench struct {
	t             *testing.T
	source, cache string
	env           map[string]string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, source: t.TempDir(), cache: filepath.Join(t.TempDir(), "cache")}
	b.env = map[string]string{"KORA_CACHE": b.cache}
	for _, module := range []string{"k8s-1.36", "k8s-1.35"} {
		b.write(module+"/go.mod", "module example.invalid/m\n\ngo 1.26.0\n\n// k8s.io/kubernetes v1.36.3\n")
		b.write(module+"/main.go", "package main\n\nfunc main() {}\n")
	}
	return b
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	name = filepath.Join(b.source, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		b.t.Fatal(err)
	}
}

// run is one call of the command: exit status, standard output, standard error.
func (b *bench) run(ctx context.Context, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	getenv := func(name string) string { return b.env[name] }
	code = run(ctx, append([]string{"-source", b.source}, args...), getenv, strings.NewReader(""), &o, &e)
	return code, strings.TrimSpace(o.String()), e.String()
}

// refused is the one line beside the announcement that a call must fail with.
func (b *bench) refused(args ...string) string {
	b.t.Helper()
	code, out, errs := b.run(b.t.Context(), args...)
	lines := []string{}
	for line := range strings.Lines(errs) {
		if !strings.Contains(line, "into the cache, once") {
			lines = append(lines, line)
		}
	}
	if code != exitUnmet || out != "" || len(lines) != 1 {
		b.t.Fatalf("exit %d, out %q, words %q: want 3, nothing and one line", code, out, errs)
	}
	return lines[0]
}

// left is what the cache holds.
func (b *bench) left() (names []string) {
	b.t.Helper()
	entries, err := os.ReadDir(filepath.Join(b.cache, "testcluster"))
	if err != nil && !os.IsNotExist(err) {
		b.t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestSecondCallOnlyPrints(t *testing.T) {
	b := newBench(t)
	code, folder, errs := b.run(t.Context())
	if code != exitDone || filepath.Dir(folder) != filepath.Join(b.cache, "testcluster") {
		t.Fatalf("exit %d, folder %q, words %q", code, folder, errs)
	}
	if lacks := controlPlane("1.36").missing(folder); len(lacks) > 0 {
		t.Errorf("the folder lacks %v", lacks)
	}
	t.Setenv("PATH", "")
	if code, again, errs := b.run(t.Context()); code != exitDone || again != folder || errs != "" {
		t.Errorf("again: exit %d, folder %q, words %q", code, again, errs)
	}
}

func TestChangedSourceIsBuiltAnew(t *testing.T) {
	b := newBench(t)
	_, first, _ := b.run(t.Context())
	b.write("k8s-1.36/main.go", "package main\n\nfunc main() { println() }\n")
	if code, second, errs := b.run(t.Context()); code != exitDone || second == first {
		t.Errorf("exit %d, folder %q as before, words %q", code, second, errs)
	}
}

// A pattern of file names finds nothing below such a folder.
func TestPathsWithGlobCharactersChangeNothing(t *testing.T) {
	plain, odd := newBench(t), newBench(t)
	odd.source, odd.cache = filepath.Join(t.TempDir(), "a[b]*?"), filepath.Join(t.TempDir(), "c[d]*?")
	odd.env["KORA_CACHE"] = odd.cache
	if err := os.CopyFS(odd.source, os.DirFS(plain.source)); err != nil {
		t.Fatal(err)
	}
	_, want, _ := plain.run(t.Context())
	code, got, errs := odd.run(t.Context())
	if code != exitDone || filepath.Base(got) != filepath.Base(want) {
		t.Errorf("exit %d, folder %s, not %s, words %q", code, got, want, errs)
	}
}

func TestRelativeCacheIsOneLine(t *testing.T) {
	b := newBench(t)
	b.env["KORA_CACHE"] = "cache"
	if line := b.refused(); line != "testcluster: KORA_CACHE=cache: the path has to be absolute\n" {
		t.Errorf("got %q", line)
	}
}

func TestOlderVersionBorrowsKwok(t *testing.T) {
	b := newBench(t)
	b.env["K8S"] = "1.35"
	code, folder, errs := b.run(t.Context())
	if code != exitDone || !strings.HasPrefix(filepath.Base(folder), "k8s-1.35-") {
		t.Fatalf("exit %d, folder %q, words %q", code, folder, errs)
	}
	kwok, err := filepath.EvalSymlinks(filepath.Join(folder, "kwok"))
	if err != nil || !strings.Contains(kwok, "/k8s-1.36-") {
		t.Errorf("kwok is %q: %v", kwok, err)
	}
}

func TestUnknownVersionAndTargetAreUsage(t *testing.T) {
	b := newBench(t)
	if code, _, errs := b.run(t.Context(), "helm-2"); code != exitUsage || strings.Count(errs, "\n") != 1 {
		t.Errorf("helm-2: exit %d, words %q", code, errs)
	}
	b.env["K8S"] = "1.20"
	if code, _, errs := b.run(t.Context()); code != exitUsage || strings.Count(errs, "\n") != 1 {
		t.Errorf("K8S=1.20: exit %d, words %q", code, errs)
	}
}

func TestHelmIsStampedWithItsVersion(t *testing.T) {
	for _, major := range []string{"3", "4"} {
		gomod, err := os.ReadFile(filepath.Join("helm-"+major, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		want := "helm.sh/helm/v" + major + "/internal/version.version=v" + major + "."
		if flags := linkFlags(gomod); !strings.Contains(flags, want) {
			t.Errorf("Helm %s is linked with %s", major, flags)
		}
	}
}

func TestEveryControlPlaneIsStampedWithItsVersion(t *testing.T) {
	for _, version := range []string{"1.34", "1.35", "1.36"} {
		gomod, err := os.ReadFile(filepath.Join("k8s-"+version, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		if flags := linkFlags(gomod); !strings.Contains(flags, "component-base/version.gitVersion=v"+version+".") {
			t.Errorf("%s is linked with %s", version, flags)
		}
	}
}
