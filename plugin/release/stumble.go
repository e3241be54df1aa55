package release

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/runkora/kora/charts"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// The engine gives its errors as texts: of a template that calls fail or required,
// of one that does not parse, and of one that fails while it runs, which may name
// the templates that included it first.
var forms = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"told":  regexp.MustCompile(`(?s)^execution error (?:at|in) \(([^():]+)(?::(\d+))?(?::(\d+))?\): (.*)$`),
		"parse": regexp.MustCompile(`(?s)^parse error (?:at|in) \(([^():]+)(?::(\d+))?(?::(\d+))?\): (.*)$`),
		"run":   regexp.MustCompile(`template: ([^:\n]+):(\d+):(?:(\d+):)? `),
		"value": regexp.MustCompile(`^([A-Za-z][\w-]*(?:[.\[][^:\s]*)?): (.+)$`),
	}
})

// stumbled turns an error of the engine into faults.
func (p *pass) stumbled(err error) faults.List {
	text := err.Error()
	if m := forms()["told"].FindStringSubmatch(text); m != nil {
		return p.told(p.at(m), m[4])
	}
	code := faults.TemplateFails
	if m := forms()["parse"].FindStringSubmatch(text); m != nil {
		return faults.List{p.at(m).fault(code, "the template cannot be read: "+m[4])}
	}
	all := forms()["run"].FindAllStringSubmatchIndex(text, -1)
	if len(all) == 0 {
		return faults.List{ofChart(faults.New(code, oneLine(text)), p.request.Chart)}
	}
	last := all[len(all)-1]
	m := forms()["run"].FindStringSubmatch(text[last[0]:last[1]])
	return faults.List{p.at(m).fault(code, "the template cannot be run: "+oneLine(text[last[1]:]))}
}

// at is the place in a template: its name, a line, and a column from nought.
func (p *pass) at(m []string) spot {
	line, _ := strconv.Atoi(m[2])
	column, _ := strconv.Atoi(m[3])
	text, _ := template(p.chart, m[1])
	return spot{p, m[1], source.NewFile(m[1], text).At(line, column+1)}
}

// spot is a place in a template.
type spot struct {
	pass     *pass
	template string
	pos      source.Pos
}

// fault stands in the template's own file where the chart is a folder; of a packed
// one that is no file, and the template is told besides.
func (s spot) fault(code faults.Code, message string) faults.Fault {
	f := s.pos.Fault(code, message)
	if f.File = s.pass.templateFile(s.template); !s.pass.folder {
		f.Template, f.Line, f.Column = where(s.template, f.Line, f.Column), 0, 0
	}
	return f
}

// told turns what a chart says of values into a fault for each line, at the value
// that the line begins with: kora's chart tells all it found at once (R20).
func (p *pass) told(at spot, text string) faults.List {
	var found faults.List
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		f := at.fault(faults.ChartRefuses, line)
		if m := forms()["value"].FindStringSubmatch(line); m != nil && p.known(m[1]) {
			if given := p.given(m[1]); given.File != nil {
				f = given.Move(f)
				f.Template = ""
			}
			f.Field, f.Message = m[1], m[2]
		}
		if f.Field == systemNamespace && none(p.tree.Get("global", "systemNamespace")) {
			f = p.ofNamespace(f)
		}
		found = append(found, f)
	}
	if len(found) == 0 { // an empty text refuses as well
		found = append(found, at.fault(faults.ChartRefuses, "the chart refuses these values, and does not say why"))
	}
	return found
}

// systemNamespace is where kora runs; without one it is the release's namespace (R21).
const systemNamespace = "global.systemNamespace"

// none is true of no value and of an empty text, which is the same to the chart.
func none(n *source.Node) bool {
	return n.Null() || n.Kind == source.Scalar && n.Value == ""
}

// ofNamespace tells of the release's namespace by the flag that gives it.
func (p *pass) ofNamespace(f faults.Fault) faults.Fault {
	out := faults.New(faults.ReleaseName, f.Message)
	out.File, out.Found, out.Expected = "--namespace", p.request.Namespace, "a namespace of kora alone, such as "+DefaultNamespace
	return out
}

// known is true of a path that begins with a value of the chart, or one given;
// kora's chart begins its lines with nothing else.
func (p *pass) known(path string) bool {
	steps := fields.Path(path).Steps()
	if len(steps) == 0 {
		return false
	}
	_, ok := p.chart.Values[steps[0].Name]
	return ok || p.chart.Name() == charts.Kora || p.tree.Get(steps[0].Name) != nil
}

// given is the place of a value, or of the nearest block around it that was
// given; none where nothing was.
func (p *pass) given(path string) source.Pos {
	at, n := source.Pos{}, p.tree.Root()
	for _, s := range fields.Path(path).Steps() {
		switch {
		case s.Name != "" && n.Field(s.Name) != nil:
			at, n = n.Field(s.Name).Key.Pos, n.Get(s.Name)
		case s.Index >= 0 && s.Index < len(n.Items):
			n = n.Items[s.Index]
			at = n.Pos
		default:
			return at
		}
	}
	if n.Kind == source.Scalar && n.Pos.File != nil {
		at = n.Pos
	}
	return at
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
