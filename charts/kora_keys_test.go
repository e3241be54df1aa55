package charts

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"text/template/parse"

	gocmp "github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

// orderless are keys that toYaml sorts otherwise each time: it has no order of them.
var orderless = []string{"rack1b", "rack3", "rack12", "node-1a", "node-2", "node-10", "1", "01", "0a"}

// keyed is a fresh map of those keys, each behind a prefix, to one value.
func keyed(prefix string, value any) map[string]any {
	all := map[string]any{}
	for _, key := range orderless {
		all[prefix+key] = value
	}
	return all
}

// keyedValues sets such keys wherever the schema leaves the keys to the user, in
// configOverrides too, and turns on what would hide them.
func keyedValues(t *testing.T) map[string]any {
	t.Helper()
	all := map[string]any{}
	for _, text := range []string{"global.trustDomain=example.com", "frontendHost=example.com", "agents.sandboxWarming.mode=capacity"} {
		at, value, _ := strings.Cut(text, "=")
		put(all, at, value)
	}
	put(all, "agents.workspace.accessModes", []any{"ReadWriteMany"})
	put(all, "sandboxMount.enabled", true)
	for _, l := range schema(t).leaves("") {
		if value := keyedLeaf(l); value != nil {
			put(all, l.path, value)
		}
	}
	workloads := map[string]any{"sandbox": map[string]any{"podLabels": keyed("a", "x")}}
	put(all, "agents.configOverrides", map[string]any{"internal/agents": map[string]any{"workloads": workloads}})
	return all
}

// keyedLeaf is such a value for one of the schema's, nil where it owns the keys.
func keyedLeaf(l leaf) any {
	selector := map[string]any{"topologyKey": "zone", "labelSelector": map[string]any{"matchLabels": keyed("", "x")}}
	switch kind := path.Base(l.node.Ref); {
	case kind == "labels" || kind == "annotations" || kind == "podLabels" || kind == "podAnnotations" || strings.HasSuffix(l.path, "registryMirrors"):
		return keyed("", "x")
	case kind == "resources":
		return map[string]any{"requests": keyed("example.com/", "1"), "limits": keyed("example.com/", "1")}
	case kind == "affinity":
		return map[string]any{"podAntiAffinity": map[string]any{"requiredDuringSchedulingIgnoredDuringExecution": []any{selector}}}
	case kind == "topologySpreadConstraints":
		selector["maxSkew"], selector["whenUnsatisfiable"] = 1, "ScheduleAnyway"
		return []any{selector}
	case strings.HasSuffix(l.path, "manifestPatches"):
		return keyed("", map[string]any{"target": map[string]any{"kind": "Pod"}, "patch": "{}"})
	}
	return nil
}

// engineOf is what Helm's engine writes in this process, by template.
func engineOf(t *testing.T, of *chart.Chart, values map[string]any) map[string]string {
	t.Helper()
	all, err := chartutil.ToRenderValues(of, values, chartutil.ReleaseOptions{Name: "kora", Namespace: "kora-system"}, chartutil.DefaultCapabilities)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := engine.Engine{}.Render(of, all)
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// R35: the same values give the same bytes, checksums with them, whatever the keys
// of a map are: there are sets of keys that toYaml has no order of.
func TestKoraRendersTheSameBytesOfAnyKeys(t *testing.T) {
	t.Parallel()
	kora, err := loader.Load("kora")
	if err != nil {
		t.Fatal(err)
	}
	kora.Schema = nil // not every such key is a good one; the templates are asked
	first := engineOf(t, kora, keyedValues(t))
	for range 5 {
		if diff := gocmp.Diff(first, engineOf(t, kora, keyedValues(t))); diff != "" {
			t.Fatalf("two renders differ:\n%s", diff)
		}
	}
	if n := strings.Count(fmt.Sprint(first), "rack1b"); n < 100 {
		t.Errorf("the keys stand there %d times", n)
	}
}

// R35: maps are written by the one template that has an order of any keys, and keys
// are sorted where they are listed.
func TestKoraWritesMapsByOneTemplate(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"kora/templates/*.*", "kora/templates/checks/*", "kora-crds/templates/*.*"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			for _, found := range unordered(t, name) {
				t.Errorf("%s: %s: include kora.yaml instead, or sort", name, found)
			}
		}
	}
}

// unordered lists the pipelines of a template that write a map, or list its keys or
// values, in no order.
func unordered(t *testing.T, name string) (found []string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	trees := map[string]*parse.Tree{}
	tree := parse.New(name)
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(string(text), "", "", trees); err != nil {
		t.Fatal(err)
	}
	for of, tree := range trees {
		pipes(tree.Root, func(p *parse.PipeNode) {
			for i, c := range p.Cmds {
				switch called := c.Args[0].String(); {
				case called == "toYaml" && of == "kora.yaml":
				case called == "keys" && i+1 < len(p.Cmds) && p.Cmds[i+1].String() == "sortAlpha":
				case called == "toYaml" || called == "toYamlPretty" || called == "toToml" || called == "keys" || called == "values":
					found = append(found, p.String())
				}
			}
		})
	}
	return found
}

// pipes visits every pipeline below a node of a template.
func pipes(n parse.Node, visit func(*parse.PipeNode)) {
	branch := func(b parse.BranchNode) {
		pipes(b.Pipe, visit)
		pipes(b.List, visit)
		if b.ElseList != nil {
			pipes(b.ElseList, visit)
		}
	}
	switch n := n.(type) {
	case *parse.ListNode:
		for _, each := range n.Nodes {
			pipes(each, visit)
		}
	case *parse.ActionNode:
		pipes(n.Pipe, visit)
	case *parse.IfNode:
		branch(n.BranchNode)
	case *parse.RangeNode:
		branch(n.BranchNode)
	case *parse.WithNode:
		branch(n.BranchNode)
	case *parse.PipeNode:
		visit(n)
		for _, c := range n.Cmds {
			for _, arg := range c.Args {
				pipes(arg, visit)
			}
		}
	}
}
