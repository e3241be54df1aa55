package preflight

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/internal/testcluster/mesh"
	engine "github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
	"github.com/runkora/kora/plugin/values"
)

// accounts are the objects that give preflight its rights in the cluster.
var accounts = map[string]bool{"ServiceAccount": true, "ClusterRole": true, "ClusterRoleBinding": true, "Role": true, "RoleBinding": true}

// R55: with exactly the rights that the chart gives them, the hook Job and the
// operator decide every check but those of the services, which are not asked, and
// of the release, which only who installs may try.
func TestTheChartsRightsDecideEveryCheck(t *testing.T) {
	c := platform(t)
	t.Run("default", func(t *testing.T) { decides(t, c, "istio.revision=") })
	t.Run("revision", func(t *testing.T) {
		mesh.Istio{TrustDomain: "example.com", Revision: "canary"}.Install(t, c)
		mesh.Ready(t, c)
		mesh.Kubectl(t, c, "", "label", "namespace", system, "istio.io/rev=canary", "istio-injection-")
		decides(t, c, "istio.revision=canary")
		mesh.Kubectl(t, c, "", "label", "namespace", system, "istio.io/rev-", "istio-injection=enabled")
		mesh.Kubectl(t, c, "", "-n", mesh.IstioNamespace, "delete", "deployment", "istiod-canary")
		mesh.Kubectl(t, c, "", "-n", mesh.IstioNamespace, "wait", "--for=delete", "pod", "-l", "istio.io/rev=canary", "--timeout=60s")
	})
}

// decides runs preflight as both accounts, for an install with one value more.
func decides(t *testing.T, c *testcluster.Cluster, more string) {
	t.Helper()
	in := values.Input{}
	for _, f := range []string{"global.trustDomain=example.com", "frontendHost=example.com", "gateway.tls.enabled=false", more} {
		in.Flags = append(in.Flags, values.Flag{Kind: values.Set, Text: f})
	}
	s := Source{Place: kube.Place{Kubeconfig: c.Kubeconfig()}, Values: in, Namespace: system, NoServices: true}
	plan, found := s.Plan(t.Context(), time.Now)
	if found.Refused() {
		t.Fatalf("%+v", found)
	}
	accounts := rights(t, plan.objects)
	mesh.Kubectl(t, c, accounts, "apply", "--server-side", "--force-conflicts", "-f", "-")
	defer mesh.Kubectl(t, c, accounts, "delete", "--ignore-not-found", "-f", "-") // to Helm they are nobody's
	checks, err := engine.Skip(engine.Checks(), []string{"admission"})
	if err != nil {
		t.Fatal(err)
	}
	for _, account := range []string{"kora-preflight", "kora-operator"} {
		config, err := c.ConfigOf(t.Context(), system, account)
		if err != nil {
			t.Fatal(err)
		}
		f, err := plan.look(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range engine.Judge(checks, f, plan.Settings) {
			want := engine.Passed
			switch {
			case o.ID == "postgres" || o.ID == "redis":
				want = engine.Unchecked
			case o.Reason != "":
				want = engine.Skipped
			}
			if o.State != want {
				t.Errorf("%s: %s is %s, want %s: %+v %v", account, o.ID, o.State, want, o.Findings, o.BlockedBy)
			}
		}
		denied := func(a facts.Answer) bool {
			return strings.Contains(a.Untried, `User "system:serviceaccount:`+system+":"+account+`" cannot `)
		}
		if !slices.ContainsFunc(f.Release.Value, denied) {
			t.Errorf("%s may install the release: %+v", account, f.Release)
		}
		if account == "kora-preflight" { // the operator knows no patches
			looksUp(t, plan, config)
		}
	}
}

// looksUp has an account read a RuntimeClass that a patch names.
func looksUp(t *testing.T, plan *Plan, config *rest.Config) {
	t.Helper()
	patched := *plan
	patched.Settings.Agents = []engine.Placement{{Spec: corev1.PodSpec{RuntimeClassName: ptr.To("no-such-class")}}}
	f, err := patched.look(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if class, asked := f.RuntimeClasses.Value["no-such-class"]; class != nil || !asked {
		t.Errorf("%+v", f.RuntimeClasses)
	}
}

// rights are the accounts of preflight and of the operator, as YAML.
func rights(t *testing.T, all []*unstructured.Unstructured) string {
	t.Helper()
	var out []string
	for _, o := range all {
		if accounts[o.GetKind()] && (o.GetName() == "kora-preflight" || strings.HasPrefix(o.GetName(), "kora-operator")) {
			text, err := yaml.Marshal(o.Object)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(text))
		}
	}
	if len(out) < 10 {
		t.Fatalf("the chart gives %d objects", len(out))
	}
	return strings.Join(out, "---\n")
}

// reads fails the test on any request that does more than read.
type reads struct {
	t    *testing.T
	next http.RoundTripper
}

func (r reads) RoundTrip(q *http.Request) (*http.Response, error) {
	if q.Method != http.MethodGet {
		r.t.Errorf("%s %s", q.Method, q.URL.Path)
	}
	return r.next.RoundTrip(q)
}

// R55: without the checks of admission nothing is tried, not even by a dry run,
// which would fill the audit log of an account that may not.
func TestSkippedAdmissionTriesNothing(t *testing.T) {
	c := platform(t)
	in := values.Input{}
	for _, f := range []string{"global.trustDomain=example.com", "frontendHost=example.com", "sandboxMount.enabled=true", "agents.workspace.accessModes={ReadWriteMany}", "agents.workspace.storageClassName=shared"} {
		in.Flags = append(in.Flags, values.Flag{Kind: values.Set, Text: f})
	}
	s := Source{Values: in, Namespace: system, NoServices: true, NoTrial: true}
	plan, found := s.Plan(t.Context(), time.Now)
	if found.Refused() {
		t.Fatalf("%+v", found)
	}
	config := rest.CopyConfig(c.Config())
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return reads{t, next} })
	f, err := plan.look(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if f.Release.Missing == "" || f.Privileged.Missing == "" {
		t.Errorf("%+v %+v", f.Release, f.Privileged)
	}
}
