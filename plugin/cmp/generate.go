package cmp

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/patches"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/values"
)

// Call is one call of Argo CD.
type Call struct {
	Root    *os.Root // the application's folder
	Environ []string
	Version string // of kora, for registries
}

// Output is what a call comes to.
type Output struct {
	// Manifests are what Argo CD gets; never empty where nothing is refused.
	Manifests []byte
	Found     faults.List
	// App is the Application's name, empty where Argo CD gave none.
	App string
	// Verified is the chart by its digest, where its signature was asked for.
	Verified string
	// Unchecked are the kinds that no type was at hand for.
	Unchecked []string
}

// Generate renders an application, or says all that is wrong with it. It returns
// when ctx ends or the plugin's own time is over, whatever it was doing then; the
// process has to end soon after.
func Generate(ctx context.Context, c Call) Output {
	s, found := ReadSettings(c.Environ)
	found = append(found, s.check(ctx)...)
	asked, more := ReadAsked(c.Environ)
	g := &generation{call: c, settings: s, asked: asked, out: Output{App: asked.App, Found: append(found, more...)}}
	out := g.bounded(ctx)
	out.Found = spoken(out.Found)
	if out.Found.Refused() {
		out.Found = hushed(out.Found, confided(c.Environ))
	}
	return out
}

// generation is one Generate.
type generation struct {
	call     Call
	settings Settings
	asked    Asked
	doing    doing
	patches  []patches.Entry
	out      Output
}

func (g *generation) add(found ...faults.Fault) { g.out.Found = append(g.out.Found, found...) }

func (g *generation) run(ctx context.Context) Output {
	g.doing.now("looking at the application's files")
	in := g.input()
	g.allowed()
	if g.out.Found.Refused() {
		return g.out
	}
	chart := g.asked.Chart
	if g.mustVerify() {
		if chart = g.verified(ctx); chart == "" {
			return g.out
		}
	}
	g.render(ctx, chart, in)
	return g.out
}

// render renders and prints, as Argo CD has Helm do it: with what the chart has
// under crds/, and with hooks and tests, which Argo CD knows by their annotations.
func (g *generation) render(ctx context.Context, chart string, in values.Input) {
	g.collisions(in)
	shown := "kora"
	if chart != "" {
		shown = "of the parameter " + chartParameter
	}
	g.doing.now("rendering the chart " + shown)
	r := release.Render(ctx, release.Request{
		Values: in, Root: g.call.Root, Chart: chart, Name: g.asked.ReleaseName, Namespace: g.asked.Namespace,
		KubeVersion: g.asked.KubeVersion, APIVersions: g.asked.APIVersions, IncludeCRDs: true,
		Limits: release.Limits{Time: g.renderTime(chart), Pull: g.settings.Timeout, Memory: MostLive},
	})
	g.add(ofRepository(r.Found)...)
	if g.out.Found.Refused() {
		return
	}
	g.doing.now("printing the manifests")
	text, err := release.YAML(r.Objects)
	if err != nil || !slices.ContainsFunc(r.Objects, func(o *release.Object) bool { return stays(o.Node) }) {
		f := fault(faults.PluginEmpty, "chart "+shown, "the chart made no manifest of these values")
		if n := len(r.Objects); n > 0 {
			f.Message = "the chart made nothing of these values that stays in the cluster"
			f.Found, f.Expected = fmt.Sprintf("hooks, tests, empty lists or skipped objects alone, %d in all", n), "at least one object besides them"
		}
		if err != nil {
			f.Message = "the manifests cannot be printed: " + err.Error()
		}
		g.add(f)
		return
	}
	g.out.Manifests, g.out.Unchecked = text, r.Unchecked
}

// renderTime is how long templates may take. Those of a chart of the repository
// have to end before the call does, so that it is known whose fault it is.
func (g *generation) renderTime(chart string) time.Duration {
	if strings.HasPrefix(chart, onDisk) {
		return g.settings.Timeout * 4 / 5
	}
	return g.settings.Timeout
}

// ofRepository are the faults of a rendering, of which one that overstepped a limit
// is refused as what it is here: wrong in the repository, however often it is tried.
// One of the theme names its file, and not the flag that nobody gave.
func ofRepository(found faults.List) faults.List {
	out := slices.Clone(found)
	for i := range out {
		if out[i].Code == faults.RenderLimit {
			out[i].Code = faults.PluginEndless
		}
		if out[i].Code == faults.ValueMissing && !strings.HasPrefix(out[i].Field, themeField) && slices.Contains([]string{"", themeFlag().String()}, out[i].File) {
			out[i].File, out[i].Line, out[i].Column = ValuesFile, 1, 1 // an empty file has no place of its own
			continue
		}
		if out[i].File == themeFlag().String() {
			out[i].File, out[i].Line, out[i].Column = ThemeFile, 0, 0
			out[i].Source, out[i].SourceFrom = "", 0
		}
	}
	return out
}
