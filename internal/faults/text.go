package faults

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// shownFaults is how many faults people are shown: whoever has more mends the
// first, or reads them with a program.
const shownFaults = 200

// textPrinter writes faults for people: a line that says what and where, the
// source with a caret, and what else is known, aligned.
type textPrinter struct {
	w     io.Writer
	color bool
	more  string
	seen  List
}

// Write prints one fault. A blank line follows one that takes several lines.
func (p *textPrinter) Write(f Fault) error {
	p.seen = append(p.seen, Fault{Severity: f.Severity})
	if len(p.seen) > shownFaults {
		return nil
	}
	text := p.paint(f.Severity) + headline(f) + "\n"
	if rest := context(f); rest != "" {
		text += rest + "\n"
	}
	_, err := io.WriteString(p.w, text)
	return err
}

// Flush prints how many faults there were, shown or not; nothing when there were
// none.
func (p *textPrinter) Flush() error {
	if len(p.seen) == 0 {
		return nil
	}
	end := p.seen.summary() + "\n"
	if more := len(p.seen) - shownFaults; more > 0 {
		end = fmt.Sprintf("and %d more; %s\n", more, p.more) + end
	}
	_, err := io.WriteString(p.w, end)
	return err
}

func (p *textPrinter) paint(s Severity) string {
	if !p.color {
		return word(s)
	}
	color := "31"
	if s == Warning {
		color = "33"
	}
	return "\x1b[1;" + color + "m" + word(s) + "\x1b[0m"
}

// word is the severity as it counts: see List.Errors.
func word(s Severity) string {
	if s == Warning {
		return string(Warning)
	}
	return string(Error)
}

// headline is the first line of a fault behind its severity.
func headline(f Fault) string {
	where := visible(f.Place())
	if where != "" {
		where = " " + where + ":"
	}
	return fmt.Sprintf(":%s %s [%s]", where, visible(f.Message), visible(string(f.Code)))
}

// context is what stands below the headline, each line ended.
func context(f Fault) string {
	var b strings.Builder
	writeSource(&b, f)
	rows := []struct{ label, text string }{
		{"object", f.Object}, {"field", f.Field}, {"key", f.Key}, {"template", f.Template},
		{"found", f.Found}, {"expected", f.Expected}, {"fix", f.Fix},
	}
	for _, row := range rows {
		if row.text != "" {
			fmt.Fprintf(&b, "  %-10s%s\n", row.label+":", hang(row.text))
		}
	}
	return b.String()
}

func writeSource(b *strings.Builder, f Fault) {
	line, lead := excerpt(f.Source, f.Column-max(f.SourceFrom-1, 0))
	if strings.TrimSpace(line) == "" {
		return
	}
	number := ""
	if f.Line > 0 {
		number = strconv.Itoa(f.Line)
	}
	fmt.Fprintf(b, "  %s | %s\n", number, line)
	if f.Column > 0 {
		fmt.Fprintf(b, "  %*s | %s^\n", len(number), "", lead)
	}
}

// hang keeps a text of several lines behind its label, so that no line of it
// can pass for a fault of its own.
func hang(s string) string {
	return strings.ReplaceAll(visibleLines(s), "\n", "\n"+strings.Repeat(" ", 12))
}

// summary is "2 errors, 1 warning", without the part that is zero.
func (l List) summary() string {
	var parts []string
	for _, part := range []struct {
		n    int
		noun Severity
	}{{l.Errors(), Error}, {l.Warnings(), Warning}} {
		switch {
		case part.n == 1:
			parts = append(parts, "1 "+string(part.noun))
		case part.n > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", part.n, part.noun))
		}
	}
	return strings.Join(parts, ", ")
}
