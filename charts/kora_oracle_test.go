package charts

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/operator/agents"
)

// rendered renders the chart with values as text over the required ones.
func rendered(t *testing.T, values string) (string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "values.yaml")
	if err := os.WriteFile(file, []byte(values), 0o600); err != nil {
		t.Fatal(err)
	}
	return helm(t, helms[0], os.DevNull)("template", "kora", "kora", "--values", file,
		"--set", "global.trustDomain=example.com,frontendHost=example.com")
}

// R9: the chart refuses the placements that kora-agents refuses, and no others.
func TestKoraSplitIsTheRuntimes(t *testing.T) {
	t.Parallel()
	const a, ab = `{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: In, values: [a]}]}]}}}`,
		`{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: In, values: [a, b]}]}]}}}`
	const either = `{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: In, values: [a]}]}, {matchExpressions: [{key: pool, operator: In, values: [b]}]}]}}}`
	expression := func(key, operator, values string) string {
		return fmt.Sprintf(`{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: %s, operator: %s%s}]}]}}}`, key, operator, values)
	}
	const preferred = `{nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: pool, operator: Exists}]}}]}}`
	for name, c := range map[string]struct{ common, manager, sandbox string }{
		"none":                              {"{}", "{}", "{}"},
		"both in common":                    {"{nodeSelector: {pool: a}}", "{}", "{}"},
		"equal selectors":                   {"{}", "{nodeSelector: {pool: a}}", "{nodeSelector: {pool: a}}"},
		"sandbox asks for less":             {"{}", "{nodeSelector: {pool: a, disk: ssd}}", "{nodeSelector: {pool: a}}"},
		"sandbox asks for more":             {"{}", "{nodeSelector: {pool: a}}", "{nodeSelector: {pool: a, disk: ssd}}"},
		"other value":                       {"{}", "{nodeSelector: {pool: a}}", "{nodeSelector: {pool: b}}"},
		"own over common":                   {"{nodeSelector: {pool: a}}", "{}", "{nodeSelector: {pool: b}}"},
		"equal affinities":                  {"{affinity: " + ab + "}", "{}", "{}"},
		"affinity within":                   {"{}", "{affinity: " + a + "}", "{affinity: " + ab + "}"},
		"affinity beyond":                   {"{}", "{affinity: " + ab + "}", "{affinity: " + a + "}"},
		"alternatives":                      {"{}", "{affinity: " + ab + "}", "{affinity: " + either + "}"},
		"alternatives the other way":        {"{}", "{affinity: " + either + "}", "{affinity: " + ab + "}"},
		"selector in affinity":              {"{}", "{nodeSelector: {pool: a}}", "{affinity: " + ab + "}"},
		"affinity in selector":              {"{}", "{affinity: " + a + "}", "{nodeSelector: {pool: a}}"},
		"exists":                            {"{}", "{nodeSelector: {pool: a}}", "{affinity: " + expression("pool", "Exists", "") + "}"},
		"exists asked of nobody":            {"{}", "{}", "{affinity: " + expression("pool", "Exists", "") + "}"},
		"not in but met":                    {"{}", "{nodeSelector: {pool: a}}", "{affinity: " + expression("pool", "NotIn", ", values: [b]") + "}"},
		"not in but broken":                 {"{}", "{nodeSelector: {pool: a}}", "{affinity: " + expression("pool", "NotIn", ", values: [a]") + "}"},
		"not in but within":                 {"{}", "{affinity: " + expression("pool", "NotIn", ", values: [a, b]") + "}", "{affinity: " + expression("pool", "NotIn", ", values: [a]") + "}"},
		"preferred terms do not count":      {"{}", "{}", "{affinity: " + preferred + "}"},
		"tolerations do not count":          {"{}", "{}", "{tolerations: [{key: pool, operator: Exists}]}"},
		"an empty value wins":               {"{nodeSelector: {pool: a}}", "{}", "{nodeSelector: {pool: ''}}"},
		"an empty value is one":             {"{nodeSelector: {pool: ''}}", "{}", "{nodeSelector: {pool: ''}}"},
		"one alternative of nobody":         {"{}", "{nodeSelector: {pool: a}, affinity: " + either + "}", "{nodeSelector: {pool: a}}"},
		"does not exist but asked of other": {"{}", "{}", "{affinity: " + expression("pool", "DoesNotExist", "") + "}"},
	} {
		t.Run(name, func(t *testing.T) {
			var common, manager, sandbox agents.Workload
			workloadOf(t, c.common, &common)
			workloadOf(t, c.manager, &manager)
			workloadOf(t, c.sandbox, &sandbox)
			want := agents.SplitPlacement(specOf(agents.MergeWorkload(common, manager)), specOf(agents.MergeWorkload(common, sandbox))) != nil
			values := fmt.Sprintf("agents: {workloads: {common: %s, sessionManager: %s, sandbox: %s}}", c.common, c.manager, c.sandbox)
			out, err := rendered(t, values)
			if got := strings.Contains(out, "are placed apart"); got != want || (err != nil) != want {
				t.Errorf("refused is %v, the runtime says %v: %v\n%.300s", got, want, err, out)
			}
		})
	}
}

