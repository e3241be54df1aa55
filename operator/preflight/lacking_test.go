package preflight

import (
	"strings"
	"testing"

	"github.com/runkora/kora/operator/preflight/facts"
)

// R55: a right that many objects of the release need is told once, with its grant, and each
// right by itself.
func TestARightIsToldOnce(t *testing.T) {
	lacks := func(object, verb, resource string) facts.Answer {
		return facts.Answer{Object: object, Untried: resource + ` "` + object + `" is forbidden: User "eve" cannot ` + verb + ` resource "` + resource + `" in API group "apps" in the namespace "kora-system"`}
	}
	v := &verdict{id: "release", Settings: Settings{Account: "eve", Namespace: "kora-system"}, facts: &facts.Facts{Release: facts.Known([]facts.Answer{
		lacks("Deployment kora-system/a", "patch", "deployments"), lacks("Deployment kora-system/b", "patch", "deployments"), lacks("Deployment kora-system/b", "create", "deployments"), {Object: "Service kora-system/c"}})}}
	v.lacking()
	if len(v.found) != 2 {
		t.Fatalf("%+v", v.found)
	}
	for i, want := range []struct{ objects, verb string }{{"Deployment kora-system/b", "--verb=create"}, {"Deployment kora-system/a, Deployment kora-system/b", "--verb=patch"}} {
		if f := v.found[i]; f.State != Unchecked || f.Object != want.objects || !strings.Contains(f.Fix, want.verb) || !strings.Contains(f.Fix, "--resource=deployments.apps") {
			t.Errorf("%+v", f)
		}
	}
}
