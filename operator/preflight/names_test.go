package preflight

import (
	"regexp"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/preflight/facts"
)

// R55, security: a name that a program would take for an option goes into no
// command: there are words instead.
func TestNoNameIsAnOption(t *testing.T) {
	for _, bad := range []string{"--all", "-A", "-n", "*", "a b", "a/b"} {
		for _, w := range wrongs(t) {
			f, s := goodFacts(t), goodSettings()
			w.spoil(f, &s)
			poison(f, &s)
			called(f, bad)
			f.Strangers = []facts.Stranger{{Of: "istio", Object: "Namespace " + bad}, {Of: "spire", Object: "DaemonSet team/" + bad}, {Of: "spire", Object: "Namespace " + bad}}
			f.Release.Value = append(f.Release.Value,
				facts.Answer{Object: "Secret " + bad, Owner: &facts.Owner{}}, facts.Answer{Object: bad + " x", Owner: &facts.Owner{}}, facts.Answer{Object: "Secret kora-system/" + bad, Owner: &facts.Owner{Release: "x"}},
				facts.Answer{Object: "Service kora-system/x", Refused: "exceeded quota: " + bad + ", requested: pods=1"},
				facts.Answer{Object: "Service kora-system/x", Refused: "ValidatingAdmissionPolicy '" + bad + "' denied"})
			for _, o := range Judge(Checks(), f, s) {
				for _, x := range o.Findings {
					line, _, _ := strings.Cut(x.Fix, "#")
					if strings.Contains(" "+line, " "+bad+" ") && !strings.Contains(x.Fix, "kora preflight") && !benign.MatchString(line) {
						t.Errorf("%s, %s: %q", w.name, bad, x.Fix)
					}
				}
			}
		}
	}
}

// benign are our own words among those that stand for a name here.
var benign = regexp.MustCompile(`get (pods|configmaps) -A |(kubectl|helm) .*-n [a-z]`)

// called gives what the cluster names one name.
func called(f *facts.Facts, name string) {
	for i := range f.Nodes.Value {
		f.Nodes.Value[i].Name = name
	}
	for i := range f.DaemonSets.Value {
		f.DaemonSets.Value[i].Namespace, f.DaemonSets.Value[i].Name = name, name
	}
	for i := range f.Revisions.Value {
		f.Revisions.Value[i].Namespace = name
	}
	for i := range f.StorageClasses.Value {
		f.StorageClasses.Value[i].Name, f.StorageClasses.Value[i].Default = name, false
	}
	for i := range f.Spire.IDs.Value {
		f.Spire.IDs.Value[i].Name = name
	}
}

// R55, security: a right goes only to the account that this run asks as, whoever
// a text names, and none that makes an account another; of a file to nobody.
func TestRightsGoToTheAccountOfThisRun(t *testing.T) {
	attempt := `clusterroles "x" is forbidden: user "evil" (groups=["a"]) is attempting to grant RBAC permissions not currently held:`
	cannot := func(user, verb, resource string) string {
		return `x is forbidden: User "` + user + `" cannot ` + verb + ` resource "` + resource + `" in API group "" at the cluster scope`
	}
	for _, c := range []struct{ account, text string }{
		{"jane", attempt}, {"", attempt}, {"", cannot("jane", "list", "nodes")}, {"", cannot("", "list", "nodes")}, {"jane", cannot("evil", "list", "nodes")},
		{"jane", cannot("jane", "impersonate", "users")}, {"jane", cannot("jane", "escalate", "clusterroles")}, {"jane", cannot("jane", "get", "*")}, {"jane", cannot("jane", "list", "--all")},
	} {
		s := goodSettings()
		s.Account = c.account
		v := &verdict{Settings: s, id: "release"}
		for _, fix := range []string{v.refusalFix(facts.Answer{Object: "ClusterRole x", Refused: c.text}), v.wayOut(c.text)} {
			if strings.Contains(fix, "create") && !strings.HasPrefix(fix, "# ") || strings.Contains(fix, "cluster-admin") {
				t.Errorf("%+v: %q", c, fix)
			}
		}
	}
}

