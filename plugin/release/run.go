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
	wrong, d := found, disk{p.request.Root}
	p.add(p.names()...)
	made, found := loadChart(ctx, p.request.Chart, d, p.request.Limits)
	p.add(found...)
	if made == nil {
		p.add(wrong...)
		return
	}
	p.folder = d.folder(p.request.Chart)
	p.chart, p.out.Chart = made, made.Name()+" "+made.Metadata.Version
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	tables := p.tables() // before the engine, which writes into the chart's own values
	ready := make(chan rendered, 1)
	go func() { ready <- p.render(ctx) }()
	wrong = append(wrong, p.checkValues()...)
	p.add(append(wrong, untold(tables, wrong)...)...)
	got := <-ready
	if wrong.Refused() {
		p.others(ctx, wrong, got)
		return
	}
	p.add(got.found...)
	p.notes(got.texts)
	p.objects(got.texts)
}

// render runs the engine. It runs beside the check of the values, and only what
// it returns is used.
func (p *pass) render(ctx context.Context) rendered {
	refused := func(f faults.Fault) rendered { return rendered{found: faults.List{f}} }
	capabilities, found := p.capabilities()
	if found.Refused() {
		return rendered{found: found}
	}
	given := helmValues(p.tree.Touched())
	if err := chartutil.ProcessDependenciesWithMerge(p.chart, given); err != nil {
		return refused(notAChart(p.request.Chart, "its dependencies cannot be resolved: "+err.Error()))
	}
	options := chartutil.ReleaseOptions{
		Name: p.request.Name, Namespace: p.request.Namespace, Revision: 1,
		IsInstall: !p.request.IsUpgrade, IsUpgrade: p.request.IsUpgrade,
	}
	all, err := chartutil.ToRenderValuesWithSchemaValidation(p.chart, given, options, capabilities, true)
	if err != nil {
		return refused(notAChart(p.request.Chart, "its values cannot be merged: "+err.Error()))
	}
	return p.engine(ctx, all)
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
		f = p.inChart(f, path.Join(p.chart.Name(), "Chart.yaml"))
		f.Found, f.Expected = version.String(), want
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
