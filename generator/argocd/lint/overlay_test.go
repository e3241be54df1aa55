package lint

import "testing"

// R41: a kustomization beside a parent may bring server-side apply to it.
func TestPatchesOfTheParentAreTold(t *testing.T) {
	parent := application("root", "", git+"apps", "", "")
	child := application("a", "", git+"a", "", "")
	inline := func(target, option string) string {
		return "resources: [root.yaml, apps]\npatches:\n- target: { " + target + " }\n  patch: |\n    - { op: add, path: /spec/syncPolicy/syncOptions/-, value: " + option + " }\n"
	}
	merge := "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: root }\nspec: { syncPolicy: { syncOptions: [ServerSideApply=true] } }\n"
	for name, c := range map[string]struct{ kustomization, patch, want string }{
		"by name":         {inline("kind: Application, name: root", "ServerSideApply=true"), "", "error C002"},
		"all":             {inline("kind: Application", "ServerSideApply=true"), "", "warning C002"},
		"by a pattern":    {inline("kind: Application, name: r.*", "ServerSideApply=true"), "", "warning C002"},
		"a child":         {inline("kind: Application, name: a", "ServerSideApply=true"), "", ""},
		"another kind":    {inline("kind: AppProject", "ServerSideApply=true"), "", ""},
		"another option":  {inline("kind: Application, name: root", "PruneLast=true"), "", ""},
		"in a comment":    {inline("kind: Application, name: root", "PruneLast=true # no ServerSideApply=true"), "", ""},
		"a file":          {"resources: [root.yaml, apps]\npatches: [{ path: patch.yaml }]\n", merge, "error C002"},
		"a file, of old":  {"resources: [root.yaml, apps]\npatchesStrategicMerge: [patch.yaml]\n", merge, "error C002"},
		"without root":    {"resources: [apps]\npatches: [{ path: patch.yaml }]\n", merge, ""},
		"nothing patched": {"resources: [root.yaml, apps]\n", "", ""},
	} {
		files := map[string]string{"root.yaml": parent, "apps/a.yaml": child, "kustomization.yaml": c.kustomization}
		if c.patch != "" {
			files["patch.yaml"] = c.patch
		}
		graded(t, name, files, c.want)
	}
}

// R40: what an overlay fills in may well be there in the end: of its bases it is
// warned; and a file of patches is no Application.
func TestBasesOfOverlaysAreDoubtful(t *testing.T) {
	base := "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a }\nspec:\n  project: default\n  source: { " + git + "a }\n"
	patch := "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a }\nspec: { destination: { name: in-cluster } }\n"
	for kustomization, want := range map[string]string{
		"resources: [../base]\npatches: [{ path: patch.yaml }]\n":                                                    "warning C013",
		"resources: [../base]\npatchesStrategicMerge: [patch.yaml]\n":                                                "warning C013",
		"resources: [../base/a.yaml]\npatches: [{ path: patch.yaml, target: { kind: Application, name: 'a|b' } }]\n": "warning C013",
		"resources: [../base]\npatches: [{ path: patch.yaml, target: { kind: Application, name: b } }]\n":            "error C013",
		"resources: [../base]\ncomponents: [../x]\n":                                                                 "warning C013, error C013, error C013",
	} {
		graded(t, kustomization, map[string]string{"base/a.yaml": base, "one/kustomization.yaml": kustomization, "one/patch.yaml": patch}, want)
	}
}

// R40: of two Applications with one name and namespace one is lost, but where
// they may be for two clusters.
func TestRepeatedNamesAreTold(t *testing.T) {
	a, b := application("a", "", git+"a", "", ""), application("a", "", git+"b", "", "")
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"one file":    {map[string]string{"a.yaml": a + "---\n" + b}, "error C013"},
		"one folder":  {map[string]string{"a.yaml": a, "b.yaml": b}, "warning C013"},
		"two folders": {map[string]string{"dev/a.yaml": a, "prod/a.yaml": b}, ""},
		"two names":   {map[string]string{"a.yaml": a, "b.yaml": application("b", "", git+"b", "", "")}, ""},
	} {
		graded(t, name, c.files, c.want)
	}
}
