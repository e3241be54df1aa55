package environment

import (
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// R38, R39: a fact without a value is told at its key, each of the schema,
// however it is spelt: Helmfile would take the nothing over the default.
func TestFactsWithoutAValueAreTold(t *testing.T) {
	var walk func(all []spec, path []string)
	walk = func(all []spec, path []string) {
		for _, s := range all {
			at := append(append([]string(nil), path...), s.key)
			walk(s.fields, at)
			if s.required {
				continue // missing, which another test has
			}
			for _, nothing := range []string{"", " null", " ~"} {
				text := least
				for i, key := range at {
					text += strings.Repeat("  ", i) + key + ":" + map[bool]string{true: nothing}[i == len(at)-1] + "\n"
				}
				env, found := read(text)
				if env != nil || len(found) != 1 || found[0].Code != faults.EnvironmentForm || found[0].Field != strings.Join(at, ".") ||
					found[0].Line != 2+len(at) || found[0].Column != 2*len(at)-1 {
					t.Errorf("%s:%s: %+v", strings.Join(at, "."), nothing, found)
				}
			}
		}
	}
	walk(specs(), nil)
}

// R38, R39: a name of a label that Helmfile does not read as a text is told, at
// the name, with the quotes that make it one.
func TestNamesOfLabelsAreTexts(t *testing.T) {
	for key, told := range map[string]bool{"5": true, "1.5": true, "true": true, "null": true, "~": true, "2024-01-01": true, "0x10": true, `"5"`: false, "'true'": false, "pool": false, "a.b/c": false} {
		text := least + "nodePools:\n  sandbox:\n    nodeSelector:\n      " + key + ": a\n"
		env, found := read(text)
		if told != (env == nil) || told && (len(found) != 1 || found[0].Line != 6 || found[0].Column != 7 || found[0].Fix != "write \""+key+"\"") {
			t.Errorf("%s: %+v", key, found)
		}
	}
}
