package values

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/runkora/kora/internal/faults"
)

// R15, R20: whatever stands in a file and in flags, nothing panics, and every
// fault of the file points into it.
func FuzzLoad(f *testing.F) {
	examples, _ := filepath.Glob("testdata/seed/*.yaml")
	for _, example := range examples {
		text, err := os.ReadFile(example)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), "agents.workspace.size=1Gi", byte(0))
	}
	f.Add("agents: &a {workloads: *a}", `agents={"workloads":[1]}`, byte(2))
	f.Add("agents: {workspace: {size: [x, {<<: 1}]}}", `agents.workspace.size[1].x[2]={a,b}`, byte(1))
	f.Add("global: {imagePullSecrets: [{name: 1}, [a], null]}", `global.imagePullSecrets[0].name=null`, byte(0))
	f.Add("global: {observability: {otlpEndpoint: \"http://a:b@c\", samplingRate: .inf}}", `=`, byte(0))
	f.Fuzz(func(t *testing.T, text, assignment string, kind byte) {
		// not --set-file: the fuzzer would read files by chance
		flags := []Flag{{FlagKind(kind % 3), assignment}}
		tree, found := Load(Input{Files: []string{"-"}, Flags: flags, Stdin: strings.NewReader(text)})
		found = append(found, tree.Check()...)
		tree.Settings("1.4.0", coder)
		for _, l := range tree.Leaves() {
			tree.Without(l)
		}
		inside(t, text, found)
	})
}

func inside(t *testing.T, text string, found faults.List) {
	t.Helper()
	if strings.ContainsAny(text, "\r\u0085\u2028\u2029\ufeff") {
		return // the YAML library counts these as line ends, editors do not
	}
	lines := strings.Split(text, "\n")
	for _, f := range found {
		switch {
		case f.Line < 0 || f.Column < 0 || f.File == "":
			t.Errorf("no place: %+v", f)
		case f.Line == 0 || f.File != standardInput:
		case f.Line > len(lines) || f.Column > utf8.RuneCountInString(lines[f.Line-1])+1:
			t.Errorf("outside of the file: %+v", f)
		}
	}
}
