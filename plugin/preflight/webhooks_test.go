package preflight

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	rbac "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/internal/testcluster/mesh"
	engine "github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
	"github.com/runkora/kora/plugin/values"
)

// R55: the webhooks that Istio's own chart makes for a revision or a tag take kora's
// pods in a namespace with the labels that kora asks for.
func TestIstiosWebhooksTakeKorasPods(t *testing.T) {
	for set, of := range map[string][2]string{"": {"", ""}, "canary": {"canary", ""}, "prod": {"canary", "prod"}, "default": {"canary", "default"}} {
		s := engine.Settings{Namespace: system, Revision: strings.TrimPrefix(set, "default"), TrustDomain: "example.com"}
		f := facts.Nothing("nobody looked")
		f.Asked, f.Namespaces, f.Tags = s.Asked(), facts.Known(map[string]facts.Namespace{}), facts.Known(map[string]string{})
		name := of[0]
		if name == "" {
			name = "default"
		}
		f.Revisions = facts.Known([]facts.Revision{{Name: name, Namespace: mesh.IstioNamespace, Versions: []string{"1.31.1"}, Ready: 1, Injection: facts.Known(&facts.Injection{Policy: "enabled"})}})
		f.Injectors = facts.Known([]facts.Injector{})
		for _, config := range injectors(t, of[0], of[1]) {
			if tag := config.Labels["istio.io/tag"]; tag != "" {
				f.Tags.Value[tag] = config.Labels["istio.io/rev"]
			}
			for _, w := range config.Webhooks {
				f.Injectors.Value = append(f.Injectors.Value, facts.Injector{Config: config.Name, Webhook: w.Name, Revision: config.Labels["istio.io/rev"], Tag: config.Labels["istio.io/tag"], Namespace: w.ClientConfig.Service.Namespace, Namespaces: w.NamespaceSelector, Pods: w.ObjectSelector})
			}
		}
		checks, err := engine.Select([]string{"istio-injection"})
		if err != nil {
			t.Fatal(err)
		}
		all := engine.Judge(checks, f, s)
		if o := all[len(all)-1]; o.State != engine.Passed {
			t.Errorf("%q: %+v", set, o)
		}
	}
}

// R55: webhooks of injection that are gone, or that somebody deactivated, are there
// again after the fix, as it is printed but for where the chart comes from, by both
// Helms; what somebody set is replaced by whoever decides that alone.
func TestClusterWebhooksComeAgainAsPrinted(t *testing.T) {
	c := platform(t)
	const in, revision = mesh.IstioNamespace, "released"
	for _, helm := range []string{"helm-3", "helm-4"} {
		t.Run(helm, func(t *testing.T) {
			folder, err := testcluster.Tool(t.Context(), helm)
			if err != nil {
				t.Fatal(err)
			}
			chart := filepath.Join(mesh.IstioCharts(t), "istio-control/istio-discovery")
			run := func(args ...string) {
				cmd := exec.CommandContext(c.Context(t), filepath.Join(folder, "helm"), append(args, "-n", in, "--kubeconfig", c.Kubeconfig())...)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v: %v: %s", args, err, out)
				}
			}
			run("upgrade", "--install", "istiod-"+revision, chart, "--set", "revision="+revision, "--set", "global.tag=1.31.1", "--set", "autoscaleEnabled=false", "--wait", "--timeout=120s")
			defer run("uninstall", "istiod-"+revision, "--wait")
			const config = "mutatingwebhookconfiguration/istio-sidecar-injector-" + revision
			local := strings.NewReplacer("helm ", filepath.Join(folder, "helm")+" ", " istiod --repo https://istio-release.storage.googleapis.com/charts --version 1.31.1 ", " "+chart+" ")
			for _, spoil := range []string{"delete " + config, "patch " + config + " --type json -p [" + strings.Join(deactivated(2), ",") + "]"} {
				mesh.Kubectl(t, c, "", strings.Fields(spoil)...)
				o := seenAlone(t, c, "istio-injection", "istio.revision="+revision)
				if o.State != engine.Failed {
					t.Fatalf("%s: %+v", spoil, o)
				}
				fix := o.Findings[0].Fix
				obey(t, c, local.Replace(fix))
				if _, replaces, decided := strings.Cut(fix, replacing); decided {
					if kept := seenAlone(t, c, "istio-injection", "istio.revision="+revision); kept.State != engine.Failed {
						t.Errorf("nobody decided, and it is %s", kept.State)
					}
					obey(t, c, local.Replace(replaces))
				}
				if after := seenAlone(t, c, "istio-injection", "istio.revision="+revision); after.State != engine.Passed {
					t.Errorf("after %s\n%s: %+v", fix, after.State, after.Findings)
				}
			}
		})
	}
}

// R55: who may read all but the webhooks is told that this could not be checked, with
// the one right, and with that it is.
func TestClusterWebhooksThatMayNotBeListed(t *testing.T) {
	c := platform(t)
	in := values.Input{}
	for _, f := range []string{"global.trustDomain=example.com", "frontendHost=example.com", "gateway.tls.enabled=false"} {
		in.Flags = append(in.Flags, values.Flag{Kind: values.Set, Text: f})
	}
	checks, err := engine.Select([]string{"istio"})
	if err != nil {
		t.Fatal(err)
	}
	s := Source{Place: kube.Place{Kubeconfig: c.Kubeconfig()}, Values: in, Namespace: system, NoServices: true, Checks: engine.Judged(checks)}
	plan, found := s.Plan(t.Context(), time.Now)
	if found.Refused() {
		t.Fatalf("%+v", found)
	}
	accounts := rights(t, plan.objects)
	mesh.Kubectl(t, c, accounts, "apply", "--server-side", "--force-conflicts", "-f", "-")
	defer mesh.Kubectl(t, c, accounts, "delete", "--ignore-not-found", "-f", "-")
	roles := c.Client().RbacV1().ClusterRoles()
	role, err := roles.Get(t.Context(), "kora-preflight", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var rules []rbac.PolicyRule
	for _, r := range role.Rules {
		if r.Resources[0] != "mutatingwebhookconfigurations" {
			rules = append(rules, r)
		}
	}
	if len(rules) != len(role.Rules)-1 {
		t.Fatalf("%+v", role.Rules)
	}
	role.Rules = rules
	if _, err := roles.Update(t.Context(), role, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	config, err := c.ConfigOf(t.Context(), system, "kora-preflight")
	if err != nil {
		t.Fatal(err)
	}
	look := func() engine.Outcome {
		f, err := plan.look(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		plan.Settings.Account = account(t.Context(), config, f)
		for _, o := range engine.Judge(checks, f, plan.Settings) {
			if o.ID == "istio-injection" {
				return o
			}
		}
		return engine.Outcome{}
	}
	o := look()
	if o.State != engine.Unchecked || len(o.Findings) != 1 || !strings.Contains(o.Findings[0].Found, `cannot list resource "mutatingwebhookconfigurations"`) {
		t.Fatalf("%+v", o)
	}
	obey(t, c, o.Findings[0].Fix)
	granted := "kora-preflight-list-mutatingwebhookconfigurations.admissionregistration.k8s.io"
	defer mesh.Kubectl(t, c, "", "delete", "clusterrole", granted)
	if after := look(); after.State != engine.Passed {
		t.Errorf("after %s: %+v", o.Findings[0].Fix, after)
	}
}
