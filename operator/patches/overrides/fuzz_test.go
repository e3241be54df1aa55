package overrides

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// hostile are names and values that try to get out of the comment, the block
// or the scalar that they are written into.
func hostile() []Variable {
	const note, annotations = "sts__any__spec__template__metadata__annotations__note", "sts__any__spec__template__metadata__annotations"
	return []Variable{
		{Name: note, Value: "x\n---\nkind: Pod\n"},
		{Name: note, Value: "x\npatch: y"},
		{Name: note, Value: "'\"\\ # : {{ .Values.x }} ${X} \t \x00 \x1b[31m \u202e \u2028 \ufeff"},
		{Name: note, Value: "- x"}, {Name: note, Value: "!!int 3"}, {Name: note, Value: "&a *a"}, {Name: note, Value: "~"},
		{Name: note, Value: "1:20"}, {Name: note, Value: "0x1F"}, {Name: note, Value: "1e3"}, {Name: note, Value: "1_000"},
		{Name: note, Value: "null"}, {Name: note, Value: "Off"}, {Name: note, Value: "2001-01-01"}, {Name: note, Value: ""}, {Name: note, Value: " "},
		{Name: note, Value: "<<"}, {Name: note, Value: "="}, {Name: note, Value: ".inf"}, {Name: note, Value: "5m"}, {Name: note, Value: "1E3"},
		{Name: annotations + "__x\n---\nkind: Pod", Value: "x"},
		{Name: annotations + "__x: y\npatch", Value: "x"},
		{Name: annotations + "__\u2028a", Value: "x"},
		{Name: annotations + "__null", Value: "x"}, {Name: annotations + "__<<", Value: "x"}, {Name: annotations + "__? a", Value: "x"},
		{Name: annotations, Value: "\"a\\n---\": \"b\\n---\""},
		{Name: annotations, Value: `{"true": "no", "1": "2", "": "x"}`},
		{Name: "sts__any__spec__template__spec__containers__0__resources__limits", Value: "{cpu: 0x10, memory: !!str 1Gi}"},
		{Name: "sts__any__spec__template__spec__containers__0__resources__limits__cpu", Value: "0.5"},
		{Name: "pdb__any__spec__maxUnavailable", Value: "!!int \"1\\n---\""},
	}
}

// check is what holds of every variable, whatever it holds: no panic, and a
// patch that is returned sets its field, to its value, and nothing else.
func check(t *testing.T, name, text string) {
	p, found := one(t, name, text)
	if p == nil {
		tellsNothing(t, name, text, fmt.Sprintf("%+v", found[0]))
		return
	}
	if errs := validation.IsConfigMapKey(p.Key + ".yaml"); len(errs) > 0 {
		t.Errorf("the key %q: %v", p.Key, errs)
	}
	for i, l := range strings.Split(strings.TrimSuffix(p.Text, "\n"), "\n") {
		if i == 0 && !strings.HasPrefix(l, "# from ") || strings.HasPrefix(l, "---") || l == "" || strings.ContainsAny(l, "\r\x1b\u2028\u2029\u0085\u202e") {
			t.Errorf("line %d breaks out: %q", i+1, l)
		}
	}
	slug := p.slug(t)
	objects := render(t, []Patch{*p}, slug)
	field := p.field(t)
	for _, o := range objects {
		for _, w := range o.Writes {
			if !w.Path.Within(field) && !isItemKey(w.Path, field) {
				t.Errorf("%s also changes %s of %s\n%s", name, w.Path, o.Title(), p.Text)
			}
		}
	}
	values, found := source.Parse(source.NewFile("values.yaml", Values([]Patch{*p})), source.DefaultLimits)
	if len(found) > 0 || len(values) != 1 || len(values[0].Get("agents").Get("manifestPatches").Fields) != 1 {
		t.Errorf("the values do not hold one patch: %+v\n%s", found, Values([]Patch{*p}))
	}
}

// isItemKey: an item that is added brings its own key.
func isItemKey(written, field fields.Path) bool {
	i := strings.LastIndexByte(string(written), ']')
	return i > 0 && field.Within(written[:i+1])
}

// tellsNothing looks for a value that is no part of the name.
func tellsNothing(t *testing.T, name, value, fault string) {
	if len(value) > 12 && !strings.Contains(name, value) && strings.Contains(fault, value) {
		t.Errorf("the value is told: %s", fault)
	}
}

func (p *Patch) read(t *testing.T) (*kind, *path, string) {
	word, name, rest, _ := split(p.Variable.Name)
	k, r := findKind(word, kinds(version))
	if r != nil {
		t.Fatal(r.why)
	}
	slug, _ := slugOf(name, k)
	at := newPath(rest, k)
	if r := at.read(); r != nil {
		t.Fatal(r.why)
	}
	return k, at, slug
}

func (p *Patch) slug(t *testing.T) string {
	if _, _, slug := p.read(t); slug != "" {
		return slug
	}
	return "other"
}

func (p *Patch) field(t *testing.T) fields.Path {
	_, at, _ := p.read(t)
	return at.at
}

// R17: no value and no name gets out of the place it is written to.
func TestR17HostileVariablesStayInTheirPlace(t *testing.T) {
	for _, v := range hostile() {
		check(t, Prefix+v.Name, v.Value)
	}
	const name = Prefix + "sts__any__spec__template__metadata__annotations__note"
	for _, v := range hostile()[:21] {
		p, found := one(t, name, v.Value)
		if p == nil {
			t.Errorf("%q: %s", v.Value, found[0].Message)
			continue
		}
		for _, w := range render(t, []Patch{*p}, "coder")[3].Writes {
			if w.To != v.Value {
				t.Errorf("%q became %q", v.Value, w.To)
			}
		}
	}
}

func FuzzTranslate(f *testing.F) {
	for _, v := range hostile() {
		f.Add(v.Name, v.Value)
	}
	for _, name := range []string{
		"pvc__any__spec.resources.requests.storage", `Pod__sandbox-coder__spec["nodeSelector"]["a"]`, "hpa__coder__spec__behavior",
		"StatefulSet__any__spec__template__spec__containers__0__env__A__value", "svc__any__spec__ports[name=http]__targetPort", "pdb__*__spec__maxUnavailable",
		"sts__any__spec__template__spec__containers[name=\"a]\"]__image", "sts__any__spec", "sts__any__metadata",
	} {
		f.Add(name, "[{a: b}]")
		f.Add(name, "1")
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		if len(name)+len(value) < 4000 {
			check(t, Prefix+name, value)
		}
	})
}

func FuzzFromFile(f *testing.F) {
	f.Add(manifests, true)
	f.Add("export KORA_MANIFEST__a='x\n'\nKORA_MANIFEST__b=\"\\\"", false)
	f.Add("\ufeffKORA_MANIFEST__b\n=\n'", false)
	f.Fuzz(func(t *testing.T, text string, yaml bool) {
		file := source.NewFile("f", text)
		vars := dotenv(file)
		if yaml {
			vars, _ = fromYAML(file)
		}
		for _, v := range vars {
			if !strings.HasPrefix(v.Name, Prefix) || v.Pos.Line < 1 || v.Pos.Column < 1 {
				t.Errorf("%+v", v)
			}
		}
	})
}
