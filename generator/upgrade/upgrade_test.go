package upgrade

import (
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

func values(t *testing.T, text string) Values {
	t.Helper()
	docs, found := source.Parse(source.NewFile("kora.yaml", text), source.DefaultLimits)
	if found.Refused() {
		t.Fatal(found)
	}
	return Values{LayerOf(docs[0])}
}

func request(t *testing.T, from, to, current, target string) Request {
	t.Helper()
	return Request{
		From: from, To: to, Kora: "1.4.0", Namespace: "kora-system", Charts: "oci://ghcr.io/runkora/charts",
		Files: []string{"kora.yaml"}, Current: values(t, current), Target: values(t, target),
	}
}

const same = "global: { trustDomain: example.com }\n"

func revisions(all ...string) []Revision {
	var out []Revision
	for i, each := range all {
		status, version, _ := strings.Cut(each, " ")
		out = append(out, Revision{Number: i + 1, Status: status, Version: version, Values: map[string]any{"global": map[string]any{"trustDomain": "example.com"}}})
	}
	return out
}

// R56: in the steps of every tool kora-crds goes before kora.
func TestDefinitionsGoFirst(t *testing.T) {
	plan, found := Make(request(t, "1.3.2", "1.4.0", same, same))
	if found.Refused() {
		t.Fatal(found)
	}
	for tool, steps := range map[string][]string{"helm": plan.Helm, "helmfile": plan.Helmfile, "argocd": plan.ArgoCD} {
		crds := slices.IndexFunc(steps, func(s string) bool { return strings.Contains(s, "kora-crds") })
		kora := slices.IndexFunc(steps, func(s string) bool {
			return strings.Contains(s, "charts/kora ") || strings.Contains(s, "name=kora ") || strings.Contains(s, "apps/kora.yaml")
		})
		if crds < 0 || kora < 0 || crds > kora {
			t.Errorf("%s: %q", tool, steps)
		}
	}
	want := []string{
		"helm upgrade --install kora-crds oci://ghcr.io/runkora/charts/kora-crds --namespace kora-system --version 1.4.0 --wait",
		"kubectl wait --for=condition=Established crd --selector app.kubernetes.io/name=kora-crds --timeout 60s",
		"helm upgrade kora oci://ghcr.io/runkora/charts/kora --namespace kora-system --version 1.4.0 --values kora.yaml --wait --timeout 40m",
	}
	if !slices.Equal(want, plan.Helm) {
		t.Errorf("%q", plan.Helm)
	}
	for _, c := range plan.Checks {
		if !c.Checked {
			t.Errorf("open: %+v", c)
		}
	}
}

// R56: what an upgrade may not do by the way, with its place in the new values.
func TestWhatMayNotChangeIsRefused(t *testing.T) {
	patch := func(size string) string {
		return same + "agents:\n  manifestPatches:\n    10-claim:\n      target: { kind: PersistentVolumeClaim }\n      patch: '" + size + "'\n    20-pod:\n      target: { kind: Pod }\n      patch: '" + size + "'\n"
	}
	for name, c := range map[string]struct {
		from, to, current, target string
		code                      faults.Code
		place                     int
	}{
		"trust domain":   {"1.3.2", "1.4.0", same, "global:\n  trustDomain: example.org\n", faults.TrustDomainMove, 2},
		"size":           {"1.3.2", "1.4.0", same, same + "agents: { workspace: { size: 20Gi } }\n", faults.ClaimsMove, 2},
		"class":          {"1.3.2", "1.4.0", same + "agents: { workspace: { storageClassName: a } }\n", same + "agents: { workspace: { storageClassName: b } }\n", faults.ClaimsMove, 2},
		"class left out": {"1.3.2", "1.4.0", same + "agents: { workspace: { storageClassName: a } }\n", same, faults.ClaimsMove, 0},
		"modes":          {"1.3.2", "1.4.0", same, same + "agents: { workspace: { accessModes: [ReadWriteMany] } }\n", faults.ClaimsMove, 2},
		"patch of claim": {"1.3.2", "1.4.0", patch("a"), patch("b"), faults.ClaimsMove, 4},
		"back":           {"1.4.0", "1.3.2", same, same, faults.Downgrade, 0},
		"back a patch":   {"1.4.1", "1.4.0", same, same, faults.Downgrade, 0},
		"back a major":   {"2.0.0", "1.9.9", same, same, faults.Downgrade, 0},
		"no version":     {"1.3.2", "1.4", same, same, faults.UpgradeVersion, 0},
		"a v":            {"v1.3.2", "1.4.0", same, same, faults.UpgradeVersion, 0},
		"leading zero":   {"1.03.2", "1.4.0", same, same, faults.UpgradeVersion, 0},
		"pre-release":    {"1.3.2", "1.4.0-rc.1", same, same, faults.UpgradeVersion, 0},
	} {
		t.Run(name, func(t *testing.T) {
			plan, found := Make(request(t, c.from, c.to, c.current, c.target))
			if plan != nil || len(found) != 1 || found[0].Code != c.code || found[0].Line != c.place {
				t.Errorf("%+v", found)
			}
		})
	}
}

// R56: values that say the same in other words are no change: the defaults
// written out, and a patch of pods.
func TestSameClaimsInOtherWordsAreTaken(t *testing.T) {
	written := same + "agents: { workspace: { storageClassName: '', accessModes: [ReadWriteOnce], size: 10Gi }, manifestPatches: { 20-pod: { target: { kind: Pod }, patch: b } } }\n"
	if _, found := Make(request(t, "1.3.2", "1.4.0", same, written)); len(found) != 0 {
		t.Errorf("%+v", found)
	}
}

// R56: another name of a patch is no change of the claims, another order of two is.
func TestPatchesOfClaimsAreComparedInTheirOrder(t *testing.T) {
	patches := func(first, second string) string {
		entry := func(name, size string) string {
			return "    " + name + ": { target: { kind: PersistentVolumeClaim }, patch: '" + size + "' }\n"
		}
		return same + "agents:\n  manifestPatches:\n" + entry(first, "a: b") + entry(second, "a: c")
	}
	if _, found := Make(request(t, "1.3.2", "1.4.0", patches("10-a", "20-b"), patches("15-c", "30-d"))); len(found) != 0 {
		t.Errorf("%+v", found)
	}
	if _, found := Make(request(t, "1.3.2", "1.4.0", patches("10-a", "20-b"), patches("20-b", "10-a"))); len(found) != 1 || found[0].Code != faults.ClaimsMove {
		t.Errorf("%+v", found)
	}
}

// R56: the way back goes to the revision before, and nowhere else.
func TestRollbackGoesOneRevisionBack(t *testing.T) {
	for name, c := range map[string]struct {
		kora []Revision
		to   string
		step string // the command, empty where refused
	}{
		"to the one before":       {revisions("superseded 1.2.0", "superseded 1.3.2", "deployed 1.4.0"), "1.3.2", "helm rollback kora 2 "},
		"two back":                {revisions("superseded 1.2.0", "superseded 1.3.2", "deployed 1.4.0"), "1.2.0", ""},
		"past one that failed":    {revisions("superseded 1.3.2", "failed 1.4.0", "deployed 1.4.0"), "1.3.2", "helm rollback kora 1 "},
		"there is none":           {revisions("deployed 1.4.0"), "1.3.2", ""},
		"after a change of value": {revisions("superseded 1.3.2", "superseded 1.4.0", "deployed 1.4.0"), "1.3.2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			plan, found := Make(Request{To: c.to, Kora: "1.4.0", Namespace: "kora-system", Live: &Live{Kora: c.kora}})
			switch {
			case c.step == "" && (plan != nil || len(found) != 1 || found[0].Code != faults.Downgrade):
				t.Errorf("%+v %+v", plan, found)
			case c.step != "" && (plan == nil || !plan.Rollback || !strings.HasPrefix(plan.Helm[0], c.step)):
				t.Errorf("%+v %+v", plan, found)
			}
		})
	}
}

