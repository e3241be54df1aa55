package main

import (
	"fmt"
	"io"
	"os"
	"slices"

	"golang.org/x/term"

	"github.com/runkora/kora"
	"github.com/runkora/kora/internal/faults"
)

// This file is the contract with the terminal. Results go to stdout, words to
// stderr, in lower case and without a full stop. Colour only on a terminal
// and never under NO_COLOR. A refused run prints nothing on stdout, unless a
// machine's format was asked for: then that is its result, and stands there. Of a
// command whose only result is its judgement that report is on stdout always, so
// that a file that it is led into is never empty. Of a command that prints a report
// of its own that one is on stdout always, and faults are words in every format.

type streams struct {
	in       io.Reader
	out, err io.Writer
}

// console prints for one run of one command.
type console struct {
	streams
	environ     []string
	diagnostics string // text, json, sarif or junit
	strict      bool
	judges      bool   // the command has no result but its judgement
	reports     bool   // the command prints a report of its own, whatever it finds
	system      string // the system namespace that -e names, empty without -e
	more        string // what to do about faults that are not shown, see faults.Options
}

// machine is true where faults are printed for a program.
func (c *console) machine() bool { return c.diagnostics != string(faults.FormatText) }

func (c *console) getenv(name string) string {
	for _, pair := range c.environ {
		if len(pair) > len(name) && pair[:len(name)] == name && pair[len(name)] == '=' {
			return pair[len(name)+1:]
		}
	}
	return ""
}

func (c *console) color() bool {
	f, ok := c.err.(*os.File)
	return ok && c.getenv("NO_COLOR") == "" && c.getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// checkDiagnostics refuses a format that no printer has.
func (c *console) checkDiagnostics() error {
	if slices.Contains(faults.Formats(), faults.Format(c.diagnostics)) {
		return nil
	}
	_, err := faults.NewPrinter(faults.Format(c.diagnostics), io.Discard, faults.Options{})
	return usageError{err}
}

// report prints what a run found and returns its status as an error, nil when
// nothing was refused.
func (c *console) report(found faults.List) error {
	if c.strict {
		found = found.Strict()
	}
	out := c.err
	if (found.Refused() || c.judges) && c.machine() && !c.reports {
		out = c.out
	}
	p, err := faults.NewPrinter(faults.Format(c.diagnostics), out, faults.Options{Color: c.color(), Version: kora.Version(), More: c.more})
	if err != nil {
		return usageError{err}
	}
	if err := found.Print(p); err != nil && (out != c.err || statusOf(found) == exitDone) {
		return err // words that nobody reads change no verdict
	}
	if s := statusOf(found); s != exitDone {
		return status(s)
	}
	return nil
}

// say prints a line for a person; a machine's format stays quiet.
func (c *console) say(line string) {
	if line != "" && !c.machine() {
		fmt.Fprintln(c.err, line)
	}
}

// withFixes gives each fault that knows no better way out the one of its rule
// (R13, R20).
func withFixes(found faults.List) faults.List {
	out := slices.Clone(found)
	for i, f := range out {
		if entry, ok := faults.Lookup(f.Code); ok && f.Fix == "" {
			out[i].Fix = entry.Fix
		}
	}
	return out
}
