package agents_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runkora/kora/operator/agents"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation"
)

var update = flag.Bool("update", false, "write the golden files anew")

// R1, R2: the objects, to be read by a person.
func TestBuildGivesTheGoldenManifestsR1(t *testing.T) {
	for name, s := range variants() {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", name+".yaml")
			got := manifests(t, agents.Build(s))
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s: -want +got (-update writes it anew)\n%s", path, diff)
			}
		})
	}
}

// R1: the seven objects, in their order and under their fixed names.
func TestAllListsTheObjectsInFixedOrderR1(t *testing.T) {
	want := []string{
		"v1 ServiceAccount agent-coder", "v1 Service agent-coder", "v1 PersistentVolumeClaim workspace-agent-coder-0",
		"apps/v1 StatefulSet agent-coder", "autoscaling/v2 HorizontalPodAutoscaler agent-coder",
		"policy/v1 PodDisruptionBudget agent-coder", "v1 Pod sandbox-coder-sample",
	}
	if diff := cmp.Diff(want, titles(agents.Build(plain()))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// R2: a preview without -sandbox has no Pod.
func TestAllSkipsWhatIsNilR2(t *testing.T) {
	o := agents.Build(plain())
	o.Sandbox = nil
	if got := titles(o); len(got) != 6 || strings.Contains(strings.Join(got, " "), "Pod sandbox") {
		t.Errorf("got %q", got)
	}
	if got := (agents.Objects{}).All(); len(got) != 0 {
		t.Errorf("no objects give %v", got)
	}
}

func titles(o agents.Objects) (titles []string) {
	for _, object := range o.All() {
		version, kind := object.GetObjectKind().GroupVersionKind().ToAPIVersionAndKind()
		titles = append(titles, fmt.Sprintf("%s %s %s", version, kind, object.GetName()))
	}
	return titles
}

// R2: what is printed decodes strictly, and to the same objects.
func TestObjectsDecodeStrictlyR2(t *testing.T) {
	for name, s := range variants() {
		for _, object := range agents.Build(s).All() {
			var out bytes.Buffer
			if err := serializer(t).Encode(object, &out); err != nil {
				t.Fatal(err)
			}
			decoded, _, err := serializer(t).Decode(out.Bytes(), nil, nil)
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, out.String())
			}
			if !equality.Semantic.DeepEqual(object, decoded) {
				t.Errorf("%s: %T changed on the way", name, object)
			}
		}
	}
}

// R3: every object says what it belongs to, and lies in the namespace.
func TestEveryObjectCarriesTheBaseLabelsR3(t *testing.T) {
	for name, s := range variants() {
		for _, object := range agents.Build(s).All() {
			want := map[string]string{
				"runkora.io/agent-type": s.TypeID, "runkora.io/agent-slug": "coder", "runkora.io/tenant": "example",
				"app.kubernetes.io/instance": "agent-coder", "app.kubernetes.io/managed-by": "kora-agents", "app.kubernetes.io/part-of": "kora",
			}
			for key, value := range want {
				if got := object.GetLabels()[key]; got != value {
					t.Errorf("%s: %T: %s is %q, want %q", name, object, key, got, value)
				}
			}
			if object.GetNamespace() != s.Namespace {
				t.Errorf("%s: %T lies in %q", name, object, object.GetNamespace())
			}
		}
	}
}

// The longest names that validation lets pass still fit every label, also the
// one that the StatefulSet controller adds.
func TestLongestNamesFitEveryLabelR3(t *testing.T) {
	s := plain()
	s.Slug, s.Namespace = strings.Repeat("s", 46), strings.Repeat("n", 63)
	s.TypeID = agents.DefaultTypeID(s.Slug)
	o := agents.Build(s)
	values := []string{o.StatefulSet.Name + "-" + strings.Repeat("f", 10), o.Sandbox.Name}
	for _, object := range o.All() {
		for _, value := range object.GetLabels() {
			values = append(values, value)
		}
	}
	for _, value := range values {
		if faults := validation.IsValidLabelValue(value); faults != nil {
			t.Errorf("%s: %v", value, faults)
		}
	}
}

// Build is pure: equal results, nothing shared, nothing written.
func TestBuildIsPureR1(t *testing.T) {
	for name, s := range variants() {
		before := fmt.Sprintf("%#v", s)
		one, other := agents.Build(s), agents.Build(s)
		if !equality.Semantic.DeepEqual(one, other) {
			t.Errorf("%s: two builds differ", name)
		}
		mine := memory(s)
		for place, path := range memory(one) {
			if from, shared := mine[place]; shared {
				t.Errorf("%s: Objects%s is Settings%s", name, path, from)
			}
			if from, shared := memory(other)[place]; shared {
				t.Errorf("%s: Objects%s is another build's %s", name, path, from)
			}
		}
		if fmt.Sprintf("%#v", s) != before {
			t.Errorf("%s: the settings changed", name)
		}
	}
}

// memory maps the address of whatever can be written through a value to its path.
func memory(value any) map[uintptr]string {
	found := map[uintptr]string{}
	walk(reflect.ValueOf(value), "", found)
	return found
}

func walk(v reflect.Value, path string, found map[uintptr]string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		if v.Kind() == reflect.Pointer && v.Type().Elem().Size() > 0 {
			found[v.Pointer()] = path
		}
		walk(v.Elem(), path, found)
	case reflect.Map:
		if v.Len() > 0 {
			found[v.Pointer()] = path
		}
		for _, key := range v.MapKeys() {
			walk(v.MapIndex(key), fmt.Sprintf("%s[%v]", path, key), found)
		}
	case reflect.Slice:
		if v.Cap() > 0 && v.Type().Elem().Size() > 0 {
			found[v.Pointer()] = path
		}
		for i := range v.Len() {
			walk(v.Index(i), fmt.Sprintf("%s[%d]", path, i), found)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			walk(v.Field(i), path+"."+v.Type().Field(i).Name, found)
		}
	}
}
