package release

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"

	"github.com/runkora/kora/charts"
	"github.com/runkora/kora/internal/faults"
)

// ociScheme is how a chart in a registry is named, as Helm does.
const ociScheme = "oci://"

// loadChart reads the chart of a request, nil where a fault says why not.
func loadChart(ctx context.Context, name string, d disk, l Limits) (*chart.Chart, faults.List) {
	files, found := chartFiles(ctx, name, d, &budget{limits: l})
	if found.Refused() {
		return nil, found
	}
	made, err := loader.LoadFiles(files)
	if err != nil {
		return nil, faults.List{notAChart(name, err.Error())}
	}
	return made, installable(name, made)
}

func chartFiles(ctx context.Context, name string, d disk, b *budget) ([]*loader.BufferedFile, faults.List) {
	switch name {
	case "":
		return embedded(charts.Kora, b)
	case charts.CRDs:
		if _, err := d.stat(name); err != nil {
			return embedded(name, b)
		}
	}
	if strings.HasPrefix(name, ociScheme) {
		archive, found := pull(ctx, name, b.limits)
		if found.Refused() {
			return nil, found
		}
		return b.archive(name, archive)
	}
	info, err := d.stat(name)
	switch {
	case err != nil:
		return nil, faults.List{noChart(name, err)}
	case info.IsDir():
		return folder(name, d, b)
	case !info.Mode().IsRegular():
		return nil, faults.List{notAChart(name, "it is neither a folder nor a file")}
	}
	return b.file(name, d)
}

func embedded(name string, b *budget) ([]*loader.BufferedFile, faults.List) {
	files, err := charts.Open(name)
	if err != nil {
		return nil, faults.List{noChart(name, err)}
	}
	return b.files(name, files)
}

// folder reads a chart's folder and nothing outside of it, also while somebody
// changes it.
func folder(name string, d disk, b *budget) ([]*loader.BufferedFile, faults.List) {
	root, err := d.openRoot(name)
	if err != nil {
		return nil, faults.List{noChart(name, err)}
	}
	defer root.Close()
	return b.files(name, root.FS())
}

// installable refuses what Helm would not install either.
func installable(name string, c *chart.Chart) faults.List {
	var found faults.List
	if t := c.Metadata.Type; t != "" && t != "application" {
		found = append(found, notAChart(name, fmt.Sprintf("a chart of type %s makes no release of its own", t)))
	}
	has := map[string]bool{}
	for _, d := range c.Dependencies() {
		has[d.Name()] = true
	}
	for _, d := range c.Metadata.Dependencies {
		if d != nil && !has[d.Name] {
			f := notAChart(name, fmt.Sprintf("the chart %q that it depends on is not under charts/", d.Name))
			f.Fix = "run helm dependency build in the chart's folder: kora fetches no dependency"
			found = append(found, f)
		}
	}
	return found
}

func noChart(name string, err error) faults.Fault {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	f := faults.New(faults.ChartSource, "cannot read the chart: "+err.Error())
	f.File, f.Fix = name, "give the path of a chart's folder or archive, or oci://REGISTRY/REPOSITORY:TAG"
	return f
}

func notAChart(name, why string) faults.Fault {
	return ofChart(faults.New(faults.ChartShape, why), name)
}

// ofChart is a fault of a chart as a whole. The one in this binary is no file.
func ofChart(f faults.Fault, name string) faults.Fault {
	if f.File = name; name == "" {
		f.Object = "Chart " + charts.Kora
	}
	return f
}
