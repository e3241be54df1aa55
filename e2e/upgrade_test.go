//go:build e2e

package e2e

import (
	"fmt"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"
)

// upgrade goes by the plan: kora-crds, then kora. Agents are not touched by it.
func upgrade(w *world) {
	plan := w.do("kora", "upgrade", "plan", "--to", next, "--kubeconfig", w.cluster.Kubeconfig(), "-f", "live.yaml", "--charts", w.charts)
	crds, kora := strings.Index(plan, "helm upgrade --install kora-crds "), strings.Index(plan, "helm upgrade kora ")
	if crds < 0 || kora < crds {
		w.Fatalf("the plan has another order:\n%s", plan)
	}
	w.say("the plan from %s to %s has kora-crds first", version, next)
	before := w.path("{.metadata.generation} {.metadata.uid}", "statefulset", "agent-coder", "-n", namespace)
	bundle := w.path("{.webhooks[0].clientConfig.caBundle}", "mutatingwebhookconfiguration", "kora-operator")
	w.do("helm", "upgrade", "kora-crds", "kora-crds", "--repo", w.charts, "--version", next, "-n", system, "--wait")
	w.deployed("kora-crds", system)
	w.do("helm", "upgrade", "kora", "kora", "--repo", w.charts, "--version", next, "-n", system, "-f", "live.yaml", "--wait", "--timeout", "5m")
	w.deployed("kora", system)
	w.runs(next)
	if after := w.path("{.metadata.generation} {.metadata.uid}", "statefulset", "agent-coder", "-n", namespace); after != before {
		w.Fatalf("the upgrade touched the agent: %s, %s", before, after)
	}
	if after := w.path("{.webhooks[0].clientConfig.caBundle}", "mutatingwebhookconfiguration", "kora-operator"); after != bundle {
		w.Fatal("the upgrade took the webhook's caBundle away")
	}
	w.say("the agent and the webhooks are as they were")
	w.again()
}

// runs holds every Deployment of kora to the version of its image.
func (w *world) runs(want string) {
	w.Helper()
	images := strings.Fields(w.path(`{range .items[*]}{.metadata.name}={.spec.template.spec.containers[0].image}{"\n"}{end}`, "deployments", "-n", system, "-l", "app.kubernetes.io/part-of=kora"))
	for _, image := range images {
		if strings.Contains(image, "runkora") && !strings.HasSuffix(image, ":"+want) {
			w.Errorf("after the change to %s: %s", want, image)
		}
	}
	if len(images) == 0 {
		w.Error("there is no Deployment of kora")
	}
	w.say("%d Deployments run %s", len(images), want)
}

// again is the operator's new pod: the settings of the release that is there now.
func (w *world) again() {
	w.Helper()
	w.stopOperator()
	w.startOperator(w.path("{.spec.clusterIP}", "service", "kora-operator", "-n", system))
	w.tenantReady()
	w.checkedUp()
}

// rollback goes back one revision, and the plan refuses any other way.
func rollback(w *world) {
	if out, err := w.command(nil, "", "kora", "upgrade", "plan", "--to", "1.3.0", "--kubeconfig", w.cluster.Kubeconfig(), "-f", "live.yaml"); err == nil {
		w.Fatalf("a way back to a version that no revision has is planned:\n%s", out)
	}
	w.say("the way back to 1.3.0 is refused")
	plan := w.do("kora", "upgrade", "plan", "--to", version, "--kubeconfig", w.cluster.Kubeconfig(), "-f", "live.yaml", "--charts", w.charts)
	var history []struct {
		Revision int
		Status   string
	}
	if err := yaml.Unmarshal([]byte(w.do("helm", "history", "kora", "-n", system, "-o", "json")), &history); err != nil || len(history) < 2 {
		w.Fatalf("%v %v", history, err)
	}
	revision := fmt.Sprint(history[len(history)-2].Revision)
	if !strings.Contains(plan, "helm rollback kora "+revision) {
		w.Fatalf("the plan does not go back to revision %s:\n%s", revision, plan)
	}
	w.do("helm", "rollback", "kora", revision, "-n", system, "--wait", "--timeout", "5m")
	w.deployed("kora", system)
	w.runs(version)
	if got := w.do("helm", "list", "-n", system, "-o", "yaml"); !strings.Contains(got, "kora-crds-"+next) {
		w.Fatalf("the definitions went back too:\n%s", got)
	}
	w.say("the definitions stay at %s", next)
	w.again()
}

// definitions are kora's.
func (w *world) definitions() []string {
	w.Helper()
	var all []string
	for name := range strings.FieldsSeq(w.do("kubectl", "get", "crd", "-o", "name")) {
		if strings.HasSuffix(name, ".runkora.io") {
			all = append(all, name)
		}
	}
	return all
}

func uninstall(w *world) {
	out, err := w.command(nil, "", "kubectl", "delete", "koratenant", tenant)
	answer := regexp.MustCompile(`runkora\.io/confirm-deletion=` + tenant + `\.[0-9a-f]+`).FindString(out)
	if err == nil || answer == "" {
		w.Fatalf("a tenant with agents is deleted without being asked: %v %s", err, out)
	}
	w.say("a tenant with agents is not deleted before somebody has read what goes")
	w.do("kubectl", "annotate", "--overwrite", "koratenant", tenant, answer)
	w.do("kubectl", "delete", "koratenant", tenant, "--timeout=120s")
	w.do("kubectl", "wait", "--for=delete", "namespace/"+namespace, "--timeout=120s")
	w.say("the tenant and its namespace are gone")
	w.stopOperator()
	w.do("helm", "uninstall", "kora", "-n", system, "--wait", "--timeout", "5m")
	for _, kind := range []string{"clusterroles", "clusterrolebindings", "validatingwebhookconfigurations", "mutatingwebhookconfigurations", "clusterspiffeids", "priorityclasses"} {
		for name := range strings.FieldsSeq(w.do("kubectl", "get", kind, "-o", "name")) {
			if strings.Contains(name, "/kora") {
				w.Errorf("uninstall leaves %s", name)
			}
		}
	}
	out = w.do("helm", "uninstall", "kora-crds", "-n", system, "--wait")
	if left := w.definitions(); len(left) != 6 || !strings.Contains(out, "kept due to the resource policy") {
		w.Fatalf("%d definitions are left, and Helm says:\n%s", len(left), out)
	}
	w.say("the six definitions are left, and Helm says so")
	w.eventually(func() error {
		if left := w.do("kubectl", "get", "configmap", "kora-preflight-status", "-n", system, "--ignore-not-found"); left != "" {
			return fmt.Errorf("left: %s", left)
		}
		return nil
	})
	w.say("left in %s: %s", system, strings.Join(strings.Fields(w.do("kubectl", "get", "all,configmaps,secrets,networkpolicies", "-n", system, "-o", "name")), " "))
}
