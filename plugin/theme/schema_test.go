package theme

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/runkora/kora/internal/source"
)

// fits judges a value by the words of JSON Schema that theme.schema.json uses.
// A word that it does not know fails the test.
func fits(t *testing.T, schema map[string]any, value any) bool {
	t.Helper()
	object, isObject := value.(map[string]any)
	text, isText := value.(string)
	ok := true
	for word, want := range schema {
		switch word {
		case "$schema", "title", "description", "examples":
		case "additionalProperties":
			ok = ok && want == true
		case "type":
			ok = ok && (want == "object" && isObject || want == "string" && isText)
		case "required":
			for _, key := range want.([]any) {
				_, has := object[key.(string)]
				ok = ok && (has || !isObject)
			}
		case "minProperties":
			ok = ok && (!isObject || len(object) >= int(want.(float64)))
		case "properties":
			for key, below := range want.(map[string]any) {
				if v, has := object[key]; has {
					ok = fits(t, below.(map[string]any), v) && ok
				}
			}
		case "minLength":
			ok = ok && (!isText || utf8.RuneCountInString(text) >= int(want.(float64)))
		case "maxLength":
			ok = ok && (!isText || utf8.RuneCountInString(text) <= int(want.(float64)))
		case "pattern":
			ok = ok && (!isText || regexp.MustCompile(want.(string)).MatchString(text))
		case "not":
			ok = ok && !fits(t, want.(map[string]any), value)
		default:
			t.Fatalf("the word %q of JSON Schema is not judged here", word)
		}
	}
	return ok
}

func schemaOf(t *testing.T, version string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal(Schema(version), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// R37: the schema and the validator say the same of every document of the
// corpus, less the rules that JSON Schema has no words for.
func TestSchemaAgreesWithTheValidator(t *testing.T) {
	schema := schemaOf(t, "1.4.0")
	for _, d := range documents() {
		if d.loose {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			file := source.NewFile("theme.yaml", d.text)
			docs, found := source.Parse(file, limits(0))
			if found.Refused() || len(docs) != 1 {
				t.Fatalf("no one document: %v", found)
			}
			want := !Validate(file, "1.4.0").Refused()
			if got := fits(t, schema, docs[0].Any()); got != want {
				t.Errorf("the schema says %v, the validator %v", got, want)
			}
		})
	}
}

// R34, R37: the schema of another major refuses this one's themes.
func TestSchemaIsThatOfItsMajor(t *testing.T) {
	value := map[string]any{"koraVersion": "1.4.0"}
	if fits(t, schemaOf(t, "2.0.0"), value) || !fits(t, schemaOf(t, "1.9.0"), value) {
		t.Error("the major of the schema does not count")
	}
}

// R32: the table holds the slots and tokens that the requirements list.
func TestTableIsTheOneOfTheRequirements(t *testing.T) {
	want := []string{"productName", "slots.logo.dark", "slots.logo.light", "slots.favicon.dark", "slots.favicon.light", "slots.font.sans", "slots.font.mono"}
	for _, token := range []string{"background", "surface", "text", "text-muted", "border", "primary", "on-primary", "success", "warning", "danger", "focus"} {
		want = append(want, "slots.color."+token+".dark", "slots.color."+token+".light")
	}
	var got, identity []string
	for _, s := range Settings() {
		got = append(got, s.Path)
		if s.Identity {
			identity = append(identity, s.Path)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("settings %q", got)
	}
	if !slices.Equal(identity, want[:5]) {
		t.Errorf("identity %q", identity)
	}
}

// The themes of the documents are accepted as they stand.
func TestExamplesAreAccepted(t *testing.T) {
	names, err := filepath.Glob("../../testdata/theme/*.yaml")
	if err != nil || len(names) < 2 {
		t.Fatalf("%q, %v", names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if theme, found := Parse(source.NewFile(name, string(text)), "1.4.0"); theme == nil {
			t.Errorf("%v", found)
		}
	}
}
