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
		return faults.List{p.at(m).Fault(code, "the template cannot be read: "+m[4])}
	}
	all := forms()["run"].FindAllStringSubmatchIndex(text, -1)
	if len(all) == 0 {
		f := faults.New(code, oneLine(text))
		f.File = shownChart(p.request.Chart)
		return faults.List{f}
	}
	last := all[len(all)-1]
	m := forms()["run"].FindStringSubmatch(text[last[0]:last[1]])
	return faults.List{p.at(m).Fault(code, "the template cannot be run: "+oneLine(text[last[1]:]))}
}

// at is the place in a template: file, line, and a column from nought.
func (p *pass) at(m []string) source.Pos {
	line, _ := strconv.Atoi(m[2])
	column, _ := strconv.Atoi(m[3])
	text, _ := template(p.chart, m[1])
	return source.NewFile(p.templatePath(m[1]), text).At(line, column+1)
}

// told turns what a chart says of values into a fault for each line, at the value
// that the line begins with: kora's chart tells all it found at once (R20).
func (p *pass) told(at source.Pos, text string) faults.List {
	var found faults.List
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		f := at.Fault(faults.ChartRefuses, line)
		if m := forms()["value"].FindStringSubmatch(line); m != nil && p.known(m[1]) {
			f = p.given(m[1]).Move(f)
			f.Field, f.Message = m[1], m[2]
		}
		found = append(found, f)
	}
	if len(found) == 0 { // an empty text refuses as well
		found = append(found, at.Fault(faults.ChartRefuses, "the chart refuses these values, and does not say why"))
	}
	return found
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
