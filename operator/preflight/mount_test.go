package preflight

import (
	"strings"
	"testing"

	"github.com/runkora/kora/operator/preflight/facts"
)

const mountSpace = "kora-sandbox-mount"

// theirs has somebody else make the node agent's namespace.
func theirs(s *Settings) { s.SandboxMount.CreateNamespace = false }

// R31, R55: the node agent's namespace, where the values have somebody else make it, is
// told as missing by whatever needs it, with what makes it.
func TestTheNamespaceOfTheNodeAgentIsMissing(t *testing.T) {
	const made = "kubectl create namespace kora-sandbox-mount && kubectl label namespace kora-sandbox-mount pod-security.kubernetes.io/enforce=privileged"
	unread := facts.Unknown[map[string]facts.Namespace]("namespaces is forbidden")
	for name, spoil := range map[string]func(*facts.Facts){
		"seen by its own": func(*facts.Facts) {},
		"seen by a trial": func(f *facts.Facts) { f.Namespaces, f.Privileged.Value.Absent = unread, true },
		"refused elsewhere": func(f *facts.Facts) {
			f.Privileged.Value.Absent, f.Privileged.Value.Refused = true, refusals()["policy"]
		},
	} {
		f, s := goodFacts(t), goodSettings()
		spoil(f)
		theirs(&s)
		if o := judged(f, s)["privileged-pods"]; o.State != Failed || !strings.HasPrefix(o.Findings[0].Fix, made) || !strings.Contains(o.Findings[0].Fix, "createNamespace: true") {
			t.Errorf("%s: %+v", name, o)
		}
	}
	f, s := goodFacts(t), goodSettings()
	f.Namespaces.Value[mountSpace] = facts.Namespace{}
	theirs(&s)
	if o := judged(f, s)["privileged-pods"]; o.State != Passed {
		t.Errorf("it is there: %+v", o)
	}
	f.Namespaces = unread
	if o := judged(f, s)["privileged-pods"]; o.State != Passed {
		t.Errorf("a pod was tried in it: %+v", o)
	}
}

// R55: what a rule of the namespace default refuses is a warning for one that comes
// later, and says where it was tried.
func TestAStandInIsNamed(t *testing.T) {
	f := goodFacts(t)
	f.Privileged.Value = facts.Answer{Object: "Namespace " + mountSpace, Absent: true, Warnings: []string{refusals()["policy"]}}
	o := judged(f, goodSettings())["privileged-pods"]
	if o.State != Warned || !strings.Contains(o.Findings[0].Message, "in namespace default") || !strings.Contains(o.Findings[0].Fix, "get validatingadmissionpolicy no-lb") {
		t.Errorf("%+v", o)
	}
	f.Privileged.Value.Refused = refusals()["webhook"]
	if o := judged(f, goodSettings())["privileged-pods"]; o.State != Failed || !strings.Contains(o.Findings[0].Message, "in namespace kube-system") {
		t.Errorf("%+v", o)
	}
}

// R55: of a namespace that is missing `release` tells once, whatever goes into it.
func TestAMissingNamespaceIsToldOnce(t *testing.T) {
	f, s := goodFacts(t), goodSettings()
	theirs(&s)
	for _, space := range []string{mountSpace, "other"} {
		for _, kind := range []string{"ServiceAccount", "Role", "DaemonSet"} {
			f.Release.Value = append(f.Release.Value, facts.Answer{Object: kind + " " + space + "/x", Refused: `x "x" is refused: namespace "` + space + `" is not there`})
		}
	}
	o := judged(f, s)["release"]
	if o.State != Failed || len(o.Findings) != 2 {
		t.Fatalf("%+v", o)
	}
	for i, want := range []string{" && kubectl label namespace " + mountSpace, ""} {
		g, space := o.Findings[i], []string{mountSpace, "other"}[i]
		if !strings.Contains(g.Object, "Role "+space+"/x, ServiceAccount") || g.Expected != "Namespace "+space || !strings.HasPrefix(g.Fix, "kubectl create namespace "+space+want) {
			t.Errorf("%+v", g)
		}
	}
}

// R31, R55: no value makes the node agent fit another level than its own.
func TestTheLevelOfTheNodeAgentsNamespace(t *testing.T) {
	f := goodFacts(t)
	f.Namespaces.Value[mountSpace] = facts.Namespace{Labels: map[string]string{security: "restricted"}}
	f.Release.Value[0] = facts.Answer{Object: "Pod " + mountSpace + "/kora-sandbox-mount, of the DaemonSet", Refused: refusals()["level"]}
	f.Privileged.Value.Refused = refusals()["level"]
	all := judged(f, goodSettings())
	f.Release.Value[0] = facts.Answer{Object: "DaemonSet " + mountSpace + "/kora-sandbox-mount", Warnings: []string{`would violate PodSecurity "restricted:latest"`}}
	if o := judged(f, goodSettings())["release"]; o.State != Warned || !strings.Contains(o.Findings[0].Fix, "namespace "+mountSpace+" "+atPrivileged+" "+warnPrivileged) {
		t.Errorf("%+v", o)
	}
	if fix := all["release"].Findings[0].Fix; fix != all["privileged-pods"].Findings[0].Fix || !strings.Contains(fix, "kubectl label --overwrite namespace "+mountSpace+" "+atPrivileged) {
		t.Errorf("%q", fix)
	}
}
