package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/runkora/kora/internal/faults"
)

// Report is what a run found about all its artifacts, in the order they were
// given. Its JSON form is stable: Version rises when it breaks (R49).
type Report struct {
	Version   int       `json:"version"`
	Artifacts []Verdict `json:"artifacts"`
	// How many artifacts are verified, refused, and could not be checked.
	Verified  int `json:"verified"`
	Refused   int `json:"refused"`
	Unchecked int `json:"unchecked"`
}

// NewReport counts verdicts.
func NewReport(verdicts ...Verdict) Report {
	r := Report{Version: 1, Artifacts: append([]Verdict{}, verdicts...)}
	for _, v := range verdicts {
		switch {
		case v.Verified():
			r.Verified++
		case v.Kind == CouldNotCheck:
			r.Unchecked++
		default:
			r.Refused++
		}
	}
	return r
}

// Faults returns the faults of every artifact that is not verified.
func (r Report) Faults() faults.List {
	var out faults.List
	for _, v := range r.Artifacts {
		out = append(out, v.Faults()...)
	}
	return out
}

// JSON returns the report for programs.
func (r Report) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return nil, fmt.Errorf("encode report: %w", err)
	}
	return faults.EscapeJSON(b.Bytes()), nil
}

// Text returns a line an artifact, with a mark, its digest and who signed it.
func (r Report) Text() string {
	var b strings.Builder
	for _, v := range r.Artifacts {
		b.WriteString(v.Line() + "\n")
	}
	return b.String()
}

// Line is the verdict in one line.
func (v Verdict) Line() string {
	if !v.Verified() {
		mark := "✗"
		if v.Kind == CouldNotCheck {
			mark = "?"
		}
		if v.Digest == "" {
			return printable(fmt.Sprintf("%s %s %s", mark, v.Artifact, v.words()))
		}
		return printable(fmt.Sprintf("%s %s %s %s", mark, v.Artifact, v.Digest, v.words()))
	}
	return printable(fmt.Sprintf("✓ %s %s %s", v.Artifact, v.Digest, v.Signers[0].words()))
}

func (v Verdict) words() string {
	switch v.Kind {
	case NotSigned:
		return "not signed"
	case NoneMatches:
		return "signed, but not by whom or for what was asked"
	case CouldNotCheck:
		return "could not be checked"
	}
	return "its evidence is malformed or wrong"
}

func (s Signer) words() string {
	who := s.Identity
	if s.Key != "" {
		who = s.Key
	}
	text := "signed by " + who
	if s.PredicateType != "" {
		text = s.PredicateType + " " + text
	}
	if s.Time != nil {
		text += " at " + s.Time.Format(time.RFC3339)
	}
	if s.LogIndex != nil {
		text += fmt.Sprintf(", log entry %d", *s.LogIndex)
	}
	return text
}

// printable keeps what a stranger wrote on its line and off the terminal, and
// shows where something stands that has no shape of its own.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, text)
}
