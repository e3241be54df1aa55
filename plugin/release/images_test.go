package release_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/values"
)

// podSpec has an image in every place that a pod has for one; %[1]s makes the
// names of one workload its own.
const podSpec = `
initContainers: [{ name: a, image: "r.example/%[1]s-init:1" }]
containers:
  - name: b
    image: "r.example/%[1]s-main:1"
    args: ["--sandbox-image=r.example/%[1]s-arg:1", "--image-pull-policy=Always"]
    env: [{ name: SIDECAR_IMAGE, value: "r.example/%[1]s-env:1" }, { name: IMAGE_TAG, value: "no" }]
ephemeralContainers: [{ name: c, image: "r.example/%[1]s-debug:1" }]
volumes: [{ name: v, image: { reference: "r.example/%[1]s-volume:1", pullPolicy: Always } }]
`

var podPlaces = []string{"arg", "debug", "env", "init", "main", "volume"}

func indented(text string, by int) string {
	return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+strings.Repeat(" ", by))
}

// R46: no image of a release is left out, whatever kind of workload brings it.
func TestImagesOfEveryWorkload(t *testing.T) {
	workloads := map[string]struct{ version, before string }{
		"Pod": {"v1", "spec:\n  "}, "PodTemplate": {"v1", "template:\n  spec:\n    "},
		"Deployment": {"apps/v1", ""}, "StatefulSet": {"apps/v1", ""}, "DaemonSet": {"apps/v1", ""}, "ReplicaSet": {"apps/v1", ""},
		"ReplicationController": {"v1", ""}, "Job": {"batch/v1", ""},
		"CronJob": {"batch/v1", "spec:\n  jobTemplate:\n    spec:\n      template:\n        spec:\n          "},
	}
	var objects []*release.Object
	var want []string
	for kind, w := range workloads {
		before, name := w.before, strings.ToLower(kind)
		if before == "" {
			before = "spec:\n  template:\n    spec:\n      "
		}
		spaces := len(before) - strings.LastIndex(before, "\n") - 1
		text := fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: { name: x }\n%s%s\n", w.version, kind, before, indented(fmt.Sprintf(podSpec, name), spaces))
		objects = append(objects, object(t, kind, text))
		for _, place := range podPlaces {
			want = append(want, "r.example/"+name+"-"+place+":1")
		}
	}
	objects = append(objects,
		object(t, "WasmPlugin", "kind: WasmPlugin\nspec: { url: oci://r.example/wasm:1 }\n"),
		object(t, "Pod", "kind: Pod\nmetadata: { annotations: { sidecar.istio.io/proxyImage: r.example/proxy:1 } }\nspec: { containers: [{ image: auto }] }\n"),
		object(t, "Prometheus", "kind: Prometheus\nspec: { enabled: false, image: r.example/custom:1 }\n"),
		object(t, "ConfigMap", "kind: ConfigMap\ndata:\n  internal.x: |\n    on: { enabled: true, image: r.example/on:1 }\n    off: { enabled: false, image: r.example/off:1 }\n    images: { a: r.example/named:1 }\n  other: 'image: r.example/no:1'\n"),
	)
	want = append(want, "r.example/wasm:1", "r.example/proxy:1", "r.example/custom:1", "r.example/on:1", "r.example/named:1")
	slices.Sort(want)
	if got := (&release.Result{Objects: objects}).Images(); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func object(t *testing.T, kind, text string) *release.Object {
	t.Helper()
	docs, found := source.Parse(source.NewFile(kind, text), source.DefaultLimits)
	if found.Refused() || len(docs) != 1 {
		t.Fatalf("%v\n%s", found, text)
	}
	return &release.Object{Kind: kind, Node: docs[0]}
}

// R45, R46: of every example, nothing that a text of the release says of the
// registry is missing in the list, wherever it stands: the registry is one that
// nothing else names.
func TestNoReferenceOfTheReleaseIsLeftOut(t *testing.T) {
	const registry = "registry.under.test:5000/all"
	reference := regexp.MustCompile(regexp.QuoteMeta(registry) + `/[a-zA-Z0-9._/-]+[:@][a-zA-Z0-9._:-]+`)
	for _, name := range append(slices.Clone(examples), "enforcer") {
		in := inputOf(name)
		in.Flags = append(in.Flags, values.Flag{Kind: values.Set, Text: "global.imageRegistry=" + registry},
			values.Flag{Kind: values.Set, Text: "agents.sandboxImages.bundled.node.enabled=true"}) // what is off is of no release
		if name == "enforcer" {
			in = inputOf("releases/kora")
			in.Flags = []values.Flag{{Kind: values.Set, Text: "operator.injection.image.repository=" + registry + "/own-enforcer"}}
		}
		out := good(t, release.Request{Values: in})
		listed := out.Images()
		found := reference.FindAllString(printed(t, out), -1)
		if len(found) == 0 {
			t.Errorf("%s: the release names no image", name)
		}
		for _, image := range found {
			if !slices.Contains(listed, image) {
				t.Errorf("%s: %s is in the release and not in the list", name, image)
			}
		}
	}
}

// R12, R46: what patches bring into agents' pods is of the release, in both forms
// of a patch and at every place of a pod.
func TestImagesOfPatches(t *testing.T) {
	o := object(t, "ConfigMap", `
kind: ConfigMap
data:
  50-merge.yaml: |
    target: { kind: StatefulSet }
    patch: |
      kind: StatefulSet
      spec: { template: { spec: { initContainers: [{ name: a, image: "r.example/merge:1" }] } } }
  51-operations.yaml: |
    target: { kind: StatefulSet }
    patch: |
      - { op: add, path: /spec/template/spec/initContainers/-, value: { name: b, image: "r.example/object:1" } }
      - { op: replace, path: /spec/template/spec/initContainers/0/image, value: "r.example/image:1" }
      - { op: replace, path: /spec/template/spec/volumes/0/image/reference, value: "r.example/volume:1" }
      - { op: add, path: /spec/template/spec/initContainers/0/args/-, value: "--side-image=r.example/argument:1" }
      - { op: add, path: /spec/template/spec/initContainers/0/args, value: ["--side-image=r.example/arguments:1"] }
      - { op: replace, path: /spec/template/spec/initContainers/0/env/0/value, value: "r.example/variable:1" }
      - { op: add, path: /spec/template/metadata/annotations/sidecar.istio.io~1proxyImage, value: "r.example/proxy:1" }
      - { op: add, path: /spec/template/metadata/annotations/note, value: "r.example/no:1" }
      - { op: remove, path: /spec/template/spec/initContainers/0/image }
`)
	o.Name = "kora-agents-manifest-patches"
	want := []string{"argument", "arguments", "image", "merge", "object", "proxy", "variable", "volume"}
	for i, name := range want {
		want[i] = "r.example/" + name + ":1"
	}
	if got := (&release.Result{Objects: []*release.Object{o}}).Images(); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
