package release

import (
	"fmt"
	"path"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// where is a place in a packed template.
func where(template string, line, column int) string {
	switch {
	case line <= 0:
		return template
	case column <= 0:
		return fmt.Sprintf("%s, line %d", template, line)
	}
	return fmt.Sprintf("%s, line %d, column %d", template, line, column)
}

// templateFile is the file that a reader can open for what the engine calls
// "CHART/templates/…": the template's where the chart is a folder, else the
// archive; none of a chart in this binary.
func (p *pass) templateFile(name string) string {
	if !p.folder {
		return p.request.Chart
	}
	_, rest, _ := strings.Cut(name, "/")
	return path.Join(p.request.Chart, rest)
}

// inChart moves a fault to a file of the chart.
func (p *pass) inChart(f faults.Fault, name string) faults.Fault {
	if f.File = p.templateFile(name); !p.folder {
		f.Template, f.Line, f.Column = where(name, f.Line, f.Column), 0, 0
	}
	return f
}

// rendered moves a fault of what a template wrote to where it can be mended: the
// value that it was copied from (R20), or else the template. The line is that of
// all that the template wrote, which --show-only shows.
func (p *pass) rendered(f faults.Fault, o *Object) faults.Fault {
	line, column := f.Line+o.before.lines, f.Column
	if f.Line == 1 {
		column += o.before.columns
	}
	f.Template = where(o.Template, line, column) + " of what it renders"
	f.File, f.Line, f.Column = p.templateFile(o.Template), 0, 0
	if at, key, ok := p.origin(o, f.Field); ok {
		f = at.Move(f)
		f.Key = key
	}
	return f
}

// offset is what stands in a template's whole text before one of its documents.
type offset struct{ lines, columns int }

// before finds a document behind the one that ended at from, and gives the end of
// this one too.
func before(whole, part string, from int) (offset, int) {
	at := strings.Index(whole[from:], part)
	if at < 0 {
		return offset{}, from
	}
	at += from
	head := whole[:at]
	return offset{strings.Count(head, "\n"), len(head) - strings.LastIndexByte(head, '\n') - 1}, at + len(part)
}
