package argocd

import (
	"fmt"
	"path"
	"strings"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/generator/releases"
)

// source says where the chart and its values are. A chart with a person's own
// values has a second source, which only the paths of the first name.
func (b builder) source(app *argo.Application, r releases.Release) error {
	chart, err := b.chart(r)
	if err != nil {
		return err
	}
	if chart.Helm, err = b.helm(r); err != nil {
		return err
	}
	if !r.Own {
		app.Spec.Source = &chart
		return nil
	}
	repo := b.env.ArgoCD.Values
	app.Spec.Sources = argo.ApplicationSources{chart, {RepoURL: repo.URL, TargetRevision: repo.Revision, Ref: valuesRef}}
	return nil
}

// chart is written by version as a Helm repository, which every Argo CD reads;
// by digest as an OCI artifact, which Argo CD 3.1 and later do.
func (b builder) chart(r releases.Release) (argo.ApplicationSource, error) {
	url, err := b.facts.Render(r.Name, r.Repository.Fact)
	if err != nil {
		return argo.ApplicationSource{}, err
	}
	url = strings.TrimSuffix(url, "/")
	if r.Digest != "" {
		return argo.ApplicationSource{RepoURL: url + "/" + r.Chart, Path: ".", TargetRevision: r.Digest}, nil
	}
	return argo.ApplicationSource{RepoURL: strings.TrimPrefix(url, "oci://"), Chart: r.Chart, TargetRevision: r.Version}, nil
}

func isOCI(url string) bool { return strings.HasPrefix(url, "oci://") }

// helm holds the facts as valuesObject, which wins over every file: as in the
// Helmfile they come last (R44).
func (b builder) helm(r releases.Release) (*argo.ApplicationSourceHelm, error) {
	helm := &argo.ApplicationSourceHelm{ReleaseName: r.Name}
	if r.Values != "" {
		values, err := b.values(r.Values)
		if err != nil {
			return nil, err
		}
		helm.ValuesObject = &runtime.RawExtension{Raw: values}
	}
	if r.Own {
		helm.ValueFiles = []string{b.valuesPath(r.Name + ".yaml")}
	}
	if r.Theme && b.env.Theme != "" {
		helm.FileParameters = []argo.HelmFileParameter{{Name: "theme.document", Path: b.valuesPath(b.env.Theme)}}
	}
	return helm, nil
}

func (b builder) values(name string) ([]byte, error) {
	text, err := releases.Template(name)
	if err != nil {
		return nil, err
	}
	rendered, err := b.facts.Render(name, text)
	if err != nil {
		return nil, err
	}
	values, err := yaml.YAMLToJSONStrict([]byte(rendered))
	if err != nil {
		return nil, fmt.Errorf("values %s: %w", name, err)
	}
	return values, nil
}

// valuesPath begins with the ref of the second source: there alone Argo CD
// takes $values for that repository (R40).
func (b builder) valuesPath(file string) string {
	return "$" + valuesRef + "/" + path.Join(b.env.ArgoCD.Values.Path, file)
}

func orRoot(path string) string {
	if path == "" {
		return "."
	}
	return path
}