func workloadOf(t *testing.T, text string, w *agents.Workload) {
	t.Helper()
	var fields struct {
		NodeSelector map[string]string   `json:"nodeSelector"`
		Affinity     *corev1.Affinity    `json:"affinity"`
		Tolerations  []corev1.Toleration `json:"tolerations"`
	}
	if err := yaml.UnmarshalStrict([]byte(text), &fields); err != nil {
		t.Fatal(err)
	}
	w.NodeSelector, w.Affinity, w.Tolerations = fields.NodeSelector, fields.Affinity, fields.Tolerations
}

func specOf(w agents.Workload) *corev1.PodSpec {
	return &corev1.PodSpec{NodeSelector: w.NodeSelector, Affinity: w.Affinity}
}

// R10, R29: a placeholder reserves what the runtime's sandbox requests, to the byte,
// in whatever units the values are.
func TestKoraPlaceholderIsASandbox(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ cpu, memory, disk, sidecarCPU, sidecarMemory string }{
		{"2", "4Gi", "10Gi", "900m", "320Mi"},
		{"1.5", "3.5Gi", "10G", "0.1", "64M"},
		{"250m", "1000000k", "1e10", "1", "1Ki"},
		{".5", "123456789", "0.5Ti", "100m", "333"},
	} {
		out, err := rendered(t, fmt.Sprintf(`
agents:
  environments: { defaultSize: { cpu: %[1]q, memory: %[2]q, disk: %[3]q }, maxSize: { cpu: "64", memory: 1Ti, disk: 2Ti } }
  sandboxWarming: { mode: capacity }
operator: { injection: { sandboxSidecars: { cpu: %[4]q, memory: %[5]q } } }
`, c.cpu, c.memory, c.disk, c.sidecarCPU, c.sidecarMemory))
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		want := agents.SandboxTotal(agents.Settings{
			SandboxSize: agents.Size{CPU: resource.MustParse(c.cpu), Memory: resource.MustParse(c.memory), Disk: resource.MustParse(c.disk)},
			Sidecars:    agents.Sidecars{CPU: resource.MustParse(c.sidecarCPU), Memory: resource.MustParse(c.sidecarMemory)},
		})
		for _, o := range manifests(t, out) {
			if o["kind"] != "Deployment" || !strings.HasSuffix(title(o), "/kora-sandbox-warmer") {
				continue
			}
			requests := containers(o)[0]["resources"].(map[string]any)["requests"].(map[string]any)
			for name, least := range want {
				got := resource.MustParse(fmt.Sprint(requests[string(name)]))
				if got.Cmp(least) != 0 {
					t.Errorf("%+v: %s is %s, a sandbox's %s", c, name, &got, &least)
				}
				delete(want, name)
			}
		}
		if len(want) > 0 {
			t.Errorf("%+v: not reserved: %v", c, want)
		}
	}
}

// R11: the chart refuses the keys that the runtime refuses, and no others.
func TestKoraOwnedLabelsAreTheRuntimes(t *testing.T) {
	t.Parallel()
	keys := []string{
		"runkora.io/tenant", "a.runkora.io/b", "notrunkora.io/a", "runkora.io.example.com/a", "istio.io/rev", "sidecar.istio.io/inject",
		"spiffe.io/spire-managed-identity", "security.spiffe.io/x", "app.kubernetes.io/name", "app.kubernetes.io/instance", "app.kubernetes.io/managed-by",
		"app.kubernetes.io/part-of", "app.kubernetes.io/version", "app.kubernetes.io/component", "statefulset.kubernetes.io/pod-name",
		"apps.kubernetes.io/pod-index", "kubernetes.io/arch", "controller-revision-hash", "controller-uid", "job-name", "pod-template-hash",
		"team", "name", "example.com/name", "seccomp.security.alpha.kubernetes.io/pod", "seccomp.security.alpha.kubernetes.io/other",
		"container.apparmor.security.beta.kubernetes.io/main", "container.seccomp.security.alpha.kubernetes.io/main",
		"Sidecar.Istio.io/inject", "RUNKORA.IO/tenant", "App.Kubernetes.io/name",
	}
	var text strings.Builder
	text.WriteString("agents: { workloads: { common: { podAnnotations: {\n")
	for _, key := range keys {
		fmt.Fprintf(&text, "  %q: x,\n", key)
	}
	text.WriteString("} } } }\n")
	file := filepath.Join(t.TempDir(), "values.yaml")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	withSchema, _ := rendered(t, text.String())
	out, _ := helm(t, helms[0], os.DevNull)("template", "kora", "kora", "--skip-schema-validation", "--values", file,
		"--set", "global.trustDomain=example.com,frontendHost=example.com")
	for _, key := range keys {
		_, want := agents.Owned(key)
		if got := strings.Contains(out, fmt.Sprintf("the pod annotation %q is kora's", key)); got != want {
			t.Errorf("%s: refused is %v, the runtime says %v", key, got, want)
		}
		// The schema leaves it to the chart, which names the key.
		if got := strings.Contains(withSchema, fmt.Sprintf("the pod annotation %q is kora's", key)); got != want {
			t.Errorf("%s: refused beside the schema is %v, the runtime says %v", key, got, want)
		}
	}
}