// R55: a fix is for the cluster that was judged, and no other. A right is given by
// another account, so by a kubeconfig that is named first, and never by whichever
// is there.
func TestFixesNameTheCluster(t *testing.T) {
	call, n := regexp.MustCompile(`(^|[|;&(] ?)(kubectl|helm) (\S+ \S+ \S+ \S+) `), 0
	want := map[string]string{"kubectl": "--kubeconfig here.yaml --context there", "helm": "--kubeconfig here.yaml --kube-context there"}
	for _, w := range append(wrongs(t), unread()...) {
		f, s := goodFacts(t), goodSettings()
		w.spoil(f, &s)
		f.Asked, s.Place = s.Asked(), []string{"--kubeconfig", "here.yaml", "--context", "there"}
		for _, o := range Judge(Checks(), f, s) {
			for _, x := range o.Findings {
				line, _, _ := strings.Cut(x.Fix, " #")
				named := want
				if strings.Contains(line, "auth reconcile") {
					named = map[string]string{"kubectl": `--kubeconfig "${ADMIN_KUBECONFIG:?export it first}"`}
				}
				for _, m := range call.FindAllStringSubmatch(line, -1) {
					if n++; m[3] != named[m[2]] {
						t.Errorf("%q", x.Fix)
					}
				}
			}
		}
	}
	if n < 60 {
		t.Errorf("only %d calls", n)
	}
}

// R55: an account that lacks a right cannot give it to itself, so a grant says who
// runs it, and runs by no kubeconfig of that account.
func TestAGrantIsForSomebodyElse(t *testing.T) {
	s := goodSettings()
	s.Place = []string{"--kubeconfig", "weak.yaml", "--context", "weak"}
	for _, place := range [][]string{s.Place, nil} {
		s.Place = place
		v := &verdict{Settings: s, id: "release"}
		for _, fix := range []string{
			v.grant(`nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope`), v.installer("jane"),
		} {
			if line, words, _ := strings.Cut(fix, " # "); strings.Contains(line, "weak") || !strings.Contains(line, "auth reconcile") || !strings.HasPrefix(words, byWhom) {
				t.Errorf("%v: %q", place, fix)
			}
		}
	}
}

// R55, --bundle: what a bundle does not tell is collected once more, and not asked of
// whichever cluster this machine knows.
func TestABundleIsCollectedAgain(t *testing.T) {
	n := 0
	for _, w := range unread() {
		f, s := goodFacts(t), goodSettings()
		w.spoil(f, &s)
		s.Collected, s.Account = true, ""
		for _, o := range Judge(Checks(), f, s) {
			for _, x := range o.Findings {
				if !strings.HasPrefix(x.Fix, "kora preflight") {
					continue
				}
				if n++; x.Fix != "kora preflight collect -f kora.yaml --namespace kora-system --to collected # where the cluster is; then judge that folder with --bundle" {
					t.Errorf("%s: %q", o.ID, x.Fix)
				}
			}
		}
	}
	if n == 0 {
		t.Error("nothing was told")
	}
}

// R55: no fix takes the place of anything that is there, and what is made for a
// trial is made where nothing is.
func TestNoFixDestroys(t *testing.T) {
	for _, w := range append(wrongs(t), unread()...) {
		f, s := goodFacts(t), goodSettings()
		w.spoil(f, &s)
		f.Asked = s.Asked()
		for _, o := range Judge(Checks(), f, s) {
			for _, x := range o.Findings {
				line, _, _ := strings.Cut(x.Fix, " #")
				for _, never := range []string{"replace", "delete", "--force", "apply", "-keyout tls.key", "> redis"} {
					if strings.Contains(line, never) {
						t.Errorf("%s: %q", w.name, x.Fix)
					}
				}
			}
		}
	}
	missing := goodFacts(t)
	missing.Secrets["kora-system/kora-gateway-tls"] = facts.Known[*facts.Secret](nil)
	if fix := judged(missing, goodSettings())["gateway-certificate"].Findings[0].Fix; !strings.HasPrefix(fix, `dir="$(mktemp -d)" && openssl req`) {
		t.Errorf("%q", fix)
	}
}

// R55: a fix calls kora as this one was called, and says where the values came on
// its standard input; what a shell reads is in it as the shell reads it.
func TestFixesCallThisKora(t *testing.T) {
	s := goodSettings()
	s.Program, s.Flags = []string{"helm", "kora"}, []string{"-f", "-"}
	v := &verdict{Settings: s, id: "release"}
	if got, want := v.again(), "helm kora preflight -f - # with the same values on its standard input"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := v.rendered(); !strings.HasPrefix(got, "helm kora render -f - # with the same values") {
		t.Errorf("%q", got)
	}
	for _, w := range wrongs(t) {
		f, s := goodFacts(t), goodSettings()
		w.spoil(f, &s)
		for _, o := range Judge(Checks(), f, s) {
			for _, x := range o.Findings {
				if strings.Contains(x.Fix, "\n") {
					t.Errorf("%s: %q is more than a line", w.name, x.Fix)
				}
			}
		}
	}
}
