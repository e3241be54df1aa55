package preflight

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/operator/preflight"
)

// Report is what a run found, in the order of the checks.
type Report struct {
	Version   string              `json:"version"` // of kora
	Look      Look                `json:"look"`
	Passed    int                 `json:"passed"`
	Warned    int                 `json:"warned"`
	Failed    int                 `json:"failed"`
	Unchecked int                 `json:"unchecked"`
	Skipped   int                 `json:"skipped"`
	Unmet     int                 `json:"unmet"`  // of those that were skipped: asked for all the same
	Strict    bool                `json:"strict"` // a warning counts as a failure
	Checks    []preflight.Outcome `json:"checks"`
}

// Look is where a run looked. Each may be empty, and none holds a password.
type Look struct {
	Bundle    string `json:"bundle,omitempty"` // the folder, of a run that asked no cluster
	Context   string `json:"context,omitempty"`
	Server    string `json:"server,omitempty"`
	Namespace string `json:"namespace,omitempty"` // the system namespace
}

// parts are what is known of it, each with its name.
func (l Look) parts() [][2]string {
	all := [][2]string{{"bundle", l.Bundle}, {"context", l.Context}, {"server", kube.Server(l.Server)}, {"namespace", l.Namespace}}
	return slices.DeleteFunc(all, func(p [2]string) bool { return p[1] == "" })
}

// NewReport counts outcomes; strict is that a warning counts as a failure.
func NewReport(version string, strict bool, all []preflight.Outcome) Report {
	r := Report{Version: version, Strict: strict, Checks: all}
	for _, o := range all {
		if o.Unmet {
			r.Unmet++
		}
		switch o.State {
		case preflight.Passed:
			r.Passed++
		case preflight.Warned:
			r.Warned++
		case preflight.Failed:
			r.Failed++
		case preflight.Unchecked:
			r.Unchecked++
		case preflight.Skipped:
			r.Skipped++
		}
	}
	return r
}

// Refused reports that something does not hold.
func (r Report) Refused() bool { return r.Failed > 0 || r.Strict && r.Warned > 0 }

// Undecided reports that something could not be told, or that nobody looked:
// what was asked for was left out, or nothing was checked at all.
func (r Report) Undecided() bool { return r.Unchecked > 0 || r.Unmet > 0 || r.nothing() }

// Settled reports whether looking again would change nothing for the better.
func (r Report) Settled() bool { return !r.Refused() && r.Unchecked == 0 }

func (r Report) nothing() bool { return r.Passed+r.Warned+r.Failed+r.Unchecked == 0 }

// Formats are the ways in which a report is printed.
func Formats() []string { return []string{"text", "json", "junit"} }

// Print writes the report in a format of Formats.
func (r Report) Print(format string) ([]byte, error) {
	switch format {
	case "json":
		text, err := json.MarshalIndent(r, "", "  ")
		return append(visibleJSON(text), '\n'), err
	case "junit":
		return r.junit()
	}
	return []byte(r.text()), nil
}

// marks stand at the front of a check's line.
var marks = map[preflight.State]string{
	preflight.Passed: "pass", preflight.Warned: "warn", preflight.Failed: "FAIL", preflight.Unchecked: "????", preflight.Skipped: "skip",
}

func (r Report) text() string {
	var b strings.Builder
	for _, p := range r.Look.parts() {
		fmt.Fprintf(&b, "%-10s %s\n", p[0]+":", Plain(p[1]))
	}
	category := ""
	for _, o := range r.Checks {
		if o.Category != category {
			category = o.Category
			fmt.Fprintf(&b, "%s\n", category)
		}
		fmt.Fprintf(&b, "  %s  %s%s\n", marks[o.State], o.ID, Plain(aside(o)))
		for _, f := range o.Findings {
			finding(&b, f)
		}
		if len(o.Findings) > 0 {
			fmt.Fprintf(&b, "        why:      %s\n", o.Why)
		}
	}
	fmt.Fprintf(&b, "\n%s\n", r.Summary())
	return b.String()
}

func aside(o preflight.Outcome) string {
	switch {
	case len(o.BlockedBy) > 0:
		return ": blocked by " + strings.Join(o.BlockedBy, ", ")
	case o.Reason != "":
		return ": " + o.Reason
	}
	return ""
}

func finding(b *strings.Builder, f preflight.Finding) {
	fmt.Fprintf(b, "        %s\n", Plain(f.Message))
	for _, line := range [...][2]string{{"object", f.Object}, {"field", f.Field}, {"found", f.Found}, {"expected", f.Expected}, {"fix", f.Fix}} {
		if line[1] != "" {
			fmt.Fprintf(b, "        %-9s %s\n", line[0]+":", Plain(line[1]))
		}
	}
}

// Summary counts in one line: "21 passed, 1 failed, 2 skipped, of which 1 was
// asked for".
func (r Report) Summary() string {
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{r.Passed, "passed"}, {r.Warned, "warned"}, {r.Failed, "failed"}, {r.Unchecked, "could not be checked"}, {r.Skipped, "skipped"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if r.Unmet > 0 {
		parts = append(parts, fmt.Sprintf("of which %d asked for and not checked", r.Unmet))
	} else if r.nothing() {
		parts = append(parts, "nothing was checked")
	}
	return strings.Join(parts, ", ")
}
