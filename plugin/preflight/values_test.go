package preflight

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/internal/testcluster/mesh"
	engine "github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
	"github.com/runkora/kora/operator/preflight/gather"
	"github.com/runkora/kora/plugin/values"
)

// planned is what a run with these values looks for.
func planned(t *testing.T, more ...string) *Plan {
	t.Helper()
	in := values.Input{}
	for _, f := range append([]string{`global.trustDomain="example.com"`, `frontendHost="example.com"`}, more...) {
		in.Flags = append(in.Flags, values.Flag{Kind: values.SetJSON, Text: f})
	}
	plan, found := Source{Values: in, Namespace: system, NoServices: true}.Plan(t.Context(), time.Now)
	if found.Refused() {
		t.Fatalf("%+v", found)
	}
	return plan
}

// R23, R55: a class that a patch or configOverrides set is judged as one of the values is.
func TestAClaimIsJudgedAsPatched(t *testing.T) {
	checks, err := engine.Select([]string{"storage-class"})
	if err != nil {
		t.Fatal(err)
	}
	f := facts.Nothing("nobody looked")
	f.StorageClasses = facts.Known([]facts.StorageClass{{Name: "gp3", Default: true}})
	patch := `agents.manifestPatches={"10-class.yaml":{"target":{"kind":"PersistentVolumeClaim"},"patch":"- {op: add, path: /spec/storageClassName, value: no-such-class}"}}`
	noted := func(class string) string {
		return `agents.manifestPatches={"10-class.yaml":{"target":{"kind":"PersistentVolumeClaim"},"patch":"{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: any, annotations: {volume.beta.kubernetes.io/storage-class: '` + class + `'}}}"}}`
	}
	patched := func(flags []string) bool {
		return slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(f, "agents.manifestPatches=") })
	}
	override := `agents.configOverrides={"internal/agents":{"workspace":{"storageClassName":"no-such-class"}}}`
	for _, c := range []struct {
		flags []string
		want  engine.State
	}{
		{nil, engine.Passed},
		{[]string{`agents.workspace.storageClassName="gp3"`}, engine.Passed},
		{[]string{`agents.workspace.storageClassName="efs"`}, engine.Failed},
		{[]string{patch}, engine.Failed},
		{[]string{noted("no-such-class")}, engine.Failed}, // the annotation counts, as it does to Kubernetes
		{[]string{noted("gp3"), `agents.workspace.storageClassName="no-such-class"`}, engine.Passed},
		{[]string{noted("")}, engine.Warned},
		{[]string{override, `agents.workspace.storageClassName="gp3"`}, engine.Failed},
	} {
		s := planned(t, c.flags...).Settings
		for _, s.Claims = range [][]engine.Claim{s.Claims, nil} { // without them, by the values alone
			if o := engine.Judge(checks, f, s)[0]; o.State != c.want && (s.Claims != nil || !patched(c.flags)) {
				t.Errorf("%v: %s %+v", c.flags, o.State, o.Findings)
			}
		}
	}
}

// R23, R55: the Secrets that agents pull with by configOverrides, which can only
// repeat the services', are looked at once.
func TestPullSecretsOfOverrides(t *testing.T) {
	got := planned(t, `global.imagePullSecrets=[{"name":"both"},{"name":"services"}]`, `agents.configOverrides={"internal/agents":{"imagePullSecrets":["both","services"]}}`).Settings.PullSecrets
	if slices.Sort(got); !slices.Equal(got, []string{"both", "services"}) {
		t.Errorf("%q", got)
	}
}

// R26, R55: what kora's chart makes of ClusterSPIFFEIDs is known for kora's by what
// it does.
func TestKorasIdentitiesAreKnown(t *testing.T) {
	n := 0
	for _, o := range planned(t).objects {
		if o.GetKind() != "ClusterSPIFFEID" {
			continue
		}
		n++
		if !gather.Ours(o, system) || gather.Ours(o, "another") && o.GetName() != "kora-agent-pods" {
			t.Errorf("%s", o.GetName())
		}
		o.Object["spec"].(map[string]any)["admin"] = true
		if gather.Ours(o, system) {
			t.Errorf("%s with more than kora's", o.GetName())
		}
	}
	if n < 3 {
		t.Errorf("%d identities", n)
	}
}

