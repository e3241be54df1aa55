package patches

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/agents"
)

// asKustomize makes the test binary a kustomize: kora gives kustomize a schema
// of its own for the whole process, and the comparison wants the true one.
const asKustomize = "KORA_TEST_AS_KUSTOMIZE"

func TestMain(m *testing.M) {
	if os.Getenv(asKustomize) != "" {
		if err := beKustomize(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(testcluster.Main(m))
}

// task is what the other process reads, and built what it answers by name.
type task struct {
	Objects []map[string]any
	Entries map[string]string
}

type built struct {
	Objects []map[string]any
	Error   string
}

func beKustomize() error {
	var in task
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		return err
	}
	out := map[string]built{}
	for name, entry := range in.Entries {
		objects, err := build(in.Objects, entry)
		out[name] = built{Objects: objects}
		if err != nil {
			out[name] = built{Error: err.Error()}
		}
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// build runs kustomize on the objects with one patches: entry.
func build(objects []map[string]any, entry string) ([]map[string]any, error) {
	fs := filesys.MakeFsInMemory()
	kustomization := "resources: [objects.yaml]\npatches:\n-\n"
	for line := range strings.Lines(entry) {
		kustomization += "  " + line
	}
	var all []byte
	for _, o := range objects {
		b, err := yaml.Marshal(o)
		if err != nil {
			return nil, err
		}
		all = append(append(all, "---\n"...), b...)
	}
	if err := fs.WriteFile("kustomization.yaml", []byte(kustomization)); err != nil {
		return nil, err
	}
	if err := fs.WriteFile("objects.yaml", all); err != nil {
		return nil, err
	}
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(fs, ".")
	if err != nil {
		return nil, err
	}
	var out []map[string]any
	for _, r := range made.Resources() {
		m, err := r.Map()
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// differs are the files that kora takes and reads in its own way, and why.
var differs = map[string]string{
	"several-documents.yaml": "kustomize takes several documents only without a target, which kora's entries always have (R12)",
	"every-kind.yaml":        "the StatefulSet's template follows the patched claim (R7), which kustomize cannot know",
}

// R12: "as kustomize reads both". For every patch that kora takes, kustomize
// itself makes the same of the same objects, lists with a key in any order.
func TestKustomizeMakesTheSameOfEveryPatch(t *testing.T) {
	in := task{Entries: map[string]string{}}
	for _, o := range agents.Build(settings()).All() {
		in.Objects = append(in.Objects, plainOf(t, o))
	}
	a := archive(t, "accepted.txtar")
	for _, file := range a.Files {
		in.Entries[file.Name] = string(file.Data)
	}
	out := runKustomize(t, in)
	for _, file := range a.Files {
		t.Run(file.Name, func(t *testing.T) {
			why, different := differs[file.Name]
			set, result := renderFile(t, file)
			switch theirs := out[file.Name]; {
			case different && theirs.Error == "" && sameAs(t, set, result, theirs.Objects) == "":
				t.Errorf("kora no longer differs: take the file out of the list: %s", why)
			case !different && theirs.Error != "":
				t.Errorf("kustomize: %s", theirs.Error)
			case !different:
				if diff := sameAs(t, set, result, theirs.Objects); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func runKustomize(t *testing.T, in task) map[string]built {
	t.Helper()
	b, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asKustomize+"=1")
	cmd.Stdin = bytes.NewReader(b)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var out map[string]built
	if err := json.Unmarshal(stdout, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// sameAs compares the objects that the patch targets; others follow from them
// (the claim's template) and are kora's own.
func sameAs(t *testing.T, set *Set, result *Result, theirs []map[string]any) string {
	t.Helper()
	if len(theirs) != len(result.Objects) {
		return fmt.Sprintf("%d objects, kustomize has %d", len(result.Objects), len(theirs))
	}
	var out []string
	for _, o := range result.Objects {
		if !set.patches[0].target.matches(plainOf(t, o.built), o.kind) {
			continue
		}
		for _, m := range theirs {
			if m["kind"] == o.Kind {
				for _, c := range fields.Diff(typedPlain(t, m, o.kind), plainOf(t, o.Typed), o.Type) {
					out = append(out, fmt.Sprintf("%s: %s is %s, kustomize has %s", o.Title(), c.Path, Text(c.To), Text(c.From)))
				}
			}
		}
	}
	return strings.Join(out, "\n")
}

// typedPlain takes an object through its Kubernetes type.
func typedPlain(t *testing.T, m map[string]any, k kind) map[string]any {
	t.Helper()
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	typed := k.empty()
	if err := json.Unmarshal(b, typed); err != nil {
		t.Fatal(err)
	}
	return plainOf(t, typed)
}

// plainOf is an object as maps and lists, without the cluster's status.
func plainOf(t testing.TB, o runtime.Object) map[string]any {
	t.Helper()
	plain, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		t.Fatal(err)
	}
	delete(plain, "status")
	return plain
}
