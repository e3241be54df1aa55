package lint

import (
	"strings"
	"testing"
)

// R41: a parent whose source is the root of its repository is known, however the
// children lie in what was read: surely where they are of the same repository, and
// with a warning where nobody says. A repository of another's own is none.
func TestParentsAtTheRootAreTold(t *testing.T) {
	side := "syncOptions: [ServerSideApply=true]"
	parent := func(src, namespace string) string {
		return strings.Replace(application("platform", "", src, "", side), "namespace: apps", namespace, 1)
	}
	child := application("a", "", git+"a", "", "")
	elsewhere := strings.ReplaceAll(child, "x.git", "y.git")
	kustomization := "resources: [p.yaml, apps]\n"
	for name, c := range map[string]struct {
		parent string
		files  map[string]string
		want   string
	}{
		"a point":                  {parent(git+".", "namespace: apps"), map[string]string{"a.yaml": child}, "error C002"},
		"a point and a slash":      {parent(git+"./", "namespace: apps"), map[string]string{"a.yaml": child}, "error C002"},
		"a slash":                  {parent(git+"/", "namespace: apps"), map[string]string{"a.yaml": child}, "error C002"},
		"no path":                  {parent("repoURL: https://git.example.com/x, targetRevision: main", "namespace: apps"), map[string]string{"a.yaml": child}, "error C002"},
		"recursing":                {parent(git+"., directory: { recurse: true }", "namespace: apps"), map[string]string{"deep/below/a.yaml": child}, "error C002"},
		"not recursing":            {parent(git+".", "namespace: apps"), map[string]string{"deep/below/a.yaml": child}, ""},
		"by a kustomization":       {parent(git+".", "namespace: apps"), map[string]string{"apps/a.yaml": child, "kustomization.yaml": kustomization}, "error C002"},
		"not in the kustomization": {parent(git+".", "namespace: apps"), map[string]string{"more/a.yaml": child, "kustomization.yaml": kustomization}, ""},
		"of another repository":    {parent(git+".", "namespace: default"), map[string]string{"a.yaml": elsewhere}, "warning C002"},
		"without a namespace":      {parent(git+".", ""), map[string]string{"a.yaml": elsewhere}, "warning C002"},
		"a service of its own":     {parent(git+".", "namespace: web"), map[string]string{"a.yaml": elsewhere}, ""},
		"an artifact":              {parent("repoURL: oci://example.com/x, targetRevision: '1', path: .", "namespace: default"), map[string]string{"a.yaml": child}, ""},
		"a source of values alone": {parent("repoURL: https://git.example.com/x.git, targetRevision: main, ref: v", "namespace: default"), map[string]string{"a.yaml": child}, ""},
		"alone":                    {parent(git+".", "namespace: default"), nil, ""},
	} {
		files := map[string]string{"p.yaml": c.parent}
		for at, text := range c.files {
			files[at] = text
		}
		graded(t, name, files, c.want)
	}
}

// R40: what lies at such a root is the Application's too: its definitions are not
// pruned, and a big object is kept by its server-side apply.
func TestTheRootHoldsWhatLiesThere(t *testing.T) {
	child := application("a", "", git+"a", "", "")
	prunes := application("platform", "", git+".", "", "automated: { prune: true }")
	coded(t, "a definition", map[string]string{"p.yaml": prunes, "a.yaml": child, "crd.yaml": crd}, "C009")
	coded(t, "a definition below", map[string]string{"p.yaml": prunes, "a.yaml": child, "x/crd.yaml": crd}, "")
	coded(t, "a definition of nobody knows", map[string]string{"p.yaml": prunes, "crd.yaml": crd}, "")
	big := "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: big }\ndata: { a: " + strings.Repeat("x", tooBig) + " }\n"
	applies := application("web", "", git+".", "", "syncOptions: [ServerSideApply=true]")
	coded(t, "a big object", map[string]string{"web.yaml": applies, "x/a.yaml": child, "big.yaml": big}, "")
	coded(t, "a big object below", map[string]string{"web.yaml": applies, "x/a.yaml": child, "x/big.yaml": big}, "C003")
}