// R55: the digest of what is tried is that of the values alone, however often
// they are rendered, and another for others.
func TestWhatIsTriedHasADigest(t *testing.T) {
	first, again, other := planned(t).Settings, planned(t).Settings, planned(t, `ingressGateway.service.type="ClusterIP"`).Settings
	if first.Release == "" || first.Release != again.Release || first.Release == other.Release {
		t.Errorf("%s %s %s", first.Release, again.Release, other.Release)
	}
	if !slices.ContainsFunc(first.Pods, func(p engine.Pod) bool { return !p.Tenant && p.Namespace == system && p.Labels != nil }) ||
		!slices.ContainsFunc(first.Pods, func(p engine.Pod) bool { return p.Tenant && p.Labels["runkora.io/agent-slug"] != "" }) {
		t.Errorf("%+v", first.Pods)
	}
}

// noBalancers is a policy that many clusters have.
const noBalancers = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: no-balancers }
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [services] }]
  validations: [{ expression: "!has(object.spec.type) || object.spec.type != 'LoadBalancer'", message: no load balancers here }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: no-balancers }
spec: { policyName: no-balancers, validationActions: [Deny] }
`

// R55, --bundle: what the API server said to other objects is no answer to these.
// A policy's refusal has the policy for its fix, and no right.
func TestClusterBundleOfOtherValues(t *testing.T) {
	c := platform(t)
	mesh.Kubectl(t, c, noBalancers, "apply", "-f", "-")
	defer mesh.Kubectl(t, c, noBalancers, "delete", "-f", "-")
	inside := planned(t, "gateway.tls.enabled=false", `ingressGateway.service.type="ClusterIP"`)
	outside := planned(t, "gateway.tls.enabled=false", `ingressGateway.service.type="LoadBalancer"`)
	release := func(f *facts.Facts, p *Plan) engine.Outcome {
		all := engine.Judge(engine.Checks(), f, p.Settings)
		return all[slices.IndexFunc(all, func(o engine.Outcome) bool { return o.ID == "release" })]
	}
	look := func(p *Plan) *facts.Facts {
		f, err := p.look(t.Context(), c.Config())
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	live := release(look(outside), outside)
	for end := time.Now().Add(time.Minute); live.State != engine.Failed && time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		live = release(look(outside), outside)
	}
	if live.State != engine.Failed || !strings.Contains(live.Findings[0].Fix, "kubectl get validatingadmissionpolicy no-balancers") {
		t.Fatalf("%+v", live)
	}
	dir := t.TempDir()
	if _, err := WriteBundle(dir, look(inside), false); err != nil {
		t.Fatal(err)
	}
	f, err := ReadBundle(dir)
	if err != nil {
		t.Fatal(err)
	}
	if o := release(f, inside); o.State != engine.Passed {
		t.Errorf("%+v", o)
	}
	if o := release(f, outside); o.State != engine.Unchecked {
		t.Errorf("%+v", o)
	}
	apart := outside.Settings
	apart.Namespace = "default"
	for _, o := range engine.Judge(engine.Checks(), f, apart) {
		if o.ID == "system-namespace" && o.State != engine.Unchecked {
			t.Errorf("%+v", o)
		}
	}
}

// R55: what a patch does to one agent type alone is looked at as well: where its pods are
// placed, what it claims, and its objects; what it refuses there is told.
func TestAgentTypesThatPatchesNameAreLookedAt(t *testing.T) {
	of := func(target, patch string) string {
		return `agents.manifestPatches={"10.yaml":{"target":` + target + `,"patch":"` + patch + `"}}`
	}
	coder := of(`{"kind":"Pod","labelSelector":"runkora.io/agent-slug=coder"}`, `- {op: add, path: /spec/runtimeClassName, value: gvisor}`)
	p := planned(t, coder)
	if got := p.Settings.RuntimeClasses(); len(got) != 1 || got[0] != "gvisor" {
		t.Errorf("the classes are %q", got)
	}
	var names []string
	for _, a := range p.Settings.Agents {
		names = append(names, a.Name)
	}
	if want := []string{"session-manager", "sandbox", "sandbox of the agent type coder"}; !slices.Equal(names, want) {
		t.Errorf("the pods are %q", names)
	}
	if all := planned(t).agents; p.agents != 2*all {
		t.Errorf("%d objects, and %d of one type", p.agents, all)
	}
	p = planned(t, of(`{"kind":"PersistentVolumeClaim","name":"workspace-agent-coder-0"}`, `- {op: add, path: /spec/storageClassName, value: no-such-class}`))
	if !slices.ContainsFunc(p.Settings.Claims, func(c engine.Claim) bool {
		return strings.Contains(c.Object, "coder") && c.Class != nil && *c.Class == "no-such-class"
	}) {
		t.Errorf("%+v", p.Settings.Claims)
	}
}
