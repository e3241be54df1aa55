package main

import (
	"os"
	"strings"
	"testing"
)

// R38, R40, R43, R56: every command of kora that these documents show runs in a
// script, word for word.
func TestEveryExampleOfTheDocumentsRuns(t *testing.T) {
	for _, c := range []struct {
		document, script string
		least            int
	}{
		{"generate.md", "generate.txtar", 7},
		{"argocd.md", "generate.txtar", 2},
		{"upgrade.md", "upgrade.txtar", 2},
		{"cmp.md", "cmp.txtar", 3},
	} {
		text, err := os.ReadFile("../docs/" + c.document)
		if err != nil {
			t.Fatal(err)
		}
		script, err := os.ReadFile("testdata/script/" + c.script)
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for line := range strings.Lines(string(text)) {
			command, ok := strings.CutPrefix(line, "    kora ")
			if !ok {
				continue
			}
			count++
			status := "exec sh -c 'kora " + strings.TrimSpace(command) + "; test $? = "
			if !strings.Contains(string(script), "exec kora "+command) && !strings.Contains(string(script), status) {
				t.Errorf("%s does not run %q of %s", c.script, "kora "+strings.TrimSpace(command), c.document)
			}
		}
		if count < c.least {
			t.Errorf("%s: %d examples found", c.document, count)
		}
	}
}
