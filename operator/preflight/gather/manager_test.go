package gather

import (
	"reflect"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/preflight/facts"
)

// R55: of the file of SPIRE's controller manager is kept what the controller manager
// itself makes of it: its keys by their letters, its types, its defaults.
func TestTheControllerManagersFile(t *testing.T) {
	ignored := []string{"kube-system", "kube-public", "spire-system"}
	for text, want := range map[string]facts.Manager{
		"":                                        {Ignored: ignored},
		"watchClassless: true":                    {Ignored: ignored, Classless: true},
		"watchclassless: true":                    {Ignored: ignored},
		"ignoreNamespaces: [a.*]":                 {Ignored: []string{"a.*"}},
		"ignoreNamespaces: null":                  {},
		"ignoreNamespaces: []":                    {Ignored: []string{}},
		"reconcile: {clusterSPIFFEIDs: true}":     {Ignored: ignored},
		"reconcile: {clusterStaticEntries: true}": {Ignored: ignored, Idle: "reconcile.clusterSPIFFEIDs"},
		"reconcile: null":                         {Ignored: ignored},
		"staticManifestPath: /manifests":          {Ignored: ignored, Idle: "staticManifestPath"},
		"cacheNamespace: a":                       {Ignored: ignored, Watched: &[]string{"a"}},
		"cacheNamespaces: {a: null, b: {}, c: {labelSelectors: {d: e}}}": {Ignored: ignored, Watched: &[]string{"a", "b"}},
		"cacheNamespaces: {'': null, a: {}}":                             {Ignored: ignored},
		"cacheNamespaces: {'': {fieldSelectors: {d: e}}}":                {Ignored: ignored, Watched: &[]string{}},
		"cacheNamespaces: {}":                                            {Ignored: ignored},
		"other: {watchClassless: true, className: x}":                    {Ignored: ignored},
	} {
		s := spireIn("spire-system", "spire-server", false)
		s.objects["/api/v1/namespaces/spire-server/configmaps/spire-controller-manager"] = configMap("controller-manager-config.yaml", manager+text)
		f := s.look(t, Request{Settings: settings(), Checks: []string{"spire-fallback"}})
		if got := f.Spire; got.Manager.Missing != "" || !reflect.DeepEqual(got.Manager.Value, want) || got.Class.Value != "real" || len(got.TrustDomains.Value) != 3 {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// R55: a file that the controller manager would not take, or that is filled in only
// where it runs, is unread, whole.
func TestAControllerManagersFileThatCannotBeRead(t *testing.T) {
	for _, text := range []string{"", "- list", "{", "className: a", manager + "watchClassless: \"true\"", manager + "ignoreNamespaces: kora", manager + "reconcile: []", "trustDomain: $DOMAIN", "className: ${CLASS}\ntrustDomain: example.com"} {
		s := spireIn("spire-system", "spire-server", false)
		s.objects["/api/v1/namespaces/spire-server/configmaps/spire-controller-manager"] = configMap("controller-manager-config.yaml", text)
		f := s.look(t, Request{Settings: settings(), Checks: []string{"spire-class", "spire-trust-domain"}})
		for _, why := range []string{f.Spire.Class.Missing, f.Spire.Manager.Missing, f.Spire.TrustDomains.Missing} {
			if !strings.Contains(why, "ConfigMap spire-server/spire-controller-manager could not be read: ") {
				t.Errorf("%q: %q", text, why)
			}
		}
	}
}
