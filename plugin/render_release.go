package main

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/spf13/pflag"

	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/values"
)

// releaseFlags say which release, for render and validate.
type releaseFlags struct {
	request release.Request
	only    []string
}

func (f *releaseFlags) bind(flags *pflag.FlagSet) {
	r := &f.request
	flags.StringVar(&r.Chart, "chart", "", "another `CHART` than the one in this binary: a folder, an archive, or oci://REGISTRY/REPOSITORY:TAG")
	flags.StringVar(&r.Name, "release-name", "", "the `NAME` of the release (default kora)")
	flags.StringVar(&r.KubeVersion, "kube-version", "", "the `VERSION` of Kubernetes to render for (default "+release.DefaultKubeVersion+")")
	flags.StringSliceVar(&r.APIVersions, "api-versions", nil, "an `API` that the cluster serves besides, such as monitoring.coreos.com/v1 (may be repeated)")
	flags.BoolVar(&r.IncludeCRDs, "include-crds", false, "print what the chart has under crds/ as well")
	flags.BoolVar(&r.IsUpgrade, "is-upgrade", false, "render as for an upgrade instead of an install")
}

// complete fills in what the line does not say.
func (f *releaseFlags) complete(c *console, in values.Input, ns string) {
	f.request.Values, f.request.Values.Stdin = in, c.in
	f.request.Namespace = c.systemNamespace(ns)
}

// renderRelease checks everything, and prints a result only when all of it holds.
func renderRelease(ctx context.Context, c *console, f *renderFlags) error {
	if f.output != "" && f.output != "yaml" && f.output != "json" {
		return usageError{fmt.Errorf("no output format %q: use yaml or json", f.output)}
	}
	f.release.complete(c, f.request.Values, f.request.Agent.Namespace)
	out := release.Render(ctx, f.release.request)
	if err := c.report(withFixes(out.Found)); err != nil {
		return err
	}
	objects, err := shown(out.Objects, f.release.only)
	if err != nil {
		return err
	}
	print := release.YAML
	if f.output == "json" {
		print = release.JSON
	}
	text, err := print(objects)
	if err != nil {
		return err
	}
	c.say(unchecked(out))
	_, err = c.out.Write(text)
	return err
}

// unchecked tells of the kinds that no type was at hand for, empty where there
// are none.
func unchecked(r *release.Result) string {
	if len(r.Unchecked) == 0 {
		return ""
	}
	return "note: not compared with a type, because kora has none of their kinds: " + strings.Join(r.Unchecked, ", ")
}

// shown are the objects of some templates, in the order of the patterns, as
// helm template --show-only has it.
func shown(all []*release.Object, patterns []string) ([]*release.Object, error) {
	if len(patterns) == 0 {
		return all, nil
	}
	var out []*release.Object
	for _, pattern := range patterns {
		before := len(out)
		for _, o := range all {
			_, name, _ := strings.Cut(o.Template, "/")
			matched, err := path.Match(pattern, name)
			if err != nil {
				return nil, usageError{fmt.Errorf("--show-only %s: %w", pattern, err)}
			}
			if matched {
				out = append(out, o)
			}
		}
		if len(out) == before {
			return nil, usageError{fmt.Errorf("no object comes from a template %q: name it from the chart's folder on, such as templates/gateway.yaml", pattern)}
		}
	}
	return out, nil
}
