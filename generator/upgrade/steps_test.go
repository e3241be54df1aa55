package upgrade

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// R56: the steps are exact: a shell reads back the very word, whatever a file is
// called, and a terminal shows nothing that it would obey.
func TestWordsOfAShell(t *testing.T) {
	for _, word := range []string{
		"kora.yaml", "my values.yaml", "it's.yaml", "$(touch x)", "a\x1b[31m.yaml", "a\nb 'c' \\n.yaml", "a\u202eb", "a\\x41'", "\xff", "a\tb", "-", "é.yaml", "a\u009bb",
	} {
		quoted := quote(word)
		if faults.Visible(quoted) != quoted {
			t.Errorf("%q: a terminal would obey %q", word, quoted)
		}
		out, err := exec.Command("bash", "-c", "LC_ALL=C.UTF-8; printf %s "+quoted).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q: %s is %q to a shell: %v", word, quoted, out, err)
		}
	}
}

// R56: helm finds the charts where they are: below a registry or a folder, or in
// the index of a repository.
func TestChartsAreNamedAsHelmTakesThem(t *testing.T) {
	for charts, want := range map[string]string{
		"oci://registry.example.com/charts":  "oci://registry.example.com/charts/kora",
		"oci://registry.example.com/charts/": "oci://registry.example.com/charts/kora",
		"https://charts.example.com/x":       "kora --repo https://charts.example.com/x",
		"http://charts.example.com":          "kora --repo http://charts.example.com",
		"./charts":                           "./charts/kora",
	} {
		if got := (Request{Charts: charts}).chart("kora"); got != want {
			t.Errorf("%s: %s", charts, got)
		}
	}
}

// R38, R56: the facts of an environment are flags of helm, one for each leaf, and
// lie over the files' values when the rules are judged.
func TestFactsAreInTheSteps(t *testing.T) {
	r := request(t, "1.3.2", "1.4.0", same, "global: { trustDomain: example.org }\n")
	facts := values(t, "global: { trustDomain: example.com }\nagents:\n  workloads: { sandbox: { nodeSelector: { a.b/c: d, empty: {} }, tolerations: [{ key: k }] } }\n")
	r.Facts = &Facts{File: "environments/one two.yaml", Values: facts[0], Theme: "a,b.yaml"}
	plan, found := Make(r)
	if found.Refused() {
		t.Fatal(found)
	}
	want := ` --values kora.yaml --set-json 'agents.workloads.sandbox.nodeSelector.a\.b/c="d"' --set-json 'agents.workloads.sandbox.tolerations=[{"key":"k"}]' --set-json 'global.trustDomain="example.com"' --set-file 'theme.document=a\,b.yaml' --wait`
	if !strings.Contains(plan.Helm[2], want) {
		t.Errorf("%s", plan.Helm[2])
	}
	for step, in := range map[string][]string{
		"kora generate helmfile -e 'environments/one two.yaml' -o helmfile   (with kora 1.4.0, and --lock where there is one)": plan.Helmfile, "helmfile -e 'one two' -l name=kora apply": plan.Helmfile,
		"kora generate argocd -e 'environments/one two.yaml' -o argocd ": plan.ArgoCD,
	} {
		if !strings.Contains(strings.Join(in, "\n"), step) {
			t.Errorf("no %s in %q", step, in)
		}
	}
	r.Facts.Values = values(t, "global: { trustDomain: example.net }\n")[0]
	if _, found := Make(r); len(found) != 1 || found[0].Code != faults.TrustDomainMove || found[0].Found != "example.net" {
		t.Errorf("%+v", found)
	}
}
