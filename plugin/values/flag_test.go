package values

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runkora/kora/internal/source"
)

const base = `agents:
  workspace:
    size: 1Gi
    accessModes: [ReadWriteOnce]
  workloads:
    common:
      podLabels: {a.b/c: old, d: e}
      tolerations:
        - {key: one, operator: Exists}
        - {key: two, operator: Exists}
`

// R20: flags go over files as in Helm, and each value that a flag changed stands
// at the flag; what it did not change stays where it was.
func TestFlagsGoOverFiles(t *testing.T) {
	tree := mustLoad(t, []string{base},
		"--set agents.workspace.size=2Gi,agents.workloads.sandbox.priorityClassName=low",
		"--set agents.workspace.size=3Gi",
		"--set agents.workloads.common.tolerations[1].key=three",
		`--set-string agents.workloads.common.podLabels.a\.b/c=true`,
		`--set-json agents.workloads.common.topologySpreadConstraints=[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule"}]`,
		"--set agents.workspace.accessModes={ReadWriteMany}",
		"--set agents.workloads.common.podLabels.d=null",
	)
	want := map[string]any{
		"workspace": map[string]any{"size": "3Gi", "accessModes": []any{"ReadWriteMany"}},
		"workloads": map[string]any{
			"common": map[string]any{
				"podLabels": map[string]any{"a.b/c": "true"},
				"tolerations": []any{
					map[string]any{"key": "one", "operator": "Exists"},
					map[string]any{"key": "three", "operator": "Exists"},
				},
				"topologySpreadConstraints": []any{map[string]any{"maxSkew": int64(1), "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}},
			},
			"sandbox": map[string]any{"priorityClassName": "low"},
		},
	}
	if diff := cmp.Diff(want, tree.Get("agents").Any()); diff != "" {
		t.Error(diff)
	}
	common := tree.Get("agents", "workloads", "common")
	for place, n := range map[string]*source.Node{
		"--set agents.workspace.size=3Gi:0":                        tree.Get("agents", "workspace", "size"),
		"--set agents.workloads.common.tolerations[1].key=three:0": common.Get("tolerations").Items[1].Get("key"),
		"0.yaml:9":  common.Get("tolerations").Items[0].Get("key"),
		"0.yaml:10": common.Get("tolerations").Items[1].Get("operator"),
		`--set-string agents.workloads.common.podLabels.a\.b/c=true:0`: common.Get("podLabels").Get("a.b/c"),
		"--set agents.workspace.accessModes={ReadWriteMany}:0":         tree.Get("agents", "workspace", "accessModes"),
	} {
		file := n.Pos.File.Name
		if n.Pos.Line > 0 {
			file = filepath.Base(file)
		}
		if got := fmt.Sprintf("%s:%d", file, n.Pos.Line); got != place {
			t.Errorf("got %s, want %s", got, place)
		}
	}
	if found := tree.Check(); len(found) > 0 {
		t.Error(show(found))
	}
}

// R20: --set-json gives numbers their type, and replaces a map where --set adds
// to it.
func TestTypesOfFlags(t *testing.T) {
	for flag, want := range map[string]any{
		"--set a=1":                          int64(1),
		"--set a=1.5":                        "1.5",
		"--set a=true":                       true,
		"--set a=on":                         "on",
		"--set a=007":                        "007",
		"--set a=":                           "",
		"--set a={}":                         []any{""},
		"--set a[1]=x":                       []any{nil, "x"},
		"--set-string a=1":                   "1",
		"--set-json a=1":                     int64(1),
		"--set-json a=1.5":                   1.5,
		"--set-json a=1e300":                 1e300,
		"--set-json a={\"b\":[1,null,true]}": map[string]any{"b": []any{int64(1), nil, true}},
		"--set-json a.b={\"c\":1}":           map[string]any{"b": map[string]any{"c": int64(1)}},
		`--set-json  {"a":{"b":1,"c":[]}}`:   map[string]any{"b": int64(1), "c": []any{}},
	} {
		tree := mustLoad(t, nil, flag)
		if diff := cmp.Diff(want, tree.Get("a").Any()); diff != "" {
			t.Errorf("%s: %s", flag, diff)
		}
	}
	tree := mustLoad(t, []string{"a: {b: {c: 1, d: 2}}"}, `--set-json a.b={"d":2}`, `--set a.e=3`)
	if diff := cmp.Diff(map[string]any{"b": map[string]any{"d": int64(2)}, "e": int64(3)}, tree.Get("a").Any()); diff != "" {
		t.Error(diff)
	}
}

// R20: an object without a key is merged into what is there, as Helm 4 does: lists
// and scalars are replaced, a null takes a key away, and each value has its place.
func TestWholeJSONIsMerged(t *testing.T) {
	tree := mustLoad(t, []string{"a: {b: {c: 1, d: 2}, l: [1, 2]}\ne: 5"}, `--set-json {"a":{"b":{"d":3,"x":{"y":null}},"l":[9]},"new":{"n":"text"}}`)
	want := map[string]any{
		"a": map[string]any{"b": map[string]any{"c": int64(1), "d": int64(3), "x": map[string]any{}}, "l": []any{int64(9)}},
		"e": int64(5), "new": map[string]any{"n": "text"},
	}
	if diff := cmp.Diff(want, tree.Root().Any()); diff != "" {
		t.Error(diff)
	}
	if at := tree.Get("a", "b", "c").Pos; at.Line != 1 || at.File.Name == "" || strings.HasPrefix(at.File.Name, "--") {
		t.Errorf("what is not given moves to %+v", at)
	}
	if at := tree.Get("a", "b", "d").Pos; !strings.HasPrefix(at.File.Name, "--set-json") {
		t.Errorf("what is given stands at %+v", at)
	}
	for _, text := range []string{`{"a":`, `{"a":1} x`, `{a: 1}`} {
		if _, found := load(t, []string{base}, "--set-json "+text); len(found) != 1 || found[0].Code != "KORA-V001" {
			t.Errorf("%s: %+v", text, found)
		}
	}
}

// R20: a flag that does not parse is refused by its name, and nothing of it is
// applied, also of its first assignments.
func TestFlagsThatAreRefused(t *testing.T) {
	for _, text := range []string{
		"--set agents.workspace.size=9Gi,agents",
		"--set agents.workspace.size=9Gi,agents.workspace.size.x=1",
		"--set agents.workspace.size=9Gi,agents.workspace[0]=1",
		"--set agents.workspace.accessModes[-1]=a",
		"--set agents.workspace.accessModes[x]=a",
		"--set agents.workspace.accessModes[999999999]=a",
		"--set agents.workspace.accessModes={a",
		"--set " + strings.Repeat("a.", 40) + "b=1",
		"--set =1",
		"--set a.=1",
		"--set-json agents.workspace.size=9Gi",
		`--set-json agents.workspace={"size":`,
		"--set-json a=" + strings.Repeat("[", 200) + strings.Repeat("]", 200),
		"--set " + strings.Repeat("a[60000]=1,", 9) + "b=1",
	} {
		tree, found := load(t, []string{base}, text)
		if len(found) != 1 || found[0].Code != "KORA-V001" || found[0].Line != 0 || !strings.HasPrefix(text+"…", strings.TrimSuffix(found[0].File, "…")) {
			t.Errorf("%s: %+v", text, found)
		}
		if diff := cmp.Diff(mustLoad(t, []string{base}).Root().Any(), tree.Root().Any()); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	if _, found := load(t, nil, "--set  "); len(found) > 0 {
		t.Error(show(found))
	}
}

// R20: a wrong value of a flag is refused under the flag, with a fix that a shell
// can do.
func TestWrongValuesOfFlags(t *testing.T) {
	for flag, want := range map[string]string{
		"--set agents.workspace.size=1Ti1":                           "KORA-V002 agents.workspace.size write a number with a unit, such as 500m, 2, 512Mi or 10Gi",
		"--set agents.workloads.common.podLabels.a=1":                "KORA-F002 agents.workloads.common.podLabels.a use --set-string",
		"--set agents.workspace.accessModes=ReadWriteMany":           "KORA-F002 agents.workspace.accessModes put the items in braces, with commas between them: key={a,b}",
		"--set agents.workspce.size=1Gi":                             `KORA-F001 agents.workspce did you mean "workspace"?`,
		`--set agents.workloads.common.podLabels.runkora\.io/x=y`:    `KORA-V004 agents.workloads.common.podLabels["runkora.io/x"] remove it, or use a key under a domain of your own`,
		`--set-json agents.workloads.common.tolerations=[{"kee":1}]`: `KORA-F001 agents.workloads.common.tolerations[0].kee did you mean "key"?`,
	} {
		found := mustLoad(t, []string{base}, flag).Check()
		if len(found) != 1 || found[0].File != flag || found[0].Line != 0 {
			t.Errorf("%s: %+v", flag, found)
			continue
		}
		if got := string(found[0].Code) + " " + found[0].Field + " " + found[0].Fix; got != want {
			t.Errorf("%s: got %s", flag, got)
		}
	}
}

// R12, R20: the text of a --set-file is a file of its own, places inside it are
// places in that file, and what is no regular file is refused as with -f.
func TestSetFile(t *testing.T) {
	patch := write(t, "patch.yaml", "one: 1\ntwo: [\n")
	flag := "--set-file agents.manifestPatches.50-a.patch=" + patch
	tree := mustLoad(t, []string{base}, flag)
	n := tree.Patches().Get("50-a").Get("patch")
	if n.Value != "one: 1\ntwo: [\n" || n.Pos.File.Name != patch {
		t.Fatalf("%+v", n)
	}
	inner := source.Embed(n, "agents.manifestPatches.50-a")
	if p := inner.At(2, 3); p.File.Name != patch || p.Line != 2 || p.Column != 3 {
		t.Errorf("place %+v", p)
	}
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		fifo:               "KORA-Y004 fifo:0:0 agents.workspace.size",
		os.DevNull:         "KORA-Y004 null:0:0 agents.workspace.size",
		t.TempDir() + "/x": "KORA-Y005 x:0:0 agents.workspace.size",
	} {
		tree, found := load(t, []string{base}, "--set-file agents.workspace.size="+path)
		if got := show(found); got != want || tree.Get("agents", "workspace", "size").Value != "1Gi" {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// R20: a --set beside a --set-file keeps the file's text as it stands.
func TestSetBesideSetFile(t *testing.T) {
	patch := write(t, "patch.yaml", "x")
	tree := mustLoad(t, nil, "--set-file a.b="+patch, "--set a.c=1", "--set d=2")
	if n := tree.Get("a", "b"); n.Pos.File.Name != patch {
		t.Errorf("%+v", n.Pos.File)
	}
}

// R20, R22: an amount of a sandbox's size is no secret, whatever environments sounds
// like; what else stands under that name is not shown.
func TestSizesOfFlagsAreShown(t *testing.T) {
	for text, want := range map[string]string{
		"agents.environments.defaultSize.cpu=x":                               "agents.environments.defaultSize.cpu=x",
		"agents.environments.maxSize.disk=0":                                  "agents.environments.maxSize.disk=0",
		"agents.environments.TOKEN=planted":                                   "agents.environments.TOKEN=" + cutOff,
		"agents.environments.defaultSize.cpu=1,agents.environments.X=planted": "agents.environments.defaultSize.cpu=1,agents.environments.X=" + cutOff,
		"agents.environments.defaultSize.cpu=1,frontend.extraEnv.A=planted":   "agents.environments.defaultSize.cpu=1,frontend.extraEnv.A=" + cutOff,
		"x.environment.defaultSize.cpu=planted":                               "x.environment.defaultSize.cpu=" + cutOff,
	} {
		if got := (Flag{Kind: Set, Text: text}).hushed(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
