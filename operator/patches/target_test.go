package patches

import (
	"fmt"
	"regexp/syntax"
	"runtime"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
)

// R12: a target selects what kustomize would select.
func TestTargetsSelectAsKustomize(t *testing.T) {
	values := []string{"", "agent-coder", "agent.coder", "agent-.*", "coder|agent-coder", "(?i)AGENT-coder", "agent-coder$", "^agent", ".*coder", "v1", "v[12]", "apps|", "core", "Pod", "StatefulSet|Pod", ".*"}
	for _, pattern := range values {
		for _, field := range []string{"group", "version", "name", "namespace"} {
			n := entry(t, "1", fmt.Sprintf("target: {kind: .*, %s: %q}\npatch: x\n", field, pattern)).Node.Get("target")
			target, found := compileTarget(n, kinds())
			if len(found) > 0 {
				t.Fatal(found)
			}
			get := func(f string) string {
				if v := n.Get(f); v != nil {
					return v.Value
				}
				return ""
			}
			want, err := types.NewSelectorRegex(&types.Selector{ResId: resid.ResId{
				Gvk: resid.Gvk{Group: get("group"), Version: get("version"), Kind: get("kind")}, Name: get("name"), Namespace: get("namespace"),
			}})
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range kinds() {
				for _, name := range values {
					meta := map[string]any{"name": name, "namespace": "x" + name}
					theirs := want.MatchGvk(resid.NewGvk(k.Group, k.Version, k.Kind.Kind)) && want.MatchName(name) && want.MatchNamespace("x"+name)
					if ours := target.matches(map[string]any{"metadata": meta}, k); ours != theirs {
						t.Errorf("%s %q on %s %q: %v", field, pattern, k.Kind.Kind, name, ours)
					}
				}
			}
		}
	}
}

// security.md: the estimate is not below what the compiler makes.
func TestStepsBoundTheProgram(t *testing.T) {
	for _, text := range []string{"a", "agent-[a-z]+", "(a|b|sand.*){1,90}", "a{400}", "(?:a{10}){10}", "(a?){50}", "[a-z]{5,}", "\\pL+", "(?i)agent", "(((a)))*", ".{100}", "a|bc|bd|be"} {
		tree, err := syntax.Parse(text, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		estimate := steps(tree)
		prog, err := syntax.Compile(tree.Simplify())
		if err != nil {
			t.Fatal(err)
		}
		if n := len(prog.Inst); n > 2*estimate+4 {
			t.Errorf("%s: %d instructions, %d steps", text, n, estimate)
		}
	}
}

// R13, security.md: what would hold a machine's memory is refused, and what a
// person writes is not.
func TestTargetsAreBounded(t *testing.T) {
	for _, c := range []struct{ field, text, want string }{
		{"name", "(a|b|sand.*){1,900}", "KORA-P006 1.yaml:3:9 "},
		{"namespace", "((a{1,30}){1,30})", "KORA-P006 1.yaml:3:14 "},
		{"version", `(\pL|\pN|\pS|\pP){20}`, "KORA-P006 1.yaml:3:12 "},
		{"name", strings.Repeat("a", 501), "KORA-P006 1.yaml:3:9 "},
		{"labelSelector", strings.Repeat("a,", 50_000) + "a", "KORA-P006 1.yaml:3:18 "},
		{"name", "(a{1,1001})", "KORA-P003 1.yaml:3:9 "},
		{"name", "agent-(coder|reviewer|[a-z0-9-]{1,40})", ""},
		{"name", strings.Repeat("agent-coder|", 30) + "x", ""},
	} {
		patch := "kind: any\n  metadata: {name: any, labels: {a: b}}\n"
		text := fmt.Sprintf("target:\n  kind: Pod\n  %s: '%s'\npatch: |\n  %s", c.field, c.text, patch)
		if _, found := Compile([]Entry{entry(t, "1", text)}); !strings.HasPrefix(told(found), c.want) || c.want == "" && len(found) > 0 {
			t.Errorf("%s %.30s: %q, want %q", c.field, c.text, told(found), c.want)
		}
	}
}

// security.md: a thousand targets at the limit take some tens of megabytes.
func TestThousandTargetsFitInMemory(t *testing.T) {
	var entries []Entry
	for i := range MaxEntries {
		e := fmt.Sprintf("'(a|b|s%d.*){1,40}'", i)
		entries = append(entries, entry(t, fmt.Sprint(i), fmt.Sprintf("target: {kind: Pod, name: %s, namespace: %s, version: %s}\npatch: |\n  kind: any\n  metadata: {name: any, labels: {a: b}}\n", e, e, e)))
	}
	before := heap()
	set, found := Compile(entries)
	if len(found) > 0 {
		t.Fatal(found[0])
	}
	grown := heap() - before
	runtime.KeepAlive(set)
	if t.Logf("%d MiB", grown>>20); grown > 100<<20 {
		t.Error("too much")
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
