package release

import (
	"helm.sh/helm/v3/pkg/chartutil"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/faults"
)

// names refuses what neither Helm nor Kubernetes takes as the release's name and
// namespace. The defaults take their places, so that the rest is judged too.
func (p *pass) names() faults.List {
	var found faults.List
	r := &p.request
	refuse := func(flag, name, expected string) {
		f := faults.New(faults.ReleaseName, "this is not the name of a release's "+flag)
		if flag == "release-name" {
			f.Message = "Helm takes no release of this name"
		}
		f.File, f.Found, f.Expected = "--"+flag, name, expected
		found = append(found, f)
	}
	if chartutil.ValidateReleaseName(r.Name) != nil {
		refuse("release-name", r.Name, "at most 53 lower-case letters, digits, hyphens and dots, such as "+DefaultName)
		r.Name = DefaultName
	}
	if len(validation.IsDNS1123Label(r.Namespace)) > 0 {
		refuse("namespace", r.Namespace, "at most 63 lower-case letters, digits and hyphens, such as "+DefaultNamespace)
		r.Namespace = DefaultNamespace
	}
	return found
}
