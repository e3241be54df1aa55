package charts

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "write the golden releases anew")

// releases are the folders of testdata/releases: the examples of deploying-kora.
var releases = []string{"kora", "node-pools", "warming", "scale-out", "telemetry", "own-gateway", "theme"}

const releasesFolder = "../testdata/releases"

// valuesOf are the flags of one release: its values over those of "kora".
func valuesOf(name string) []string {
	file := func(of, name string) string { return filepath.Join(releasesFolder, of, name) }
	flags := []string{"--values", file("kora", "values.yaml")}
	if name != "kora" {
		flags = append(flags, "--values", file(name, "values.yaml"))
	}
	switch name {
	case "own-gateway":
		flags = append(flags, "--values", "kora/values/gateway-byo.yaml")
	case "theme":
		flags = append(flags, "--set-file", "theme.document="+file(name, "theme.yaml"))
	}
	return flags
}

// template renders the chart, and fails the test where Helm does.
func template(t *testing.T, run func(...string) (string, error), namespace string, flags ...string) string {
	t.Helper()
	args := append([]string{"template", "kora", "kora", "--namespace", namespace, "--kube-version", "1.36.0"}, flags...)
	out, err := run(args...)
	if err != nil {
		t.Fatalf("helm %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// manifests reads what Helm printed, strictly, ordered by kind, namespace and name.
func manifests(t *testing.T, printed string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for each := range strings.SplitSeq("\n"+printed, "\n---\n") {
		var o map[string]any
		if err := yaml.UnmarshalStrict([]byte(each+"\n"), &o); err != nil {
			t.Fatalf("%v in\n%s", err, each)
		}
		if o != nil {
			all = append(all, o)
		}
	}
	slices.SortStableFunc(all, func(a, b map[string]any) int { return strings.Compare(title(a), title(b)) })
	return all
}

// title is an object's kind, namespace and name.
func title(o map[string]any) string {
	meta, _ := o["metadata"].(map[string]any)
	namespace, _ := meta["namespace"].(string)
	name, _ := meta["name"].(string)
	kind, _ := o["kind"].(string)
	return kind + " " + cmp.Or(namespace, "-") + "/" + name
}

func printed(t *testing.T, all []map[string]any) []byte {
	t.Helper()
	var out bytes.Buffer
	for _, o := range all {
		text, err := yaml.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString("---\n")
		out.Write(text)
	}
	return out.Bytes()
}

// R19 to R36: both Helms find no fault, strictly, and render every example of the
// documents to the objects that are on record.
func TestKoraReleases(t *testing.T) {
	t.Parallel()
	for _, version := range helms {
		run := helm(t, version, os.DevNull)
		base := manifests(t, template(t, run, "kora-system", valuesOf("kora")...))
		for _, name := range releases {
			t.Run(version+"/"+name, func(t *testing.T) {
				if out, err := run(append([]string{"lint", "--strict", "kora"}, valuesOf(name)...)...); err != nil || strings.Contains(out, "WARNING") {
					t.Errorf("%v\n%s", err, out)
				}
				got := manifests(t, template(t, run, "kora-system", valuesOf(name)...))
				golden := filepath.Join(releasesFolder, name, "release.yaml")
				if name != "kora" {
					golden = filepath.Join(releasesFolder, name, "changes.yaml")
					got = changes(base, got)
				}
				compare(t, golden, printed(t, got), *update && version == helms[0])
			})
		}
	}
}

// changes are the objects that another release has and the first has not so, and
// a last document that names those it has not at all: what one reads to see what
// the values of an example do.
func changes(from, to []map[string]any) []map[string]any {
	before := map[string]map[string]any{}
	for _, o := range from {
		before[title(o)] = o
	}
	var changed []map[string]any
	for _, o := range to {
		if !reflect.DeepEqual(before[title(o)], o) {
			changed = append(changed, o)
		}
		delete(before, title(o))
	}
	if len(before) > 0 {
		changed = append(changed, map[string]any{"gone": slices.Sorted(maps.Keys(before))})
	}
	return changed
}

// compare tells a text from what is on record, or writes it there.
func compare(t *testing.T, golden string, got []byte, write bool) {
	t.Helper()
	if write {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s, -update writes it anew (-golden +rendered):\n%s", golden, gocmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")))
	}
}

