package rules

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/values"
)

var update = flag.Bool("update", false, "write what is found into testdata/values/wrong")

const wrong = "../../../testdata/values/wrong"

// aCase is one file of the corpus: its first lines tell what is wrong with the
// values and how they are given, then come the files, and last what is said.
type aCase struct {
	path    string
	archive *txtar.Archive
	input   values.Input
	want    string
}

func corpus(t testing.TB) []aCase {
	t.Helper()
	paths, err := filepath.Glob(wrong + "/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var all []aCase
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := aCase{path: path, archive: archive}
		_, run, ok := strings.Cut(string(archive.Comment), "\nrun:")
		if !ok {
			t.Fatalf("%s does not say how the values are given", path)
		}
		c.input = commandLine(t, strings.Fields(run))
		c.want = string(archive.Files[len(archive.Files)-1].Data)
		all = append(all, c)
	}
	return all
}

// commandLine reads what would stand on the command line.
func commandLine(t testing.TB, args []string) values.Input {
	var in values.Input
	for i := 0; i+1 < len(args); i += 2 {
		switch args[i] {
		case "-f":
			in.Files = append(in.Files, args[i+1])
		case "--set":
			in.Flags = append(in.Flags, values.Flag{Kind: values.Set, Text: args[i+1]})
		case "--set-json":
			in.Flags = append(in.Flags, values.Flag{Kind: values.SetJSON, Text: args[i+1]})
		case "--set-file":
			in.Flags = append(in.Flags, values.Flag{Kind: values.SetFile, Text: args[i+1]})
		default:
			t.Fatalf("no flag %q", args[i])
		}
	}
	return in
}

// load writes the files of a case and reads them as kora does.
func (c aCase) load(t testing.TB) (*values.Tree, faults.List) {
	dir := t.TempDir()
	for _, f := range c.archive.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return values.Load(c.input)
}

// R20: every wrong file is told of with exactly these places and words, the same
// in every run.
func TestWrongValuesAreToldToTheLine(t *testing.T) {
	chart := embedded(t)
	all := corpus(t)
	if len(all) < 50 {
		t.Fatalf("%d files", len(all))
	}
	for _, c := range all {
		t.Run(strings.TrimSuffix(filepath.Base(c.path), ".txtar"), func(t *testing.T) {
			path, err := filepath.Abs(c.path)
			if err != nil {
				t.Fatal(err)
			}
			tree, found := c.load(t)
			got := report(t, append(found, Check(tree, chart)...))
			if *update {
				c.archive.Files[len(c.archive.Files)-1].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(c.archive), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for range 3 {
				tree, found := values.Load(c.input)
				if again := report(t, append(found, Check(tree, chart)...)); again != got {
					t.Fatalf("another run says (-first +later):\n%s", cmp.Diff(got, again))
				}
			}
			complete(t, tree, chart)
		})
	}
}

// complete: every fault has a place, a path and a way out.
func complete(t *testing.T, tree *values.Tree, chart Chart) {
	t.Helper()
	for _, f := range Check(tree, chart) {
		if f.File == "" && tree.Root().Pos.File != nil || f.Field+f.Key == "" || f.Fix == "" || f.Message == "" {
			t.Errorf("incomplete: %+v", f)
		}
	}
}

func report(t testing.TB, found faults.List) string {
	t.Helper()
	var b bytes.Buffer
	p, err := faults.NewPrinter(faults.FormatText, &b, faults.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found.Sorted() {
		if err := p.Write(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func embedded(t testing.TB) Chart {
	t.Helper()
	chart, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return chart
}

func holds(files []txtar.File, text string) bool {
	for _, f := range files {
		if bytes.Contains(f.Data, []byte(text)) {
			return true
		}
	}
	return false
}
