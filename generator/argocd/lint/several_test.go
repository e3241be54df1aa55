package lint

import (
	"strings"
	"testing"
)

// R40, R41: every source of an Application counts, and the first no more than
// another.
func TestEverySourceCounts(t *testing.T) {
	wave := func(n string) string { return ", annotations: { argocd.argoproj.io/sync-wave: '" + n + "' }" }
	sources := func(text string, charts ...string) string {
		list := "  sources:\n"
		for _, c := range charts {
			list += "  - { " + c + " }\n"
		}
		return strings.Replace(text, "  source: { "+git+"a }\n", list, 1)
	}
	web, crds, spire := helm+"web", helm+"spire-crds", helm+"spire"
	artifact := "repoURL: oci://registry.example.com/charts/spire-crds, targetRevision: 1.0.0, path: ."
	for name, c := range map[string]struct {
		first, second []string
		policy, want  string
	}{
		"needed second":   {[]string{web, crds}, []string{spire}, "", "C010"},
		"needing second":  {[]string{crds}, []string{web, spire}, "", "C010"},
		"both second":     {[]string{web, crds}, []string{web, spire}, "", "C010"},
		"an artifact":     {[]string{web, artifact}, []string{web, spire}, "", "C010"},
		"both in one":     {[]string{spire, crds}, []string{web}, "", ""},
		"others":          {[]string{web, helm + "db"}, []string{web, spire}, "", ""},
		"pruned, second":  {[]string{web, crds}, []string{web}, "automated: { prune: true }", "C009"},
		"pruned, but not": {[]string{web, helm + "db"}, []string{web}, "automated: { prune: true }", ""},
	} {
		files := map[string]string{
			"a.yaml": sources(application("one", wave("1"), git+"a", "", c.policy), c.first...),
			"b.yaml": sources(application("two", wave("1"), git+"a", "", ""), c.second...),
		}
		coded(t, name, files, c.want)
	}
}

// R40, R41: Argo CD's own cluster is one, by its name and by its address.
func TestOwnClusterIsOne(t *testing.T) {
	own := "server: https://kubernetes.default.svc"
	for name, c := range map[string]struct{ to, want string }{
		"as the other":  {own, "C010"},
		"by its name":   {"name: in-cluster", "C010"},
		"with a slash":  {own + "/", "C010"},
		"with a port":   {own + ":443", "C010"},
		"its long name": {own + ".cluster.local", "C010"},
		"another":       {"name: production", ""},
		"another URL":   {"server: https://10.1.2.3:6443", ""},
	} {
		files := map[string]string{
			"a.yaml": application("one", "", helm+"spire-crds", "", ""),
			"b.yaml": strings.Replace(application("two", "", helm+"spire", "", ""), own, c.to, 1),
		}
		coded(t, name, files, c.want)
	}
}
