package release

import (
	"context"
	"fmt"
	"path"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/values"
)

// notesFile is the template that no object comes of.
const notesFile = "NOTES.txt"

func (p *pass) run(ctx context.Context) {
	tree, found := values.Load(p.request.Values)
	p.tree = tree
	p.add(found...)
	made, found := loadChart(ctx, p.request.Chart, p.request.Limits)
	p.add(found...)
	if made == nil {
		return
	}
	p.chart, p.out.Chart = made, made.Name()+" "+made.Metadata.Version
	p.add(p.checkValues()...)
	if p.out.Found.Refused() {
		return
	}
	texts := p.render(ctx)
	p.notes(texts)
	p.objects(texts)
}

// render runs the engine, nil where a fault says why not.
func (p *pass) render(ctx context.Context) map[string]string {
	capabilities, found := p.capabilities()
	if found.Refused() {
		p.add(found...)
		return nil
	}
	given := helmValues(p.tree.Touched())
	if err := chartutil.ProcessDependenciesWithMerge(p.chart, given); err != nil {
		p.add(notAChart(p.request.Chart, "its dependencies cannot be resolved: "+err.Error()))
		return nil
	}
	options := chartutil.ReleaseOptions{
		Name: p.request.Name, Namespace: p.request.Namespace, Revision: 1,
		IsInstall: !p.request.IsUpgrade, IsUpgrade: p.request.IsUpgrade,
	}
	all, err := chartutil.ToRenderValuesWithSchemaValidation(p.chart, given, options, capabilities, true)
	if err != nil {
		p.add(notAChart(p.request.Chart, "its values cannot be merged: "+err.Error()))
		return nil
	}
	texts, found := p.engine(ctx, all)
	p.add(found...)
	return texts
}

// capabilities are those that Helm would have without a cluster.
func (p *pass) capabilities() (*chartutil.Capabilities, faults.List) {
	version, err := chartutil.ParseKubeVersion(p.request.KubeVersion)
	if err != nil {
		f := faults.New(faults.ChartCluster, fmt.Sprintf("%q is not a version of Kubernetes", p.request.KubeVersion))
		f.File, f.Fix = "--kube-version", "write a version such as "+DefaultKubeVersion
		return nil, faults.List{f}
	}
	if want := p.chart.Metadata.KubeVersion; want != "" && !chartutil.IsCompatibleRange(want, version.String()) {
		f := faults.New(faults.ChartCluster, "the chart does not support this version of Kubernetes")
		f.File, f.Found, f.Expected = p.templatePath(path.Join(p.chart.Name(), "Chart.yaml")), version.String(), want
		return nil, faults.List{f}
	}
	out := chartutil.DefaultCapabilities.Copy()
	out.KubeVersion = *version
	out.APIVersions = append(chartutil.VersionSet{}, out.APIVersions...)
	out.APIVersions = append(out.APIVersions, p.request.APIVersions...)
	return out, nil
}

// notes takes the notes out of what was rendered; those of charts inside it are
// not shown, as Helm has it.
func (p *pass) notes(texts map[string]string) {
	for name, text := range texts {
		if strings.HasSuffix(name, notesFile) {
			if name == path.Join(p.chart.Name(), "templates", notesFile) {
				p.out.Notes = text
			}
			delete(texts, name)
		}
	}
}

// templatePath is a template's name, or its file where the chart is a folder.
func (p *pass) templatePath(name string) string {
	rest, ok := strings.CutPrefix(name, p.chart.Name()+"/")
	if !ok || p.request.Chart == "" || strings.HasPrefix(p.request.Chart, ociScheme) || strings.HasSuffix(p.request.Chart, ".tgz") {
		return name
	}
	return path.Join(p.request.Chart, rest)
}

// template is the text of a template by the name that the engine gives it.
func template(c *chart.Chart, name string) (string, bool) {
	prefix := c.ChartFullPath() + "/"
	for _, t := range c.Templates {
		if t != nil && prefix+t.Name == name {
			return string(t.Data), true
		}
	}
	for _, d := range c.Dependencies() {
		if text, ok := template(d, name); ok {
			return text, true
		}
	}
	return "", false
}
