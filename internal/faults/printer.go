package faults

import (
	"cmp"
	"fmt"
	"io"
	"strings"
)

// Printer writes faults in one format. Write takes them one by one, Flush ends
// the report; a report is whole only after Flush, also when nothing was wrong.
type Printer interface {
	Write(Fault) error
	Flush() error
}

// Format names a way to print faults.
type Format string

// The formats: text for people, the others for machines.
const (
	FormatText  Format = "text"
	FormatJSON  Format = "json"
	FormatSARIF Format = "sarif"
	FormatJUnit Format = "junit"
)

// Formats returns every format, for flags and their help.
func Formats() []Format {
	return []Format{FormatText, FormatJSON, FormatSARIF, FormatJUnit}
}

// Options are what the command line knows and a printer may need.
type Options struct {
	// Color lets text colour the severity; the caller decides it once, from the
	// terminal and NO_COLOR.
	Color bool
	// Version is kora's version, which SARIF reports; empty where unknown.
	Version string
	// More is what people are told to do when there are more faults than they are
	// shown; empty is to read them all in JSON.
	More string
}

// NewPrinter returns the printer of a format, which writes to w. An unknown
// format is an error that lists the known ones.
func NewPrinter(format Format, w io.Writer, o Options) (Printer, error) {
	switch format {
	case FormatText:
		return &textPrinter{w: w, color: o.Color, more: cmp.Or(o.More, "use --diagnostics json to see all")}, nil
	case FormatJSON:
		return &jsonPrinter{w: w}, nil
	case FormatSARIF:
		return &sarifPrinter{w: w, version: o.Version}, nil
	case FormatJUnit:
		return &junitPrinter{w: w}, nil
	}
	var known []string
	for _, f := range Formats() {
		known = append(known, string(f))
	}
	return nil, fmt.Errorf("no format %q for faults: use one of %s", format, strings.Join(known, ", "))
}

// Print writes every fault of the list, in the order of Sorted, and ends the
// report (R15).
func (l List) Print(p Printer) error {
	for _, f := range l.Sorted() {
		if err := p.Write(f.hushed().limited()); err != nil {
			return err
		}
	}
	return p.Flush()
}
