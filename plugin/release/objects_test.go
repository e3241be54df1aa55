package release_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/testcluster/helm"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/values"
)

// R19: every object is compared strictly with its type, and a fault names the
// template, the object, the field, and the line that was written.
func TestObjectsAreCheckedStrictly(t *testing.T) {
	for name, c := range map[string]struct {
		template string
		code     faults.Code
		words    []string
	}{
		"an unknown field": {"apiVersion: v1\nkind: Service\nmetadata: { name: a }\nspec:\n  port: []\n", faults.UnknownField,
			[]string{`/small/templates/all.yaml`, "Service a", "spec.port", `unknown field "port"`}},
		"a wrong type": {"apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\nspec: { replicas: two }\n", faults.WrongType,
			[]string{"Deployment a", "spec.replicas"}},
		"a number for a text":     {"apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { x: 5 }\n", faults.WrongType, []string{"data.x"}},
		"a word of YAML 1.1":      {"apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { x: on }\n", faults.AmbiguousBool, []string{"data.x"}},
		"a key twice":             {"apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { x: a, x: b }\n", faults.YAMLDuplicate, []string{`x`}},
		"no YAML":                 {"apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a\n", faults.YAMLSyntax, nil},
		"no object":               {"- a\n", faults.ObjectShape, []string{"apiVersion"}},
		"no name":                 {"apiVersion: v1\nkind: ConfigMap\n", faults.ObjectShape, []string{"metadata.name"}},
		"a name that is a number": {"apiVersion: v1\nkind: ConfigMap\nmetadata: { name: 5 }\n", faults.ObjectShape, []string{"metadata.name"}},
		"a kind that is not served": {"apiVersion: policy/v1\nkind: PodDisruptionBudgt\nmetadata: { name: a }\n", faults.UnknownField,
			[]string{"policy/v1 PodDisruptionBudgt is not served"}},
		"a version that is gone":  {"apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\nmetadata: { name: a }\n", faults.UnknownField, []string{"policy/v1beta1"}},
		"one of kora's own kinds": {"apiVersion: runkora.io/v1alpha1\nkind: SandboxImage\nmetadata: { name: a }\nspec: { imge: a }\n", faults.UnknownField, []string{"spec.imge"}},
		"an item of a list":       {"apiVersion: v1\nkind: List\nitems:\n  - { apiVersion: v1, kind: Secret, metadata: { name: a }, dta: {} }\n", faults.UnknownField, []string{"dta"}},
		"the same object twice":   {"apiVersion: v1\nkind: Secret\nmetadata: { name: a }\n---\napiVersion: v1\nkind: Secret\nmetadata: { name: a }\n", faults.SameObject, []string{"Secret a"}},
		"a hook of no known name": {"apiVersion: v1\nkind: Secret\nmetadata: { name: a, annotations: { helm.sh/hook: 'pre-install,crd-install' } }\n", faults.ObjectShape, []string{`"crd-install"`}},
	} {
		t.Run(name, func(t *testing.T) {
			found := refused(t, of(t, c.template), c.code, c.words...)
			f := found[0]
			if !strings.HasPrefix(f.Template, "small/templates/all.yaml, line ") || !strings.HasSuffix(f.Template, " of what it renders") || f.Source == "" {
				t.Errorf("no line: %+v", f)
			}
			if _, err := os.Stat(f.File); err != nil || f.Line != 0 {
				t.Errorf("%s:%d is no place in a file: %v", f.File, f.Line, err)
			}
		})
	}
}

// R19: of the right shape, and still nothing that the API server would take.
func TestUnsoundPodsAreRefused(t *testing.T) {
	const selected = "  selector: { matchLabels: { app: a } }\n  template:\n      metadata: { labels: { app: a } }\n"
	for kind, head := range map[string]string{
		"Deployment":  "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\nspec:\n" + selected,
		"StatefulSet": "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: { name: a }\nspec:\n" + selected,
		"DaemonSet":   "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: { name: a }\nspec:\n" + selected,
		"Job":         "apiVersion: batch/v1\nkind: Job\nmetadata: { name: a }\nspec:\n  template:\n",
		"CronJob":     "apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: a }\nspec:\n  jobTemplate:\n   spec:\n    template:\n",
	} {
		r := of(t, head+"      spec:\n        containers:\n          - name: main\n            image: a\n            resources: { limits: { memory: 1Gi }, requests: { memory: 2Gi } }\n"+
			map[bool]string{true: "        restartPolicy: Never\n"}[strings.HasSuffix(kind, "Job")]+map[bool]string{true: "  schedule: '@daily'\n"}[kind == "CronJob"])
		f := refused(t, r, faults.Unsound, kind+" a", "template.spec.containers[name=main].resources.requests.memory", "the request is above the limit")[0]
		if !strings.Contains(f.Source, "requests: { memory: 2Gi }") {
			t.Errorf("%s: at %q", kind, f.Source)
		}
	}
}

