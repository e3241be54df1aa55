package patches

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/patches/kustomize"
)

// speaker writes random merge documents about an object, with everything that
// kustomize is known to misread: items without their key, directives anywhere,
// nulls and empty maps and lists.
type speaker struct{ r *rand.Rand }

func (s *speaker) in(n int) bool { return s.r.IntN(n) == 0 }

func (s *speaker) about(v any, t *fields.Type, f *fields.Field) any {
	if s.in(12) {
		return nil
	}
	switch t.Kind {
	case fields.Object, fields.Map:
		m, _ := v.(map[string]any)
		return s.object(m, t)
	case fields.List:
		list, _ := v.([]any)
		return s.list(list, t, f)
	case fields.Int:
		return s.r.IntN(3) + 8079
	case fields.Bool:
		return s.in(2)
	case fields.Quantity:
		return fmt.Sprint(s.r.IntN(3)+1, "Gi")
	case fields.IntOrString:
		return pickOf(s, []any{1, 22, "http", "50%"})
	}
	if v != nil && !s.in(3) {
		return v
	}
	return pickOf(s, []any{"x", "http", "TCP", "UDP", "tmp", "/tmp"})
}

func pickOf[T any](s *speaker, from []T) T { return from[s.r.IntN(len(from))] }

func (s *speaker) object(m map[string]any, t *fields.Type) map[string]any {
	out := map[string]any{}
	names := slices.Concat(sortedKeys(m), sortedKeys(m), sortedKeys(m))
	if t.Kind == fields.Object {
		names = append(names, pickOf(s, t.Names()))
	}
	for range 1 + s.r.IntN(4) {
		if len(names) > 0 {
			name := pickOf(s, names)
			f := t.Member(name)
			out[name] = s.about(m[name], f.Type, f)
		}
	}
	if s.in(10) {
		out["$patch"] = pickOf(s, []any{"replace", "delete", "merge"})
	}
	return out
}

func (s *speaker) list(list []any, t *fields.Type, f *fields.Field) []any {
	out := []any{}
	for range s.r.IntN(3) {
		var item any
		if len(list) > 0 {
			item = pickOf(s, list)
		}
		said := s.about(item, t.Elem, &fields.Field{Type: t.Elem})
		m, isMap := said.(map[string]any)
		for _, k := range f.Keys {
			if v := dig(item, k); isMap && v != nil && !s.in(5) {
				m[k] = v
			}
		}
		if said != nil {
			out = append(out, said)
		}
	}
	if s.in(8) {
		out = append(out, map[string]any{"$patch": pickOf(s, []any{"replace", "delete", "merge"})})
	}
	return out
}

// leaves are the scalars in a value by their paths; a list that does not merge
// is one leaf. Named are the paths that a document takes out or writes anew.
type leaves struct {
	of    map[fields.Path]string
	named []fields.Path
}

func (l *leaves) add(v any, f *fields.Field, at fields.Path) {
	switch v := v.(type) {
	case nil:
		l.named = append(l.named, at)
	case map[string]any:
		l.addMap(v, f.Type, at)
	case []any:
		if len(f.Keys) == 0 || f.Strategy == "" {
			b, _ := json.Marshal(solid(any(v)))
			l.of[at] = string(b)
			return
		}
		for _, item := range v {
			m, _ := item.(map[string]any)
			if m["$patch"] != nil && len(m) == 1 {
				l.directive(m, at)
				continue
			}
			l.addMap(m, f.Type.Elem, at+testKey(m, f.Keys))
		}
	default:
		l.of[at] = fmt.Sprint(v)
	}
}

func (l *leaves) directive(m map[string]any, at fields.Path) (deleted bool) {
	switch m["$patch"] {
	case "delete", "replace":
		l.named = append(l.named, at)
	}
	return m["$patch"] == "delete"
}

func (l *leaves) addMap(m map[string]any, t *fields.Type, at fields.Path) {
	if l.directive(m, at) {
		return
	}
	for _, name := range sortedKeys(m) {
		if name != "$patch" {
			l.add(m[name], t.Member(name), at.Child(name))
		}
	}
}

func testKey(m map[string]any, keys []string) fields.Path {
	var out []string
	for _, k := range keys {
		switch v := m[k]; {
		case v != nil:
			out = append(out, fmt.Sprint(v))
		case k == "protocol":
			out = append(out, "TCP")
		}
	}
	return fields.Path("[" + strings.Join(out, ",") + "]")
}

func leavesOf(v any, t *fields.Type) *leaves {
	l := &leaves{of: map[fields.Path]string{}}
	l.add(v, &fields.Field{Type: t}, "")
	return l
}

