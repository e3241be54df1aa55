package values

import (
	"path/filepath"
	"testing"
)

// R4, R5, R7, R10, R28 to R31: every example of the guides "Deploying kora" and
// "Advanced customisations" is accepted, one by one and all together.
func TestExamplesOfTheGuidesAreAccepted(t *testing.T) {
	examples, err := filepath.Glob("testdata/seed/*.yaml")
	if err != nil || len(examples) != 10 {
		t.Fatalf("%d examples, %v", len(examples), err)
	}
	runs := [][]string{examples}
	for _, example := range examples {
		runs = append(runs, []string{example})
	}
	for _, files := range runs {
		tree, found := Load(Input{Files: files})
		if found = append(found, tree.Check()...); len(found) > 0 {
			t.Errorf("%v: %s", files, show(found))
		}
		settings(t, tree)
	}
}
