package preflight

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/runkora/kora/plugin/values"
)

// counted counts how often it is read.
type counted struct {
	io.Reader
	reads int
}

// Read is of io.Reader.
func (c *counted) Read(p []byte) (int, error) { c.reads++; return c.Reader.Read(p) }

// R55: standard input is read where the values ask for it, as a file or as a value's
// text, and the same each time; elsewhere nobody waits for what is typed.
func TestStandardInputIsReadWhereItIsAskedFor(t *testing.T) {
	for name, c := range map[string]struct {
		in    values.Input
		reads bool
	}{
		"a file":          {values.Input{Files: []string{"-"}}, true},
		"a file, spaced":  {values.Input{Files: []string{" - "}}, true},
		"a value's text":  {values.Input{Flags: []values.Flag{{Kind: values.SetFile, Text: "a=-"}}}, true},
		"nothing of them": {values.Input{Flags: []values.Flag{{Kind: values.Set, Text: "a=-"}}}, false},
	} {
		stdin := &counted{Reader: strings.NewReader("a: b\n")}
		c.in.Stdin = stdin
		in := Replayed(c.in)
		for range 3 {
			tree, found := values.Load(in())
			if found.Refused() || len(tree.Plain()) != 1 {
				t.Errorf("%s: %+v %+v", name, found, tree.Plain())
			}
		}
		if (stdin.reads > 0) != c.reads {
			t.Errorf("%s: read %d times", name, stdin.reads)
		}
	}
	broken := Replayed(values.Input{Files: []string{"-"}, Stdin: iotest.ErrReader(errors.New("gone"))})
	for range 2 {
		if _, found := values.Load(broken()); !found.Refused() {
			t.Error("an input that breaks off is taken for one that ends")
		}
	}
}