// silent returns what a merge did that its document does not say, or did not
// do though it does; it goes by leaves and shares nothing with lost.
func silent(doc, before, made map[string]any, t *fields.Type) []string {
	var out []string
	said, was, is := leavesOf(doc, t), leavesOf(before, t), leavesOf(made, t)
	for at, v := range said.of {
		if !slices.Contains([]fields.Path{"apiVersion", "kind", "metadata.name", "metadata.namespace"}, at) && is.of[at] != v && !(v == "[]" && is.of[at] == "") {
			out = append(out, fmt.Sprintf("%s: %q is said, %q is there", at, v, is.of[at]))
		}
	}
	for at, v := range was.of {
		_, written := said.of[at]
		covered := slices.ContainsFunc(said.named, func(p fields.Path) bool { return at.Within(p) })
		if is.of[at] != v && !written && !covered {
			out = append(out, fmt.Sprintf("%s: %q became %q", at, v, is.of[at]))
		}
	}
	return out
}

// R16: whatever a merge document says, either kora refuses it or kustomize did
// that and no more.
func TestNothingOfAMergeIsLostInSilence(t *testing.T) {
	for _, built := range builtObjects(t) {
		taken, refused := 0, 0
		for seed := range uint64(700) {
			s := &speaker{rand.New(rand.NewPCG(seed, 16))}
			doc := s.object(built, typeOf(built["kind"]))
			delete(doc, "$patch")
			switch said, lost := mergeSilently(t, built, doc); {
			case lost:
				refused++
			case len(said) > 0:
				b, _ := json.Marshal(doc)
				t.Errorf("%s\n%s", b, strings.Join(said, "\n"))
			default:
				taken++
			}
		}
		if taken < 300 || refused < 15 {
			t.Errorf("%s: %d taken, %d refused: the generator proves nothing", built["kind"], taken, refused)
		}
	}
}

func typeOf(kind any) *fields.Type {
	for _, k := range kinds() {
		if k.Kind.Kind == kind {
			return k.Type
		}
	}
	return nil
}

func mergeSilently(t *testing.T, built, doc map[string]any) (said []string, refused bool) {
	t.Helper()
	if doc["metadata"] == nil {
		doc["metadata"] = map[string]any{}
	}
	doc["apiVersion"], doc["kind"] = built["apiVersion"], built["kind"]
	b, _ := json.Marshal(doc)
	docs, found := source.Parse(source.NewFile("a.yaml", string(b)), source.DefaultLimits)
	typ := typeOf(built["kind"])
	if len(found) > 0 || len(docs) != 1 {
		return nil, true
	}
	if _, wrong := fields.Sieve(docs[0], typ); len(wrong) > 0 {
		return nil, true
	}
	var shared []kustomize.Kind
	for _, k := range kinds() {
		shared = append(shared, k.Kind)
	}
	kustomize.Use(shared)
	before := plainCopy(t, built)
	made, err := kustomize.NewMerge(docs[0]).Apply(before, typ)
	if err != nil || made == nil || lost(docs[0], before, made, typ) != nil {
		return nil, true
	}
	plain, _ := docs[0].Any().(map[string]any)
	return silent(plain, before, made, typ), false
}

// plainCopy is what patches see: whole numbers as int64.
func plainCopy(t *testing.T, v map[string]any) map[string]any {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	docs, _ := source.Parse(source.NewFile("a.yaml", string(b)), source.DefaultLimits)
	out, _ := docs[0].Any().(map[string]any)
	return out
}

// R16: what a refusal of a misread item says to do instead works.
func TestFixOfAMisreadItemWorks(t *testing.T) {
	const head = "patch: |\n  kind: any\n  metadata: {name: any}\n  spec: "
	for name, text := range map[string]string{
		"key named":         "target: {kind: Service}\n" + head + "{ports: [{port: 8080, protocol: TCP, targetPort: 8080}]}\n",
		"without directive": "target: {kind: Pod}\n" + head + "{containers: [{name: sandbox, image: mine}]}\n",
		"whole env":         "target: {kind: Pod}\n" + head + "{containers: [{name: sandbox, env: [{$patch: replace}, {name: HOME, value: /scratch/home}]}]}\n",
		"no env":            "target: {kind: Pod}\n" + head + "{containers: [{name: sandbox, env: [{$patch: replace}]}]}\n",
		"JSON6902":          "target: {kind: Pod}\npatch: |\n  - {op: replace, path: /spec/containers/0/env/0, value: {name: A, value: b}}\n",
	} {
		docs, _ := source.Parse(source.NewFile("a.yaml", text), source.DefaultLimits)
		if _, found := render(t, Entry{"a", docs[0]}); len(found) > 0 {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
