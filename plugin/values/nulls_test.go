package values

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runkora/kora/internal/source"
)

func removed(tree *Tree) string {
	var out []string
	for _, r := range tree.Removed() {
		out = append(out, fmt.Sprintf("%s %d:%d", r.Path, r.Node.Pos.Line, r.Node.Pos.Column))
	}
	return strings.Join(out, ", ")
}

// R20: a null is remembered with its place until something is set there again, and
// stands in what Helm gets.
func TestNullsAreRemembered(t *testing.T) {
	for name, c := range map[string]struct {
		texts, flags []string
		want         string
		plain        map[string]any
	}{
		"none":              {[]string{"a: 1"}, nil, "", map[string]any{"a": int64(1)}},
		"a key":             {[]string{"a: 1\nb: {c: , d: 2}"}, nil, "b.c 2:5", map[string]any{"a": int64(1), "b": map[string]any{"c": nil, "d": int64(2)}}},
		"set by a file":     {[]string{"a: {b: 1}", "a: {b: null}"}, nil, "a.b 1:5", map[string]any{"a": map[string]any{"b": nil}}},
		"set again":         {[]string{"a: {b: null}", "a: {b: 2}"}, nil, "", map[string]any{"a": map[string]any{"b": int64(2)}}},
		"a whole block":     {[]string{"a: {b: null, c: 1}", "a:"}, nil, "a 1:1", map[string]any{"a": nil}},
		"a block, then one": {[]string{"a: {b: null}", "a:", "a: {c: 1}"}, nil, "", map[string]any{"a": map[string]any{"c": int64(1)}}},
		"by a flag":         {[]string{"a: {b: 1}"}, []string{"--set a.b=null"}, "a.b 0:0", map[string]any{"a": map[string]any{"b": nil}}},
		"below no map":      {[]string{"a: {b: null}", "a: text"}, nil, "", map[string]any{"a": "text"}},
		"in a list":         {[]string{"a: [null]"}, nil, "", map[string]any{"a": []any{nil}}},
		"a refused flag":    {[]string{"a: 1"}, []string{"--set b=null,c"}, "", map[string]any{"a": int64(1)}},
	} {
		t.Run(name, func(t *testing.T) {
			tree, _ := load(t, c.texts, c.flags...)
			if got := removed(tree); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if diff := cmp.Diff(c.plain, tree.Plain()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// R20: laid over others, a null takes away, the rest is merged, and what is taken
// from the others keeps its place in their file.
func TestValuesAreLaidOverOthers(t *testing.T) {
	own, found := Read(source.NewFile("chart/values.yaml", "a: 1\nb: {c: 2, d: 3}\ne: [1, 2]\n"))
	if len(found) > 0 {
		t.Fatal(show(found))
	}
	tree := mustLoad(t, []string{"b: {c: null, f: 4}\ne: [5]"}).Over(own)
	want := map[string]any{"a": int64(1), "b": map[string]any{"d": int64(3), "f": int64(4)}, "e": []any{int64(5)}}
	if diff := cmp.Diff(want, tree.Root().Any()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if at := tree.Get("b", "d").Pos; at.File.Name != "chart/values.yaml" || at.Line != 2 {
		t.Errorf("%+v", at)
	}
	if diff := cmp.Diff(map[string]any{"a": int64(1), "b": map[string]any{"c": int64(2), "d": int64(3)}, "e": []any{int64(1), int64(2)}}, own.Root().Any()); diff != "" {
		t.Errorf("the others changed:\n%s", diff)
	}
	if got := Nothing().Over(own).Root().Any(); !cmp.Equal(got, own.Root().Any()) {
		t.Errorf("nothing over others is %v", got)
	}
}

// What could not be read makes the tree a partial one.
func TestPartialTree(t *testing.T) {
	for text, want := range map[string]bool{"a: 1": false, "": false, "a: {": true, "- a": true, "a: 1\na: 2": false} {
		if tree, _ := load(t, []string{text}); tree.Partial() != want {
			t.Errorf("%q: %v", text, tree.Partial())
		}
	}
	if tree, _ := Load(Input{Files: []string{"no-such-file.yaml"}}); !tree.Partial() {
		t.Error("a file that is not there")
	}
	if tree, _ := load(t, nil, "--set a"); !tree.Partial() {
		t.Error("a flag that is none")
	}
}

// R20: the pods of services are checked as those of agents are.
func TestPodsOfServicesAreChecked(t *testing.T) {
	tree := mustLoad(t, []string{`policyService:
  nodeSelector: {"a b": c, d: 1}
  tolerations: [{key: a, operator: Exists, value: b}, {opertor: Exists}]
  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: []}}}
  podAnnotations: {-x: z}
`})
	want := strings.Join([]string{
		`KORA-V005 0.yaml:2:18 policyService.nodeSelector["a b"]`,
		"KORA-F002 0.yaml:2:31 policyService.nodeSelector.d",
		"KORA-F002 0.yaml:3:51 policyService.tolerations[0].value",
		"KORA-F001 0.yaml:3:56 policyService.tolerations[1].opertor",
		"KORA-F002 0.yaml:4:77 policyService.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution",
		"KORA-V005 0.yaml:5:20 policyService.podAnnotations.-x",
	}, "\n")
	got, file := show(tree.CheckPod("policyService")), tree.Root().Pos.File.Name
	if got = strings.ReplaceAll(got, file, "0.yaml"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if found := tree.CheckPod("none"); len(found) > 0 {
		t.Error(show(found))
	}
}
