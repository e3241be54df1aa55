package main

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/release"
)

// where says which namespace and which charts the plan is about: the environment's
// facts decide, and a flag may not say otherwise (R38, R56).
func (f *upgradeFlags) where(c *console) error {
	if f.charts != "" && !environment.IsChartRepository(f.charts) && !folder.MatchString(f.charts) {
		return usageError{errors.New("--charts is no place of charts: give an oci:// or https:// URL without a user, a password or a query, or a folder; helm registry login keeps the user of a registry")}
	}
	f.namespace = c.givenNamespace(f.namespace)
	namespace, charts := cmp.Or(c.system, release.DefaultNamespace), environment.Default().Charts.Kora
	if env := f.facts.env.Environment; env != nil {
		charts = env.Charts.Kora
		switch {
		case f.namespace != "" && f.namespace != namespace:
			return usageError{fmt.Errorf("--namespace is not the systemNamespace of the environment, %q: leave it out", namespace)}
		case f.charts != "" && f.charts != charts:
			return usageError{fmt.Errorf("--charts is not charts.kora of the environment, %q: leave it out", charts)}
		}
	}
	f.namespace, f.charts = cmp.Or(f.namespace, namespace), cmp.Or(f.charts, charts)
	return nil
}

// folder is the path of charts that were unpacked, which no user stands in.
var folder = regexp.MustCompile(`^[A-Za-z0-9._~/][A-Za-z0-9._~/-]*$`)

var reservedNamespace = regexp.MustCompile(environment.Reserved)

// namespaced judges the namespace as kora render and the chart do (R21).
func (f *upgradeFlags) namespaced() faults.List {
	wrong := faults.New(faults.ReleaseName, "this is not the name of a release's namespace")
	wrong.File, wrong.Found = "--namespace", f.namespace
	wrong.Expected = "at most 63 lower-case letters, digits and hyphens, such as " + release.DefaultNamespace
	switch {
	case len(validation.IsDNS1123Label(f.namespace)) > 0:
		return faults.List{wrong}
	case reservedNamespace.MatchString(f.namespace):
		wrong.Message, wrong.Expected = "this is a namespace of others", "a namespace of kora alone, such as "+release.DefaultNamespace
		wrong.Fix = "give kora one of its own"
		return faults.List{wrong}
	}
	return nil
}
