package values

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// R20: files merge as Helm's do, and each value keeps the place that it came from.
func TestLaterFilesWin(t *testing.T) {
	tree := mustLoad(t, []string{
		"agents:\n  workspace: {size: 1Gi, accessModes: [ReadWriteOnce]}\n  config: {sandboxImage: a}\nfrontendHost: a.example\n",
		"",
		"agents:\n  workspace:\n    size: 2Gi\n    accessModes: [ReadWriteMany]\n  config: null\nfrontendHost: ~\n",
	})
	want := map[string]any{"agents": map[string]any{"workspace": map[string]any{"size": "2Gi", "accessModes": []any{"ReadWriteMany"}}}}
	if diff := cmp.Diff(want, tree.Root().Any()); diff != "" {
		t.Error(diff)
	}
	if p := tree.Get("agents", "workspace", "size").Pos; filepath.Base(p.File.Name) != "2.yaml" || p.Line != 3 || p.Column != 11 {
		t.Errorf("size stands at %s:%d:%d", p.File.Name, p.Line, p.Column)
	}
}

func TestNullIsAbsent(t *testing.T) {
	tree := mustLoad(t, []string{"agents: {workspace: {size: null}, config: null, workloads: {common: {podLabels: {a: null, b: c}}}}"})
	want := map[string]any{"agents": map[string]any{"workspace": map[string]any{}, "workloads": map[string]any{"common": map[string]any{"podLabels": map[string]any{"b": "c"}}}}}
	if diff := cmp.Diff(want, tree.Root().Any()); diff != "" {
		t.Error(diff)
	}
	if found := tree.Check(); len(found) > 0 {
		t.Error(show(found))
	}
}

func TestStandardInput(t *testing.T) {
	tree, found := Load(Input{Files: []string{"-"}, Stdin: strings.NewReader("agents: {workspace: {size: x}}")})
	if len(found) > 0 {
		t.Fatal(show(found))
	}
	if got := show(tree.Check()); got != "KORA-V002 <stdin>:1:28 agents.workspace.size" {
		t.Error(got)
	}
	_, found = Load(Input{Files: []string{"-", "-"}, Stdin: strings.NewReader("")})
	if got := show(found); got != "KORA-Y004 <stdin>:0:0 " {
		t.Error(got)
	}
	_, found = Load(Input{Files: []string{"-"}})
	if got := show(found); got != "KORA-Y005 <stdin>:0:0 " {
		t.Error(got)
	}
}

// R20: what is no readable, regular, bounded file of one map is a fault; a pipe
// that nobody writes to does not block.
func TestFilesThatAreRefused(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(fifo, link); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ path, want string }{
		"missing":         {filepath.Join(dir, "none.yaml"), "KORA-Y005 none.yaml:0:0 "},
		"URL":             {"https://example.com/values.yaml", "KORA-Y005 values.yaml:0:0 "},
		"directory":       {dir, "KORA-Y004 " + filepath.Base(dir) + ":0:0 "},
		"pipe":            {fifo, "KORA-Y004 fifo:0:0 "},
		"link to a pipe":  {link, "KORA-Y004 link:0:0 "},
		"device":          {os.DevNull, "KORA-Y004 null:0:0 "},
		"too long":        {write(t, "a", strings.Repeat("#\n", 1<<19)+"#"), "KORA-Y003 a:0:0 "},
		"not UTF-8":       {write(t, "a", "a: b\nc: \xff\n"), "KORA-Y001 a:2:0 "},
		"list":            {write(t, "a", "# one\n- a\n"), "KORA-F002 a:2:1 "},
		"text":            {write(t, "a", "hello"), "KORA-F002 a:1:1 "},
		"two documents":   {write(t, "a", "frontendHost: b\n---\nfrontendHost: c\n"), "KORA-Y001 a:2:1 "},
		"duplicate key":   {write(t, "a", "frontendHost: b\nfrontendHost: c\n"), "KORA-Y002 a:2:1 "},
		"not YAML":        {write(t, "a", "a: b\n c: d\n"), "KORA-Y001 a:2:2 "},
		"nested too deep": {write(t, "a", "a: "+strings.Repeat("[", 200)+strings.Repeat("]", 200)), "KORA-Y003 a:1:104 "},
	} {
		t.Run(name, func(t *testing.T) {
			done := make(chan faults.List, 1)
			go func() { _, found := Load(Input{Files: []string{c.path}}); done <- found }()
			select {
			case found := <-done:
				if got := show(found); got != c.want {
					t.Errorf("got %q, want %q", got, c.want)
				}
			case <-time.After(time.Minute):
				t.Fatal("blocked")
			}
		})
	}
}

func TestEmptyFilesSetNothing(t *testing.T) {
	tree := mustLoad(t, []string{"", "# nothing\n", "---\n", "{}\n", "null\n"})
	if len(tree.Root().Fields) != 0 || tree.Root().Kind != source.Mapping {
		t.Errorf("%+v", tree.Root())
	}
	if found := tree.Check(); len(found) > 0 {
		t.Error(show(found))
	}
}

// R15: a file that is refused does not hide the faults of another.
func TestOtherFilesAreReadOn(t *testing.T) {
	tree, found := Load(Input{Files: []string{filepath.Join(t.TempDir(), "none.yaml"), write(t, "b.yaml", "foo: 1")}})
	if got := show(append(found, tree.Check()...)); !strings.Contains(got, "KORA-F001 b.yaml:1:1 foo") || !strings.Contains(got, "KORA-Y005 none.yaml") {
		t.Error(got)
	}
}
