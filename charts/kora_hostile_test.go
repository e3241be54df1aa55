package charts

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// refusedPaths renders the release "kora" with one value at each path, and gives
// the paths that are refused in a sentence; what else goes wrong fails the test.
func refusedPaths(t *testing.T, leaves []leaf, value any, flags ...string) (refused []string, printed string) {
	t.Helper()
	values := map[string]any{}
	for _, l := range leaves {
		put(values, l.path, value)
	}
	args := append([]string{"template", "kora", "kora", "--namespace", "kora-system"}, flags...)
	out, err := helm(t, helms[0], os.DevNull)(append(args, "--values", fileOf(t, values))...)
	if err == nil {
		return nil, out
	}
	if told(out) == "" {
		t.Errorf("it stumbles: %v\n%.600s", err, out)
	}
	for line := range strings.Lines(told(out)) {
		path, _, _ := strings.Cut(line, ":")
		refused = append(refused, path)
	}
	return refused, ""
}

// fileOf is a file of the values.
func fileOf(t *testing.T, values map[string]any) string {
	t.Helper()
	content, err := yaml.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "values.yaml")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// without leaves out some paths.
func without(leaves []leaf, paths []string) []leaf {
	return slices.DeleteFunc(slices.Clone(leaves), func(l leaf) bool { return slices.Contains(paths, l.path) })
}

// R20: a value with nothing behind it, which takes Helm's default away, is either
// as good as an empty one or refused by its path: never a stumble in a template,
// and never a switch that is off because somebody left it blank.
func TestKoraNothingIsAValueOrAFault(t *testing.T) {
	t.Parallel()
	leaves := without(schema(t).leaves(""), required)
	refused, _ := refusedPaths(t, leaves, nil, valuesOf("kora")...)
	taken := without(leaves, refused)
	if len(refused) == 0 || len(taken) == 0 {
		t.Fatalf("%d refused, %d taken", len(refused), len(taken))
	}
	still, printed := refusedPaths(t, taken, nil, valuesOf("kora")...)
	if len(still) > 0 {
		t.Errorf("refused only now: %v", still)
	}
	manifests(t, printed)
	for _, l := range taken {
		if strings.HasSuffix(l.path, "nabled") || strings.HasSuffix(l.path, ".create") {
			t.Errorf("%s: a switch that is blank is off", l.path)
		}
	}
	for depth, blocks := range blocksByDepth(schema(t), 0, "") {
		blocks = without(blocks, []string{"global"}) // the schema asks for it
		refused, _ := refusedPaths(t, blocks, nil, valuesOf("kora")...)
		if left := without(blocks, refused); len(left) > 0 {
			t.Errorf("blocks of depth %d that may be nothing: %v", depth, left)
		}
	}
}

// blocksByDepth lists the maps of kora's own shape.
func blocksByDepth(n node, depth int, path string) map[int][]leaf {
	all := map[int][]leaf{}
	if len(n.Properties) == 0 || n.Default != nil {
		return all
	}
	if path != "" {
		all[depth] = []leaf{{path, n}}
	}
	for name, child := range n.Properties {
		for at, below := range blocksByDepth(child, depth+1, strings.TrimPrefix(path+"."+name, ".")) {
			all[at] = append(all[at], below...)
		}
	}
	return all
}

// hostile tries to leave its place in YAML, in a Helm template and in a shell.
const hostile = "a\"b'c\n---\nkind: Secret\nmetadata: {name: planted}\n{{ fail \"x\" }} $(id) \\"

// R20: even where Helm is told to skip the schema, a text stays the value that it
// is: it makes no object and breaks none.
func TestKoraTextsStayInTheirPlace(t *testing.T) {
	t.Parallel()
	flags := append(valuesOf("scale-out"), "--skip-schema-validation", "--set", "global.observability.otlpEndpoint=http://a,global.observability.collectorNamespace=b")
	var texts []leaf
	for _, l := range schema(t).leaves("") {
		// The first two are judged by checks that quote what they find; another text
		// in the third turns objects off.
		judged := []string{"frontendHost", "theme.document", "istio.outboundTrafficPolicy"}
		if _, text := l.node.Examples[0].(string); text && !slices.Contains(judged, l.path) {
			texts = append(texts, l)
		}
	}
	for _, create := range []string{"true", "false"} {
		flags := append(slices.Clone(flags), "--set", "gateway.create="+create)
		_, plain := refusedPaths(t, nil, nil, append(flags, "--set", "gateway.byo.namespace=own")...)
		refused, _ := refusedPaths(t, texts, hostile, flags...)
		again, printed := refusedPaths(t, without(texts, refused), hostile, append(flags, "--set", "gateway.byo.namespace=own")...)
		if len(again) > 0 || len(without(texts, refused)) < 40 {
			t.Fatalf("%v, %d are tried", again, len(without(texts, refused)))
		}
		before, after := kinds(t, plain), kinds(t, printed)
		for kind, n := range after {
			if n > before[kind] {
				t.Errorf("%d objects of kind %s instead of %d", n, kind, before[kind])
			}
		}
		if len(after) != len(before) {
			t.Errorf("kinds %v instead of %v", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
		}
	}
}

// kinds counts the objects of each kind.
func kinds(t *testing.T, printed string) map[string]int {
	t.Helper()
	all := map[string]int{}
	for _, o := range manifests(t, printed) {
		all[o["kind"].(string)]++
	}
	return all
}