// R56: a release that Helm is not done with is refused; what runs counts for more
// than what the command line says.
func TestStateOfTheClusterCounts(t *testing.T) {
	for name, c := range map[string]struct {
		from string
		live Live
		code faults.Code
	}{
		"nothing there":     {"1.3.2", Live{}, faults.LiveRelease},
		"under way":         {"", Live{Kora: revisions("superseded 1.3.2", "pending-upgrade 1.3.2")}, faults.LiveRelease},
		"crds under way":    {"", Live{Kora: revisions("deployed 1.3.2"), CRDs: revisions("pending-install 1.3.2")}, faults.LiveRelease},
		"another version":   {"1.3.1", Live{Kora: revisions("deployed 1.3.2")}, faults.LiveRelease},
		"other than --from": {"1.3.2", Live{Kora: revisions("deployed 1.3.2")}, faults.TrustDomainMove},
	} {
		r := Request{From: c.from, To: "1.4.0", Namespace: "kora-system", Live: &c.live, Target: values(t, "global: { trustDomain: example.org }\n")}
		if plan, found := Make(r); plan != nil || !slices.ContainsFunc(found, func(f faults.Fault) bool { return f.Code == c.code }) {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// R56: what there is to know: skipped minors, the depth of the rollback, another
// generator, definitions that are later already.
func TestPlanTellsWhatToKnow(t *testing.T) {
	r := Request{To: "1.6.0", Kora: "1.4.0", Namespace: "kora-system", Live: &Live{Kora: revisions("deployed 1.3.2"), CRDs: revisions("deployed 1.7.0")}}
	plan, found := Make(r)
	if found.Refused() {
		t.Fatal(found)
	}
	notes := plan.Text()
	for _, says := range []string{"minors skipped: 1.4, 1.5;", "revision before alone", "generate with kora 1.6.0", "kora-crds is at 1.7.0 already", "helm rollback kora 1 --namespace kora-system --wait --timeout 40m", "of type LoadBalancer an address, without --wait, and then kubectl rollout status deployment --namespace kora-system", "open   global.trustDomain"} {
		if !strings.Contains(notes, says) {
			t.Errorf("no %q in\n%s", says, notes)
		}
	}
	if again, _ := Make(r); again.Text() != notes {
		t.Error("two plans of one request differ")
	}
}

// Words of a command are one word to a shell.
func TestNamesInCommandsAreQuoted(t *testing.T) {
	r := request(t, "1.3.2", "1.4.0", same, same)
	r.Files, r.Namespace = []string{"my values.yaml", "a'b.yaml"}, "x; rm -rf /"
	plan, _ := Make(r)
	if got := plan.Helm[2]; !strings.Contains(got, `--values 'my values.yaml' --values 'a'\''b.yaml'`) || !strings.Contains(got, "--namespace 'x; rm -rf /' ") {
		t.Errorf("%s", got)
	}
}

// R56: the steps with Argo CD change no generated file by hand, and wait for the
// parent, refreshed, before the child.
func TestArgoCDStepsGenerateAndRefresh(t *testing.T) {
	plan, found := Make(request(t, "1.3.2", "1.4.0", same, same))
	if found.Refused() {
		t.Fatal(found)
	}
	if !strings.HasPrefix(plan.ArgoCD[0], "kora generate argocd -e ") || strings.Contains(strings.Join(plan.ArgoCD, "\n"), "targetRevision") {
		t.Errorf("%q", plan.ArgoCD)
	}
	at := -1
	for _, start := range []string{
		"git add argocd/apps/kora-crds.yaml ", "argocd app get kora-platform --refresh", "argocd app wait kora-platform ", "argocd app get kora-crds --refresh", "argocd app wait kora-crds ",
		"git add argocd ", "argocd app get kora-platform --refresh", "argocd app wait kora-platform ", "argocd app get kora --refresh", "argocd app wait kora ",
	} {
		next := slices.IndexFunc(plan.ArgoCD[at+1:], func(s string) bool { return strings.HasPrefix(s, start) })
		if next != 0 && at >= 0 || next < 0 {
			t.Fatalf("%q does not follow step %d of %q", start, at, plan.ArgoCD)
		}
		at += 1 + next
	}
}
