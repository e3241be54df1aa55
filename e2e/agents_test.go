//go:build e2e

package e2e

import (
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

const namespace = "kora-tenant-" + tenant

func resources(w *world) {
	w.apply(`apiVersion: runkora.io/v1alpha1
kind: KoraTenant
metadata: { name: ` + tenant + ` }
spec:
  displayName: Acme
  deletionPolicy: Delete
  oidc: { issuer: "https://login.example.com", clientID: kora, domains: [acme.example.com] }
`)
	w.becomes("True", `{.status.conditions[?(@.type=="NamespaceReady")].status}`, "koratenant", tenant)
	w.becomes("restricted", `{.metadata.labels.pod-security\.kubernetes\.io/enforce}`, "namespace", namespace)
	digest := w.push("registry.example.com/team/tools:1")
	w.apply(`apiVersion: runkora.io/v1alpha1
kind: SandboxImage
metadata: { name: tools, namespace: ` + namespace + ` }
spec: { image: "registry.example.com/team/tools:1" }
---
apiVersion: runkora.io/v1alpha1
kind: Connection
metadata: { name: weather, namespace: ` + namespace + ` }
spec: { hosts: [api.weather.example.com], authentication: { type: none } }
`)
	w.becomes("True", `{.status.conditions[?(@.type=="Valid")].status}`, "sandboximage", "tools", "-n", namespace)
	w.becomes(digest, "{.status.digest}", "sandboximage", "tools", "-n", namespace)
	w.say("the SandboxImage tools is valid: %s", digest)
	w.becomes("True", `{.status.conditions[?(@.type=="Ready")].status}`, "connection", "weather", "-n", namespace)
	w.eventually(func() error {
		all := w.do("kubectl", "get", "configmaps", "-n", system, "-o", "yaml")
		if !strings.Contains(all, "api.weather.example.com") {
			return fmt.Errorf("no registry holds the Connection")
		}
		return nil
	})
	w.say("the Connection weather is ready, and in the registry")
	w.tenantReady()
	out, err := w.command(nil, "apiVersion: runkora.io/v1alpha1\nkind: Connection\nmetadata: { name: bad, namespace: "+namespace+" }\nspec: { hosts: [\"*.co.uk\"], authentication: { type: none } }\n", "kubectl", "apply", "-f", "-")
	if err == nil || !strings.Contains(out, "stands for every name below co.uk") {
		w.Fatalf("the webhook takes a wrong Connection: %v %s", err, out)
	}
	w.say("a wrong Connection is refused by the webhook")
}

func (w *world) tenantReady() {
	w.Helper()
	w.becomes("True", `{.status.conditions[?(@.type=="Ready")].status}`, "koratenant", tenant)
	w.say("the tenant %s is ready", tenant)
}

// agent applies what kora render prints from the values of the release, and holds
// the API server's objects to it.
func agent(w *world) {
	live := w.write("live.yaml", w.do("helm", "get", "values", "kora", "-n", system, "-o", "yaml"))
	text := w.do("kora", "render", "-f", live, "-agent-slug", "coder", "-sandbox", "-strict", "--namespace", namespace)
	var first, pods []map[string]any
	for _, o := range documents(w, text) {
		if o["kind"] == "Pod" {
			pods = append(pods, o)
		} else {
			first = append(first, o)
		}
	}
	if len(first) < 6 || len(pods) != 1 {
		w.Fatalf("the preview has %d objects and %d pods", len(first), len(pods))
	}
	w.keepsAll(first)
	w.do("kubectl", "rollout", "status", "statefulset/agent-coder", "-n", namespace, "--timeout=120s")
	w.injected("agent-coder-0")
	w.keepsAll(pods)
	w.do("kubectl", "wait", "--for=condition=Ready", "pod/sandbox-coder-sample", "-n", namespace, "--timeout=120s")
	w.injected("sandbox-coder-sample")
	if got := w.path(`{.metadata.annotations.example\.com/team} {.spec.nodeSelector}`, "pod", "agent-coder-0", "-n", namespace); got != `platform {"kubernetes.io/os":"linux"}` {
		w.Fatalf("the patch did not reach the pod: %s", got)
	}
	w.say("the patch of the values is in the pod")
}

// keepsAll applies objects and compares what is kept, field by field.
func (w *world) keepsAll(all []map[string]any) {
	w.Helper()
	for _, o := range all {
		text, err := yaml.Marshal(o)
		if err != nil {
			w.Fatal(err)
		}
		w.eventually(func() error { // the operator sees a new agent type within moments
			out, err := w.command(nil, string(text), "kubectl", "apply", "--server-side", "-f", "-")
			if err != nil {
				return fmt.Errorf("%w: %s", err, out)
			}
			return nil
		})
		kind, name := fmt.Sprint(o["kind"]), fmt.Sprint(at(o, "metadata", "name"))
		d := &differences{pod: kind == "Pod"}
		d.compare("", o, w.get(kind, name, "-n", namespace))
		if len(d.found) > 0 {
			w.Fatalf("the API server keeps %s %s otherwise than it was previewed:\n%s", kind, name, strings.Join(d.found, "\n"))
		}
		w.say("%s %s is kept as it was previewed: %d fields", kind, name, d.fields)
	}
}

// injected looks for kora's own sidecar in a pod.
func (w *world) injected(pod string) {
	w.Helper()
	got := w.path(`{.spec.initContainers[?(@.name=="kora-enforcer")].image} {.status.conditions[?(@.type=="Ready")].status}`, "pod", pod, "-n", namespace)
	image, state, _ := strings.Cut(got, " ")
	if !strings.Contains(image, "/kora-enforcer:") || state != "True" {
		w.Fatalf("%s has the sidecar %q and is ready: %s", pod, image, state)
	}
	w.say("%s is ready, with the sidecar %s", pod, image)
}
