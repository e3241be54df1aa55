package charts

import (
	"strings"
	"testing"
)

// installFlags are of a cluster that has no load balancer.
func installFlags() []string {
	return append(valuesOf("kora"), "--set", "ingressGateway.service.type=ClusterIP", "--wait", "--timeout", "3m")
}

// asOperator is what the operator writes into its webhooks, by server-side apply of
// these fields alone. Ignore is not the API server's default, so it shows who wrote.
const asOperator = `
apiVersion: admissionregistration.k8s.io/v1
kind: %[1]sWebhookConfiguration
metadata: { name: kora-operator }
webhooks:
  - name: %[2]s.runkora.io
    failurePolicy: Ignore
    clientConfig: { caBundle: Q0E= }
`

// R19, R24, R54, R56: both Helms install the chart and wait for it where Pod
// Security restricted is enforced; the hook Jobs have run and stay, and what they
// needed is gone; an upgrade and a rollback leave the operator's webhooks as the
// operator wrote them; helm test passes; a migration that fails stops the upgrade
// before any workload changes, and stays to be looked at.
func TestKoraInstallsUpgradesAndRollsBack(t *testing.T) {
	t.Parallel()
	for _, version := range helms {
		t.Run(version, func(t *testing.T) {
			r := koraCluster(t, version)
			t.Cleanup(func() { _, _ = r.run("uninstall", "kora", "--namespace", r.namespace, "--ignore-not-found") })
			notes := r.helm(append([]string{"upgrade", "--install", "kora", "kora"}, installFlags()...)...)
			for _, said := range []string{"kora 1.4.0 is in namespace " + r.namespace, "helm test kora", "kubectl get service kora-ingressgateway", "api.example.com", "KoraTenant"} {
				if !strings.Contains(notes, said) {
					t.Errorf("the notes lack %q:\n%s", said, notes)
				}
			}
			r.hooksAreDone()
			if got := r.webhooks(); got != "Fail, Fail; , " {
				t.Errorf("at first the webhooks have %q", got)
			}
			r.kube(strings.NewReplacer("%[1]s", "Validating", "%[2]s", "validate").Replace(asOperator), "apply", "--server-side", "--force-conflicts", "--field-manager=kora-operator", "-f", "-")
			r.kube(strings.NewReplacer("%[1]s", "Mutating", "%[2]s", "inject").Replace(asOperator), "apply", "--server-side", "--force-conflicts", "--field-manager=kora-operator", "-f", "-")

			r.helm(append([]string{"upgrade", "kora", "kora", "--set", "policyService.replicas=3"}, installFlags()...)...)
			r.failsToMigrate()
			r.helm("rollback", "kora", "1", "--wait", "--timeout", "3m")
			if got := r.webhooks(); got != "Ignore, Ignore; Q0E=, Q0E=" {
				t.Errorf("after an upgrade and a rollback the webhooks have %q", got)
			}
			r.helm("test", "kora", "--timeout", "2m")
			r.helm("uninstall", "kora", "--wait")
			if left := r.kube("", "get", "deployments,services,networkpolicies", "-n", r.namespace, "-o", "name"); strings.Contains(left, "kora") {
				t.Errorf("left behind: %s", left)
			}
		})
	}
}

// webhooks are the failure policies and CA bundles of both configurations.
func (r release) webhooks() string {
	r.t.Helper()
	get := func(field string) string {
		both := []string{}
		for _, kind := range []string{"validatingwebhookconfiguration", "mutatingwebhookconfiguration"} {
			both = append(both, r.kube("", "get", kind, "kora-operator", "-o", "jsonpath={.webhooks[0]."+field+"}"))
		}
		return strings.Join(both, ", ")
	}
	return get("failurePolicy") + "; " + get("clientConfig.caBundle")
}

// hooksAreDone: the Jobs succeeded and are kept, their accounts and settings are not.
func (r release) hooksAreDone() {
	r.t.Helper()
	for _, job := range []string{"kora-preflight", "kora-migrate"} {
		if got := r.kube("", "get", "job", job, "-n", r.namespace, "-o", "jsonpath={.status.succeeded}"); got != "1" {
			r.t.Errorf("%s succeeded %q times", job, got)
		}
	}
	left := r.kube("", "get", "configmaps,serviceaccounts,roles,networkpolicies", "-n", r.namespace, "-o", "name") +
		r.kube("", "get", "clusterroles", "-o", "name")
	for _, gone := range []string{"/kora-migrate\n", "/kora-preflight\n", "/kora-hooks\n"} {
		if strings.Contains(left, gone) {
			r.t.Errorf("%s is left", strings.TrimSpace(gone))
		}
	}
}

// failsToMigrate upgrades with a migration that no node has room for.
func (r release) failsToMigrate() {
	r.t.Helper()
	before := r.kube("", "get", "deployments", "-n", r.namespace, "-o", "jsonpath={.items[*].metadata.generation}")
	args := append([]string{"upgrade", "kora", "kora", "--namespace", r.namespace, "--set", "frontend.replicas=5",
		"--set", "config.migrate.timeoutSeconds=10", "--set", "config.migrate.resources.requests.cpu=9000"}, installFlags()...)
	if out, err := r.run(args...); err == nil {
		r.t.Errorf("a failed migration upgrades:\n%s", out)
	}
	if after := r.kube("", "get", "deployments", "-n", r.namespace, "-o", "jsonpath={.items[*].metadata.generation}"); after != before {
		r.t.Errorf("a failed migration changed workloads: %s, %s", before, after)
	}
	if got := r.kube("", "get", "job", "kora-migrate", "-n", r.namespace, "-o", "jsonpath={.status.conditions[?(@.type=='Failed')].reason}"); got != "DeadlineExceeded" {
		r.t.Errorf("the failed migration is not kept: %q", got)
	}
}
