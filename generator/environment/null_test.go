package environment

import (
	"reflect"
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

// R38, R39: a text that is required, or that has a default, is not empty: each of the
// schema, in each spelling, is refused at its place by Read, by the guard and by the
// schema for editors; one whose default is empty may be.
func TestEmptyTextsAreTold(t *testing.T) {
	seen := map[bool]int{}
	schema := compiled(t)
	var walk func(all []spec, path []string)
	walk = func(all []spec, path []string) {
		for _, s := range all {
			at := append(append([]string(nil), path...), s.key)
			walk(s.fields, at)
			if s.kind != reflect.String {
				continue
			}
			seen[s.required || s.standard != ""]++
			for _, nothing := range []string{" ''", ` ""`, " !!str"} {
				text := strings.Replace(least, s.key+":", "#", 1)
				for i, key := range at {
					text += strings.Repeat("  ", i) + key + ":" + map[bool]string{true: nothing}[i == len(at)-1] + "\n"
				}
				field := strings.Join(at, ".")
				env, found := read(text)
				told := env == nil && len(found) == 1 && found[0].Code == faults.EnvironmentForm && found[0].Field == field &&
					strings.Contains(found[0].Message, "empty") && found[0].Line == 2+len(at) && found[0].Column > 1
				guard, editor := guarded(t, text), schema.Validate(plain(t, text))
				if empty := s.required || s.standard != ""; told != empty || !empty && env == nil || empty != (guard != nil) || empty != (editor != nil) {
					t.Errorf("%s:%s: %+v, %q, %v", field, nothing, found, guard, editor)
				}
			}
		}
	}
	walk(specs(), nil)
	if seen[true] < 12 || seen[false] < 12 {
		t.Errorf("%v", seen)
	}
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
