package faults

import (
	"io"
	"slices"
	"strings"
	"unicode"
)

// Where SARIF says that a reader finds kora and its rules.
const (
	homeURI  = "https://github.com/runkora/kora"
	rulesURI = homeURI + "/blob/main/docs/reference/faults.md#"
)

// sarifPrinter writes SARIF 2.1.0, which code scanning shows beside the source.
type sarifPrinter struct {
	w       io.Writer
	version string
	found   List
}

// Write keeps the fault for Flush and never fails.
func (p *sarifPrinter) Write(f Fault) error {
	p.found = append(p.found, f)
	return nil
}

// Flush writes the log, with the rules that its results name and no others.
func (p *sarifPrinter) Flush() error {
	codes := p.found.codes()
	driver := sarifDriver{Name: "kora", Version: p.version, InformationURI: homeURI, Rules: []sarifRule{}}
	for _, c := range codes {
		driver.Rules = append(driver.Rules, rule(c))
	}
	run := sarifRun{Tool: sarifTool{driver}, ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	for _, f := range p.found {
		run.Results = append(run.Results, result(f, slices.Index(codes, f.Code)))
	}
	return encode(p.w, sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

// codes returns the codes of the list, each once, in order.
func (l List) codes() []Code {
	var codes []Code
	for _, f := range l {
		codes = append(codes, f.Code)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// rule describes a code; one that the catalogue does not hold has only its id.
func rule(c Code) sarifRule {
	r := sarifRule{ID: visible(string(c))}
	e, ok := Lookup(c)
	if !ok {
		return r
	}
	r.Short, r.Full, r.Help = &sarifText{e.Title}, &sarifText{e.Why}, &sarifText{e.Fix}
	r.HelpURI = rulesURI + strings.ToLower(string(c))
	r.Default = &sarifDefault{string(e.Severity)}
	return r
}

func result(f Fault, index int) sarifResult {
	return sarifResult{
		RuleID:    visible(string(f.Code)),
		RuleIndex: index,
		Level:     word(f.Severity),
		Message:   message(f),
		Locations: locations(f),
	}
}

// message holds the fix as text: kora never knows an edit for certain, and
// SARIF's own fixes are edits.
func message(f Fault) sarifMessage {
	text, markdown := visible(f.Message), inert(f.Message)
	for _, row := range []struct{ label, text string }{
		{"found", f.Found}, {"expected", f.Expected}, {"fix", f.Fix},
	} {
		if row.text != "" {
			text += "\n" + row.label + ": " + visibleLines(row.text)
			markdown += "\n\n**" + row.label + ":** " + inert(row.text)
		}
	}
	return sarifMessage{text, markdown}
}

// inert makes a text visible and takes its meaning as Markdown or HTML away, so
// that a patch cannot put a link or an image into a reviewer's page.
func inert(s string) string {
	var b strings.Builder
	for _, r := range visibleLines(s) {
		if r < unicode.MaxASCII && (unicode.IsPunct(r) || unicode.IsSymbol(r)) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