// Several objects' faults are told in one run, those of hooks too (R15).
func TestAllObjectsAreTold(t *testing.T) {
	found := refused(t, of(t, "apiVersion: v1\nkind: Secret\nmetadata: { name: a }\ndta: {}\n---\napiVersion: batch/v1\nkind: Job\nmetadata: { name: b, annotations: { helm.sh/hook: pre-install } }\nspec: { template: { spec: { container: [] } } }\n"),
		faults.UnknownField, "Secret a | dta", "Job b | spec.template.spec.container")
	if len(found) != 2 {
		t.Errorf("%d faults", len(found))
	}
}

// R45, R46: the images of a release are those of all its pods and of what its
// services make, without what is switched off and what the mesh fills in.
func TestImages(t *testing.T) {
	r := good(t, release.Request{Values: inputOf("releases/kora")})
	want := []string{"", "-agents", "-egress", "-enforcer", "-frontend", "-identity", "-inference", "-mcp", "-migrate", "-operator", "-policy",
		"-sandbox-base", "-sandbox-go", "-sandbox-node", "-sandbox-python", "-session-manager", "-triggers"}
	for i := range want {
		want[i] = "ghcr.io/runkora/kora" + want[i] + ":1.4.0"
	}
	slices.Sort(want)
	if got := r.Images(); !slices.Equal(got, want) {
		t.Errorf("images\n%s\nwanted\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	in := inputOf("releases/kora")
	in.Flags = []values.Flag{{Kind: values.Set, Text: "agents.sandboxImages.bundled.node.enabled=false"},
		{Kind: values.Set, Text: "agents.config.sandboxImage=registry.example.com/base@sha256:" + strings.Repeat("a", 64)}}
	got := good(t, release.Request{Values: in}).Images()
	if slices.Contains(got, "ghcr.io/runkora/kora-sandbox-node:1.4.0") || !slices.ContainsFunc(got, func(i string) bool { return strings.HasPrefix(i, "registry.example.com/base@") }) {
		t.Errorf("%q", got)
	}
}

// R19: to the byte, but for the characters that are written out: within double quotes
// nothing else moves, and elsewhere keys keep their order and other texts their form.
func TestEscapesMoveNothingElse(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"in double quotes": {"# why\nkind: ConfigMap\napiVersion: v1\nmetadata: { name: a }\ndata:\n    z: \"a\u202eb\"\n    a: 'x'\n",
			"# why\nkind: ConfigMap\napiVersion: v1\nmetadata: { name: a }\ndata:\n    z: \"a\\u202eb\"\n    a: 'x'"},
		"in a comment": {"# a\u202eb\nkind: ConfigMap\napiVersion: v1\nmetadata: { name: a }\n", "# a\\u202eb\nkind: ConfigMap\napiVersion: v1\nmetadata: { name: a }"},
		"in a plain text": {"kind: ConfigMap\napiVersion: v1\nmetadata: { name: a }\ndata:\n  z: a\u202eb\n  a: 'on'\n",
			"kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: a\ndata:\n  z: \"a\\u202eb\"\n  a: \"on\""},
		"in a block": {"kind: ConfigMap\napiVersion: v1\nmetadata: { name: a }\ndata:\n  z: |\n    a\u202eb\n    c\n  a: |\n    d\n    e\n",
			"kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: a\ndata:\n  z: \"a\\u202eb\\nc\\n\"\n  a: |\n    d\n    e"},
		"in a key": {"kind: ConfigMap\napiVersion: v1\nmetadata: { name: a, annotations: { \"b\": \"\u200bc\" } }\n",
			"kind: ConfigMap\napiVersion: v1\nmetadata: { name: a, annotations: { \"b\": \"\\u200bc\" } }"},
	} {
		t.Run(name, func(t *testing.T) {
			got := printed(t, good(t, of(t, c.text)))
			if want := "---\n# Source: small/templates/all.yaml\n" + c.want + "\n"; got != want {
				t.Errorf("got\n%s\nwanted\n%s", got, want)
			}
		})
	}
}

// A manifest is read on a terminal: what a terminal obeys, or does not show, is
// written out, and means the same.
func TestTextsCannotDriveATerminal(t *testing.T) {
	r := good(t, of(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n  x: \"a\u202eb\"\n  z: \"c\\e[31md\"\n"))
	text := printed(t, r)
	if strings.ContainsAny(text, "\u202e\x1b") || !strings.Contains(text, `\u202e`) {
		t.Errorf("%q", text)
	}
	if got := helm.Objects(t, text)[0]["data"].(map[string]any); got["x"] != "a\u202eb" || got["z"] != "c\x1b[31md" {
		t.Errorf("%q", got)
	}
}