// R35: no theme is the same as an empty one, and the same each time, to the byte.
func TestKoraRendersTheSameBytes(t *testing.T) {
	t.Parallel()
	for _, version := range helms {
		run := helm(t, version, os.DevNull)
		first := template(t, run, "kora-system", valuesOf("kora")...)
		for range 3 {
			if again := template(t, run, "kora-system", valuesOf("kora")...); again != first {
				t.Fatalf("%s: two renders differ:\n%s", version, gocmp.Diff(first, again))
			}
		}
		if empty := template(t, run, "kora-system", append(valuesOf("kora"), "--set-string", "theme.document=")...); empty != first {
			t.Errorf("%s: an empty theme changes:\n%s", version, gocmp.Diff(first, empty))
		}
		if strings.Contains(first, "theme.yaml:") || strings.Contains(first, "validate-theme") {
			t.Errorf("%s: a theme without one", version)
		}
	}
}

// R19: a cluster that is too old is told so, and a vendor's version is not.
func TestKoraNeedsItsKubernetes(t *testing.T) {
	t.Parallel()
	for _, version := range helms {
		run := helm(t, version, os.DevNull)
		for kubernetes, taken := range map[string]bool{"1.33.9": false, "1.34.0": true, "1.35.2-eks-1": true, "1.36.3": true} {
			out, err := run(append([]string{"template", "kora", "kora", "--kube-version", kubernetes}, valuesOf("kora")...)...)
			if (err == nil) != taken || !taken && !strings.Contains(out, ">=1.34.0-0") {
				t.Errorf("%s, Kubernetes %s: %v\n%.300s", version, kubernetes, err, out)
			}
		}
	}
}

// R22, R23: a release refers to Secrets and holds none, and no variable has a
// value of its own.
func TestKoraHoldsNoSecret(t *testing.T) {
	t.Parallel()
	run := helm(t, helms[0], os.DevNull)
	for _, name := range releases {
		for _, o := range manifests(t, template(t, run, "kora-system", valuesOf(name)...)) {
			if o["kind"] == "Secret" {
				t.Errorf("%s: %s", name, title(o))
			}
			for _, c := range containers(o) {
				env, _ := c["env"].([]any)
				for _, e := range env {
					e := e.(map[string]any)
					if e["value"] != nil {
						t.Errorf("%s: %s: variable %s has a plain value", name, title(o), e["name"])
					}
				}
			}
		}
	}
}

// R21: a pull secret that stands twice, in either spelling, is one of a pod's: with two
// of a name the server applies no pod.
func TestKoraPullSecretsStandOnce(t *testing.T) {
	t.Parallel()
	out := template(t, helm(t, helms[0], os.DevNull), "kora-system", append(valuesOf("kora"), "--set-json", `global.imagePullSecrets=["a","b",{"name":"a"}]`)...)
	pods := 0
	for _, o := range manifests(t, out) {
		spec, _ := podTemplate(o)["spec"].(map[string]any)
		if spec == nil {
			continue
		}
		pods++
		if got := fmt.Sprint(spec["imagePullSecrets"]); got != "[map[name:a] map[name:b]]" {
			t.Errorf("%s: %s", title(o), got)
		}
	}
	if pods == 0 {
		t.Error("no pods")
	}
}

// podTemplate is the pod template of a workload or Job, nil of anything else.
func podTemplate(o map[string]any) map[string]any {
	spec, _ := o["spec"].(map[string]any)
	pod, _ := spec["template"].(map[string]any)
	return pod
}

// containers are all containers of an object's pods.
func containers(o map[string]any) []map[string]any {
	spec, _ := podTemplate(o)["spec"].(map[string]any)
	var all []map[string]any
	for _, field := range []string{"initContainers", "containers"} {
		list, _ := spec[field].([]any)
		for _, c := range list {
			all = append(all, c.(map[string]any))
		}
	}
	return all
}
